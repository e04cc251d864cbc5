package openaitest

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// draft is a reply on its way to the wire. Faults change it at three levels: the reply itself, the JSON objects made of
// it, and the bytes made of those.
type draft struct {
	reply  Reply
	ask    *ask
	id     string
	usage  object
	form   form
	chunks []object // of a stream
	whole  object   // of an answer in one piece
	done   bool     // [DONE] follows
	breaks *breaks  // nil: the stream comes whole
}

// breaks is where and how a stream goes wrong.
type breaks struct {
	after int    // chunks that come
	text  string // instead of the rest
	done  bool   // and [DONE] behind it
	end   ending
	holds []int // silence before these pieces; the rest comes after a release
	whole bool  // nothing is missing but what end takes
}

// form is how the objects are made, where the rule knows more than one way.
type form struct {
	whole  bool // each call in one chunk
	mixed  bool // the pieces of several calls by turns
	silent bool // no first chunk with the role
}

const argumentPiece = 12 // bytes of arguments in a delta

func newDraft(r Reply, a *ask, id string) *draft {
	return &draft{reply: r, ask: a, id: id, done: true}
}

// make builds the objects from the reply.
func (d *draft) make() {
	d.usage = d.count()
	if d.ask.stream {
		d.makeStream()
		return
	}
	message := object{"role": "assistant", "content": nil}
	if d.reply.Text != "" || len(d.reply.Calls) == 0 {
		message["content"] = d.reply.Text
	}
	if d.reply.Reasoning != "" {
		message["reasoning_content"] = d.reply.Reasoning
	}
	var calls []any
	for _, c := range d.reply.Calls {
		calls = append(calls, c.object(c.arguments()))
	}
	if calls != nil {
		message["tool_calls"] = calls
	}
	choice := object{"index": 0, "message": message, "finish_reason": d.finish()}
	d.whole = d.envelope("chat.completion", choice)
	d.whole["usage"] = d.usage
}

func (d *draft) makeStream() {
	if !d.form.silent {
		d.delta(object{"role": "assistant", "content": ""})
	}
	for _, piece := range pieces(d.reply.Reasoning, d.reply.Chunk) {
		d.delta(object{"reasoning_content": piece})
	}
	for _, piece := range pieces(d.reply.Text, d.reply.Chunk) {
		d.delta(object{"content": piece})
	}
	d.makeCalls()
	last := d.delta(object{})
	last["finish_reason"] = d.finish()
	if d.ask.usage {
		o := d.envelope("chat.completion.chunk")
		o["usage"] = d.usage
		d.chunks = append(d.chunks, o)
	}
}

// makeCalls makes the deltas of the calls: the head with an empty text of arguments first, then these in pieces.
func (d *draft) makeCalls() {
	var deltas [][]object
	for i, c := range d.reply.Calls {
		if d.form.whole {
			head := c.object(c.arguments())
			head["index"] = i
			deltas = append(deltas, []object{head})
			continue
		}
		head := c.object("")
		head["index"] = i
		list := []object{head}
		size := argumentPiece
		if d.reply.Chunk > 0 {
			size = d.reply.Chunk
		}
		for _, piece := range pieces(c.arguments(), size) {
			list = append(list, object{"index": i, "function": object{"arguments": piece}})
		}
		deltas = append(deltas, list)
	}
	for _, call := range inOrder(deltas, d.form.mixed) {
		d.delta(object{"tool_calls": []any{call}})
	}
}

// inOrder puts lists behind each other, or takes from them in turn.
func inOrder(lists [][]object, mixed bool) (out []object) {
	if !mixed {
		for _, list := range lists {
			out = append(out, list...)
		}
		return out
	}
	for i, left := 0, true; left; i++ {
		left = false
		for _, list := range lists {
			if i < len(list) {
				out, left = append(out, list[i]), true
			}
		}
	}
	return out
}

func (c Call) object(arguments string) object {
	o := object{"id": c.ID, "type": "function", "function": object{"name": c.Name, "arguments": arguments}}
	for field, value := range decodeObject(c.Extra) {
		o[field] = value
	}
	return o
}

func (d *draft) finish() string {
	switch {
	case d.reply.Finish != "":
		return d.reply.Finish
	case len(d.reply.Calls) > 0:
		return "tool_calls"
	}
	return "stop"
}

// delta adds a chunk and returns its choice.
func (d *draft) delta(delta object) object {
	choice := object{"index": 0, "delta": delta, "finish_reason": nil}
	d.chunks = append(d.chunks, d.envelope("chat.completion.chunk", choice))
	return choice
}

func (d *draft) envelope(kind string, choices ...any) object {
	if choices == nil {
		choices = []any{}
	}
	return object{"id": d.id, "object": kind, "created": 1767225600, "model": d.ask.model, "choices": choices}
}

// count is the usage: what the script says, or a quarter of the bytes.
func (d *draft) count() object {
	u := d.reply.Usage
	if u == nil {
		said := len(d.reply.Text) + len(d.reply.Reasoning)
		for _, c := range d.reply.Calls {
			said += len(c.Name) + len(c.arguments())
		}
		u = &Usage{Input: len(d.ask.body)/4 + 1, Output: said/4 + 1}
	}
	return object{
		"prompt_tokens": u.Input, "completion_tokens": u.Output, "total_tokens": u.Input + u.Output,
		"prompt_tokens_details": object{"cached_tokens": u.Cached},
	}
}

// pieces cuts a text behind its words, or into pieces of some bytes; never inside of a character.
func pieces(text string, size int) (out []string) {
	for text != "" {
		n := wordEnd(text)
		if size > 0 {
			n = min(size, len(text))
			for n < len(text) && !utf8.RuneStart(text[n]) {
				n++
			}
		}
		out = append(out, text[:n])
		text = text[n:]
	}
	return out
}

func wordEnd(text string) int {
	start := len(text) - len(strings.TrimLeft(text, " \n\t"))
	if end := strings.IndexAny(text[start:], " \n\t"); end >= 0 {
		return start + end
	}
	return len(text)
}

// each visits the choices of all objects: the choice, and its delta or message.
func (d *draft) each(visit func(choice, said object)) {
	for _, o := range d.objects() {
		choices, _ := o["choices"].([]any)
		for _, c := range choices {
			choice, _ := c.(object)
			said, ok := choice["delta"].(object)
			if !ok {
				said, ok = choice["message"].(object)
			}
			if ok {
				visit(choice, said)
			}
		}
	}
}

// eachCall visits the calls of all objects. The head of a call is the part that names it.
func (d *draft) eachCall(visit func(call, function object, head bool)) {
	d.each(func(_, said object) {
		calls, _ := said["tool_calls"].([]any)
		for _, c := range calls {
			call, _ := c.(object)
			function, _ := call["function"].(object)
			_, head := function["name"]
			visit(call, function, head)
		}
	})
}

func (d *draft) objects() []object {
	if d.whole != nil {
		return []object{d.whole}
	}
	return d.chunks
}

// rawArguments is the object that a text of arguments holds, or the text itself.
func rawArguments(text string) any {
	if decodeObject([]byte(text)) == nil {
		return text
	}
	return json.RawMessage(text)
}

// middle is the number of chunks that make about half of a reply: words or pieces of calls are among them.
func (d *draft) middle() int {
	first := 0
	for i, o := range d.chunks {
		said := deltaOf(o)
		text, _ := said["content"].(string)
		if _, calls := said["tool_calls"]; text != "" || calls {
			first = i + 1
			break
		}
	}
	return max(first, len(d.chunks)/2)
}
