package openaitest

import (
	"fmt"
	"slices"
)

// conversation looks at the messages and their order.
func (j *judge) conversation(a *ask) {
	if list, _ := a.json["messages"].([]any); len(list) == 0 {
		if list != nil || !a.has("messages") {
			j.say("messages is empty")
		}
		return
	}
	c := conversation{judge: j, seen: map[string]bool{}}
	for i, m := range a.messages {
		c.where = fmt.Sprintf("messages[%d]", i)
		if m == nil {
			j.say("%s is no object", c.where)
			continue
		}
		c.message(i, m)
	}
	c.answered("the end")
	if !c.user {
		j.say("no message is the user's")
	}
	if a.messages[len(a.messages)-1]["role"] == "assistant" {
		j.say("the last message is the model's own")
	}
}

// conversation is what is known of the messages before.
type conversation struct {
	*judge
	where string
	open  []string        // ids of calls that wait for their results
	seen  map[string]bool // ids of all calls
	user  bool
}

func (c *conversation) message(i int, m object) {
	role, _ := m["role"].(string)
	if role != "tool" {
		c.answered(c.where)
	}
	switch role {
	case "system", "developer":
		if i > 0 {
			c.say("%s: the role %s is for the first message only", c.where, role)
		}
		c.only(c.where, m, "role", "content", "name")
		c.content(m, true)
	case "user":
		c.user = true
		c.only(c.where, m, "role", "content", "name")
		c.content(m, true)
	case "assistant":
		c.only(c.where, m, "role", "content", "name", "tool_calls", "refusal")
		c.assistant(m)
	case "tool":
		c.only(c.where, m, "role", "content", "tool_call_id")
		c.content(m, false)
		c.result(m)
	default:
		c.say("%s: there is no role %q", c.where, role)
	}
}

// content looks at a content that must be there.
func (c *conversation) content(m object, full bool) {
	content, has := m["content"]
	parts, list := content.([]any)
	_, text := content.(string)
	switch {
	case !has:
		c.say("%s: content is missing", c.where)
	case !text && !list:
		c.say("%s: content is %v: allowed are a text, or a list of parts", c.where, content)
	case full && contentText(content) == "":
		c.say("%s: content is empty", c.where)
	}
	for _, p := range parts {
		part, _ := p.(object)
		if _, ok := part["text"].(string); part["type"] != "text" || !ok {
			c.say("%s: content has a part that is no {type: text, text: …}", c.where)
		}
	}
}

func (c *conversation) assistant(m object) {
	list, has := m["tool_calls"]
	made := calls(m)
	if has && len(made) == 0 {
		c.say("%s: tool_calls is %v: allowed is a list of calls, or no such field", c.where, list)
	}
	if len(made) == 0 {
		c.content(m, true)
		return
	}
	if content := m["content"]; content != nil {
		c.content(m, false)
	}
	for i, call := range made {
		c.call(fmt.Sprintf("%s.tool_calls[%d]", c.where, i), call)
	}
}

func (c *conversation) call(where string, call object) {
	id, _ := call["id"].(string)
	name, arguments := callText(call)
	function, _ := call["function"].(object)
	switch {
	case id == "":
		c.say("%s has no id", where)
	case c.seen[id]:
		c.say("%s: the id %s stands twice in the conversation", where, id)
	case !c.ids[id] && (!callID.MatchString(id) || len(id) > maxID):
		c.say("%s: the id %q: allowed are up to %d letters, digits, _ and -, or what the server gave", where, id, maxID)
	}
	c.seen[id] = true
	c.open = append(c.open, id)
	if call["type"] != "function" {
		c.say("%s: type is %v, not function", where, call["type"])
	}
	if !toolName.MatchString(name) {
		c.say("%s: the name %q: allowed are 1 to 64 letters, digits, _ and -", where, name)
	}
	if decodeObject([]byte(arguments)) == nil {
		c.say("%s: arguments are %v: allowed is a text that holds a JSON object", where, function["arguments"])
	}
	c.only(where+".function", function, "name", "arguments")
	c.only(where, call, append(c.echo(where, call), "id", "type", "function")...)
}

// echo looks whether a call bears the further fields with which it came, and returns their names.
func (c *conversation) echo(where string, call object) (fields []string) {
	name, arguments := callText(call)
	same := func(i issued) bool { return i.name == name && sameJSON([]byte(i.arguments), []byte(arguments)) }
	whole := func(i issued) bool {
		return same(i) && !slices.ContainsFunc(sortedFields(i.extra), func(field string) bool {
			return !sameJSON(encode(i.extra[field]), encode(call[field]))
		})
	}
	at := slices.IndexFunc(c.issued, same)
	if at < 0 {
		return nil
	}
	if !slices.ContainsFunc(c.issued, whole) {
		c.say("%s: the call came with further fields %s, and does not bear them any more", where, encode(c.issued[at].extra))
	}
	return sortedFields(c.issued[at].extra)
}

// result takes a tool's answer to an open call.
func (c *conversation) result(m object) {
	id, _ := m["tool_call_id"].(string)
	i := slices.Index(c.open, id)
	if i < 0 {
		c.say("%s: tool_call_id %q is no unanswered call of the message before", c.where, id)
		return
	}
	c.open = slices.Delete(c.open, i, i+1)
}

// answered notes calls that have no result before another message.
func (c *conversation) answered(where string) {
	for _, id := range c.open {
		c.say("%s: the call %s has no result before it", where, id)
	}
	c.open = nil
}
