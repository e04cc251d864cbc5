package agent_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/editing"
)

// Files of the working memory are written at once, by compare-and-swap, without
// letters.
func TestWorkingMemory(t *testing.T) {
	b := newBench(t, map[string]string{"a.txt": "one\n"}, editing.Ask)
	note := "working-memory/detail/note.md"
	if o := b.call("write", args{"path": note, "content": "# Note\n\nalpha beta\nalpha beta\n"}); o.Status != "ok" {
		t.Fatalf("%s", o.JSON())
	}
	o := b.call("memory_notebook_replace", args{"path": note, "old_text": "alpha beta", "new_text": "gamma"})
	if o.Status != "needs_match" || len(o.Candidates) != 2 || o.SessionID != "" {
		t.Fatalf("%s", o.JSON())
	}
	if o := b.call("memory_notebook_replace", args{"path": note, "old_text": "alpha beta", "new_text": "gamma", "match_id": "B"}); o.Status != "ok" {
		t.Fatalf("%s", o.JSON())
	}
	if o := b.call("memo_append", args{"path": note, "text": "- added", "after": "# Note"}); o.Status != "ok" {
		t.Fatalf("%s", o.JSON())
	}
	o = b.call("memo_read", args{"path": note, "line_numbers": false})
	if *o.Text != "# Note\n\nalpha beta\ngamma\n- added\n" {
		t.Errorf("text %q", *o.Text)
	}
	if got := b.states(); got != "" {
		t.Errorf("letters: %s", got)
	}
	overview, err := os.ReadFile(filepath.Join(b.s.Dir(), "working-memory", "overview.md"))
	must(t, err)
	wantIn(t, string(overview), "- detail/note.md — Note <!-- galley -->\n") // the index knows it at once
}

// What the user wrote in between is shown, and not written over.
func TestStaleMemory(t *testing.T) {
	b := newBench(t, nil, editing.Ask)
	note := "working-memory/detail/note.md"
	b.call("write", args{"path": note, "content": "mine\n"})
	must(t, os.WriteFile(filepath.Join(b.s.Dir(), note), []byte("the user's\n"), 0o600))
	o := b.call("write", args{"path": note, "content": "mine again\n"})
	if o.Code != "memory_hash" || o.Status != "stale" || o.Text == nil || *o.Text != "the user's\n" {
		t.Fatalf("%s", o.JSON())
	}
	if o := b.call("memory_notebook_replace", args{"path": note, "old_text": "the user's", "new_text": "ours"}); o.Status != "ok" {
		t.Errorf("it has seen the text now: %s", o.JSON())
	}
}

func TestExports(t *testing.T) {
	b := newBench(t, map[string]string{"a.txt": "one\ntwo\n"}, editing.Ask)
	b.replace("a.txt", "one", "1")
	o := b.call("memo_export_diff", args{})
	if want := "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n-one\n+1\n two\n"; *o.Text != want {
		t.Errorf("diff\n%s", *o.Text)
	}
	o = b.call("memo_export_session", args{"to": "working-memory/detail/log.md"})
	if o.Status != "ok" || o.Path != "working-memory/detail/log.md" {
		t.Fatalf("%s", o.JSON())
	}
	log := b.call("memo_read", args{"path": "working-memory/detail/log.md", "line_numbers": false})
	wantIn(t, *log.Text, "# Editing session #1", "## A staged", "because 1")
}

// A whole file becomes one letter a hunk; the nearest are joined when letters are
// short.
func TestWriteWholeFile(t *testing.T) {
	b := newBench(t, map[string]string{"a.txt": numbered(100)}, editing.Auto)
	want := strings.NewReplacer("line 10\n", "ten\n", "line 50\n", "", "line 90\n", "line 90\nnew\n").Replace(numbered(100))
	o := b.call("write", args{"path": "a.txt", "content": want})
	if o.Status != "editing" || len(o.PendingChanges) != 3 {
		t.Fatalf("%s", o.JSON())
	}
	if o := b.call("memo_drop", args{"change_id": "B", "reason": "keep it"}); len(o.PendingChanges) != 2 {
		t.Errorf("%s", o.JSON())
	}
	b.call("memo_commit", args{"summary": "s"})
	wantFile(t, b.file("a.txt"), strings.NewReplacer("line 10\n", "ten\n", "line 90\n", "line 90\nnew\n").Replace(numbered(100)))

	var sb strings.Builder
	for i, l := range strings.SplitAfter(b.file("a.txt"), "\n") {
		if i%2 == 0 && l != "" {
			l = strings.ToUpper(l)
		}
		sb.WriteString(l)
	}
	o = b.call("write", args{"path": "a.txt", "content": sb.String()})
	if o.Status != "editing" || len(o.PendingChanges) != 26 {
		t.Fatalf("%d letters", len(o.PendingChanges))
	}
	b.call("memo_commit", args{"summary": "s"})
	wantFile(t, b.file("a.txt"), sb.String())
}

func TestAppend(t *testing.T) {
	b := newBench(t, map[string]string{"a.md": "# A\r\n\r\ntext\r\n\r\n## B\r\n\r\nmore\r\n\r\n# C\r\nend"}, editing.Auto)
	b.call("memo_append", args{"path": "a.md", "text": "added\nlines\n", "after": "# A"})
	b.call("memo_append", args{"path": "a.md", "text": "last"})
	b.call("memo_commit", args{"summary": "s"})
	wantFile(t, b.file("a.md"), "# A\r\n\r\ntext\r\n\r\n## B\r\n\r\nmore\r\nadded\r\nlines\r\n\r\n# C\r\nend\r\nlast\r\n")
}

func TestSpan(t *testing.T) {
	b := newBench(t, map[string]string{"a.go": "package p\n\nfunc f() {\n\tone()\n\ttwo()\n}\n\nfunc g() {\n}\n"}, editing.Auto)
	o := b.call("memory_notebook_replace_span", args{"path": "a.go", "old_span_start": "func f() {", "old_span_end": "two()\n}", "new_text": "func f() {\n\tthree()\n}"})
	if o.Status != "editing" {
		t.Fatalf("%s", o.JSON())
	}
	b.call("memo_commit", args{"summary": "s"})
	wantFile(t, b.file("a.go"), "package p\n\nfunc f() {\n\tthree()\n}\n\nfunc g() {\n}\n")
}

// preview_only shows, and changes nothing: no letter, no session, no list.
func TestPreviewOnly(t *testing.T) {
	b := newBench(t, map[string]string{"services.yaml": services}, editing.Ask)
	o := b.call("memory_notebook_replace", args{"path": "services.yaml", "old_text": "# api", "new_text": "# the api", "preview_only": true})
	if o.Status != "ok" || !strings.Contains(o.Preview, "+# the api") {
		t.Fatalf("%s", o.JSON())
	}
	o = b.call("memory_notebook_replace", args{"path": "services.yaml", "old_text": "timeout: 30", "new_text": "timeout: 60", "preview_only": true})
	if o.Status != "needs_match" || len(o.Candidates) != 3 {
		t.Fatalf("%s", o.JSON())
	}
	if n := len(b.s.Snapshot().Sessions("")); n != 0 {
		t.Errorf("%d editing sessions", n)
	}
	b.replace("services.yaml", "# api", "# the api")
	if b.states() != "A staged" {
		t.Error(b.states())
	}
}

func TestMatchAll(t *testing.T) {
	b := newBench(t, map[string]string{"services.yaml": services}, editing.Auto)
	o := b.call("memory_notebook_replace", args{"path": "services.yaml", "old_text": "timeout: 30", "new_text": "timeout: 60", "match_id": "all"})
	if o.Status != "editing" || len(o.PendingChanges) != 3 {
		t.Fatalf("%s", o.JSON())
	}
	b.call("memo_commit_auto", args{})
	wantFile(t, b.file("services.yaml"), strings.ReplaceAll(services, "30", "60"))
}

// memo_commit_auto takes the recommended candidate of an open list.
func TestCommitAutoTakesTheRecommended(t *testing.T) {
	b := newBench(t, map[string]string{"services.yaml": services}, editing.Auto)
	b.call("memo_begin_task", args{"goal": "give the cache more time"})
	o := b.call("memory_notebook_replace", args{"path": "services.yaml", "old_text": "timeout: 30", "new_text": "timeout: 60"})
	recommended := 0
	for _, c := range o.Candidates {
		if c.Recommended {
			recommended = c.Line
		}
	}
	if recommended != 11 {
		t.Fatalf("line %d is recommended: %s", recommended, o.JSON())
	}
	if o := b.call("memo_commit_auto", args{}); o.Status != "committed" || *o.AppliedChanges != 1 {
		t.Fatalf("%s", o.JSON())
	}
	wantFile(t, b.file("services.yaml"), strings.Replace(services, "cache:\n  timeout: 30", "cache:\n  timeout: 60", 1))
}

// query_history finds what was said in earlier sessions of the workspace too.
func TestHistoryOfTheWorkspace(t *testing.T) {
	b := newBench(t, nil, editing.Ask)
	must(t, b.s.Prompt("the zebra parser must stay"))
	first := b.s.ID()
	must(t, b.s.Close())
	b.open("")
	must(t, b.s.Prompt("hello"))
	if o := b.call("query_history", args{"query": "zebra"}); o.Text != nil && strings.Contains(*o.Text, "must stay") {
		t.Errorf("of this session: %s", o.JSON())
	}
	o := b.call("query_history", args{"query": "ZEBRA", "scope": "workspace"})
	if o.Status != "ok" || *o.Total != 1 {
		t.Fatalf("%s", o.JSON())
	}
	wantIn(t, *o.Text, "# session "+first, "the zebra parser must stay")
	if o := b.call("query_history", args{"query": "hello", "scope": "workspace"}); o.Code != "no_match" {
		t.Errorf("this session is no earlier one: %s", o.JSON())
	}
	if o := b.call("query_history", args{"entry": 3, "scope": "workspace"}); o.Code != "bad_arguments" {
		t.Errorf("an entry of any session: %s", o.JSON())
	}
	entry := 0
	for n := 1; n < 6; n++ {
		if o := b.call("query_history", args{"entry": n, "scope": first}); o.Status == "ok" && strings.Contains(*o.Text, "zebra") {
			entry = n
		}
	}
	if entry == 0 {
		t.Error("an entry of the session that is named is not found")
	}
	if o := b.call("query_history", args{"entry": entry, "scope": b.s.ID()}); o.Status == "ok" && strings.Contains(*o.Text, "zebra") {
		t.Error("this session by its id is this session")
	}
}

// Issues are noted, and changed by their id.
func TestIssues(t *testing.T) {
	b := newBench(t, nil, editing.Ask)
	b.call("memory_event", args{"type": "issue", "text": "the build is slow", "severity": "low"})
	b.call("memory_event", args{"type": "issue", "id": "issue-1", "status": "closed"})
	for _, bad := range []args{{"type": "fact"}, {"type": "issue", "text": " "}, {"type": "decision", "id": "issue-1"}} {
		if o := b.call("memory_event", bad); o.Code != "bad_arguments" {
			t.Errorf("%v: %s", bad, o.JSON())
		}
	}
	wantIn(t, b.request(), "- id: issue-1\n    title: the build is slow\n    status: closed\n    severity: low\n", "- found: the build is slow <!-- galley -->\n- issue-1: closed <!-- galley -->")
}

// What the user does to the memory, with an editor or otherwise, reaches the next
// request; the agent's next write is not refused for what code put right. U62.
func TestU62WhatTheUserDoesToTheMemory(t *testing.T) {
	b := newBench(t, nil, editing.Ask)
	dir := filepath.Join(b.s.Dir(), "working-memory")
	overview := filepath.Join(dir, "overview.md")
	must(t, os.Remove(overview))
	wantIn(t, b.request(), "## Current task\n<!--")
	must(t, os.WriteFile(filepath.Join(dir, "detail", "mine.md"), []byte("# By hand\n"), 0o600))
	must(t, os.WriteFile(overview, []byte("## Key decisions\n- the user's\n"), 0o600))
	wantIn(t, b.request(), "session_id: "+b.s.ID(), "- the user's\n", "- detail/mine.md — By hand <!-- galley -->")
	if o := b.call("write", args{"path": "working-memory/overview.md", "content": "## Key decisions\n- the agent's\n"}); o.Status != "ok" {
		t.Fatalf("%s", o.JSON())
	}
	must(t, os.Remove(filepath.Join(dir, "detail", "mine.md")))
	req := b.request()
	wantIn(t, req, "session_id: "+b.s.ID(), "- the agent's\n")
	if strings.Contains(req, "mine.md") {
		t.Error("the index names a file that is gone")
	}
}

// With memory.events off the overview has what the agent asks for, and nothing else.
func TestEventsOff(t *testing.T) {
	b := newBench(t, map[string]string{"a.txt": "one\n"}, editing.Auto)
	must(t, b.s.Renew(func(cfg *session.Config) { cfg.NoEvents = true }))
	b.call("memo_begin_task", args{"goal": "a goal"})
	b.replace("a.txt", "one", "two")
	b.call("memo_commit", args{"summary": "all done", "decisions": []string{"keep two"}})
	b.call("write", args{"path": "working-memory/detail/x.md", "content": "x"})
	b.call("memory_event", args{"type": "fact", "text": "a fact"})
	data, err := os.ReadFile(filepath.Join(b.s.Dir(), "working-memory", "overview.md"))
	must(t, err)
	wantIn(t, string(data), "- a fact <!-- galley -->", "- keep two <!-- galley -->", "status: idle")
	for _, no := range []string{"all done", "a goal", "detail/x.md"} {
		if strings.Contains(string(data), no) {
			t.Errorf("%q is noted", no)
		}
	}
}

// The front matter of the overview follows the tasks.
func TestTasksInTheOverview(t *testing.T) {
	b := newBench(t, map[string]string{"a.txt": "one\n"}, editing.Auto)
	front := func() string {
		t.Helper()
		data, err := os.ReadFile(filepath.Join(b.s.Dir(), "working-memory", "overview.md"))
		must(t, err)
		_, text, _ := strings.Cut(string(data), "commands: {}\n")
		text, _, _ = strings.Cut(text, "issues:")
		return text
	}
	for _, step := range []struct {
		tool string
		args args
		want string
	}{
		{"memo_begin_task", args{"goal": "add X", "plan": []string{"config", "docs", "tests"}}, "status: working\ntask: \"#1 add X\"\nnext_actions:\n  - \"#2 config\"\n  - \"#3 docs\"\n  - \"#4 tests\"\n"},
		{"memo_update_task", args{"task_id": "3", "goal": "all docs"}, "status: working\ntask: \"#1 add X\"\nnext_actions:\n  - \"#2 config\"\n  - \"#3 all docs\"\n  - \"#4 tests\"\n"},
		{"memo_update_task", args{"task_id": "4", "state": "completed"}, "status: working\ntask: \"#1 add X\"\nnext_actions:\n  - \"#2 config\"\n  - \"#3 all docs\"\n"},
		{"memo_begin_task", args{"goal": "config"}, "status: working\ntask: \"#2 config\"\nnext_actions:\n  - \"#3 all docs\"\n"},
		{"memo_commit", args{"summary": "done"}, "status: working\ntask: \"#1 add X\"\nnext_actions:\n  - \"#3 all docs\"\n"},
		{"memo_update_task", args{"task_id": "3", "state": "reverted"}, "status: working\ntask: \"#1 add X\"\nnext_actions: []\n"},
		{"memo_revert", args{"reason": "not wanted"}, "status: idle\ntask: \"\"\nnext_actions: []\n"},
	} {
		if o := b.call(step.tool, step.args); o.Status == "refused" {
			t.Fatalf("%s: %s", step.tool, o.JSON())
		}
		if got := front(); got != step.want {
			t.Errorf("%s %v:\n%swant\n%s", step.tool, step.args, got, step.want)
		}
	}
}
