package openai

import (
	"crypto/sha256"
	"encoding/json"
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"github.com/galley-ls/galley/memory"
)

// turn is one message on its way to the server.
type turn struct {
	memory.Message
	echo bool   // its thoughts go back with it
	tool string // the name of the tool whose result it is, where the profile wants one
}

// prepare makes the messages of a request what the profile wants. It depends on nothing else, so the same messages are
// the same bytes in the next request, and a server's cache holds.
func prepare(messages []memory.Message, p Profile) []turn {
	var turns []turn
	for _, m := range messages {
		turns = append(turns, turn{Message: m})
	}
	markEchoes(turns, p)
	if on(p.StrictTurns) {
		turns = joined(turns)
	}
	if p.ToolIDs == idsAlnum9 {
		mapIDs(turns)
	}
	for i := range turns {
		turns[i].ToolCalls = sendable(turns[i].ToolCalls)
		if turns[i].Role == memory.RoleSystem && p.SystemRole != "" {
			turns[i].Role = p.SystemRole
		}
	}
	if p.SystemRole == memory.RoleUser {
		turns = joined(turns)
	}
	if on(p.ToolNames) {
		nameResults(turns)
	}
	return turns
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

// joined leaves no text of the user behind a tool's result, and no two texts in a row that a template takes turns for.
func joined(turns []turn) (out []turn) {
	for _, t := range turns {
		if len(out) == 0 {
			out = append(out, t)
			continue
		}
		last := &out[len(out)-1]
		switch {
		case t.Role == memory.RoleUser && (last.Role == memory.RoleUser || last.Role == memory.RoleTool):
			last.Content = paragraphs(last.Content, t.Content)
		case t.Role == memory.RoleAssistant && last.Role == memory.RoleAssistant && len(last.ToolCalls) == 0:
			t.Content = paragraphs(last.Content, t.Content)
			*last = t
		default:
			out = append(out, t)
		}
	}
	return out
}

func paragraphs(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return strings.TrimRight(a, "\n") + "\n\n" + b
}

// malformed holds what a model wrote instead of arguments. Servers parse the arguments of old calls, and templates walk
// through them, so nothing but an object may be sent; the text is kept in it, because the model needs to see what it
// wrote to understand the tool's answer to it.
const malformed = "malformed_arguments"

var notInName = regexp.MustCompile(`[^A-Za-z0-9_-]`)

const (
	nameMost    = 64
	unknownName = "unknown_tool"
)

// sendable makes calls of the past such that no server refuses them, also where the model wrote nonsense.
func sendable(calls []memory.ToolCall) (out []memory.ToolCall) {
	for _, c := range calls {
		c.Name = notInName.ReplaceAllString(c.Name, "_")
		c.Name = c.Name[:min(len(c.Name), nameMost)]
		if c.Name == "" {
			c.Name = unknownName
		}
		switch {
		case strings.TrimSpace(c.Arguments) == "":
			c.Arguments = "{}"
		case !isObject(c.Arguments):
			c.Arguments = string(encode(map[string]string{malformed: c.Arguments}))
		}
		out = append(out, c)
	}
	return out
}

func isObject(text string) bool {
	bare := strings.Trim(text, " \t\r\n")
	return strings.HasPrefix(bare, "{") && strings.HasSuffix(bare, "}") && json.Valid([]byte(bare))
}

// mapIDs gives every call an id of nine letters and digits, the same for the same id, and a result the id of its call.
func mapIDs(turns []turn) {
	ids, taken := map[string]string{}, map[string]bool{}
	mapped := func(id string) string {
		if ids[id] == "" {
			ids[id] = id
			if !isAlnum9(id) || taken[id] {
				ids[id] = freeID(id, taken)
			}
			taken[ids[id]] = true
		}
		return ids[id]
	}
	for i := range turns {
		var calls []memory.ToolCall
		for _, c := range turns[i].ToolCalls {
			c.ID = mapped(c.ID)
			calls = append(calls, c)
		}
		turns[i].ToolCalls = calls
		if turns[i].Role == memory.RoleTool {
			turns[i].ToolCallID = mapped(turns[i].ToolCallID)
		}
	}
}

const idLength = 9 // Mistral takes nothing else, and nobody else minds

func isAlnum9(id string) bool {
	return len(id) == idLength && !strings.ContainsFunc(id, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
}

// freeID derives an id from a text, another one where that is taken.
func freeID(seed string, taken map[string]bool) string {
	id := shortID(seed)
	for n := 1; taken[id]; n++ {
		id = shortID(seed + "\x00" + strconv.Itoa(n))
	}
	return id
}

func shortID(seed string) string {
	sum := sha256.Sum256([]byte(seed))
	text := new(big.Int).SetBytes(sum[:]).Text(62)
	return (text + "000000000")[:idLength]
}
