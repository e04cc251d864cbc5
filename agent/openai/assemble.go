package openai

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/galley-ls/galley/memory"
)

// assembly puts tool calls together from their pieces, by index, id and name, as far as a server sends them.
type assembly struct {
	known  toolset // the request's tools
	slots  []*slot
	latest *slot // that the last piece went to
}

// slot is one call that is being put together.
type slot struct {
	index int // of the first piece; -1: it has none
	id    string
	name  string
	args  strings.Builder
	extra object
}

// take adds a piece to the call that it belongs to, or begins a new one.
func (a *assembly) take(p piece) {
	s := a.find(p)
	if s == nil {
		s = &slot{index: p.index, id: p.id, extra: object{}}
		a.slots = append(a.slots, s)
	}
	if p.id != "" || p.name != "" || p.args != "" {
		a.latest = s
	}
	s.id = first(s.id, p.id)
	s.addName(p.name, a.known)
	s.addArgs(p)
	maps.Copy(s.extra, p.extra)
}

// find is the call that a piece goes on with; nil: it is a new one.
func (a *assembly) find(p piece) *slot {
	s := a.named(p)
	switch {
	case s == a.latest || p.name != "" || p.args == "" || a.latest == nil || memory.IsObject(a.latest.args.String()):
		return s
	case s == nil || p.id == "" && memory.IsObject(s.args.String()):
		return a.latest // arguments alone, while those of a call are open: not all servers keep to an index, or to an id
	}
	return s
}

// named is the call that a piece goes on with by what it says of it.
func (a *assembly) named(p piece) *slot {
	if p.id != "" {
		s := a.last(func(s *slot) bool { return s.id == p.id && (p.index < 0 || s.index < 0 || s.index == p.index) })
		if s != nil && s.followedBy(p, a.known) {
			return nil // one id for all calls
		}
		if s != nil {
			return s
		}
	}
	var s *slot
	switch {
	case p.index >= 0:
		s = a.last(func(s *slot) bool { return s.index == p.index })
	case p.id != "":
		return nil
	default:
		s = a.last(func(*slot) bool { return true })
	}
	if s == nil || p.id != "" && s.id != "" || s.followedBy(p, a.known) {
		return nil // another id: servers that give every call the index 0
	}
	return s
}

func (a *assembly) last(fits func(*slot) bool) *slot {
	for _, s := range slices.Backward(a.slots) {
		if fits(s) {
			return s
		}
	}
	return nil
}

// followedBy tells whether a piece with a name, which fits a call by its index or by nothing at all, begins another
// call. A name alone does not say so: some servers repeat it in each piece, some send it in pieces.
func (s *slot) followedBy(p piece, known toolset) bool {
	args := s.args.String()
	switch {
	case p.name == "" || s.name == "":
		return false
	case p.name == s.name:
		return isStart(p.args) && args != p.args && memory.IsObject(args)
	case known.knows(s.name):
		return !known.knows(s.name + p.name)
	case known.knows(s.name + p.name):
		return false
	case args != "" || known.knows(p.name):
		return !strings.HasPrefix(p.name, s.name)
	}
	return false
}

func isStart(args string) bool { return strings.HasPrefix(strings.TrimSpace(args), "{") }

// addName sets the name, or goes on with it.
func (s *slot) addName(name string, known toolset) {
	switch {
	case name == "" || name == s.name:
	case known.knows(s.name + name):
		s.name += name
	case known.knows(s.name):
	case s.args.Len() > 0 || strings.HasPrefix(name, s.name): // once more, and longer
		s.name = name
	default:
		s.name += name
	}
}

// addArgs adds arguments. A whole object replaces what was there, as does what follows the empty one that some servers
// begin with; the whole text once more, with which some end, is left out.
func (s *slot) addArgs(p piece) {
	sofar := s.args.String()
	switch {
	case p.args == "" || p.args == sofar && len(sofar) > 1 && memory.IsObject(sofar):
		return
	case p.object || strings.TrimSpace(sofar) == "{}" && isStart(p.args):
		s.args.Reset()
	}
	s.args.WriteString(p.args)
}

// plainArguments undoes what servers wrap around arguments: none at all, and a JSON text in a JSON text.
func plainArguments(text string) string {
	if inner := scalar(json.RawMessage(text)); strings.HasPrefix(strings.TrimSpace(text), `"`) && memory.IsObject(inner) {
		return inner
	}
	if trimmed := strings.TrimSpace(text); trimmed == "" || trimmed == "null" {
		return "{}"
	}
	return text
}

// torn tells whether the arguments of a call end in the middle.
func (a *assembly) torn() bool {
	return slices.ContainsFunc(a.slots, func(s *slot) bool {
		args := strings.TrimSpace(s.args.String())
		return args != "" && !json.Valid([]byte(args))
	})
}

// calls are the calls of the reply, in the order of their indices where all have one. seed makes ids for those that
// came without; the same reply has the same ids.
func (a *assembly) calls(seed string) (calls []memory.ToolCall) {
	if !slices.ContainsFunc(a.slots, func(s *slot) bool { return s.index < 0 }) {
		slices.SortStableFunc(a.slots, func(x, y *slot) int { return x.index - y.index })
	}
	for _, s := range a.slots {
		if s.name == "" && s.args.Len() == 0 {
			continue // an id alone is no call
		}
		c := memory.ToolCall{ID: s.id, Name: first(first(a.known.find(s.name), s.name), memory.UnknownTool), Arguments: s.args.String()}
		c.Arguments = plainArguments(c.Arguments)
		if len(s.extra) > 0 {
			c.Extra = json.RawMessage(encode(s.extra))
		}
		calls = append(calls, c)
	}
	return withIDs(calls, seed)
}

// withIDs gives an id to every call that has none, or the one of a call before.
func withIDs(calls []memory.ToolCall, seed string) []memory.ToolCall {
	taken := map[string]bool{}
	for i, c := range calls {
		if c.ID == "" || taken[c.ID] {
			calls[i].ID = freeID(seed+"\x00"+strconv.Itoa(i)+c.Name+c.Arguments, taken)
		}
		taken[calls[i].ID] = true
	}
	return calls
}

// freeID derives an id from a text, another one where that is taken. No server refuses one of those.
func freeID(seed string, taken map[string]bool) string {
	id := memory.ShortID(seed)
	for n := 1; taken[id]; n++ {
		id = memory.ShortID(seed + "\x00" + strconv.Itoa(n))
	}
	return id
}
