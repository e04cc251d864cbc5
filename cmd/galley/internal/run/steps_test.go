package run

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/galley-ls/galley/agent"
	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
	"github.com/galley-ls/galley/memory"
)

func TestStepLines(t *testing.T) {
	tests := []struct{ tool, args, result, want string }{
		{"memo_read", `{"path":"config.json"}`, `{"status":"ok","path":"config.json","total_lines":6,"start_line":1,"end_line":6}`, "· read config.json"},
		{"memo_read", `{}`, `{"status":"ok","path":"config.json","total_lines":90,"start_line":1,"end_line":6}`, "· read config.json, lines 1–6 of 90"},
		{"memo_read", `{"path":"no.txt"}`, `{"status":"not_found","code":"file_not_found","hint":"there is no no.txt"}`, "– file not found: there is no no.txt"},
		{"list_files", `{"glob":"*.md"}`, `{"status":"ok","total":1}`, "· listed *.md: 1 file"},
		{"search_text", `{"pattern":"time out"}`, `{"status":"ok","total":3}`, "· searched “time out”: 3 matches"},
		{
			"memory_notebook_replace", `{}`,
			`{"status":"editing","path":"a.txt","pending_changes":[{"change_id":"A","path":"b.txt","summary":"x"},{"change_id":"B","path":"a.txt","summary":"insert \"y\"","preview":"+y"}]}`,
			`✎ staged B in a.txt: insert "y"`,
		},
		{"write", `{}`, `{"status":"editing","pending_changes":[{"change_id":"A","path":"a.txt","summary":"x","preview":"+"},{"change_id":"B","path":"a.txt","summary":"y","preview":"+"}]}`, "✎ staged A, B in a.txt"},
		{"write", `{"path":"working-memory/overview.md"}`, `{"status":"ok"}`, "· wrote working-memory/overview.md"},
		{"memory_notebook_replace", `{"path":"a.txt"}`, `{"status":"ok","preview":"+y"}`, "· tried a change in a.txt"},
		{
			"memory_notebook_replace", `{"path":"a.yaml"}`,
			`{"status":"needs_match","code":"ambiguous","total":7,"candidates":[{"match_id":"A","line":12},{"match_id":"B","line":45,"recommended":true,"why":"nearest to the cursor"}]}`,
			"? 7 places in a.yaml: A line 12, B line 45 (recommended: nearest to the cursor)",
		},
		{
			"memory_notebook_replace", `{"path":"a.yaml"}`, `{"status":"needs_match","code":"near_match","total":1,"candidates":[{"match_id":"A","line":12}]}`,
			"? nothing is exactly that in a.yaml, but similar: A line 12",
		},
		{"memory_notebook_replace", `{"path":"a.yaml"}`, `{"status":"not_found","code":"no_match","hint":"line 3 differs"}`, "– not found in a.yaml: line 3 differs"},
		{"memory_notebook_replace", `{`, `{"status":"refused","code":"bad_arguments","hint":"the arguments end in the middle"}`, "– bad arguments: the arguments end in the middle"},
		{"memo_begin_task", `{"goal":"enable X"}`, `{"status":"ok","task":{"id":"1","state":"active"}}`, "▸ task #1: enable X"},
		{"memo_drop", `{"change_id":"B","reason":"wrong file"}`, `{"status":"ok"}`, "✎ took B back: wrong file"},
		{
			"memo_commit", `{}`,
			`{"status":"committed","session_id":"sess-3","summary":"enable X","applied_changes":1,"files":["config.json"],"history_delta":{"messages_removed":4,"tokens_saved":9}}`,
			"✓ #3 committed: enable X (1 change in config.json; 4 messages folded)",
		},
		{"memo_commit", `{}`, `{"status":"committed","summary":"read all","applied_changes":0,"files":[],"task":{"id":"2","state":"completed"}}`, "✓ task #2 done: read all"},
		{"memo_commit", `{}`, `{"status":"proposed","session_id":"sess-3","summary":"enable X","applied_changes":0,"files":["a"],"pending_changes":[{"change_id":"A"},{"change_id":"C"}]}`, "✓ #3 proposed: enable X · A, C wait for you"},
		{"memo_revert", `{}`, `{"status":"reverted","session_id":"sess-3","summary":"too long"}`, "↩ #3 reverted: too long"},
		{"memo_export_diff", `{"to":"working-memory/detail/x.diff"}`, `{"status":"ok"}`, "· exported the patch to working-memory/detail/x.diff"},
		{"memo_preview", `{}`, `{"status":"ok"}`, "· looked at the preview"},
		{"memo_update_task", `{"task_id":"#4"}`, `{"status":"ok"}`, "· updated task #4"},
		{"run_command", `{"command":"go test ./..."}`, `{"status":"ok","exit_code":0,"duration":"2.345s","changed_files":[]}`, "· ran go test ./... (2.3 s)"},
		{
			"run_command", `{"command":"go test ./...\nls"}`, `{"status":"ok","code":"exit_code","exit_code":1,"output":"a\nFAIL b\n","duration":"61s","changed_files":[{"path":"a.go","change":"changed"}]}`,
			"– exit code 1: go test ./... ls (1 min 1 s), changed a.go: FAIL b",
		},
		{"run_command", `{"command":"sleep 9"}`, `{"status":"ok","code":"timed_out","duration":"1m0s"}`, "– stopped, since it took too long: sleep 9 (1 min)"},
		{"run_command", `{"command":"sleep 9"}`, `{"status":"ok","code":"cancelled","duration":"2s"}`, "– stopped: sleep 9 (2 s)"},
		{"run_command", `{"command":"rm -rf ."}`, `{"status":"refused","code":"denied","hint":"the user did not let this command run"}`, "– not run: rm -rf ."},
		{"run_command", `{"command":""}`, `{"status":"refused","code":"bad_arguments","hint":"command is empty"}`, "– bad arguments: command is empty"},
		{"rm_\x1b[31m", `{}`, `{"status":"refused","code":"bad_arguments","hint":"there is no tool"}`, "– bad arguments: there is no tool"},
		{"write", `{}`, `The tool broke while it ran`, "! write broke"},
	}
	for _, test := range tests {
		c := callOf(memory.ToolCall{Name: test.tool, Arguments: test.args}, test.result)
		if got := c.step().Text; got != test.want {
			t.Errorf("%s: got %q, want %q", test.tool, got, test.want)
		}
	}
}

// Whatever a tool answers, its line is one line without controls, and says something.
func TestEveryToolHasALine(t *testing.T) {
	for _, tool := range tools.All() {
		for _, status := range []string{"ok", "editing", "refused", "committed", ""} {
			c := callOf(memory.ToolCall{Name: tool.Name, Arguments: `{"path":"a\u001b[31m\nb"}`}, `{"status":"`+status+`"}`)
			line := c.step().Text
			if len(line) < 5 || strings.ContainsAny(line, "\x1b") {
				t.Errorf("%s %s: %q", tool.Name, status, line)
			}
		}
	}
}

// everyEvent has one of each event of a run.
func everyEvent() []agent.Event {
	return []agent.Event{
		agent.StepStarted{Iteration: 1},
		agent.TextDelta{Text: "hi"},
		agent.ToolStarted{Name: "read"},
		agent.ToolFinished{Name: "read", Status: "ok", Letters: []string{"A"}},
		agent.ReasoningDelta{Text: "hm"},
		agent.ModelWaiting{Why: "429"},
		agent.ReplyCut{Why: "it broke off", Again: true},
		agent.ReplyFinished{Iteration: 1},
		agent.Warned{Text: "x"},
		agent.PromptDelivered{Text: "x"},
		agent.DecisionsDelivered{Text: "A applied"},
		agent.MemoryWritten{},
		agent.Finished{Reason: agent.Done},
	}
}

func TestEventLines(t *testing.T) {
	events := everyEvent()
	var b strings.Builder
	lines := &eventLines{s: term.Screen{W: &b}}
	for _, e := range events {
		lines.Event(e)
	}
	got := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	if len(got) != len(events) {
		t.Fatalf("%d lines for %d events:\n%s", len(got), len(events), b.String())
	}
	for i, e := range events {
		if !strings.HasPrefix(got[i], `{"event":"`+e.Kind()+`",`) || !json.Valid([]byte(got[i])) {
			t.Errorf("%s: %s", e.Kind(), got[i])
		}
	}
	if got := eventLine("x", []byte("{}")); got != `{"event":"x"}` {
		t.Errorf("an event without fields: %s", got)
	}
}
