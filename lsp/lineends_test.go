package lsp

import (
	"fmt"
	"strings"
	"testing"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
)

const lostTrack = "lost track"

// doubted reports whether galley has said of a document that it does not know its text.
func (w *wire) doubted() bool {
	w.sync()
	d, ok := w.host.ws.Snapshot().Document(w.host.path("a.txt"))
	return ok && d.Doubt != ""
}

// A \r that is no part of \r\n ends a line to some editors, and is a character to others.
func TestU16LoneCR(t *testing.T) {
	const was = "A\nB\rC\r\nD"
	for _, c := range []struct {
		client, r, want string
		doubt           bool
	}{
		{"Neovim", at(2, 0, 2, 1), "A\nB\rC\r\nx", false},
		{"Emacs", at(2, 0, 2, 1), "A\nB\rC\r\nx", false},
		{"eglot", at(1, 2, 1, 3), "A\nB\rx\r\nD", false},
		{"helix", at(2, 0, 2, 1), "A\nB\rC\r\nx", false},
		{"Visual Studio Code", at(2, 0, 2, 1), "A\nB\rx\r\nD", false},
		{"Visual Studio Code", at(3, 0, 3, 1), "A\nB\rC\r\nx", false},
		{"Cursor", at(1, 1, 2, 0), "A\nBxC\r\nD", false},
		{"", at(2, 0, 2, 1), was, true},
		{"some editor", at(0, 0, 0, 1), was, true},
	} {
		t.Run(c.client+c.r, func(t *testing.T) {
			w := dial(t, dialOptions{name: c.client})
			w.open("a.txt", was, 1)
			w.change("a.txt", 2, c.r, "x")
			if got := strings.TrimSuffix(w.base("a.txt"), "\n"); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
			if got := w.doubted(); got != c.doubt {
				t.Errorf("in doubt: %v", got)
			}
		})
	}
}

// One that comes by typing, and goes with the whole text.
func TestU16LoneCRComesAndGoes(t *testing.T) {
	w := dial(t, dialOptions{})
	w.open("a.txt", "one\ntwo\n", 1)
	w.change("a.txt", 2, at(0, 1, 0, 1), "\r")
	w.awaitMessage("window/showMessage", has("close it, or remove that and save it"))
	w.save("a.txt", "one\r\ntwo\rthree\n") // still there: it was said
	w.save("a.txt", "one\r\ntwo\n")
	w.change("a.txt", 3, at(1, 0, 1, 3), "2")
	if got := w.base("a.txt"); got != "one\r\n2\n" {
		t.Errorf("%q", got)
	}
	if n := w.count("window/showMessage"); n != 1 {
		t.Errorf("said %d times", n)
	}
}

// What goes out is counted as the editor counts.
func TestU16EditsBehindALoneCR(t *testing.T) {
	for name, line := range map[string]uint32{"Neovim": 1, "Visual Studio Code": 2} {
		c := &client{profile: profileOf(name, ""), encoding: utf16units}
		d := editing.NewDocument("/ws/a.txt", "a.txt", text.New("a\rb\nc"))
		if got := c.mapper(d).position(4); got != pos(line, 0) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestU17HalvesOfACharacter(t *testing.T) {
	doc := `"textDocument":{"uri":"file:///ws/a.txt","version":2}`
	edit := func(r, s string) string { return fmt.Sprintf(`{"range":%s,"text":"%s"}`, r, s) }
	for _, c := range []struct {
		name, was string
		edits     []string
		want      string
		doubt     bool
	}{
		{"put in between", "a😀b", []string{edit(at(0, 2, 0, 2), "x")}, "a😀b", true},
		{"and taken out again", "a😀b", []string{edit(at(0, 2, 0, 2), "x"), edit(at(0, 1, 0, 4), "😁")}, "a😁b", false},
		{"the second half goes", "a😀b", []string{edit(at(0, 2, 0, 3), "")}, "a😀b", true},
		{"both go, one by one", "a😀b", []string{edit(at(0, 2, 0, 3), ""), edit(at(0, 1, 0, 2), "")}, "ab", false},
		{"another second half", "a😀b", []string{edit(at(0, 2, 0, 3), `\ude01`)}, "a😀b", true},
		{"a half that comes alone", "ab", []string{edit(at(0, 1, 0, 1), `\uD83D`)}, "ab", true},
		{"a pair in escapes", "ab", []string{edit(at(0, 1, 0, 1), `\uD83D\ude00`)}, "a😀b", false},
		{"what looks like one", "ab", []string{edit(at(0, 1, 0, 1), `\\ud83d\ufffd`)}, "a\\ud83d\ufffdb", false},
		{"U+FFFD itself", "a\ufffdb", []string{edit(at(0, 2, 0, 2), "x")}, "a\ufffdxb", false},
		{"of two, joined", "a😀😁b", []string{edit(at(0, 2, 0, 4), "")}, "a😁b", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := dial(t, dialOptions{})
			w.open("a.txt", c.was, 1)
			w.notify("textDocument/didChange", `{`+doc+`,"contentChanges":[`+strings.Join(c.edits, ",")+`]}`)
			if got := w.base("a.txt"); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
			if got := w.doubted(); got != c.doubt {
				t.Errorf("in doubt: %v", got)
			}
		})
	}
	w := dial(t, dialOptions{})
	w.notify("textDocument/didOpen", `{"textDocument":{"uri":"file:///ws/a.txt","version":1,"text":"a\ud83d b"}}`)
	w.awaitMessage("window/showMessage", has(lostTrack))
}

// Bytes that are no text come as U+FFFD, and would be saved so.
func TestStrayBytesOfTheFile(t *testing.T) {
	for file, doubt := range map[string]bool{"\xa9 one\n": true, "\uFFFD one\n": false} {
		w := dial(t, dialOptions{})
		w.host.file("a.txt", file)
		w.open("a.txt", "\uFFFD one\n", 1)
		if got := w.doubted(); got != doubt {
			t.Errorf("%q in doubt: %v", file, got)
		}
		if doubt {
			w.awaitMessage("window/showMessage", has("open it in its own encoding and save it, or close it. Its changes wait"))
			w.save("a.txt", "© one\n")
			if w.doubted() {
				t.Error("in doubt in its own encoding")
			}
		}
	}
}
