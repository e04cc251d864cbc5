package lsp

import (
	"strings"
	"testing"

	"github.com/galley-ls/galley/editing"
)

// TestUndo: the latest decision is told, taken back in the editor, and not told any more.
func TestUndo(t *testing.T) {
	w, p := review(t, applies, 0)
	if m := w.command(cmdUndo, `{"decision":"nobody"}`); m.Error == nil || !strings.Contains(string(m.Error.Data), `"unknown_decision"`) {
		t.Errorf("an unknown decision: %+v", m)
	}
	w.command(cmdApply, `"A"`)
	w.awaitChange("A", editing.Applied)
	was := p.text("a.txt")
	if got := string(w.command(cmdChanges, `{}`).Result); !strings.Contains(got, `"latest":{"decision":"01DECISION","what":"apply","letters":["A"],"by":"fake","time":"1970-01-01T00:00:00Z"}`) {
		t.Errorf("galley.changes says %s", got)
	}
	if m := w.command(cmdUndo, `{"ask":true}`); string(m.Result) != `{"question":"Take back: A applied?"}` {
		t.Errorf("what is to be asked first: %+v", m)
	}
	m := w.command(cmdUndo, ``)
	if m.Error != nil || !strings.Contains(string(m.Result), `{"undone":{"decision":"01DECISION","what":"apply","letters":["A"],"files":["a.txt"],"said":"taken back: A applied in a.txt"}}`) {
		t.Fatalf("%+v", m)
	}
	w.awaitChange("A", editing.Staged)
	if now := p.text("a.txt"); now == was {
		t.Errorf("the text is %q still", now)
	}
	if got := string(w.command(cmdChanges, `{}`).Result); strings.Contains(got, `"latest"`) {
		t.Errorf("galley.changes says %s", got)
	}
	if m := w.command(cmdUndo, ``); m.Error == nil || m.Error.Code != -32803 || !strings.Contains(string(m.Error.Data), `"taken_back"`) {
		t.Errorf("a second time: %+v", m)
	}
}
