package lsp

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
	"go.lsp.dev/protocol"
)

// What is sent to an editor that holds lines leaves the last ending alone.
func TestLineEdits(t *testing.T) {
	for _, c := range []struct {
		doc, want string
		bare      bool
		made      string // the edits, as start-end:new
	}{
		{"one\ntwo\n", "one\n2\n", false, `4-7:"2"`},
		{"one\ntwo\n", "one\n2", false, `4-7:"2"`},
		{"one\ntwo\n", "one\ntwo", false, ``},
		{"one\ntwo\n", "one\n", false, `3-7:""`},
		{"one\ntwo\n", "one", false, `3-7:""`},
		{"one\ntwo\n", "one\ntwo\nthree\n", false, `7-7:"\nthree"`},
		{"one\ntwo\n", "one\ntwo\nthree", false, `7-7:"\nthree"`},
		{"one\ntwo\n", "", false, `0-7:""`},
		{"one\ntwo", "one\ntwo\n", true, ``},
		{"one\ntwo", "one\ntwo\nthree\n", true, `7-7:"\nthree"`},
		{"one\ntwo", "one\n", true, `3-7:""`},
		{"one\ntwo\n", "one\n2\n", true, `4-7:"2"`}, // its last line is empty
		{"one\n", "one\ntwo\n", true, `3-3:"\ntwo"`},
		{"", "one\n", true, `0-0:"one"`},
		{"", "one", true, `0-0:"one"`},
		{"", "\n", true, ``},
		{"\n", "", false, ``},
		{"one\r\ntwo\r\n", "one\r\n2", false, `5-8:"2"`},
		{"one\r\n", "one\r\ntwo\r\n", false, `3-3:"\r\ntwo"`},
	} {
		doc := text.New(c.doc)
		l := linedOf(doc)
		l.bare = c.bare
		es := text.Diff(c.doc, c.want)
		var made []string
		for _, e := range l.edits(doc, es) {
			made = append(made, fmt.Sprintf("%d-%d:%q", e.Start, e.End, e.New))
		}
		if got := strings.Join(made, " "); got != c.made {
			t.Errorf("%q to %q, bare %t: %s, want %s (of %v)", c.doc, c.want, c.bare, got, c.made, es)
		}
	}
}

// neovim is a wire of a client that holds lines, with one open file.
func neovim(t *testing.T, content string) *wire {
	w := dial(t, dialOptions{name: "Neovim", version: "0.12.4", caps: saves, host: newFakeHost()})
	w.open("a.txt", content, 1)
	w.sync()
	return w
}

// The text of such an editor, told in the ways of its own.
func TestLinesAreFollowed(t *testing.T) {
	for name, c := range map[string]struct {
		open, file string // what is told; what is on disk, if anything
		change     func(w *wire)
		want       string
	}{
		"a line behind the last one": {"w1\nw2", "", func(w *wire) { w.change("a.txt", 2, at(1, 2, 2, 0), "\nw2\n") }, "w1\nw2\nw2"},
		"the same with an ending":    {"w1\nw2\n", "", func(w *wire) { w.change("a.txt", 2, at(1, 2, 2, 0), "\nw2\n") }, "w1\nw2\nw2\n"},
		"the last line goes":         {"w1\nw2", "", func(w *wire) { w.change("a.txt", 2, at(1, 0, 2, 0), "") }, "w1"},
		"all goes, 0.12":             {"w1\nw2\n", "", func(w *wire) { w.change("a.txt", 2, at(0, 0, 1, 2), "") }, ""},
		"all goes, 0.10":             {"w1\nw2\n", "", func(w *wire) { w.change("a.txt", 2, at(0, 0, 2, 0), "") }, ""},
		"all goes and something comes": {"w1\nw2\n", "", func(w *wire) {
			w.change("a.txt", 2, at(0, 0, 1, 2), "")
			w.change("a.txt", 3, at(0, 0, 0, 0), "x")
		}, "x\n"},
		"an empty file":           {"\n", "", func(*wire) {}, ""},
		"a file of an empty line": {"\n", "\n", func(*wire) {}, "\n"},
		"something comes":         {"\n", "", func(w *wire) { w.change("a.txt", 2, at(0, 0, 0, 0), "x") }, "x\n"},
		"a \\r that is no ending": {"a\r\nb\n", "", func(w *wire) { w.change("a.txt", 2, at(0, 2, 0, 2), "!") }, "a\r!\nb\n"},
		"a \\r that is one":       {"a\r\nb\r\n", "", func(w *wire) { w.change("a.txt", 2, at(0, 1, 0, 1), "!") }, "a!\r\nb\r\n"},
		"an empty line more, maybe": {"\nx\n", "", func(w *wire) { // Neovim says the same of both: one line is there
			w.change("a.txt", 2, at(1, 0, 1, 1), "")
			w.change("a.txt", 3, at(0, 0, 0, 0), "y")
		}, "y\n"},
		"an empty line more, that is spoken of": {"\nx\n", "", func(w *wire) {
			w.change("a.txt", 2, at(1, 0, 1, 1), "")
			w.change("a.txt", 3, at(1, 0, 1, 0), "y")
		}, "\ny\n"},
		"an empty line more, and one behind it": {"\nx\n", "", func(w *wire) {
			w.change("a.txt", 2, at(1, 0, 1, 1), "")
			w.change("a.txt", 3, at(1, 0, 2, 0), "\ny\n")
		}, "\n\ny\n"},
		"the whole text": {"a\n", "", func(w *wire) {
			w.change("a.txt", 2, "", "b")
			w.change("a.txt", 3, at(0, 1, 1, 0), "\nc\n")
		}, "b\nc"},
		"the whole text, without an ending and an empty line more": {"a", "", func(w *wire) {
			w.change("a.txt", 2, "", "a\n")
			w.change("a.txt", 3, at(1, 0, 1, 0), "b")
		}, "a\nb"},
		"the whole text of nothing": {"a\n", "", func(w *wire) {
			w.change("a.txt", 2, "", "")
			w.change("a.txt", 3, "", "b\n")
			w.change("a.txt", 4, at(0, 1, 1, 0), "\nc\n")
		}, "b\nc\n"},
		"opened as nothing":    {"", "", func(w *wire) { w.change("a.txt", 2, at(0, 0, 0, 0), "b") }, "b\n"},
		"saved with an ending": {"a", "", func(w *wire) { w.save("a.txt", "a\n") }, "a\n"},
		"saved without one":    {"a\n", "", func(w *wire) { w.save("a.txt", "a") }, "a"},
	} {
		t.Run(name, func(t *testing.T) {
			w := dial(t, dialOptions{name: "Neovim", version: "0.12.4", caps: utf8caps})
			if c.file != "" {
				w.host.file("a.txt", c.file)
			}
			w.open("a.txt", c.open, 1)
			c.change(w)
			if got := w.base("a.txt"); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
			w.save("a.txt", c.want) // the last ending is as the editor says, where nothing else wants it
			if got := w.base("a.txt"); got != c.want {
				t.Errorf("saved %q, want %q", got, c.want)
			}
			if n := w.count("window/showMessage"); n > 0 {
				t.Errorf("something was said:\n%s", w.dump())
			}
		})
	}
}

// Positions behind the text are a fault of editors that are known to be exact,
// and lines that have lost their end of those that hold lines.
func TestPositionsBehindTheText(t *testing.T) {
	for _, c := range []struct {
		client string
		change string
		doubt  bool
	}{
		{"", at(0, 1, 1, 0), false},
		{"Visual Studio Code", at(0, 1, 1, 0), true},
		{"helix", at(0, 1, 1, 0), true},
		{"Neovim", at(0, 1, 1, 0), false},
		{"Neovim", at(0, 1, 2, 0), true},
		{"Neovim", at(2, 0, 2, 0), true},
	} {
		w := dial(t, dialOptions{name: c.client, version: "0.12.4", caps: utf8caps})
		w.open("a.txt", "a", 1)
		w.change("a.txt", 2, c.change, "\nb\n")
		if got := w.doubted(); got != c.doubt {
			t.Errorf("%s %s: in doubt %t", c.client, c.change, got)
		}
	}
	w := neovim(t, "a\nb\n")
	w.change("a.txt", 2, at(1, 0, 2, 0), "c")
	w.awaitMessage("window/showMessage", has("lost its ending"))
}

// A letter that only changes the last ending is applied without a message; its
// neighbours are sent.
func TestLastEndingsAreTakenAsDone(t *testing.T) {
	w := neovim(t, "one\ntwo\n")
	p := newPad(w)
	p.open("b.txt", "three\n", 1)
	for _, r := range []editing.Result{w.host.stage("a.txt", "two\n", "two"), w.host.stage("b.txt", "three", "3")} {
		if !r.OK() {
			t.Fatal(r)
		}
	}
	if m := w.command(cmdApply, `"A"`); m.Error != nil || !strings.Contains(string(m.Result), `"state":"applied"`) {
		t.Fatalf("%+v", m)
	}
	if got := w.base("a.txt"); got != "one\ntwo" || w.count("workspace/applyEdit") > 0 {
		t.Errorf("%q after %d edits", got, w.count("workspace/applyEdit"))
	}
	w.change("a.txt", 2, at(1, 3, 2, 0), "\nx\n") // the lines go on as ever
	w.change("a.txt", 3, at(1, 3, 3, 0), "\n")
	w.save("a.txt", "one\ntwo\n")          // that it has an ending is no undo
	w.change("a.txt", 4, "", "one\ntwo\n") // nor is this
	w.awaitChange("A", editing.Applied)
	if got := w.base("a.txt"); got != "one\ntwo" {
		t.Errorf("%q", got)
	}
	w.command(cmdCommit, `{}`)
	w.awaitState("the commit", func(s *editing.Snapshot) bool { return len(s.Changes()) == 0 })
	if got := p.text("b.txt"); got != "3\n" {
		t.Errorf("%q", got)
	}
}

// galley/changes tells of an applied insertion what it wrote, and where.
func TestAppliedInsertionIsTold(t *testing.T) {
	for _, c := range []struct{ old, new, written, want string }{
		{"a", "a!", "!", at(1, 1, 1, 2)},
		{"a", "A", "A", at(1, 0, 1, 1)},
		{"a\n", "a\nb\n", "\nb", at(1, 1, 2, 1)},
		{"one\na", "ONE\nA", "ONE\nA", at(0, 0, 1, 1)},
		{"a", "", "", at(1, 0, 1, 0)},
	} {
		w := dial(t, dialOptions{caps: applies})
		p := newPad(w)
		p.open("a.txt", "one\na\n", 0)
		if r := w.host.stage("a.txt", c.old, c.new); !r.OK() {
			t.Fatal(r)
		}
		w.command(cmdApply, `"A"`)
		w.awaitChange("A", editing.Applied)
		var m changesMessage
		if err := json.Unmarshal(w.command(cmdChanges, `{}`).Result, &m); err != nil {
			t.Fatal(err)
		}
		var r protocol.Range
		_ = json.Unmarshal([]byte(c.want), &r)
		if got := m.Files[0].Changes[0]; got.NewText != c.written || *got.Range != r {
			t.Errorf("%q to %q: %+v wrote %q, want %s %q", c.old, c.new, got.Range, got.NewText, c.want, c.written)
		}
	}
}
