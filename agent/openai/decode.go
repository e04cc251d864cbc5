package openai

import (
	"bytes"
	"encoding/json"
	"maps"
	"strconv"
	"strings"
)

// chunk is what one event of a stream, or a whole reply, says.
type chunk struct {
	text, reasoning string
	calls           []piece
	finish          string
	usage           []json.RawMessage
	choices         bool // it speaks of a choice at all
	whole           bool // it is a reply in one piece
}

// piece is a part of a tool call.
type piece struct {
	index  int // -1: it has none
	id     string
	name   string
	args   string
	object bool   // args is a whole object
	extra  object // fields that the API does not know
}

// decodeChunk reads an event, however the server spells it. What makes no sense in it is left out: nothing that a
// server sends may take away the rest of its reply.
func decodeChunk(raw []byte) chunk {
	var c chunk
	top := objectOf(raw)
	c.addUsage(top["usage"])
	c.addUsage(objectOf(top["x_groq"])["usage"])
	for _, raw := range oneOrMore(top["choices"]) {
		choice := objectOf(raw)
		if choice == nil || !isFirst(choice["index"]) {
			continue
		}
		c.choices = true
		c.finish = first(c.finish, scalar(choice["finish_reason"]))
		c.addUsage(choice["usage"]) // Moonshot
		c.add(objectOf(choice["delta"]))
		if message := objectOf(choice["message"]); message != nil && !c.says() {
			c.add(message) // beside a delta it says again what was said so far
			c.whole = c.says()
		}
	}
	return c
}

// says tells whether something of a reply is in the chunk.
func (c *chunk) says() bool { return c.text != "" || c.reasoning != "" || len(c.calls) > 0 }

func (c *chunk) addUsage(raw json.RawMessage) {
	if isError(raw) { // that is: if there is something in it
		c.usage = append(c.usage, raw)
	}
}

// isFirst tells whether a choice is the first one; more are never asked for.
func isFirst(index json.RawMessage) bool {
	n, err := strconv.Atoi(scalar(index))
	return err != nil || n == 0
}

func (c *chunk) add(said object) {
	text, thoughts := content(said["content"], 0)
	c.text += text + scalar(said["refusal"])
	c.reasoning += first(thoughts, thinking(said))
	for _, raw := range oneOrMore(said["tool_calls"]) {
		if p, ok := decodePiece(raw); ok {
			c.calls = append(c.calls, p)
		}
	}
	if f := said["function_call"]; len(c.calls) == 0 && isError(f) { // as it was before there were several
		p := piece{index: -1, extra: object{}}
		if p.function(f) {
			c.calls = append(c.calls, p)
		}
	}
}

// thinking is what a piece says of the model's thoughts. The same words may stand in it under several names.
func thinking(said object) string {
	for _, name := range []string{"reasoning_content", "reasoning"} {
		if text, thoughts := content(said[name], 0); text+thoughts != "" {
			return text + thoughts
		}
	}
	var all strings.Builder
	for _, raw := range elements(said["reasoning_details"]) {
		d := objectOf(raw)
		all.WriteString(first(scalar(d["text"]), scalar(d["summary"])))
	}
	return all.String()
}

const deepest = 4 // lists in lists that are still read

// content is a text, null, or a list of parts: of the answer, and of thoughts.
func content(raw json.RawMessage, depth int) (text, thoughts string) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || depth > deepest {
		return "", ""
	}
	switch raw[0] {
	case '[':
		for _, part := range elements(raw) {
			t, r := content(part, depth+1)
			text, thoughts = text+t, thoughts+r
		}
		return text, thoughts
	case '{':
		part := objectOf(raw)
		for _, name := range []string{"thinking", "reasoning"} { // Mistral
			if t, r := content(part[name], depth+1); t+r != "" {
				return "", t + r
			}
		}
		kind := scalar(part["type"])
		for _, name := range []string{"text", "content"} {
			t, r := content(part[name], depth+1)
			switch {
			case t+r == "":
			case strings.Contains(kind, "reasoning") || strings.Contains(kind, "thinking"):
				return "", t + r
			default:
				return t, r
			}
		}
		return "", ""
	}
	return scalar(raw), ""
}

// known are the fields of a call that the API has; all others go back to the server as they came.
var known = []string{"index", "id", "type", "function"}

func decodePiece(raw json.RawMessage) (piece, bool) {
	o := objectOf(raw)
	if o == nil {
		return piece{}, false
	}
	p := piece{index: -1, id: scalar(o["id"])}
	if n, err := strconv.Atoi(scalar(o["index"])); err == nil && n >= 0 {
		p.index = n
	}
	if isError(o["function"]) {
		p.function(o["function"])
	} else {
		p.function(raw) // name and arguments without the object around them
		delete(o, "name")
		delete(o, "arguments")
	}
	for _, name := range known {
		delete(o, name)
	}
	maps.DeleteFunc(o, func(_ string, value json.RawMessage) bool { return string(value) == "null" })
	p.extra = o
	return p, true
}

// function reads name and arguments.
func (p *piece) function(raw json.RawMessage) bool {
	f := objectOf(raw)
	if f == nil {
		return false
	}
	p.name = scalar(f["name"])
	args := bytes.TrimSpace(f["arguments"])
	switch {
	case len(args) == 0 || string(args) == "null":
	case args[0] == '"':
		p.args = scalar(args)
	default:
		p.args, p.object = string(compact(args)), true
	}
	return true
}

func compact(raw []byte) []byte {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return raw
	}
	return b.Bytes()
}

// oneOrMore are the parts of a JSON list, or the object that stands where a list should.
func oneOrMore(raw json.RawMessage) []json.RawMessage {
	if objectOf(raw) != nil {
		return []json.RawMessage{raw}
	}
	return elements(raw)
}

// objectOf reads a JSON object; nil: it is none.
func objectOf(raw json.RawMessage) (o object) {
	if json.Unmarshal(raw, &o) != nil {
		return nil
	}
	return o
}
