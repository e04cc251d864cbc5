package tools

import (
	"strings"
	"testing"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/editing"
)

// The end of the last task shows what was done, and with what.
func TestU85TheEndOfTheLastTask(t *testing.T) {
	s := opened(t)
	call(t, s, "memo_begin_task", `{"goal":"tidy up","plan":["count","write docs","announce"]}`)
	call(t, s, "memo_begin_task", `{"goal":"count"}`)
	o := call(t, s, "memory_notebook_replace", `{"path":"a.txt","old_text":"two","new_text":"twenty"}`)
	call(t, s, "write", `{"path":"new.txt","content":"new\n"}`)
	if tree := s.TaskTree(); !strings.Contains(tree, "📝 #2 count (current) · A a.txt; B new.txt") {
		t.Errorf("the letters' files are not in\n%s\n%s", tree, o.JSON())
	}
	o = call(t, s, "memo_commit", `{"summary":"counted"}`)
	if o.Status != StatusCommitted || o.Totals != "1 replacement, 1 new file, +7 chars" || !strings.HasPrefix(o.TaskStack, "📊 Tasks (depth 1)") || o.Hint != "" {
		t.Errorf("the child: %s", o.JSON())
	}
	o = call(t, s, "memo_commit", `{"summary":"tidy"}`)
	const tree = "🌳 Done\n- ✅ #1 tidy up → tidy\n  - ✅ #2 count → counted\n  - ↩️ #3 write docs → not begun\n  - ↩️ #4 announce → not begun"
	if o.Status != StatusCommitted || o.TaskStack != tree || o.Totals != "" || !strings.Contains(o.Hint, "not begun has ended with it: #3 write docs; #4 announce;") {
		t.Errorf("the last one: %s", o.JSON())
	}
}

func TestU85TotalsOfWhatIsProposed(t *testing.T) {
	s := opened(t, func(cfg *session.Config) { cfg.Review = editing.Ask })
	call(t, s, "memo_begin_task", `{"goal":"g","plan":["later"]}`)
	for _, edit := range []string{
		`{"path":"a.txt","old_text":"two","new_text":"2"}`, `{"path":"a.txt","match_id":"A","old_text":"one\n","new_text":""}`, `{"path":"a.txt","old_text":"2\n","new_text":"2\n3\n"}`,
	} {
		call(t, s, "memory_notebook_replace", edit)
	}
	call(t, s, "delete_file", `{"path":"b.go","reason":"r"}`)
	o := call(t, s, "memo_commit", `{"summary":"s"}`)
	if o.Status != StatusProposed || !strings.Contains(o.Totals, "1 deleted file, -") || !strings.Contains(o.Hint, "the letters wait") || !strings.Contains(o.Hint, "#2 later") {
		t.Error(o.JSON())
	}
}

// A task that is reverted takes what was planned below it along, too.
func TestU85ARevertedTask(t *testing.T) {
	s := opened(t)
	call(t, s, "memo_begin_task", `{"goal":"g","plan":["later"]}`)
	o := call(t, s, "memo_revert", `{"reason":"no"}`)
	if o.Status != StatusReverted || !strings.Contains(o.Hint, "#2 later") || o.TaskStack != "🌳 Done\n- ↩️ #1 g → no\n  - ↩️ #2 later → not begun" {
		t.Error(o.JSON())
	}
}
