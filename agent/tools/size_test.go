package tools

import (
	"regexp"
	"slices"
	"strings"
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

// What the system prompt and the last block advise can be done with a tool that is offered, in a large window and a small
// one, at any level; and the fixed part of a first session is within its budget.
func TestAdviceCanBeFollowed(t *testing.T) {
	if testing.Short() {
		t.Skip("make test plays it: it is long under the race detector, and one goroutine does it all")
	}
	names := regexp.MustCompile(`\b(?:memo|memory|compact|query|list|search|read|run|delete|rename)_[a-z_]+\b`)
	for _, window := range []int{8_192, 128_000} {
		s, err := session.Open(session.Config{
			Home: t.TempDir(), Workspace: t.TempDir(), Window: window,
			Specs: Specs(Options{Commands: true}), SmallSpecs: Specs(Options{Commands: true, Few: true}),
		})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		levels := map[string]bool{}
		for range 30 {
			req, meta, err := s.Request()
			if err != nil {
				t.Fatal(err)
			}
			levels[meta.ActionHint] = true
			fixed := memory.CountTokens(req.Messages[0].Content)
			var offered []string
			for _, tool := range req.Tools {
				offered = append(offered, tool.Name)
				fixed += memory.CountTokens(tool.Name + tool.Description + string(tool.Parameters))
			}
			if fixed > fixedBudget {
				t.Fatalf("the fixed part has %d tokens, its budget is %d", fixed, fixedBudget)
			}
			_, block, _ := strings.Cut(req.Messages[len(req.Messages)-1].Content, "<context_meta>")
			for _, name := range names.FindAllString(req.Messages[0].Content+block, -1) {
				if _, tool := Find(name); tool && !slices.Contains(offered, name) {
					t.Errorf("in a window of %d, %s is advised and not offered", window, name)
				}
			}
			call := memory.ToolCall{ID: "c", Name: "memo_read", Arguments: "{}"}
			if err := s.Prompt("go on"); err != nil {
				t.Fatal(err)
			}
			if err := s.Reply(memory.Message{ToolCalls: []memory.ToolCall{call}}, memory.Usage{}); err != nil {
				t.Fatal(err)
			}
			if err := s.Answer(call, strings.Repeat("some words ", window/35)); err != nil {
				t.Fatal(err)
			}
		}
		if len(levels) < 2 {
			t.Errorf("in a window of %d only the levels %v were seen", window, levels)
		}
	}
}
