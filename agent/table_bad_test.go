package agent_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/memory"
)

// Bad input: each a clear answer, nothing lost, nothing staged.
func TestBadInput(t *testing.T) {
	b := newBench(t, map[string]string{"a.txt": "one\ntwo\n", "bin": "a\x00b", "sub/x.txt": "x\n", ".env": "KEY=1\n"}, editing.Ask)
	outside := filepath.Join(t.TempDir(), "secret.txt")
	must(t, os.WriteFile(outside, []byte("secret\n"), 0o600))
	must(t, os.Symlink(outside, filepath.Join(b.dir, "link.txt")))
	must(t, os.Symlink(filepath.Dir(outside), filepath.Join(b.dir, "dirlink")))
	edit := func(path string) args { return args{"path": path, "old_text": "one", "new_text": "1"} }
	for _, c := range []struct {
		name string
		tool string
		args args
		code string
	}{
		{"missing file", "memory_notebook_replace", edit("nope.txt"), "file_not_found"},
		{"parent", "memory_notebook_replace", edit("../x"), "outside_roots"},
		{"absolute", "memory_notebook_replace", edit(outside), "outside_roots"},
		{"link out", "memory_notebook_replace", edit("link.txt"), "outside_roots"},
		{"folder link out", "memory_notebook_replace", edit("dirlink/secret.txt"), "outside_roots"},
		{"hidden parent", "memo_read", args{"path": "sub/../../x"}, "outside_roots"},
		{"binary", "memory_notebook_replace", edit("bin"), "not_text"},
		{"folder", "memo_read", args{"path": "sub"}, "not_text"},
		{"secret", "memo_read", args{"path": ".env"}, "denied"},
		{"git", "memory_notebook_replace", edit(".git/config"), "denied"},
		{"empty old text", "memory_notebook_replace", args{"path": "a.txt", "old_text": "", "new_text": "x"}, "empty_old_text"},
		{"blank old text", "memory_notebook_replace", args{"path": "a.txt", "old_text": " \n", "new_text": "x"}, "empty_old_text"},
		{"no change", "memory_notebook_replace", args{"path": "a.txt", "old_text": "one", "new_text": "one"}, "no_change"},
		{"unknown match", "memory_notebook_replace", args{"path": "a.txt", "old_text": "one", "new_text": "1", "match_id": "Q"}, "unknown_match_id"},
		{"stale line", "memory_notebook_replace", args{"path": "a.txt", "old_text": "one", "new_text": "1", "line_key": "1:0000"}, "line_key"},
		{"odd line key", "memory_notebook_replace", args{"path": "a.txt", "old_text": "one", "new_text": "1", "line_key": "x"}, "bad_arguments"},
		{"new file below a file", "write", args{"path": "a.txt/new.txt", "content": "x"}, "file_not_found"},
		{"new file at a folder", "write", args{"path": "sub", "content": "x"}, "not_text"},
		{"rename of nothing", "rename_file", args{"path": "nope.txt", "to": "x.txt"}, "file_not_found"},
		{"rename onto a file", "rename_file", args{"path": "a.txt", "to": "sub/x.txt"}, "file_exists"},
		{"rename out", "rename_file", args{"path": "a.txt", "to": "../x"}, "outside_roots"},
		{"rename to git", "rename_file", args{"path": "a.txt", "to": ".git/x"}, "denied"},
		{"rename to a variable", "rename_file", args{"path": "a.txt", "to": "$HOME/x"}, "file_not_found"},
		{"delete nothing", "delete_file", args{"path": "nope.txt"}, "file_not_found"},
		{"delete a folder", "delete_file", args{"path": "sub"}, "not_text"},
		{"delete a secret", "delete_file", args{"path": ".env"}, "denied"},
		{"write nothing new", "write", args{"path": "a.txt", "content": "one\ntwo\n"}, "no_change"},
		{"no such letter", "memo_drop", args{"change_id": "K", "reason": "r"}, "unknown_change"},
		{"no such session", "memo_commit", args{"summary": "s", "session_id": "sess-9"}, "bad_arguments"},
		{"no such task", "memo_update_task", args{"task_id": "7", "note": "n"}, "bad_arguments"},
		{"memory outside", "write", args{"path": "working-memory/../messages.jsonl", "content": "x"}, "outside_roots"},
		{"no such memory", "memo_read", args{"path": "working-memory/detail/none.md"}, "file_not_found"},
		{"export elsewhere", "memo_export_diff", args{"to": "a.txt"}, "bad_arguments"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := b.call(c.tool, c.args)
			if o.Code != c.code {
				t.Errorf("code %q, want %q: %s", o.Code, c.code, o.JSON())
			}
			if o.Hint == "" {
				t.Errorf("no hint: %s", o.JSON())
			}
			wantNot(t, o.JSON(), "secret\\n", "KEY=1")
		})
	}
	if got := b.states(); got != "" {
		t.Errorf("something is staged: %s", got)
	}
	wantFile(t, b.file("a.txt"), "one\ntwo\n")
}

func TestBrokenArguments(t *testing.T) {
	b := newBench(t, map[string]string{"a.txt": "one\n"}, editing.Ask)
	for _, raw := range []string{`{"path":"a.txt"`, `[]`, `"x"`, `{"path":"a.txt","old_text":"one","new_text":"1","oldtext":"x"}`, `{"path":3,"old_text":"a","new_text":"b"}`, "\x00", ``} {
		o := tools.Run(context.Background(), b.s.Session, memory.ToolCall{ID: "c", Name: "memory_notebook_replace", Arguments: raw})
		if o.Code != "bad_arguments" || o.Hint == "" {
			t.Errorf("%q answers %s", raw, o.JSON())
		}
	}
}

// A torn last line is cut and reported; everything before it is there.
func TestTornJournal(t *testing.T) {
	b := newBench(t, map[string]string{"a.txt": "one\ntwo\n"}, editing.Ask)
	b.call("memory_notebook_replace", args{"path": "a.txt", "old_text": "one", "new_text": "1", "reason": "shorter"})
	id, journal := b.s.ID(), filepath.Join(b.s.Dir(), "messages.jsonl")
	must(t, b.s.Close())
	f, err := os.OpenFile(journal, os.O_APPEND|os.O_WRONLY, 0)
	must(t, err)
	_, err = f.WriteString(`{"seq":99,"type":"edit","payload":{"op":"sta`)
	must(t, err)
	must(t, f.Close())
	b.open(id)
	if got := b.states(); got != "A staged" {
		t.Errorf("states %q", got)
	}
	if w := strings.Join(b.s.Warnings(), " "); !strings.Contains(w, "cut") {
		t.Errorf("the cut is not reported: %q", w)
	}
	if o := b.call("memory_notebook_replace", args{"path": "a.txt", "old_text": "two", "new_text": "2"}); o.Status != "editing" {
		t.Errorf("after the cut: %s", o.JSON())
	}
	b.restart()
	if got := b.states(); got != "A staged, B staged" {
		t.Errorf("states %q", got)
	}
}

// With all letters waiting, the next change is refused and nothing is lost.
func TestTwentySeventhChange(t *testing.T) {
	var sb strings.Builder
	for i := range 30 {
		sb.WriteString(strings.Repeat("x", i+1) + "\n")
	}
	b := newBench(t, map[string]string{"a.txt": sb.String()}, editing.Ask)
	for i := range 26 {
		line := strings.Repeat("x", i+1)
		if o := b.call("memory_notebook_replace", args{"path": "a.txt", "old_text": line, "new_text": line + "!", "line_key": key(b, i+1)}); o.Status != "editing" {
			t.Fatalf("%d: %s", i, o.JSON())
		}
	}
	a := args{"path": "a.txt", "old_text": strings.Repeat("x", 30), "new_text": "y"}
	if o := b.call("memory_notebook_replace", a); o.Code != "letters_full" || !strings.Contains(o.Hint, "commit") {
		t.Fatalf("%s", o.JSON())
	}
	b.restart()
	if n := len(b.s.Snapshot().Changes()); n != 26 {
		t.Errorf("%d changes", n)
	}
	b.s.Reject(context.Background(), editing.Letters("C"), "")
	o := b.call("memory_notebook_replace", a)
	if o.Status != "editing" {
		t.Fatalf("%s", o.JSON())
	}
	for _, p := range o.PendingChanges {
		if p.Preview != "" && p.ChangeID != "C" {
			t.Errorf("the change got %s; the letter decided longest ago is C", p.ChangeID)
		}
	}
}

// key is the line_key of a line, as memo_read shows it.
func key(b *bench, line int) string {
	b.t.Helper()
	o := b.call("memo_read", args{"path": "a.txt", "start_line": line, "end_line": line})
	k, _, ok := strings.Cut(*o.Text, " ")
	if !ok {
		b.t.Fatalf("no line key in %q", *o.Text)
	}
	return k
}
