package main_test

import (
	"testing"

	"github.com/galley-ls/galley/lsp/lsptest"
)

// Some editors hold typing back, and apply an edit to a text that galley has not seen: it may land anywhere. Galley then
// knows it by the text, says so, and one undo gives the person's text back.
func TestEditorRaces(t *testing.T) {
	const typed = "1\n2\n3\n4\n"
	everyEditor(t, "apply overtakes typing", func(t *testing.T, p lsptest.Profile) {
		s := sit(t, p, map[string]string{storyFile: lines(30)})
		s.ask(`replace "line 20" with "twenty" in f.txt`)
		s.await("A", "staged")
		s.e.Freeze()
		s.e.Type(s.uri, lsptest.Before("line 02"), typed)
		_, err := s.e.BeginCommandUnflushed("galley.apply", "A").Result(s.Context())
		s.ok(err)
		s.e.Thaw()
		s.e.Await(s, "all is told", func(sc *lsptest.Screen) bool {
			b, _ := sc.Buffer(s.uri)
			return sc.Settled() && b.Told == b.Text
		})
		s.believes()
		mine, want := with(lines(30), "line 02", typed+"line 02"), with(lines(30), "line 02", typed+"line 02", "line 20", "twenty")
		if s.e.Text(s.uri) != want { // it landed elsewhere
			s.e.Await(s, "the person is told", func(sc *lsptest.Screen) bool { return sc.Message("A") })
			s.e.Undo(s.uri)
			if got := s.e.Text(s.uri); got != mine {
				s.Errorf("after one undo the buffer holds %q", got)
			}
			s.await("A", "staged")
			s.apply("A")
		}
		s.await("A", "applied")
		s.leave(want)
	})
	everyEditor(t, "applied once", func(t *testing.T, p lsptest.Profile) {
		s := sit(t, p, map[string]string{storyFile: lines(30)})
		s.ask(`append "once\n" to f.txt`)
		s.e.Answers(lsptest.Answer{Do: lsptest.DoLater, Say: lsptest.SayApplied})
		s.command("galley.apply", "A")
		s.refused("applying", "galley.apply", "A")
		s.refused("applying", "galley.commit")
		s.e.Finish()
		s.await("A", "applied")
		s.refused("state", "galley.apply", "A")
		s.e.Undo(s.uri)
		s.await("A", "staged")
		s.e.Type(s.uri, lsptest.End(), "once\n") // the person does it themself
		s.await("A", "applied")
		s.command("galley.commit") // nothing is left to apply
		s.leave(lines(30) + "once\n")
	})
}
