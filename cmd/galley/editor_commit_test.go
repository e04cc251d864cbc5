package main_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/galley-ls/galley/lsp/lsptest"
)

// commitAll is a commit over two open files, one of them with unsaved typing, and two that no editor has open.
const commitAll = `replace "line 05" with "five" in f.txt then replace "line 05" with "five" in g.txt ` +
	`then replace "line 05" with "five" in closed.txt then replace "line 05" with "five" in deep/closed.txt`

func commitFiles() map[string]string {
	return map[string]string{storyFile: lines(10), "g.txt": lines(10), "closed.txt": lines(10), "deep/closed.txt": lines(10)}
}

var five = with(lines(10), "line 05", "five")

// commit answers the status that the command does.
func (s *sitting) commit(args map[string]any) string {
	s.Helper()
	var answer struct{ Status string }
	s.ok(json.Unmarshal(s.command("galley.commit", args), &answer))
	return answer.Status
}

// awaitClosed waits until no letter is shown any more: the edit is closed.
func (s *sitting) awaitClosed() {
	s.Helper()
	s.e.Await(s, "nothing is pending", func(sc *lsptest.Screen) bool {
		for uri := range sc.Diagnostics {
			if len(sc.Codes(uri)) > 0 {
				return false
			}
		}
		return true
	})
	s.e.Await(s, "the commit is over", func(sc *lsptest.Screen) bool {
		var all struct{ Edits []struct{} }
		return sc.Note("galley/changes", &all) && len(all.Edits) == 0
	})
}

func TestEditorCommits(t *testing.T) {
	everyEditor(t, "closed files wait for the open ones", func(t *testing.T, p lsptest.Profile) {
		s := sit(t, p, commitFiles())
		g := s.open("g.txt")
		s.ask(commitAll)
		s.are("A staged, B staged, C staged, D staged")
		s.e.Answers(lsptest.Answer{Do: lsptest.DoLater, Say: lsptest.SayApplied})
		if status := s.commit(map[string]any{"summary": "fives"}); status != "committing" {
			s.Errorf("the commit is %s before any text has come", status)
		}
		s.are("A applying, B applying, C staged, D staged")
		s.onDisk()
		s.refused("applying", "galley.reject", "A")
		s.e.Finish()
		s.awaitClosed()
		s.disk["closed.txt"], s.disk["deep/closed.txt"] = five, five
		if got := s.e.Text(g); got != five {
			s.Errorf("g.txt holds %q", got)
		}
		s.leave(five)
	})
	everyEditor(t, "what was clean is saved where the editor can", func(t *testing.T, p lsptest.Profile) {
		s := sit(t, p.Galley(false), commitFiles())
		s.open("g.txt")
		s.ask(commitAll)
		s.e.Type(s.uri, lsptest.End(), "unsaved\n")
		if status := s.commit(nil); status != "committing" {
			s.Errorf("the commit is %s", status)
		}
		s.awaitClosed()
		s.e.Await(s, "g.txt is saved", func(sc *lsptest.Screen) bool { return len(sc.Saved) > 0 })
		s.e.Look(func(sc *lsptest.Screen) {
			if len(sc.Saved) != 1 || !strings.HasSuffix(sc.Saved[0], "/g.txt") {
				s.Errorf("saved are %q", sc.Saved)
			}
		})
		s.disk["g.txt"], s.disk["closed.txt"], s.disk["deep/closed.txt"] = five, five, five
		s.leave(five + "unsaved\n")
	})
	everyEditor(t, "one undo, and the rest is committed", func(t *testing.T, p lsptest.Profile) {
		s := sit(t, p, commitFiles())
		s.ask(commitAll)
		s.apply("A")
		s.e.Undo(s.uri)
		s.await("A", "staged")
		s.e.Redo(s.uri)
		s.await("A", "applied")
		s.command("galley.reject", map[string]any{"change": "D", "reason": "not there"})
		if status := s.commit(nil); status != "committed" {
			s.Errorf("the commit of closed files is %s", status)
		}
		s.are("")
		s.disk["g.txt"], s.disk["closed.txt"] = five, five
		s.leave(five)
	})
	everyEditor(t, "a file that cannot be written", func(t *testing.T, p lsptest.Profile) {
		s := sit(t, p, commitFiles())
		s.ask(commitAll)
		s.ok(os.Chmod(s.path("deep/closed.txt"), 0o400))
		s.refused("commit_failed", "galley.commit")
		s.are("A staged, B staged, C staged, D staged") // the open texts were not touched
		s.ok(os.Chmod(s.path("deep/closed.txt"), 0o600))
		s.write("deep/closed.txt", with(lines(10), "line 05", "theirs")) // noticed when it is about to be written
		s.refused("commit_failed", "galley.commit")
		s.are("A staged, B staged, C staged, D conflict")
		s.onDisk()
		s.leave(lines(10))
	})
}
