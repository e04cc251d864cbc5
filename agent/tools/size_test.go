package tools

import (
	"testing"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/memory"
)

// textBudget is what the text of each tool may cost in tokens: what it costs now, rounded up. Every request pays for
// all of them; whoever needs more words looks first for those that can go.
var textBudget = map[string]int{
	"memo_read": 140, "memory_notebook_replace": 170, "memory_notebook_replace_span": 110, "memo_append": 80, "write": 110, "delete_file": 60, "rename_file": 70,
	"memo_preview": 80, "memo_drop": 60, "memo_commit": 130, "memo_commit_auto": 60, "memo_revert": 100,
	"memo_export_session": 70, "memo_export_diff": 60, "memo_begin_task": 100, "memo_update_task": 80, "compact_history": 110, "query_history": 70, "memory_event": 70,
	"list_files": 60, "search_text": 110, "read": 70, "run_command": 140,
}

// allBudget is what names, texts and schemas may cost together, and fixedBudget what they may with the system prompt. In a
// window of 8,192 tokens, which is what people run at home, fewer tools are offered: fewBudget.
const (
	allBudget   = 3300
	fixedBudget = 4500
	fewBudget   = 2400
)

func TestSizes(t *testing.T) {
	all := 0
	for _, s := range Specs(Options{Commands: true}) {
		n := memory.CountTokens(s.Description)
		if n > textBudget[s.Name] {
			t.Errorf("%s.md has %d tokens, its budget is %d", s.Name, n, textBudget[s.Name])
		}
		all += n + memory.CountTokens(s.Name+string(s.Parameters))
	}
	few := 0
	for _, s := range Specs(Options{Few: true}) {
		few += memory.CountTokens(s.Name + s.Description + string(s.Parameters))
	}
	if fixed := all + memory.CountTokens(session.SystemPrompt()); fixed > fixedBudget || few > fewBudget {
		t.Errorf("the fixed part has %d tokens, its budget is %d; the tools for a small window %d of %d", fixed, fixedBudget, few, fewBudget)
	}
	if all > allBudget {
		t.Errorf("all tools have %d tokens, their budget is %d", all, allBudget)
	}
}
