package memory

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// maxOdd is how many unusable entries are named; more say nothing new.
const maxOdd = 20

// unit is what stays or goes as one: a text of the user, or an assistant
// message with the results of all its calls.
type unit struct {
	seq       int64 // of the entry that began it
	iteration int
	prompt    bool // the user's own words, not a notice of galley
	msgs      []Message
	parts     []part       // of msgs, one each
	model     string       // that was asked then: what it thought is for no other
	archived  map[int]bool // calls whose results are shown as a word about them
}

// part says where a message of a unit comes from.
type part struct {
	entry  int // index in the journal, -1: made up
	tokens int // 0: not counted yet
}

// unanswered is the calls, by the IDs the model gave them, that have no result.
func (u *unit) unanswered() []string {
	var ids []string
	for i, call := range u.msgs[0].ToolCalls {
		if u.parts[i+1].entry < 0 {
			ids = append(ids, call.ID)
		}
	}
	return ids
}

// conversation is the view of a journal: its units in order, and the rewrites
// that hide some of them. It is built by apply alone, live and at replay.
type conversation struct {
	units    []*unit
	tops     []*rewrite // outermost rewrites, in order, disjoint
	open     int        // index of the unit whose calls may still be answered, -1
	usage    *anchor
	fixed    map[string]string // hashes of the fixed parts, from view events
	cost     Cost
	ratios   map[string]ratio     // by model
	doubted  bool                 // a count of the server was not believed
	doubt    string               // of the last reply, the first time
	repaired []string             // by the gate, as far as it is journaled
	archives map[int64][]archived // results that compactions have archived, by their IDs
	odd      []string             // what could not be taken from the journal
}

// anchor is the last number a server gave, and what we had counted then.
type anchor struct {
	usage    Usage
	estimate int // of the request
	reply    *unit
}

func newConversation() *conversation {
	return &conversation{ratios: map[string]ratio{}, archives: map[int64][]archived{}, open: -1}
}

// apply takes entry i of the journal into the view.
func (c *conversation) apply(entries []Entry, i int) {
	e := entries[i]
	var err error
	switch e.Type {
	case TypeUser:
		err = c.user(e, i)
	case TypeAssistant:
		err = c.assistant(e, i)
	case TypeToolResult:
		err = c.result(e, i)
	case TypeCompact:
		err = c.compact(entries, e)
	case TypeView:
		err = c.viewChanged(entries[:i], e)
	case TypeMeta:
		err = c.spent(e)
	case TypeError:
		var p errorPayload
		err = json.Unmarshal(e.Payload, &p)
		c.repaired = append(c.repaired, p.Repaired...)
	}
	if err != nil && len(c.odd) < maxOdd {
		c.odd = append(c.odd, fmt.Sprintf("entry %d of the journal (%s) is not used: %v", e.Seq, e.Type, err))
	}
}

func (c *conversation) user(e Entry, i int) error {
	var p userPayload
	if err := json.Unmarshal(e.Payload, &p); err != nil {
		return err
	}
	if strings.TrimSpace(string(p.Text)) == "" {
		return nil
	}
	if p.By == "" {
		c.cost.Turn = 0
	}
	c.units = append(c.units, &unit{
		seq: e.Seq, iteration: e.Iteration, prompt: p.By == "",
		msgs:  []Message{{Role: RoleUser, Content: string(p.Text)}},
		parts: []part{{i, e.Tokens}},
	})
	return nil
}

// believable is how many times more or less tokens than by our own count a server may tell: one that says less has left
// something out, mostly what it had in its cache.
const believable = 2

// counted takes in what the server counted for the request that a reply answers, and what we did.
func (c *conversation) counted(told Usage, estimate int, reply *unit) {
	c.doubt = ""
	switch {
	case estimate <= 0 || told.Input == 0: // it told nothing
	case told.Input > estimate/believable && told.Input < estimate*believable:
		c.usage = &anchor{told, estimate, reply}
		model := c.fixed[fixedModel]
		c.ratios[model] = c.ratios[model].learn(told.Input, estimate)
	case !c.doubted:
		c.doubted = true
		c.doubt = fmt.Sprintf("the model's server counted %d tokens for a request of about %d; that is not believed, and the numbers shown are estimated", told.Input, estimate)
	}
}

// ratio is that of the model that is asked.
func (c *conversation) ratio() ratio { return c.ratios[c.fixed[fixedModel]] }

// assistant begins a unit whose results are made up until they come.
func (c *conversation) assistant(e Entry, i int) error {
	c.open = -1 // what was not answered before the next reply never will be
	var p assistantPayload
	if err := json.Unmarshal(e.Payload, &p); err != nil {
		return err
	}
	u := &unit{
		seq: e.Seq, iteration: e.Iteration, model: c.fixed[fixedModel],
		msgs:  []Message{{Role: RoleAssistant, Content: string(p.Content), Reasoning: string(p.Reasoning)}},
		parts: []part{{i, e.Tokens}},
	}
	u.msgs[0].ToolCalls = p.ToolCalls
	for _, call := range p.ToolCalls {
		u.msgs = append(u.msgs, Message{Role: RoleTool, Content: unansweredText, ToolCallID: call.ID})
		u.parts = append(u.parts, part{entry: -1})
	}
	c.cost.add(p.Cost)
	if p.Usage != nil {
		c.counted(*p.Usage, p.Estimate, u)
	}
	if strings.TrimSpace(string(p.Content)) == "" && len(p.ToolCalls) == 0 {
		return nil
	}
	c.units = append(c.units, u)
	if len(p.ToolCalls) > 0 {
		c.open = len(c.units) - 1
	}
	return nil
}

// result answers the first open call of that ID; any other is left out: it is
// a second answer, or comes after the model was told that there is none.
func (c *conversation) result(e Entry, i int) error {
	u := c.openUnit()
	if u == nil {
		return nil
	}
	var p resultPayload
	if err := json.Unmarshal(e.Payload, &p); err != nil {
		return err
	}
	for k, call := range u.msgs[0].ToolCalls {
		if call.ID == string(p.CallID) && u.parts[k+1].entry < 0 {
			u.msgs[k+1].Content, u.parts[k+1] = string(p.Content), part{i, e.Tokens}
			break
		}
	}
	if len(u.unanswered()) == 0 {
		c.open = -1
	}
	return nil
}

func (c *conversation) openUnit() *unit {
	if c.open < 0 {
		return nil
	}
	return c.units[c.open]
}

func (c *conversation) viewChanged(before []Entry, e Entry) error {
	var p viewPayload
	if err := json.Unmarshal(e.Payload, &p); err != nil {
		return err
	}
	if p.Rewind > 0 {
		c.rewind(before, p.Rewind)
		return nil
	}
	c.fixed = p.Hashes
	c.usage = nil
	return nil
}

// visible calls unit for each unit that is shown and block for each rewrite, in
// order.
func (c *conversation) visible(from, to int, unit func(*unit), block func(*rewrite)) {
	t := 0
	for t < len(c.tops) && c.tops[t].last < from {
		t++
	}
	for i := from; i <= to; i++ {
		if t < len(c.tops) && i == c.tops[t].first {
			block(c.tops[t])
			i = c.tops[t].last
			t++
			continue
		}
		unit(c.units[i])
	}
}

// messages is the view, in whole units, behind what stands before it. Gate makes it one that servers take.
func (c *conversation) messages(before ...Message) []Message {
	out := append(make([]Message, 0, 2*len(c.units)+len(before)+1), before...)
	c.visible(0, len(c.units)-1,
		func(u *unit) { out = append(out, u.shown(c.fixed[fixedModel])...) },
		func(r *rewrite) { out = append(out, r.message()) })
	return out
}

// shown is the messages of a unit for a model: what another one thought, and what its server sent
// along, stays with that.
func (u *unit) shown(model string) []Message {
	if u.model == model || !u.thinks() {
		return u.msgs
	}
	msgs := slices.Clone(u.msgs)
	msgs[0].Reasoning, msgs[0].ToolCalls = "", slices.Clone(msgs[0].ToolCalls)
	for k := range msgs[0].ToolCalls {
		msgs[0].ToolCalls[k].Extra = nil
	}
	return msgs
}

// thinks tells whether there is something in a unit for its own model alone.
func (u *unit) thinks() bool {
	return u.msgs[0].Reasoning != "" || slices.ContainsFunc(u.msgs[0].ToolCalls, func(c ToolCall) bool { return c.Extra != nil })
}

// Said is the whole conversation, also what a model is not shown any more, without galley's notices.
func (s *Store) Said() []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []Message
	for _, u := range s.convLocked().units {
		if u.prompt || u.msgs[0].Role != RoleUser {
			out = append(out, u.msgs...)
		}
	}
	return out
}

// AddUser journals what the user wrote.
func (s *Store) AddUser(text string) error { return s.addUser(userPayload{Text: raw(text)}) }

// AddNotice journals what galley tells the model in the user's place, such as
// decisions. A fold does not carry it on: its block says how things ended.
func (s *Store) AddNotice(text string) error {
	return s.addUser(userPayload{Text: raw(text), By: noticeBy})
}

func (s *Store) addUser(p userPayload) error {
	defer s.write()()
	tokens := s.countNewLocked(Message{Role: RoleUser, Content: string(p.Text)})
	_, err := s.appendLocked(TypeUser, p, tokens)
	return err
}

// AddAssistant journals a reply and begins the next iteration. Calls of the
// reply before it that nobody answered are closed.
func (s *Store) AddAssistant(m Message, u Usage) error {
	defer s.write()()
	if err := s.writableLocked(); err != nil {
		return err
	}
	if err := s.answerOpen(true); err != nil {
		return err
	}
	p := assistantPayload{Content: raw(m.Content), Reasoning: raw(m.Reasoning), ToolCalls: m.ToolCalls, Estimate: s.lastAsked}
	if u != (Usage{}) {
		p.Usage, p.Cost = &u, s.price.Of(u)
	}
	_, err := s.writeLocked(TypeAssistant, s.iterationLocked()+1, p, s.countNewLocked(m))
	return err
}

// AddResult journals the answer to a call, named by the ID the model gave it.
func (s *Store) AddResult(callID, content string) error {
	defer s.write()()
	p := resultPayload{CallID: raw(callID), Content: raw(content)}
	_, err := s.appendLocked(TypeToolResult, p, s.countNewLocked(Message{Role: RoleTool, Content: content}))
	return err
}
