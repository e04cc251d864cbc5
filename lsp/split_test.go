package lsp

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/galley-ls/galley/editing"
)

// block has an agent put three lines behind the first one of a document that is open: A.
func block(t *testing.T, caps string) (*wire, *pad, *fakeHost) {
	t.Helper()
	host := newFakeHost()
	w := dial(t, dialOptions{host: host, caps: caps})
	p := newPad(w)
	p.open("a.txt", "a\nz\n", 0)
	if r := host.stage("a.txt", "a\n", "a\n1\n2\n3\n"); !r.OK() {
		t.Fatal(r)
	}
	return w, p, host
}

func TestSplitCommand(t *testing.T) {
	for _, test := range []struct{ argument, fails, answer string }{
		{`{"change":"A","revision":1,"lines":[3,3]}`, "", `{"change":"A","new":"B"}`}, // " a", "+1", "+2", "+3", " z"
		{`{"lines":[3,4]}`, "", `{"change":"A","new":"B"}`},
		{`{"change":"A","range":` + at(1, 0, 1, 0) + `}`, "none of these lines", ""},
		{`{"change":"A","range":` + at(0, 0, 0, 0) + `}`, "that is all of A", ""},
		{`{"change":"A","revision":7,"lines":[3,3]}`, "was amended since you saw it", ""},
		{`{"change":"A","lines":[1,1]}`, "none of these lines", ""},
		{`{"change":"A","lines":[1,5]}`, "that is all of A", ""},
		{`{"change":"A","lines":[2,9]}`, "display lines of change A, which has 5", ""},
		{`{"change":"A","lines":[4,3]}`, "display lines of change A", ""},
		{`{"change":"A","lines":[2]}`, "display lines of change A", ""},
		{`{"change":"A"}`, "display lines of change A", ""},
		{`{"change":"Z","lines":[2,2]}`, "there is no change Z", ""},
		{`{"change":"A","lines":"all"}`, "the argument cannot be read", ""},
	} {
		w, _, _ := block(t, applies)
		m := w.command(cmdSplit, test.argument)
		switch {
		case test.fails != "":
			if m.Error == nil || !strings.Contains(m.Error.Message, test.fails) {
				t.Errorf("%s: %s %+v, want an error that says %q", test.argument, m.Result, m.Error, test.fails)
			}
		case m.Error != nil || string(m.Result) != test.answer:
			t.Errorf("%s: %s %+v", test.argument, m.Result, m.Error)
		default:
			w.awaitChange("B", editing.Staged)
		}
	}
}

// A part of a letter is taken or refused: a cut, and a decision.
func TestDecideAPart(t *testing.T) {
	for _, test := range []struct{ command, lines, states, text string }{
		{cmdApply, "[3,3]", "A staged, B applied", "a\n2\nz\n"},
		{cmdApply, "[1,5]", "A applied", "a\n1\n2\n3\nz\n"},
		{cmdReject, "[2,2]", "A staged, B rejected", "a\nz\n"},
		{cmdReject, "[2,4]", "A rejected", "a\nz\n"},
	} {
		w, p, _ := block(t, applies)
		m := w.command(test.command, `{"change":"A","revision":1,"lines":`+test.lines+`,"reason":"no"}`)
		if m.Error != nil {
			t.Fatalf("%s %s: %+v", test.command, test.lines, m.Error)
		}
		w.awaitState(test.states, func(s *editing.Snapshot) bool {
			var got []string
			for _, c := range s.Changes() {
				got = append(got, c.Letter+" "+string(c.State))
			}
			return strings.Join(got, ", ") == test.states
		})
		if got := p.text("a.txt"); got != test.text {
			t.Errorf("%s %s: the text is %q, want %q", test.command, test.lines, got, test.text)
		}
	}
	host := newFakeHost()
	w := dial(t, dialOptions{host: host, caps: applies})
	p := newPad(w)
	p.open("a.txt", "a\nb\nc\nd\n", 0)
	if r := host.stage("a.txt", "b\nc\n", "B\nC\n"); !r.OK() {
		t.Fatal(r)
	}
	if m := w.command(cmdApply, `{"change":"A","revision":1,"range":`+at(2, 0, 2, 1)+`}`); m.Error != nil {
		t.Fatal(m.Error)
	}
	w.awaitChange("B", editing.Applied)
	if got := p.text("a.txt"); got != "a\nb\nC\nd\n" {
		t.Errorf("of a range: the text is %q", got)
	}
	w, _, _ = block(t, applies)
	if m := w.command(cmdApply, `{"change":"A","lines":[1,1]}`); m.Error == nil || !strings.Contains(m.Error.Message, "none of these lines") {
		t.Errorf("%s %+v", m.Result, m.Error)
	}
}

func TestAmendCommand(t *testing.T) {
	w, _, _ := block(t, strings.Replace(applies, `{"workspace"`, `{"experimental":{"galley":{"notifications":true}},"workspace"`, 1))
	if m := w.command(cmdAmend, `{"change":"A","revision":1}`); m.Error == nil || !strings.Contains(m.Error.Message, "needs newText") {
		t.Errorf("without a text: %s %+v", m.Result, m.Error)
	}
	var state changesMessage
	if err := json.Unmarshal(w.command(cmdChanges, "").Result, &state); err != nil {
		t.Fatal(err)
	}
	now := strings.Replace(state.Files[0].Changes[0].NewText, "2", "zwei", 1)
	raw, err := json.Marshal(map[string]any{"change": "A", "revision": 1, "newText": now})
	if err != nil {
		t.Fatal(err)
	}
	if m := w.command(cmdAmend, string(raw)); m.Error != nil || !strings.Contains(string(m.Result), `"revision":2`) {
		t.Fatalf("%s %+v", m.Result, m.Error)
	}
	w.awaitMessage(methodChanges, func(raw json.RawMessage) bool {
		return strings.Contains(string(raw), `"by":"you"`) && strings.Contains(string(raw), `zwei`) && strings.Contains(string(raw), "edited by you · because")
	})
	if m := w.command(cmdAmend, string(raw)); m.Error == nil || !strings.Contains(string(m.Error.Data), `"stale"`) {
		t.Errorf("again: %s %+v", m.Result, m.Error)
	}
}

// A proposal is edited in a file, which the client shows; what could not be taken in is told.
func TestEditCommand(t *testing.T) {
	w, _ := review(t, literals, 0)
	host := w.host
	w.on("window/showDocument", func(json.RawMessage) any { return map[string]bool{"success": true} })
	m := w.command(cmdEdit, `{"change":"A","revision":1}`)
	if want := `{"change":"A","revision":1,"uri":"file:///home/.ai/A-1/a.txt"}`; m.Error != nil || string(m.Result) != want {
		t.Fatalf("%s %+v", m.Result, m.Error)
	}
	w.awaitMessage("window/showDocument", func(raw json.RawMessage) bool { return strings.Contains(string(raw), "A-1/a.txt") })
	host.drafts <- "A is not taken in"
	w.awaitMessage("window/showMessage", func(raw json.RawMessage) bool { return strings.Contains(string(raw), "A is not taken in") })
	w.notify("textDocument/didOpen", `{"textDocument":{"uri":"file:///home/.ai/A-1/a.txt","languageId":"text","version":1,"text":"ONE\n"}}`)
	w.notify("textDocument/didSave", `{"textDocument":{"uri":"file:///home/.ai/A-1/a.txt"}}`)
	w.awaitNoted("changed [/home/.ai/A-1/a.txt]")
	if m := w.command(cmdEdit, `{"change":"A","revision":3}`); m.Error == nil || !strings.Contains(m.Error.Message, "was amended since") {
		t.Errorf("%s %+v", m.Result, m.Error)
	}
}
