package tools

import (
	"testing"

	"github.com/galley-ls/galley/memory"
)

// textBudget is what the text of each tool may cost in tokens: what it costs now, rounded up. Every request pays for
// all of them; whoever needs more words looks first for those that can go.
var textBudget = map[string]int{
	"memo_read": 140, "memory_notebook_replace": 170, "memory_notebook_replace_span": 110, "memo_append": 80, "write": 110, "delete_file": 60, "rename_file": 70,
	"memo_preview": 80, "memo_drop": 60, "memo_commit": 130, "memo_commit_auto": 60, "memo_revert": 100,
	"memo_export_session": 70, "memo_export_diff": 60, "memo_begin_task": 100, "memo_update_task": 80,
	"list_files": 60, "search_text": 110, "read": 70, "run_command": 140,
}

// allBudget is what names, texts and schemas may cost together: 2 % of a window of 128,000 tokens, and less than a tenth
// of one of 32,000, which is what people run at home.
const allBudget = 2800

func TestSizes(t *testing.T) {
	all := 0
	for _, s := range Specs(Options{Commands: true}) {
		n := memory.CountTokens(s.Description)
		if n > textBudget[s.Name] {
			t.Errorf("%s.md has %d tokens, its budget is %d", s.Name, n, textBudget[s.Name])
		}
		all += n + memory.CountTokens(s.Name+string(s.Parameters))
	}
	if all > allBudget {
		t.Errorf("all tools have %d tokens, their budget is %d", all, allBudget)
	}
}
