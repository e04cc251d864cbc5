package offline

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/galley-ls/galley/memory"
)

// past is what the messages of a request say about where the model stands.
type past struct {
	prompt   string // the last one a person gave
	program  string // what is being worked on: the prompt, or what was left of one that is folded away
	tag      string // marks the ids of the calls that belong to the program
	step     int    // the last step that a call was made for; -1: none
	units    []unit // the calls since the prompt
	all      []unit // every call of the conversation
	from     int    // index in units behind the last folded history
	since    int    // index in units from which on they belong to what is being worked on
	lost     bool   // what came last since the prompt is folded away, and the place with it
	answered bool   // the prompt has its closing reply
	notices  []string
	closed   []closing
	decided  []closing // letters that the person decided since the prompt
	block    string    // the volatile last message, which shows tasks and letters as they are now
	dropped  string    // what was left of the prompt before, which this one interrupted
	number   int       // of the next call
	finish   string    // how the reply ends, "": as any other
	salt     string    // keeps ids apart that hidden messages may bear too
}

// unit is one call with its answer.
type unit struct {
	call   string // its id as it stands in the conversation
	id     callID // the same, read; zero if another model made it
	name   string
	args   map[string]any
	result result
	text   string // what the model said with it
}

// closing is an editing session that the person closed, or a letter that was decided, and how many calls came before.
type closing struct {
	what  string
	after int
}

// callID is a call id of this model: which step of which program asked for it.
type callID struct {
	number, step int
	tag          string
}

var idForm = memory.Pattern(`^call_(\d+)_(\d+)_([0-9a-f]{6})[0-9a-f]{6}$`)

func (p *past) newID(step int) string {
	return fmt.Sprintf("call_%d_%d_%s%s", p.number, step+1, p.tag, p.salt)
}

// readID reads an id; those of other models give the zero value.
func readID(id string) callID {
	m := idForm().FindStringSubmatch(id)
	if m == nil {
		return callID{}
	}
	number, _ := strconv.Atoi(m[1])
	step, _ := strconv.Atoi(m[2])
	return callID{number: number, step: step - 1, tag: m[3]}
}

// digest is enough of a hash to tell the texts of one conversation apart.
func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:3])
}

// restMark begins the line that carries what is left to do across the folding of its prompt.
const restMark = "Still to do: "

// readPast reads the conversation, oldest first.
func readPast(messages []memory.Message) *past {
	p := &past{}
	if n := len(messages); n > 0 && isBlock(messages[n-1]) {
		p.block, messages = messages[n-1].Content, messages[:n-1]
	}
	salt := sha256.New()
	for i, m := range messages {
		fmt.Fprintf(salt, "%q %q %q\n", m.Role, m.ToolCallID, m.Content)
		switch m.Role {
		case "user":
			p.readUser(m, messages[:i])
		case "assistant":
			p.readReply(m)
		case "tool":
			p.readAnswer(m)
		}
	}
	p.salt = hex.EncodeToString(salt.Sum(nil)[:3])
	p.locate(messages)
	return p
}

// isBlock holds for what galley writes as user text and no person said: the volatile last block, folded history.
func isBlock(m memory.Message) bool {
	return m.Role == "user" && strings.HasPrefix(m.Content, "<")
}

func isNotice(m memory.Message) bool {
	return m.Role == "user" && strings.HasPrefix(m.Content, galleyPrefix)
}

func isPrompt(m memory.Message) bool {
	return m.Role == "user" && !isBlock(m) && !isNotice(m)
}

func (p *past) readUser(m memory.Message, before []memory.Message) {
	switch {
	case isBlock(m):
		p.lost, p.from = true, len(p.units)
	case isNotice(m):
		p.notices = append(p.notices, m.Content)
		for _, c := range closedEdit().FindAllStringSubmatch(m.Content, -1) {
			p.closed = append(p.closed, closing{what: "sess-" + c[1], after: len(p.all)})
		}
		p.decided = append(p.decided, decidedIn(m.Content, len(p.units))...)
	default:
		p.dropped = p.undone(before)
		p.prompt, p.units, p.decided = m.Content, nil, nil
		p.lost, p.answered, p.from = false, false, 0
	}
}

func (p *past) readReply(m memory.Message) {
	p.notices = nil
	p.answered = len(m.ToolCalls) == 0
	for _, c := range m.ToolCalls {
		u := unit{id: readID(c.ID), call: c.ID, name: c.Name, args: readArguments(c.Arguments), text: m.Content}
		p.number = max(p.number, u.id.number)
		p.units = append(p.units, u)
		p.all = append(p.all, u)
		p.lost = false
	}
}

// readAnswer looks backwards, since other models may use an id twice.
func (p *past) readAnswer(m memory.Message) {
	for _, units := range [][]unit{p.units, p.all} {
		for i := len(units) - 1; i >= 0; i-- {
			if units[i].call == m.ToolCallID {
				units[i].result = readResult(m.Content)
				break
			}
		}
	}
}

// locate finds what is being worked on, and how far. The closing of an editing session may have folded the prompt
// away; the reply that closed it then carries the rest.
func (p *past) locate(messages []memory.Message) {
	p.number++
	p.program, p.step = p.prompt, -1
	last := p.lastOwn()
	if last == nil {
		p.tag = digest(p.program)
		return
	}
	if text, ok := sourceOf(last.id.tag, messages); ok {
		p.program, p.step = text, last.id.step
	} else {
		p.program = restOf(last.text)
	}
	p.tag = digest(p.program)
	if p.program != p.prompt {
		p.since = p.from // the prompt is folded away; what stands before the fold belongs to an older one
	}
}

// undone is what is left of a prompt that has no closing reply yet.
func (p *past) undone(messages []memory.Message) string {
	if p.prompt == "" || p.answered || p.lost {
		return ""
	}
	q := *p
	q.locate(messages)
	program, err := Parse(q.program)
	if err != nil {
		return ""
	}
	for i := max(q.step, 0); i < len(program); i++ {
		if v := program[i].advance(&q, q.unitsOf(i)); v != done {
			return program[i:].String()
		}
	}
	return ""
}

func (p *past) lastOwn() *unit {
	for i := len(p.units) - 1; i >= 0; i-- {
		if p.units[i].id.tag != "" {
			return &p.units[i]
		}
	}
	return nil
}

// sourceOf finds the text that calls with this tag belong to.
func sourceOf(tag string, messages []memory.Message) (string, bool) {
	for _, m := range messages {
		text := m.Content
		if m.Role == "assistant" {
			text = restOf(m.Content)
		} else if !isPrompt(m) {
			continue
		}
		if digest(text) == tag {
			return text, true
		}
	}
	return "", false
}

// restOf reads what a reply says is still to do.
func restOf(reply string) string {
	_, rest, _ := strings.Cut("\n"+reply, "\n"+restMark)
	rest, _, _ = strings.Cut(rest, "\n")
	return rest
}

// unitsOf are the calls that were made for one step of the program.
func (p *past) unitsOf(step int) []unit {
	var units []unit
	for _, u := range p.units {
		if u.id.tag == p.tag && u.id.step == step {
			units = append(units, u)
		}
	}
	return units
}
