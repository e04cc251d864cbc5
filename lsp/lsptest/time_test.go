package lsptest

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"
)

func TestHoldBack(t *testing.T) {
	for _, c := range []struct {
		name    string
		profile Profile
		do      func(t *testing.T, e *Editor)
		sent    bool
	}{
		{"nvim, 100 ms", Neovim012(), func(_ *testing.T, e *Editor) { e.Advance(100 * time.Millisecond) }, false},
		{"nvim counts from the first key", Neovim012(), func(_ *testing.T, e *Editor) {
			e.Advance(100 * time.Millisecond)
			e.Type(doc, End(), "y")
			e.Advance(60 * time.Millisecond)
		}, true},
		{"emacs counts from the last key", Emacs(), func(_ *testing.T, e *Editor) {
			e.Advance(400 * time.Millisecond)
			e.Type(doc, End(), "y")
			e.Advance(400 * time.Millisecond)
		}, false},
		{"emacs, idle", Emacs(), func(_ *testing.T, e *Editor) { e.Advance(500 * time.Millisecond) }, true},
		{"a request flushes", Emacs(), func(t *testing.T, e *Editor) { send(t, e) }, true},
		{"a request with buffer 0 does not", Neovim010(), func(t *testing.T, e *Editor) {
			e.Freeze()
			if _, err := e.BeginCommandUnflushed("send").Result(t.Context()); err != nil {
				t.Fatal(err)
			}
		}, false},
		{"saving flushes", Emacs(), func(t *testing.T, e *Editor) { e.CloseBuffer(doc); e.OpenText(doc, "axy") }, true},
		{"waiting is idle time", Neovim012(), func(t *testing.T, e *Editor) {
			e.Await(t, "told", func(s *Screen) bool { b, _ := s.Buffer(doc); return b.Told == b.Text })
		}, true},
		{"helix holds nothing", Helix(), func(*testing.T, *Editor) {}, true},
		{"vs code holds nothing", VSCode(), func(*testing.T, *Editor) {}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := dial(t, c.profile)
			e.OpenText(doc, "a")
			e.Type(doc, End(), "x")
			c.do(t, e)
			e.Freeze()
			if sent := texts(t, e)[doc] == e.Text(doc); sent != c.sent {
				t.Errorf("sent is %t, want %t\n%s", sent, c.sent, e.Dump())
			}
		})
	}
}

func TestVersions(t *testing.T) {
	for _, c := range []struct {
		profile Profile
		want    string // after two keys, a flush and a third key
	}{
		{Neovim012(), "[0 2 3]"}, {Helix(), "[0 1 2 3]"}, {Emacs(), "[0 1 2]"}, {VSCode(), "[1 2 3 4]"}, {Plain(), "[1 2 3 4]"},
	} {
		e := dial(t, c.profile)
		e.OpenText(doc, "")
		e.Type(doc, End(), "a")
		e.Type(doc, End(), "b")
		e.Flush()
		e.Type(doc, End(), "c")
		var versions map[string][]int
		if err := e.Request(t.Context(), "test/versions", nil, &versions); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(versions[doc]); got != c.want {
			t.Errorf("%s sent versions %s, want %s", c.profile.Name, got, c.want)
		}
	}
}

// A blocking editor sends nothing by itself until its command is answered.
func TestBlockedByACommand(t *testing.T) {
	e := dial(t, Emacs())
	e.OpenText(doc, "a\n")
	call := e.BeginCommand("park", applyEdit("1", doc, 0, 0, "new\n"))
	e.Await(t, "the edit", func(s *Screen) bool { return len(s.Edits) == 1 })
	e.Advance(time.Minute)
	if texts(t, e)[doc] != "a\n" {
		t.Error("didChange came while the command was open")
	}
	e.BeginUnflushed("test/answer", nil)
	if _, err := call.Result(t.Context()); err != nil {
		t.Fatal(err)
	}
	e.Advance(time.Second)
	if got := texts(t, e)[doc]; got != "new\na\n" {
		t.Errorf("server has %q", got)
	}
}

func TestOrderOfReplyAndChange(t *testing.T) {
	const reply, change = "answer", "textDocument/didChange"
	for _, c := range []struct {
		profile Profile
		when    Order
		want    []string
	}{
		{VSCode(), OrderAsEver, []string{reply, change}},
		{Helix(), OrderAsEver, []string{change, reply}},
		{Emacs(), OrderAsEver, []string{reply, change}},
		{Helix(), ReplyLong, []string{reply, change}},
		{VSCode(), ReplyHeld, []string{change, reply}},
		{VSCode(), ChangeFirst, []string{change, reply}},
		{Helix(), ReplyFirst, []string{reply, change}},
	} {
		c.profile.Lenses = AsksNever
		e := dial(t, c.profile)
		e.OpenText(doc, "a\n")
		e.Answers(Answer{When: c.when})
		before := len(methods(e))
		send(t, e, applyEdit("1", doc, c.profile.FirstVersion, 0, "x"))
		e.ReleaseReplies()
		e.Await(t, "settled", (*Screen).Settled)
		if got := methods(e)[before+1:]; !slices.Equal(got, c.want) {
			t.Errorf("%s when %d: %q, want %q", c.profile.Name, c.when, got, c.want)
		}
	}
}

func TestNeovimTakesTurns(t *testing.T) {
	e := dial(t, Neovim010())
	e.OpenText(doc, "a\n")
	before := len(methods(e))
	send(t, e, applyEdit("1", doc, 0, 0, "x"))
	e.Await(t, "settled", (*Screen).Settled)
	send(t, e, applyEdit("2", doc, 1, 0, "y"))
	want := []string{executeCommand, "answer", "textDocument/didChange", executeCommand, "textDocument/didChange", "answer"}
	if got := methods(e)[before:]; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestFullSync(t *testing.T) {
	e := dialSync(t, Plain(), syncFull)
	e.OpenText(doc, "a")
	e.Type(doc, End(), "b")
	if got := texts(t, e)[doc]; got != "ab" {
		t.Errorf("server has %q", got)
	}
	last := e.Log()[len(e.Log())-3].Body
	var m struct {
		Params struct {
			ContentChanges []map[string]json.RawMessage `json:"contentChanges"`
		} `json:"params"`
	}
	if err := json.Unmarshal(last, &m); err != nil || len(m.Params.ContentChanges) != 1 || m.Params.ContentChanges[0]["range"] != nil {
		t.Errorf("sent %s", last)
	}
}
