package openai

import "github.com/galley-ls/galley/memory"

// turn is one message on its way to the server.
type turn struct {
	memory.Message
	echo bool   // its thoughts go back with it
	tool string // the name of the tool whose result it is, where the profile wants one
}

// prepare makes a request what the profile wants. It depends on nothing else, so the same messages are the same bytes in
// the next request, and a server's cache holds.
func prepare(req memory.Request, p Profile) ([]turn, []memory.ToolSpec) {
	req, _ = memory.Gate(req, memory.Rules{ // whoever built it was told what was repaired
		Sent: true, Strict: on(p.StrictTurns), NoSystem: p.SystemRole == memory.RoleUser, ShortIDs: p.ToolIDs == idsAlnum9,
	})
	var turns []turn
	for _, m := range req.Messages {
		turns = append(turns, turn{Message: m})
		if m.Role == memory.RoleSystem && p.SystemRole != "" {
			turns[0].Role = p.SystemRole
		}
	}
	markEchoes(turns, p)
	if on(p.ToolNames) {
		nameResults(turns)
	}
	return turns, req.Tools
}

// nameResults gives the result of each call the name of its tool.
func nameResults(turns []turn) {
	names := map[string]string{}
	for i, t := range turns {
		for _, c := range t.ToolCalls {
			names[c.ID] = c.Name
		}
		if t.Role == memory.RoleTool {
			turns[i].tool = names[t.ToolCallID]
		}
	}
}

// markEchoes finds the replies whose thoughts go back: those of the loop that runs, and with the scope "all" the older
// ones that called tools. A text of the user behind a tool's result belongs to the loop: galley's last block and what
// the person says in between stand there, and the server goes on with the same thoughts.
func markEchoes(turns []turn, p Profile) {
	if p.EchoReasoning == "" || p.EchoReasoning == echoOff {
		return
	}
	start, within := 0, false
	for i, t := range turns {
		switch t.Role {
		case memory.RoleTool:
			within = true
		case memory.RoleAssistant:
			within = false
		case memory.RoleUser:
			if !within {
				start = i
			}
		}
	}
	for i, t := range turns {
		if t.Role == memory.RoleAssistant {
			turns[i].echo = len(t.ToolCalls) > 0 && (i > start || p.EchoScope == echoAll) || i > start && t.Reasoning != ""
		}
	}
}
