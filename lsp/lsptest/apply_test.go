package lsptest

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What each editor does with an edit, and what it says: the rows "applyEdit" of the feature table.
func TestApplyRules(t *testing.T) {
	const typed, edited = "typed a\n", "new a\n"
	type row struct {
		profile Profile
		state   string // of the buffer when the edit comes: "", "typed" (unsent), "sent"
		version int    // of the edit, counted from the first version
		text    string
		said    string
	}
	rows := []row{
		{Plain(), "", 0, edited, "applied: true"},
		{Plain(), "sent", 0, typed, "applied: false"},
		{VSCode(), "sent", 0, typed, "applied: false"},
		{VSCode(), "sent", 1, "new typed a\n", "applied: true"},
		{Helix(), "sent", 0, typed, "applied: false"},
		{Neovim012(), "", 0, edited, "applied: true"},
		{Neovim012(), "typed", 0, "new typed a\n", "applied: true"}, // 0 is never checked
		{Neovim012(), "sent", 0, "new typed a\n", "applied: true"},
		{Neovim010(), "twice", 1, "more typed a\n", "applied: true"}, // refused, but it says otherwise
		{Emacs(), "typed", 0, "new typed a\n", "applied: true"},      // typing does not raise the version
		{Emacs(), "sent", 0, typed, "error: document has changed"},
	}
	for _, r := range rows {
		t.Run(fmt.Sprintf("%s/%s/%d", r.profile.Name, r.state, r.version), func(t *testing.T) {
			e := dial(t, r.profile)
			e.Freeze()
			e.OpenText(doc, "a\n")
			if r.state != "" {
				e.Type(doc, Offset(0), "typed ")
			}
			if r.state == "twice" {
				e.Type(doc, Offset(0), "more ")
			}
			if r.state != "typed" {
				e.Flush()
			}
			steps := e.Buffer(doc).Undo
			sendUnflushed(t, e, applyEdit("1", doc, r.profile.FirstVersion+r.version, 0, "new "))
			b := e.Buffer(doc)
			e.Look(func(s *Screen) {
				if b.Text != r.text || s.Edits[0].Said != r.said {
					t.Errorf("%q, said %q; want %q, %q", b.Text, s.Edits[0].Said, r.text, r.said)
				}
				if did := b.Undo == steps+1; did != s.Edits[0].Did {
					t.Errorf("%d undo steps after %d, did %t", b.Undo, steps, s.Edits[0].Did)
				}
			})
		})
	}
}

func sendUnflushed(t *testing.T, e *Editor, messages ...any) {
	t.Helper()
	if _, err := e.BeginCommandUnflushed("send", messages...).Result(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestScriptedAnswers(t *testing.T) {
	for _, c := range []struct {
		answer     Answer
		text, said string
	}{
		{Answer{}, "12", "applied: true"},
		{Answer{Do: DoRefuse}, "", "applied: false"},
		{Answer{Do: DoRefuse, Say: SayApplied}, "", "applied: true"},
		{Answer{Do: DoRefuse, Say: SayError}, "", "error: refused"},
		{Answer{Do: DoRefuse, Say: SayNothing}, "", "nothing"},
		{Answer{Say: SayNotApplied}, "12", "applied: false"},
		{Answer{Do: DoPartly}, "1", "applied: false"},
		{Answer{Do: DoPartly, Say: SayApplied}, "1", "applied: true"},
		{Answer{Do: DoLater, Say: SayApplied}, "", "applied: true"},
	} {
		e := dial(t, VSCode())
		e.OpenText(doc, "\n")
		e.Answers(c.answer)
		m := applyEdit("1", doc, 1, 0, "")
		m["params"] = json.RawMessage(fmt.Sprintf(`{"edit":{"documentChanges":[{"textDocument":{"uri":%q,"version":1},"edits":[
			{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"newText":"1"},
			{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"newText":"2"}]}]}}`, doc))
		send(t, e, m)
		e.Look(func(s *Screen) {
			if b, _ := s.Buffer(doc); b.Text != c.text+"\n" || s.Edits[0].Said != c.said {
				t.Errorf("%+v: %q, %s; want %q, %s", c.answer, b.Text, s.Edits[0].Said, c.text, c.said)
			}
		})
		e.Finish()
		if c.answer.Do == DoLater && e.Text(doc) != "12\n" {
			t.Errorf("finished to %q", e.Text(doc))
		}
		Conform(t, e)
	}
}

// A file that is not open is loaded into a buffer; one editor saves it by itself.
func TestEditOfAClosedFile(t *testing.T) {
	for _, c := range []struct {
		refactoring, dirty bool
		disk               string
	}{{false, true, "a\n"}, {true, false, "new a\n"}} {
		e := dial(t, VSCode())
		path := filepath.Join(t.TempDir(), "f.txt")
		if err := os.WriteFile(path, []byte("a\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		m := applyEdit("1", e.URI(path), 1, 0, "new ")
		m["params"].(map[string]any)["metadata"] = map[string]any{"isRefactoring": c.refactoring}
		send(t, e, m)
		disk, err := os.ReadFile(path)
		if b := e.Buffer(e.URI(path)); b.Text != "new a\n" || b.Dirty != c.dirty || string(disk) != c.disk || err != nil {
			t.Errorf("refactoring %t: %+v, disk %q, %v", c.refactoring, b, disk, err)
		}
	}
}

func TestLackingCapability(t *testing.T) {
	for _, c := range []struct {
		profile Profile
		want    string
	}{{Helix(), `"code":-32601`}, {Emacs(), `"result":null`}} {
		e := dial(t, c.profile.Without("workspace.applyEdit"))
		e.OpenText(doc, "a\n")
		send(t, e, applyEdit("1", doc, 0, 0, "x"))
		log := e.Log()
		if last := string(log[len(log)-2].Body); !strings.Contains(last, c.want) || e.Text(doc) != "a\n" {
			t.Errorf("%s answers %s, has %q", c.profile.Name, last, e.Text(doc))
		}
		if bad := e.Violations(); len(bad) != 1 {
			t.Errorf("violations %q", bad)
		}
	}
}
