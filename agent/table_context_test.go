package agent_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/memory"
)

// Case 2, R7: a reply that compacts its own history, and reads a file beside it: both calls and their answers stand behind the
// block, in their order, and the answer tells the tokens before and after.
func TestCase2TheToolThatEatsItself(t *testing.T) {
	b := newBench(t, map[string]string{"a.txt": strings.Repeat("a long line of a file\n", 200)}, editing.Ask)
	for range 4 {
		must(t, b.s.Prompt("read it"))
		b.call("memo_read", args{"path": "a.txt"})
	}
	must(t, b.s.Prompt("make room"))
	calls := []memory.ToolCall{{ID: "c9", Name: "compact_history", Arguments: `{"target":"all","keep_recent":1,"strategy":"summarize","summary":"It was read."}`}, {ID: "c10", Name: "memo_read", Arguments: `{"path":"a.txt","end_line":1}`}}
	must(t, b.s.Reply(memory.Message{Role: memory.RoleAssistant, ToolCalls: calls}, memory.Usage{}))
	var before, after int
	for i, c := range calls {
		o := tools.Run(context.Background(), b.s.Session, c)
		if i == 0 {
			if o.TokensBefore == nil || o.TokensAfter == nil {
				t.Fatal(o.JSON())
			}
			before, after = *o.TokensBefore, *o.TokensAfter
		}
		if req, _, err := b.s.Request(); err != nil || req.Messages[len(req.Messages)-5].Content != "make room" {
			t.Fatalf("while c10 runs the running turn is not there: %v", err)
		}
		must(t, b.s.Answer(c, o.JSON()))
	}
	req, _, err := b.s.Request()
	must(t, err)
	last := req.Messages[len(req.Messages)-5:]
	var said struct {
		Before int `json:"tokens_before"`
		After  int `json:"tokens_after"`
	}
	must(t, json.Unmarshal([]byte(last[2].Content), &said))
	if !strings.Contains(req.Messages[len(req.Messages)-6].Content, "summary: It was read.") || last[0].Content != "make room" ||
		len(last[1].ToolCalls) != 2 || last[2].ToolCallID != last[1].ToolCalls[0].ID || last[3].ToolCallID != last[1].ToolCalls[1].ID {
		t.Errorf("%+v", last)
	}
	if said.Before != before || said.After != after || after >= before {
		t.Errorf("%d tokens before, %d after", before, after)
	}
}

// Case 5, R33: what was done is told as done, with its exit code, and nothing reads as an order to do it again.
func TestCase5R33DoneIsDone(t *testing.T) {
	b := newBench(t, map[string]string{"a.txt": strings.Repeat("a long line of a file\n", 200), "build/x": "x"}, editing.Ask).with(allowCommands)
	must(t, b.s.Prompt("delete build/, then tag v2"))
	b.sh("rm -r build")
	b.sh("echo tagged v2")
	must(t, b.s.Reply(memory.Message{Role: memory.RoleAssistant, Content: "Both are done."}, memory.Usage{}))
	must(t, b.s.Prompt("now write the notes"))
	for range 8 {
		b.call("memo_read", args{"path": "a.txt"})
	}
	say, err := b.s.TooLong(6000)
	if err != nil || say == "" {
		t.Fatal(say, err)
	}
	text := b.request()
	wantIn(t, text, "now write the notes", "already done, not to be done again", "rm -r build", "echo tagged v2")
	for line := range strings.Lines(text) {
		if strings.Contains(line, "rm -r build") && !strings.Contains(line, "0") {
			t.Errorf("no exit code: %q", line)
		}
	}
	if at := strings.Index(text, "> delete build/"); at >= 0 && !strings.Contains(text[:at], "what the user asked, and was answered then:\n") {
		t.Errorf("an order to delete stands there:\n%s", text)
	}
	if strings.Contains(text, "user: delete build/") {
		t.Errorf("the old prompt stands there as it was:\n%s", text)
	}
}

// Case 27, R34: AGENTS.md is outside of what is compacted, and read anew; that it changed is one view event.
func TestCase27R34InstructionsSurvive(t *testing.T) {
	b := newBench(t, map[string]string{"AGENTS.md": "Be brief.\n", "a.txt": strings.Repeat("a long line of a file\n", 200)}, editing.Ask)
	for range 3 {
		must(t, b.s.Prompt("read it"))
		b.request()
		b.call("memo_read", args{"path": "a.txt"})
	}
	must(t, b.s.Prompt("go on"))
	b.request()
	views := func() int {
		journal, err := os.ReadFile(filepath.Join(b.s.Dir(), "messages.jsonl"))
		must(t, err)
		return strings.Count(string(journal), `"type":"view"`)
	}
	before := views()
	b.write("AGENTS.md", "Be thorough.\n")
	done, err := b.s.Compact(t.Context(), session.Compaction{Target: session.CompactAll, Strategy: session.StrategyArchive, Keep: 1})
	if err != nil || done.Saved == 0 {
		t.Fatal(done, err)
	}
	for range 3 {
		b.request()
	}
	text := b.request()
	wantIn(t, text, "Be thorough.")
	wantNot(t, text, "Be brief.")
	if block := strings.Index(text, "<earlier_conversation"); block < strings.Index(text, "Be thorough.") {
		t.Errorf("the block stands before the instructions:\n%s", text)
	}
	if n := views() - before; n != 1 {
		t.Errorf("%d view events", n)
	}
}
