package main_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/galley-ls/galley/lsp/lsptest"
)

// editorFault is an editor that does not do what it is asked to, or does it too late. A commit over two open files (A, B)
// and a closed one (C) meets it, when the person has typed into both.
type editorFault struct {
	name   string
	answer lsptest.Answer
	typed  bool   // the person types into the story's file, at A's place, before its text could come
	states string // of the letters when the commit was given up; "": it is not, whatever the editor says
	late   string // the same, after the text has come at last; "": it never comes
	said   string // what the person is told
	again  string // what the next commit says, which the editor does not resist: a status, or a code
	want   string // the story's file in the end
}

const (
	faultText  = "first\nplace\nlast\n"
	faultMine  = "unsaved\n"
	faultAfter = faultMine + "first\nPLACE\nlast\n"
)

func editorFaults() []editorFault {
	const (
		refused = "the editor did not apply A, B"
		silence = "the text of the editor did not change within 5s: A, B"
		none    = "A staged, B staged, C staged"
		both    = "A applied, B applied, C staged"
	)
	return []editorFault{
		{
			name: "refuses", answer: lsptest.Answer{Do: lsptest.DoRefuse},
			states: none, said: refused + ": refused", again: "committing", want: faultAfter,
		},
		{
			name: "answers with an error", answer: lsptest.Answer{Do: lsptest.DoRefuse, Say: lsptest.SayError},
			states: none, said: refused, again: "committing", want: faultAfter,
		},
		{
			name: "lies", answer: lsptest.Answer{Do: lsptest.DoRefuse, Say: lsptest.SayApplied},
			states: none, said: silence, again: "committing", want: faultAfter,
		},
		{
			name: "does the half of it", answer: lsptest.Answer{Do: lsptest.DoPartly, Say: lsptest.SayApplied},
			states: "A applied, B staged, C staged", said: "changed already: f.txt", again: "committing", want: faultAfter,
		},
		{
			name: "is late", answer: lsptest.Answer{Do: lsptest.DoLater, Say: lsptest.SayApplied},
			states: none, late: both, said: silence, again: "committed", want: faultAfter,
		},
		{
			name: "is late, and the person types there", answer: lsptest.Answer{Do: lsptest.DoLater, Say: lsptest.SayApplied}, typed: true,
			states: "A conflict, B staged, C staged", late: "A conflict, B applied, C staged", said: "changed already: f.txt",
			again: "commit_failed", want: faultMine + "first\nplaice\nlast\n",
		},
		{
			name:   "denies what it did, its text comes first",
			answer: lsptest.Answer{Do: lsptest.DoApply, Say: lsptest.SayNotApplied, When: lsptest.ChangeFirst}, want: faultAfter,
		},
		{
			name:   "denies what it did, its text comes later",
			answer: lsptest.Answer{Do: lsptest.DoApply, Say: lsptest.SayNotApplied, When: lsptest.ReplyLong},
			states: both, said: refused, again: "committed", want: faultAfter,
		},
	}
}

// All faults of an editor at once: most of the time is spent with waiting.
func TestEditorFaults(t *testing.T) {
	everyEditor(t, "commits", func(t *testing.T, p lsptest.Profile) {
		faults := editorFaults()
		sittings := make([]*sitting, len(faults))
		for i, f := range faults {
			sittings[i] = sit(t, p, map[string]string{storyFile: faultText, "two.txt": faultText, "closed.txt": faultText})
			sittings[i].provoke(f)
		}
		for i, f := range faults {
			sittings[i].judge(f)
			if t.Failed() {
				t.Fatalf("an editor that %s: see above", f.name)
			}
		}
	})
}

// provoke commits in an editor that behaves so.
func (s *sitting) provoke(f editorFault) {
	s.Helper()
	two := s.open("two.txt")
	s.e.Type(s.uri, lsptest.Offset(0), faultMine)
	s.e.Type(two, lsptest.Offset(0), faultMine)
	var steps []string
	for _, name := range []string{storyFile, "two.txt", "closed.txt"} {
		steps = append(steps, fmt.Sprintf(`replace "place" with "PLACE" in %s`, name))
	}
	s.ask(strings.Join(steps, " then "))
	s.are("A staged, B staged, C staged")
	s.e.Answers(f.answer)
	if f.answer.When == lsptest.ReplyLong { // until the commit is given up
		s.e.Freeze()
	}
	if status := s.commit(nil); status != "committing" {
		s.Errorf("the commit is %s", status)
	}
	if f.typed {
		s.e.Replace(s.uri, lsptest.Before("place"), lsptest.After("place"), "plaice")
		s.e.Flush()
	}
	if f.answer.When != lsptest.ReplyLong { // the texts of this editor come now, and not when the others have been provoked
		s.e.Await(s, "the editor has told everything", (*lsptest.Screen).Settled)
	}
}

// judge checks what became of the letters, and what the person was told; then the text comes at last, and there is
// another commit.
func (s *sitting) judge(f editorFault) {
	s.Helper()
	if f.states != "" {
		s.e.Await(s, "the commit is given up", func(sc *lsptest.Screen) bool { return sc.Message("no closed file was written", f.said) })
		s.e.Thaw()
		s.are(f.states)
		s.onDisk()
	}
	if f.late != "" {
		s.e.Finish()
		s.are(f.late)
		s.onDisk()
	}
	s.believes()
	switch f.again {
	case "commit_failed":
		s.refused(f.again, "galley.commit")
	case "":
		s.awaitClosed()
	default:
		if status := s.commit(nil); status != f.again {
			s.Errorf("the next commit is %s, want %s", status, f.again)
		}
		s.awaitClosed()
	}
	if f.again != "commit_failed" {
		s.disk["closed.txt"] = faultAfter[len(faultMine):]
	}
	if got := s.e.Text(s.e.URI(s.path("two.txt"))); got != faultAfter {
		s.Errorf("two.txt holds %q", got)
	}
	s.leave(f.want)
}
