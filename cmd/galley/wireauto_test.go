package main

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/lsp/lsptest"
	"github.com/galley-ls/galley/memory"
)

// With review: auto the agent's commit goes into a text that is open where that is safe: its editor refuses every stale edit,
// and is the one that asked. Else all of it is proposed.
func TestAutoGoesIntoOpenTexts(t *testing.T) {
	refuses := lsptest.Answer{Do: lsptest.DoRefuse}
	for name, c := range map[string]struct {
		keeper, asker lsptest.Profile // the same, if there is no asker
		answer        lsptest.Answer
		committed     bool
	}{
		"VS Code":                       {keeper: lsptest.VSCode(), committed: true},
		"Helix":                         {keeper: lsptest.Helix(), committed: true},
		"Neovim with the plugin":        {keeper: plugin(), committed: true},
		"Neovim without":                {keeper: lsptest.Neovim012()},
		"Emacs":                         {keeper: lsptest.Emacs()},
		"another editor has the file":   {keeper: lsptest.VSCode(), asker: lsptest.Helix()},
		"the editor refuses":            {keeper: lsptest.Helix(), answer: refuses},
		"the editor does not say so":    {keeper: lsptest.Helix(), answer: lsptest.Answer{Do: lsptest.DoRefuse, Say: lsptest.SayApplied}},
		"its text comes after a moment": {keeper: plugin(), answer: lsptest.Answer{When: lsptest.ReplyFirst}, committed: true},
	} {
		t.Run(name, func(t *testing.T) {
			o := wireOptions{files: map[string]string{"a.txt": "one\n", "b.txt": "two\n"}, review: editing.Auto}
			if c.answer.Say == lsptest.SayApplied && !c.committed {
				o.patience = 200 * time.Millisecond
			}
			w := newWire(t, c.keeper, o)
			defer w.close(t)
			w.open(t, "a.txt")
			w.heard(t)
			asker := w
			if c.asker.Name != "" {
				asker = w.beside(t, c.asker)
				defer asker.close(t)
			}
			w.Answers(c.answer)
			asker.tell(t, replace("a.txt", "one", "ONE"), replace("b.txt", "two", "TWO"), toolCall("memo_commit", tools.CommitArgs{Summary: "loud"}))
			if c.committed {
				w.Await(t, "the edit", func(s *lsptest.Screen) bool { return len(s.Edits) > 0 })
				w.Flush() // some send the text when the user pauses
			}
			asker.idle(t)
			ses, _ := w.host.Workspace().Snapshot().Session(w.host.Current(), 1)
			want, shown, written := editing.Proposed, "one\n", "two\n"
			if c.committed {
				want, shown, written = editing.Committed, "ONE\n", "TWO\n"
			}
			if ses.State != want || w.Text(w.uri("a.txt")) != shown || w.read(t, "b.txt") != written {
				t.Fatalf("the edit is %s, the editor shows %q, and b.txt holds %q\n%s", ses.State, w.Text(w.uri("a.txt")), w.read(t, "b.txt"), w.Dump())
			}
			history := w.history(t)
			if strings.Contains(history, "the user committed") || !strings.Contains(history, string(want)) {
				t.Errorf("the agent reads\n%s", history)
			}
			if !c.committed {
				return
			}
			if d, ok := w.host.Latest(); !ok || d.By.Kind != memory.ClientAgent || len(d.Letters) != 2 {
				t.Errorf("the latest decision is %+v", d)
			}
			w.command(t, "galley.undo")
			w.Flush()
			w.awaitText(t, "a.txt", "one\n")
			w.awaitLetter(t, "B", editing.Staged)
			if got := w.read(t, "b.txt"); got != "two\n" {
				t.Errorf("after undo b.txt holds %q", got)
			}
		})
	}
}

// So it is over a pump, where the loop is another process than the one that holds the letters.
func TestAutoGoesIntoOpenTextsOfItsAsker(t *testing.T) {
	h := newHosted(t, map[string]string{"a.txt": "one\n"})
	e, err := lsptest.Start(h.process(h.dir, "serve"), lsptest.Helix().With("experimental.galley.notifications", true))
	if err == nil {
		err = e.Initialize(t.Context(), lsptest.Init{Root: h.dir, Options: map[string]any{"review": "auto"}})
	}
	if err != nil {
		t.Fatal(err)
	}
	uri, err := e.Open(filepath.Join(h.dir, "a.txt"))
	if err != nil {
		t.Fatal(err)
	}
	h.command(e, "galley.ask", map[string]any{"prompt": `replace "one" with "ONE" in a.txt then commit "loud"`})
	e.Await(t, "the agent's text, and no letter that waits", func(s *lsptest.Screen) bool {
		var now struct{ Files []any }
		b, _ := s.Buffer(uri)
		return b.Text == "ONE\n" && s.Note("galley/changes", &now) && len(now.Files) == 0
	})
	if err := e.Exit(t.Context()); err != nil {
		t.Error(err)
	}
	h.ends()
}
