package lsp

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/galley-ls/galley/agent/host"
	"github.com/galley-ls/galley/editing"
)

const utf8caps = `{"general":{"positionEncodings":["utf-8"]}}`

func TestTyping(t *testing.T) {
	w := dial(t, dialOptions{})
	w.open("a.txt", "é😀x\r\nb\n", 0)
	w.change("a.txt", 1, at(0, 3, 0, 4), "y") // utf-16
	w.change("a.txt", 5, at(1, 0, 2, 0), "")  // the last line, to behind the text
	if got := w.base("a.txt"); got != "é😀y\r\n" {
		t.Errorf("%q", got)
	}
	w.change("a.txt", 6, "", "new\ntext")
	w.change("a.txt", 7, at(1, 4, 1, 99), "!") // past the end of the line
	if got := w.base("a.txt"); got != "new\ntext!" {
		t.Errorf("%q", got)
	}
	d, _ := w.host.ws.Snapshot().Document("/ws/a.txt")
	if d.Version != 7 || !d.Open() {
		t.Errorf("version %d, open %v", d.Version, d.Open())
	}
}

func TestSeveralChangesInOneMessage(t *testing.T) {
	w := dial(t, dialOptions{caps: utf8caps})
	w.open("a.txt", "one two", 0)
	w.notify("textDocument/didChange", fmt.Sprintf(`{"textDocument":{"uri":"file:///ws/a.txt","version":1},"contentChanges":[
		{"range":%s,"text":"1"},{"range":%s,"text":"2"},{"text":"3 4"},{"range":%s,"text":"x"}]}`, at(0, 0, 0, 3), at(0, 2, 0, 5), at(0, 1, 0, 2)))
	if got := w.base("a.txt"); got != "3x4" {
		t.Errorf("%q", got)
	}
}

func TestByteOrderMarkTyped(t *testing.T) {
	w := dial(t, dialOptions{})
	w.open("a.txt", "\uFEFFab\n", 0)
	w.change("a.txt", 1, at(0, 1, 0, 1), "x")
	if got := w.base("a.txt"); got != "xab\n" {
		t.Errorf("%q", got)
	}
	w.change("a.txt", 2, at(0, 0, 0, 1), "") // the mark goes
	w.change("a.txt", 3, at(0, 0, 0, 1), "y")
	if got := w.base("a.txt"); got != "yab\n" {
		t.Errorf("%q", got)
	}
}

// Every broken sequence leaves the text as the editor's, or the document
// read-only with its changes kept, until the editor sends the whole text.
func TestBrokenSequences(t *testing.T) {
	did := func(params string) func(*wire) {
		return func(w *wire) { w.notify("textDocument/didChange", params) }
	}
	doc := `"textDocument":{"uri":"file:///ws/a.txt","version":2}`
	for name, c := range map[string]struct {
		break_ func(*wire)
		doubt  bool
	}{
		"same version":       {func(w *wire) { w.change("a.txt", 1, at(0, 0, 0, 0), "z") }, true},
		"older version":      {func(w *wire) { w.change("a.txt", 0, at(0, 0, 0, 0), "z") }, true},
		"line outside":       {func(w *wire) { w.change("a.txt", 2, at(9, 0, 9, 0), "z") }, true},
		"backwards":          {func(w *wire) { w.change("a.txt", 2, at(1, 1, 0, 0), "z") }, true},
		"inside a character": {func(w *wire) { w.change("a.txt", 2, at(1, 1, 1, 2), "z") }, true},
		"negative line":      {did(`{` + doc + `,"contentChanges":[{"range":` + at(-1, 0, 0, 0) + `,"text":"z"}]}`), true},
		"fractional":         {did(`{` + doc + `,"contentChanges":[{"range":{"start":{"line":0.0,"character":0},"end":{"line":0,"character":0}},"text":"z"}]}`), true},
		"too large":          {did(`{` + doc + `,"contentChanges":[{"range":{"start":{"line":4294967296,"character":0},"end":{"line":0,"character":0}},"text":"z"}]}`), true},
		"empty range":        {did(`{` + doc + `,"contentChanges":[{"range":{},"text":"z"}]}`), true},
		"null range":         {did(`{` + doc + `,"contentChanges":[{"range":null,"text":"z"}]}`), true},
		"no text":            {did(`{` + doc + `,"contentChanges":[{"range":` + at(0, 0, 0, 0) + `}]}`), true},
		"null version":       {did(`{"textDocument":{"uri":"file:///ws/a.txt","version":null},"contentChanges":[{"text":"z"}]}`), true},
		"fractional version": {did(`{"textDocument":{"uri":"file:///ws/a.txt","version":1e3},"contentChanges":[{"text":"z"}]}`), true},
		"no changes":         {did(`{` + doc + `,"contentChanges":{}}`), true},
		"the second is bad":  {did(`{` + doc + `,"contentChanges":[{"range":` + at(0, 0, 0, 1) + `,"text":""},{"range":{},"text":"z"}]}`), true},
		"not JSON":           {func(w *wire) { w.raw(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{` + doc + `,`) }, true},
		"bytes lost":         {func(w *wire) { _, _ = w.conn.Write([]byte("Content-Length: x\r\n\r\n")) }, true},
		"change of another":  {func(w *wire) { w.change("nope.txt", 1, "", "z") }, false},
		"empty list":         {did(`{` + doc + `,"contentChanges":[]}`), false},
		"save of another":    {func(w *wire) { w.notify("textDocument/didSave", `{"textDocument":{"uri":"file:///ws/n.txt"}}`) }, false},
		"close of another":   {func(w *wire) { w.notify("textDocument/didClose", `{"textDocument":{"uri":"file:///ws/n.txt"}}`) }, false},
		"untitled": {func(w *wire) {
			w.notify("textDocument/didOpen", `{"textDocument":{"uri":"untitled:1","version":1,"text":"x"}}`)
		}, false},
		"outside of the roots": {func(w *wire) {
			w.notify("textDocument/didOpen", `{"textDocument":{"uri":"file:///etc/x","version":1,"text":"x"}}`)
		}, false},
		"open without text":    {func(w *wire) { w.notify("textDocument/didOpen", `{"textDocument":{"uri":"file:///ws/b","version":1}}`) }, false},
		"unknown notification": {func(w *wire) { w.notify("no/such", `{"textDocument":{"uri":"file:///ws/a.txt"}}`) }, false},
		"saved with the same":  {func(w *wire) { w.save("a.txt", "one\né\n") }, false},
		"save that is unreadable": {func(w *wire) {
			w.notify("textDocument/didSave", `{"textDocument":{"uri":"file:///ws/a.txt"},"text":3}`)
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			w := dial(t, dialOptions{caps: applies})
			w.open("a.txt", "one\né\n", 1)
			w.sync()
			w.host.stage("a.txt", "one", "two")
			c.break_(w)
			if got := w.base("a.txt"); got != "one\né\n" {
				t.Errorf("the text is %q", got)
			}
			ch, ok := w.host.ws.Snapshot().Change("A")
			if !ok || ch.State != editing.Staged {
				t.Fatalf("the change is %+v", ch)
			}
			if !c.doubt {
				w.change("a.txt", 5, at(1, 2, 1, 2), "!")
				if got := w.base("a.txt"); got != "one\né!\n" {
					t.Errorf("the text behind is %q", got)
				}
				return
			}
			w.unsound(t)
		})
	}
}

// unsound checks that a document is read-only, and that its whole text heals it.
func (w *wire) unsound(t *testing.T) {
	t.Helper()
	if m := w.command(cmdApply, `{"change":"A"}`); m.Error == nil || !strings.Contains(string(m.Error.Data), host.CodeUnsound) {
		t.Errorf("apply: %+v", m)
	}
	w.awaitMessage("window/showMessage", has("lost track"))
	w.change("a.txt", 20, at(0, 0, 0, 0), "ignored") // what it means is not known
	if got := w.base("a.txt"); got != "one\né\n" {
		t.Errorf("the doubted text is %q", got)
	}
	w.save("a.txt", "zero\none\né\n")
	if got := w.base("a.txt"); got != "zero\none\né\n" {
		t.Errorf("the saved text is %q", got)
	}
	w.change("a.txt", 21, at(0, 0, 0, 4), "0")
	if got := w.base("a.txt"); got != "0\none\né\n" {
		t.Errorf("the text behind is %q", got)
	}
	ch, _ := w.host.ws.Snapshot().Change("A")
	if ch.State != editing.Staged || ch.Start() != 2 {
		t.Errorf("the change is %s at %d", ch.State, ch.Start())
	}
}

func (w *wire) save(name, content string) {
	b, _ := json.Marshal(content)
	w.notify("textDocument/didSave", fmt.Sprintf(`{"textDocument":{"uri":"file:///ws/%s"},"text":%s}`, name, b))
}

func TestOpenTwice(t *testing.T) {
	w := dial(t, dialOptions{caps: utf8caps})
	w.open("a.txt", "one\n", 1)
	w.open("a.txt", "two\n", 1)
	if got := w.base("a.txt"); got != "two\n" {
		t.Errorf("%q", got)
	}
	// the same file under another name: only the first is followed
	w.notify("textDocument/didOpen", `{"textDocument":{"uri":"file:///ws/%61.txt","version":4,"text":"three"}}`)
	w.notify("textDocument/didChange", `{"textDocument":{"uri":"file:///ws/%61.txt","version":5},"contentChanges":[{"text":"four"}]}`)
	w.change("a.txt", 2, at(0, 0, 0, 3), "2")
	if got := w.base("a.txt"); got != "2\n" {
		t.Errorf("%q", got)
	}
	w.notify("textDocument/didClose", `{"textDocument":{"uri":"file:///ws/%61.txt"}}`)
	w.change("a.txt", 3, at(0, 1, 0, 1), "!")
	if got := w.base("a.txt"); got != "2!\n" {
		t.Errorf("%q", got)
	}
}

func TestCloseGoesBackToTheDisk(t *testing.T) {
	host := newFakeHost()
	host.file("a.txt", "disk\none\n")
	w := dial(t, dialOptions{host: host, caps: utf8caps})
	w.open("a.txt", "typed\none\n", 1)
	w.sync()
	host.stage("a.txt", "one", "two")
	w.notify("textDocument/didClose", `{"textDocument":{"uri":"file:///ws/a.txt"}}`)
	snap := w.awaitState("the disk's text", func(s *editing.Snapshot) bool {
		d, _ := s.Document("/ws/a.txt")
		return !d.Open() && d.Base.String() == "disk\none\n"
	})
	if c, _ := snap.Change("A"); c.State != editing.Staged {
		t.Errorf("%s", c.State)
	}
	w.open("a.txt", "again\none\n", 1)
	w.notify("textDocument/didClose", `{"textDocument":{"uri":"file:///ws/a.txt"}}`)
	w.open("a.txt", "and again\none\n", 7)
	if got := w.base("a.txt"); got != "and again\none\n" {
		t.Errorf("%q", got)
	}
	host.lose("/ws/a.txt")
	w.notify("textDocument/didClose", `{"textDocument":{"uri":"file:///ws/a.txt"}}`)
	w.awaitState("the loss", func(s *editing.Snapshot) bool {
		c, _ := s.Change("A")
		return c.State == editing.Conflict
	})
}

func FuzzFrames(f *testing.F) {
	for _, s := range []string{
		"Content-Length: 2\r\n\r\n{}", "Content-Length: 0\r\n\r\n", "x\r\n\r\n", "\r\n",
		`Content-Length: 46` + "\r\n\r\n" + `{"jsonrpc":"2.0","id":1,"method":"shutdown"}  `,
		"Content-Length: 9\r\nContent-Length: 3\r\n\r\n[1]",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, junk []byte) {
		if strings.Contains(string(junk), "shutdown") || strings.Contains(string(junk), "exit") {
			return
		}
		w := dial(t, dialOptions{caps: utf8caps})
		w.open("a.txt", "one\n", 1)
		w.sync()
		// whatever length the junk promises, the padding is longer or the promise is refused
		if declares(string(junk)) {
			return
		}
		_, _ = w.conn.Write(append(junk, "\r\n\r\n"...))
		w.command(cmdChanges, `{}`)
		if got := w.base("a.txt"); got != "one\n" && !strings.Contains(string(junk), "didChange") {
			t.Errorf("the text is %q", got)
		}
	})
}

// declares reports whether junk promises more bytes than it brings: then what
// follows is rightly read as its body.
func declares(junk string) bool {
	low := junk
	for {
		i := indexFold([]byte(low), "content-length:")
		if i < 0 {
			return false
		}
		low = low[i+len("content-length:"):]
		line, _, _ := strings.Cut(low, "\n")
		if n := contentLength([]byte(line)); n > 0 {
			_, body, _ := strings.Cut(low, "\n\r\n")
			_, body2, _ := strings.Cut(low, "\n\n")
			if n > max(len(body), len(body2)) || n > maxMessage {
				return true
			}
		}
	}
}
