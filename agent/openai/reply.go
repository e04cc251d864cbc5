package openai

import (
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/galley-ls/galley/agent/model"
	"github.com/galley-ls/galley/memory"
)

// reader makes one reply of the chunks of one stream, and shows it as it comes.
type reader struct {
	show  func(model.Delta)
	mode  string // what becomes of calls written as text
	seed  string // of ids
	tools toolset

	think thinker
	gate  gate
	calls assembly

	text     strings.Builder
	apart    strings.Builder // thoughts that the server tells apart by itself
	inline   strings.Builder // thoughts in the text
	size     int             // bytes of all that
	usage    memory.Usage
	finish   string
	begun    bool // something of the reply came
	whole    bool // it came in one piece
	early    bool // the server names an end before the end, so its word for it says nothing
	choices  bool // at least one chunk spoke of a choice
	opened   bool // the thoughts had no beginning
	unopened bool // the profile said that there are some, and there were none
}

func newReader(req memory.Request, p Profile, show func(model.Delta)) *reader {
	tools := newToolset(req.Tools)
	r := &reader{show: show, mode: p.TextToolCalls, seed: strconv.Itoa(len(req.Messages)), tools: tools}
	r.calls.known = tools
	r.gate.show = func(text string) { r.show(model.Delta{Text: text}) }
	if r.mode != textOff {
		r.gate.tools = tools
	}
	r.think = thinker{mode: p.Thinking, answer: r.answer, thought: r.thought, takeBack: r.takeBack}
	r.think.start()
	return r
}

// take reads one chunk and tells whether something of the reply was in it.
func (r *reader) take(c chunk) bool {
	for _, u := range c.usage {
		count(&r.usage, u)
	}
	r.choices = r.choices || c.choices
	if c.whole && r.begun {
		r.whole = true
		return false // the whole reply once more, behind its pieces
	}
	r.whole = r.whole || c.whole
	r.early = r.early || r.finish != "" && c.says()
	r.finish = first(c.finish, r.finish)
	if c.reasoning != "" {
		r.think.thoughtElsewhere()
		r.apart.WriteString(c.reasoning)
		r.show(model.Delta{Reasoning: c.reasoning})
	}
	if c.text != "" {
		r.think.add(c.text)
	}
	for _, p := range c.calls {
		if full, _ := r.full(); full {
			break
		}
		r.calls.take(p)
		r.size += len(p.name) + len(p.args)
	}
	r.size += len(c.text) + len(c.reasoning)
	r.begun = r.begun || c.says()
	return c.says()
}

// full tells that no more of a reply is taken. One with too many calls is whole then: the last ones are not made anyway.
func (r *reader) full() (bool, error) {
	switch {
	case r.size > model.ReplyMost:
		return true, model.ErrTooMuch
	case len(r.calls.slots) > model.CallsMost:
		r.whole = true
		return true, nil
	}
	return false, nil
}

func (r *reader) answer(text string) {
	r.text.WriteString(text)
	r.gate.add(text)
}

func (r *reader) thought(text string) {
	if r.inline.WriteString(text); strings.TrimSpace(r.inline.String()) != "" && text != "" { // not the line ends around it
		r.show(model.Delta{Reasoning: text})
	}
}

// takeBack turns all of the answer so far into thoughts.
func (r *reader) takeBack() {
	r.opened = true
	r.inline.WriteString(r.text.String())
	r.text.Reset()
	r.gate.reset()
}

// end finishes the reply when nothing more comes.
func (r *reader) end() model.Reply {
	r.think.end()
	if r.think.assumed() && r.finish != model.FinishLength {
		r.text.WriteString(r.inline.String()) // they never ended, so they were the answer
		r.inline.Reset()
		r.unopened = true
		r.gate.add(r.text.String())
	}
	m := memory.Message{Role: memory.RoleAssistant, Content: r.text.String(), Reasoning: r.apart.String()}
	if inline := strings.TrimSpace(r.inline.String()); inline != strings.TrimSpace(m.Reasoning) {
		m.Reasoning = memory.Paragraphs(m.Reasoning, inline)
	}
	m.ToolCalls = r.calls.calls(r.seed)
	reply := model.Reply{Message: m, Usage: r.usage, Finish: finishWord(r.finish)}
	r.gate.end(r.fromText(&reply))
	return reply
}

// fromText looks for calls in the text of a reply that has none otherwise, and tells how much of the text's end they
// are: nobody is shown that.
func (r *reader) fromText(reply *model.Reply) (hidden int) {
	text := reply.Message.Content
	if r.mode == textOff || len(reply.Message.ToolCalls) > 0 {
		return 0
	}
	found := r.tools.recognise(text)
	switch {
	case len(found.calls) > 0 && r.mode == textPromote:
		reply.Message.Content, reply.Message.ToolCalls = found.prose, toolCalls(found.calls, r.seed)
	case len(found.calls) > 0 || found.broken:
		reply.Finish = model.FinishTextCall
	default:
		return 0
	}
	return len(text) - len(found.prose)
}

// finishWord is the server's word, with the one of older servers replaced.
func finishWord(word string) string {
	if word == "function_call" {
		return model.FinishCalls
	}
	return word
}

// judgeEnd decides about the end of a stream. A reply whose end the server has named is whole, whatever became of the
// connection behind it; one without is cut off, as is one that ends within a call without a word why.
func (r *reader) judgeEnd(body *frames, err error) error {
	named := r.whole || r.finish != "" && !r.early
	said := named || body != nil && body.done
	var server *failure
	switch {
	case err != nil && (!said || errors.As(err, &server) || errors.Is(err, model.ErrTooMuch)):
		return err
	case !r.choices && body.json != nil:
		return &strange{text: body.beginning}
	case !said || !named && r.calls.torn():
		return io.ErrUnexpectedEOF
	}
	return nil
}
