package offline

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/galley-ls/galley/memory"
)

// answers is what tools may say, in and out of season.
var answers = []string{
	okTask, okRead, stagedA, stagedAB, committed, proposed, three, near, noMatch, cutOff, "", "{", "null", "[]", `{"status":"ok"}`,
	`{"status":"needs_match","code":"ambiguous","total":90,"candidates":[{"match_id":"A"}]}`,
	`{"status":"needs_match","code":"ambiguous","candidates":[]}`,
	`{"status":"refused","code":"already_pending"}`, `{"status":"refused","code":"match_used"}`,
	`{"status":"stale","code":"memory_hash"}`, `{"status":"conflict","code":"owned","files":["f",{"path":"g","code":"denied"}]}`,
	`{"status":"reverted","session_id":"sess-1"}`, `{"status":7}`,
}

var prompts = []string{
	`replace "a" with "b" in f everywhere then commit`, `pick A, B, C then commit auto then list`, `pick all`,
	`task "g" then delete "x" in f then revert "r" then append "x" to f then preview`,
	`commit "s" because "d" then search x`,
	`create f with "x" then rename f to g then delete g then delete file "h i" because "z"`,
	`read f then drop A because "w" then replace "a" with "b" then pick Z`, `help`, `what?`, ``, " ",
}

// Whatever the tools answer, an instruction comes to an end, and no id is used twice.
func TestEveryInstructionEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		messages := []memory.Message{}
		ids := map[string]bool{}
		for range rapid.IntRange(1, 3).Draw(t, "prompts") {
			if rapid.Bool().Draw(t, "notices") {
				messages = append(messages, memory.Message{Role: "user", Content: "[galley] A applied; B rejected: 'no'; #1 is committed"})
			}
			messages = append(messages, memory.Message{Role: "user", Content: rapid.SampledFrom(prompts).Draw(t, "prompt")})
			for n := 0; ; n++ {
				m := readPast(messages).reply()
				messages = append(messages, m)
				if len(m.ToolCalls) == 0 {
					break
				}
				if n > 60 {
					t.Fatalf("no end: %s %s", m.ToolCalls[0].Name, m.ToolCalls[0].Arguments)
				}
				id := m.ToolCalls[0].ID
				if ids[id] {
					t.Fatalf("the id %s comes twice", id)
				}
				ids[id] = true
				answer := rapid.SampledFrom(answers).Draw(t, "answer")
				messages = append(messages, memory.Message{Role: "tool", ToolCallID: id, Content: answer})
			}
		}
	})
}

// Folding may hide anything: no conversation makes the model panic, say nothing or make two calls.
func TestAnyConversation(t *testing.T) {
	texts := append([]string{"<edit>\n> x\n</edit>", "[galley] B rejected", "[galley]", restMark + "list", restMark + "what", restMark}, prompts...)
	rapid.Check(t, func(t *rapid.T) {
		var messages []memory.Message
		for range rapid.IntRange(0, 12).Draw(t, "messages") {
			m := memory.Message{Role: rapid.SampledFrom([]string{"system", "user", "assistant", "tool", "odd"}).Draw(t, "role")}
			m.Content = rapid.SampledFrom(append(texts, answers...)).Draw(t, "content")
			id := fmt.Sprintf("call_%d_%d_%s000000", rapid.IntRange(0, 9).Draw(t, "number"), rapid.IntRange(0, 9).Draw(t, "step"),
				digest(rapid.SampledFrom(texts).Draw(t, "program")))
			switch m.Role {
			case "tool":
				m.ToolCallID = id
			case "assistant":
				name := rapid.SampledFrom([]string{"memory_notebook_replace", "memo_commit", "odd"}).Draw(t, "name")
				m.ToolCalls = []memory.ToolCall{{ID: id, Name: name, Arguments: rapid.SampledFrom(answers).Draw(t, "args")}}
			}
			messages = append(messages, m)
		}
		if m := readPast(messages).reply(); m.Content == "" || len(m.ToolCalls) > 1 {
			t.Fatalf("reply %+v", m)
		}
	})
}
