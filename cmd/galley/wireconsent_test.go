package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/lsp/lsptest"
)

// touch is a call that runs a command which makes a file.
func touch(name string) string {
	return toolCall("run_command", tools.CommandArgs{Command: "echo made > " + name})
}

// made reports whether a command has run.
func (w *wire) made(name string) bool {
	_, err := os.Stat(filepath.Join(w.root, name))
	return err == nil
}

// history is the conversation as people read it.
func (w *wire) history(t *testing.T) string {
	t.Helper()
	text, err := w.host.Document(t.Context(), "", "history.md")
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// openQuestion finds the question about a command.
func openQuestion(s *lsptest.Screen, part string) (lsptest.Question, bool) {
	i := slices.IndexFunc(s.Questions, func(q lsptest.Question) bool { return q.Open && strings.Contains(q.Text, part) })
	if i < 0 {
		return lsptest.Question{}, false
	}
	return s.Questions[i], true
}

// awaitQuestion waits until the screen asks about a command.
func (w *wire) awaitQuestion(t *testing.T, part string) (q lsptest.Question) {
	t.Helper()
	w.Await(t, "a question about "+part, func(s *lsptest.Screen) (ok bool) {
		q, ok = openQuestion(s, part)
		return ok
	})
	return q
}

func asking() lsptest.Profile {
	return lsptest.VSCode().With("experimental.galley.notifications", true)
}

func TestWireConsent(t *testing.T) {
	t.Run("run", func(t *testing.T) {
		w := newWire(t, asking(), wireOptions{commands: "ask"})
		defer w.close(t)
		run := w.prompt(t, orders+touch("one")+"\n"+touch("two"), false)
		q := w.awaitQuestion(t, "echo made > one")
		if want := "galley: may the agent run this command in " + w.root + "?\n\necho made > one"; q.Text != want {
			t.Errorf("asked %q, want %q", q.Text, want)
		}
		if !slices.Equal(q.Actions, []string{"Don't run", "Run"}) {
			t.Errorf("the answers are %q", q.Actions)
		}
		w.awaitRun(t, run, "waits", func(r shownRun) bool {
			return r.State == "waiting" && strings.Contains(r.Text, "echo made > one")
		})
		if w.made("one") {
			t.Error("it has run already")
		}
		w.Press(q.Text, "Run")
		q = w.awaitQuestion(t, "echo made > two")
		w.Press(q.Text, "Don't run")
		w.idle(t)
		if !w.made("one") || w.made("two") {
			t.Errorf("one was made: %v, two: %v\n%s", w.made("one"), w.made("two"), w.history(t))
		}
	})
	t.Run("dismissed", func(t *testing.T) {
		w := newWire(t, asking(), wireOptions{commands: "ask"})
		defer w.close(t)
		w.Pick("")
		w.ask(t, touch("one"))
		if w.made("one") {
			t.Error("it has run")
		}
	})
	t.Run("cancelled", func(t *testing.T) {
		w := newWire(t, asking(), wireOptions{commands: "ask"})
		defer w.close(t)
		run := w.prompt(t, orders+touch("one"), false)
		q := w.awaitQuestion(t, "echo made > one")
		w.command(t, "galley.cancel")
		w.awaitRun(t, run, "is cancelled", func(r shownRun) bool { return r.State == "cancelled" })
		w.Press(q.Text, "Run") // too late
		w.ask(t, replace("none.txt", "a", "b"))
		if w.made("one") {
			t.Error("it has run")
		}
	})
	t.Run("an editor that cannot ask", func(t *testing.T) {
		w := newWire(t, lsptest.Emacs(), wireOptions{commands: "ask"})
		defer w.close(t)
		w.ask(t, touch("one"))
		if w.made("one") {
			t.Error("it has run")
		}
		w.Await(t, "the person is told", func(s *lsptest.Screen) bool {
			return s.Message("this editor cannot ask you", "in "+w.root, "echo made > one")
		})
	})
	t.Run("the editor goes", func(t *testing.T) {
		w := newWire(t, asking(), wireOptions{commands: "ask"})
		run := w.prompt(t, orders+touch("one"), false)
		w.awaitQuestion(t, "echo made > one")
		if err := w.Close(); err != nil {
			t.Log(err)
		}
		<-w.done
		w.over = true
		w.idle(t) // the question is answered, and the run goes on to its end
		if w.made("one") {
			t.Errorf("%s: it has run", run)
		}
		if err := w.host.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Run("several", func(t *testing.T) {
		w := newWire(t, asking(), wireOptions{commands: "ask"})
		defer w.close(t)
		w.tell(t, touch("one"))
		first := w.awaitQuestion(t, "echo made > one")
		w.command(t, "galley.newSession")
		w.tell(t, touch("two"))
		w.Await(t, "both wait", func(*lsptest.Screen) bool {
			open, _, err := w.host.WaitQuestions(t.Context(), 1, -1)
			return err == nil && len(open) == 2
		})
		w.Look(func(s *lsptest.Screen) {
			if _, ok := openQuestion(s, "two"); ok {
				t.Error("both are asked at once")
			}
		})
		w.Press(first.Text, "Run")
		w.Press(w.awaitQuestion(t, "echo made > two").Text, "Run")
		w.idle(t)
		if !w.made("one") || !w.made("two") {
			t.Error("they have not run")
		}
	})
	t.Run("allowed", func(t *testing.T) {
		w := newWire(t, lsptest.Plain(), wireOptions{commands: "allow"})
		defer w.close(t)
		w.ask(t, touch("one"))
		if !w.made("one") {
			t.Error("it has not run")
		}
	})
}
