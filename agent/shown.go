package agent

import (
	"cmp"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/galley-ls/galley/agent/host"
	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/memory"
)

// Words tells a call with its answer in a line, for a person.
type Words func(c memory.ToolCall, answer string) string

// mostOutput is how much of a command's output is shown.
const mostOutput = 2000

// call is a call as people are shown it. Of a tool that broke, or was not run, the answer is no outcome.
func (w Words) call(c memory.ToolCall, answer string) host.Call {
	var o tools.Outcome
	var args struct{ Path string }
	_ = json.Unmarshal([]byte(c.Arguments), &args)
	_ = json.Unmarshal([]byte(answer), &o)
	shown := host.Call{
		ID: c.ID, Tool: c.Name, Path: cmp.Or(o.Path, args.Path), Letters: Answered(o).Letters,
		Status: cmp.Or(o.Status, "failed"), Code: o.Code, Hint: o.Hint, Exit: o.ExitCode, Line: c.Name,
	}
	if w != nil {
		shown.Line = w(c, answer)
	}
	if o.Output != nil {
		shown.Output = end(*o.Output, mostOutput)
	}
	return shown
}

// end keeps the last n bytes of a text, from a whole character on.
func end(s string, n int) string {
	if len(s) <= n {
		return s
	}
	from := len(s) - n
	for !utf8.RuneStart(s[from]) {
		from++
	}
	return "…" + s[from:]
}

// mostRuns is how many earlier runs are told.
const mostRuns = 20

// Earlier are the last runs that a conversation tells of, each as the moments of its steps, the first with the prompt.
func Earlier(said []memory.Message, mask func(string) string, words Words) []host.Run {
	var moments []host.Run
	var begins []int // of the runs, among the moments
	calls := map[string]memory.ToolCall{}
	for _, m := range said {
		m = tools.Masked(m, mask)
		if m.Role == memory.RoleUser {
			begins = append(begins, len(moments))
			moments = append(moments, host.Run{ID: fmt.Sprintf("earlier-%d", len(begins)), State: host.RunDone, Prompt: m.Content})
		}
		if len(moments) == 0 {
			continue // what came before the first prompt is nobody's run
		}
		switch now := &moments[len(moments)-1]; m.Role {
		case memory.RoleAssistant:
			moments = append(moments, host.Run{ID: now.ID, State: host.RunDone, Step: now.Step + 1, Text: m.Content})
			for _, c := range m.ToolCalls {
				calls[c.ID] = c
			}
		case memory.RoleTool:
			now.Calls = append(now.Calls, words.call(calls[m.ToolCallID], m.Content))
		}
	}
	if over := len(begins) - mostRuns; over > 0 {
		moments = moments[begins[over]:]
	}
	return moments
}
