package memory

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// Rules are those of a chat API that servers differ in. What every server wants is always
// enforced.
type Rules struct {
	Sent     bool // on its way to a server: arguments are objects, and calls want tools beside them
	Strict   bool // no text of the user behind a tool's result, and no two texts in a row
	NoSystem bool // the model knows no system prompt: it begins the first text of the user
	ShortIDs bool // ids of calls are nine letters and digits
}

// What a gate repairs, as it tells it.
const (
	repairedOrphan  = "a result that answers no call was left out"
	repairedMissing = "a call without a result got one that says so"
	repairedOrder   = "results were put behind their calls, in their order"
	repairedID      = "ids of calls were made unique and plain"
	repairedName    = "the name of a called tool was made plain"
	repairedArgs    = "arguments that are no JSON object were put into one"
	repairedBlank   = "a message without a word was left out, or says so"
	repairedRole    = "a message of another role became one of the user"
	repairedFirst   = "the conversation began without a message of the user"
	repairedLast    = "the conversation ended without a message to answer"
	repairedTools   = "tools with a name that stands twice or is none, or over 128, were left out"
	repairedTyped   = "calls were written as text, since no tools are offered"
)

// Fixed texts of a view. They are part of the prefix that must stay the same
// from request to request, and from version to version.
const (
	unansweredText  = "(no result: this call was cut off before it was answered; it is not known whether it ran, nor what it changed)"
	emptyResultText = "(no output)"
	openerText      = "(the conversation begins without a message of the user)"
	goOnText        = "(go on)"
)

// Gate makes a request, whoever built it, one that a server takes, and tells what it repaired:
// each kind once. The same request gives the same bytes, and one that has passed passes as it is.
// Whatever is cut from a request is cut where a unit begins, which is a text, or an assistant
// message with all its results.
func Gate(req Request, rules Rules) (Request, []string) {
	g := gate{rules: rules, taken: make(map[string]bool, len(req.Messages)/2)}
	req.Tools = g.tools(req.Tools)
	req.Messages = g.messages(req.Messages)
	if n := len(req.Messages); n > 0 && req.Messages[n-1].Role != RoleUser && req.Messages[n-1].Role != RoleTool {
		g.repaired(repairedLast)
		req.Messages = append(req.Messages, Message{Role: RoleUser, Content: goOnText})
	}
	if rules.Sent && len(req.Tools) == 0 {
		req.Messages = g.untyped(req.Messages)
	}
	if rules.Strict || rules.NoSystem {
		req.Messages = joined(req.Messages, rules)
	}
	return req, g.told
}

// gate is the way of one request through Gate.
type gate struct {
	rules Rules
	taken map[string]bool // ids of calls
	told  []string

	out     []Message
	unit    Message    // the assistant message whose results are awaited
	results []*Message // one for each of its calls, nil: there is none yet
	behind  []Message  // what stands among them and belongs behind
}

func (g *gate) repaired(what string) {
	if !slices.Contains(g.told, what) {
		g.told = append(g.told, what)
	}
}

// messages enforces what every server wants of the conversation.
func (g *gate) messages(all []Message) []Message {
	g.out = make([]Message, 0, len(all)+2)
	for i := range all {
		switch m := all[i]; m.Role {
		case RoleAssistant:
			g.close()
			g.open(m)
		case RoleTool:
			g.result(&all[i])
		default:
			g.text(m, i == 0)
		}
	}
	g.close()
	first := slices.IndexFunc(g.out, func(m Message) bool { return m.Role != RoleSystem })
	if first >= 0 && g.out[first].Role != RoleUser {
		g.repaired(repairedFirst)
		g.out = slices.Insert(g.out, first, Message{Role: RoleUser, Content: openerText})
	}
	return g.out
}

// text takes a message of the user, or the system prompt, which is the first and the only one.
func (g *gate) text(m Message, first bool) {
	if strings.TrimSpace(m.Content) == "" {
		g.repaired(repairedBlank)
		return
	}
	is := Message{Role: RoleUser, Content: m.Content}
	if first && m.Role != RoleUser {
		is.Role = RoleSystem
	} else if m.Role != RoleUser {
		g.repaired(repairedRole)
	}
	if len(g.results) == 0 {
		g.out = append(g.out, is)
		return
	}
	g.behind = append(g.behind, is)
}

// open takes a message of the model, whose results follow.
func (g *gate) open(m Message) {
	if strings.TrimSpace(m.Content) == "" {
		if m.Content = ""; len(m.ToolCalls) == 0 {
			g.repaired(repairedBlank)
			return
		}
	}
	m.ToolCallID = ""
	if len(m.ToolCalls) == 0 {
		m.ToolCalls = nil
		g.out = append(g.out, m)
		return
	}
	g.unit = m
	for range m.ToolCalls {
		g.results = append(g.results, nil)
	}
}

// result takes the answer to the first open call of that id.
func (g *gate) result(m *Message) {
	for k, c := range g.unit.ToolCalls {
		if c.ID != m.ToolCallID || g.results[k] != nil {
			continue
		}
		if len(g.behind) > 0 || slices.ContainsFunc(g.results[k:], func(r *Message) bool { return r != nil }) {
			g.repaired(repairedOrder)
		}
		g.results[k] = m
		return
	}
	g.repaired(repairedOrphan)
}

// close ends the unit, whose calls all have one result each then, and lets pass what waited.
func (g *gate) close() {
	if len(g.results) == 0 {
		return
	}
	at := len(g.out)
	g.out = append(g.out, g.unit)
	g.out[at].ToolCalls = g.calls(g.unit.ToolCalls)
	for k, c := range g.out[at].ToolCalls {
		content := unansweredText
		switch r := g.results[k]; {
		case r == nil:
			g.repaired(repairedMissing)
		case strings.TrimSpace(r.Content) == "":
			g.repaired(repairedBlank)
			content = emptyResultText
		default:
			content = r.Content
		}
		g.out = append(g.out, Message{Role: RoleTool, Content: content, ToolCallID: c.ID})
	}
	g.out = append(g.out, g.behind...)
	g.unit, g.results, g.behind = Message{}, g.results[:0], g.behind[:0]
}

// calls are those of a message with ids, names and arguments that every server takes.
func (g *gate) calls(all []ToolCall) []ToolCall {
	out := all
	for k, c := range all {
		is := c
		if is.ID = g.id(c.ID); is.ID != c.ID {
			g.repaired(repairedID)
		}
		if is.Name = toolName(c.Name); is.Name != c.Name {
			g.repaired(repairedName)
		}
		if g.rules.Sent && !IsObject(c.Arguments) {
			is.Arguments = object(c.Arguments)
			g.repaired(repairedArgs)
		}
		if is.ID == c.ID && is.Name == c.Name && is.Arguments == c.Arguments {
			continue
		}
		if &out[0] == &all[0] {
			out = slices.Clone(all)
		}
		out[k] = is
	}
	return out
}

// id is the id of a call: its own where that will do and no call before has it.
func (g *gate) id(id string) string {
	is := id
	for n := 0; g.taken[is] || !g.fits(is); n++ {
		is = g.hashed(id, n)
	}
	g.taken[is] = true
	return is
}

func (g *gate) fits(id string) bool {
	if g.rules.ShortIDs {
		return IsShortID(id)
	}
	return plain(id, maxCallID)
}

func (g *gate) hashed(id string, n int) string {
	if n > 0 {
		id = fmt.Sprintf("%s\x00%d", id, n)
	}
	if g.rules.ShortIDs {
		return ShortID(id)
	}
	sum := sha256.Sum256([]byte(id))
	return "call_" + hex.EncodeToString(sum[:12])
}

// tools leaves out what no server takes.
func (g *gate) tools(all []ToolSpec) []ToolSpec {
	seen := map[string]bool{}
	out := slices.DeleteFunc(slices.Clone(all), func(t ToolSpec) bool {
		bad := seen[t.Name] || len(seen) == maxTools || !plain(t.Name, maxToolName)
		if !bad {
			seen[t.Name] = true
		}
		return bad
	})
	if len(out) < len(all) {
		g.repaired(repairedTools)
	}
	return out
}

// untyped writes calls and their results as text, where no tools are offered.
func (g *gate) untyped(all []Message) []Message {
	for i, m := range all {
		for _, c := range m.ToolCalls {
			g.repaired(repairedTyped)
			all[i].Content = Paragraphs(all[i].Content, fmt.Sprintf("→ %s %s", c.Name, c.Arguments))
		}
		if all[i].ToolCalls = nil; m.Role == RoleTool {
			all[i] = Message{Role: RoleUser, Content: Element("tool_result", m.Content)}
		}
	}
	return all
}

// joined leaves no two texts in a row that a template takes turns for, and in strict rules no
// text of the user behind a tool's result.
func joined(all []Message, rules Rules) (out []Message) {
	for i, m := range all {
		if i == 0 && m.Role == RoleSystem && rules.NoSystem {
			m.Role = RoleUser
		}
		if i == 0 {
			out = append(out, m)
			continue
		}
		last := &out[len(out)-1]
		switch {
		case m.Role == RoleUser && (last.Role == RoleUser || last.Role == RoleTool):
			last.Content = Paragraphs(last.Content, m.Content)
		case m.Role == RoleAssistant && last.Role == RoleAssistant && len(last.ToolCalls) == 0:
			m.Content = Paragraphs(last.Content, m.Content)
			*last = m
		default:
			out = append(out, m)
		}
	}
	return out
}
