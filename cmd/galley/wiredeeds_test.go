package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/lsp/lsptest"
)

// What can happen in a random session.

func anyOf[T any](c *chaos, list []T) T { return list[c.r.IntN(len(list))] }

// spot is an offset on a character and not inside a line ending.
func (c *chaos) spot(text string) int {
	i := c.r.IntN(len(text) + 1)
	for i > 0 && i < len(text) && (!utf8.RuneStart(text[i]) || text[i-1] == '\r' && text[i] == '\n') {
		i--
	}
	return i
}

func (c *chaos) types() {
	open := c.openNames()
	if len(open) == 0 {
		return
	}
	name := anyOf(c, open)
	text := c.Text(c.uri(name))
	if len(c.calls) > 0 { // the edit of a command that waits may come into what is typed now
		c.mangled = c.mangled || c.unversioned()
	}
	c.n++
	word := fmt.Sprintf("«%d»", c.n)
	from := c.spot(text)
	to := from
	switch c.r.IntN(6) {
	case 0:
		word += "\n"
	case 1:
		word = "\n" + word
	case 2: // over what is there
		for range 1 + c.r.IntN(6) {
			_, n := utf8.DecodeRuneInString(text[to:])
			to += n
		}
		if to < len(text) && to > 0 && text[to-1] == '\r' {
			to--
		}
	case 3: // a whole line
		from = strings.LastIndexByte(text[:from], '\n') + 1
		if to = len(text); strings.IndexByte(text[from:], '\n') >= 0 {
			to = from + strings.IndexByte(text[from:], '\n') + 1
		}
		word = ""
	}
	if from > to {
		return
	}
	c.say("the user puts %q over %q at %d of %s", word, text[from:to], from, name)
	c.Replace(c.uri(name), lsptest.Offset(from), lsptest.Offset(to), word)
}

func (c *chaos) undoes() {
	if open := c.openNames(); len(open) > 0 {
		name := anyOf(c, open)
		c.say("undo in %s: %t", name, c.Undo(c.uri(name)))
	}
}

func (c *chaos) redoes() {
	if open := c.openNames(); len(open) > 0 {
		name := anyOf(c, open)
		c.say("redo in %s: %t", name, c.Redo(c.uri(name)))
	}
}

// stages has the agent change something, while the user goes on or looks on.
func (c *chaos) stages() {
	var calls []string
	for range 1 + c.r.IntN(2) {
		calls = append(calls, c.staging())
	}
	takes := false
	if c.r.IntN(5) == 0 {
		calls = append(calls, toolCall("memo_commit", map[string]any{"summary": "something"}))
		if takes = c.auto; takes {
			c.agentTakes(calls)
		}
	}
	c.say("the agent: %s", strings.Join(calls, "; "))
	c.tell(c.t, calls...)
	if c.r.IntN(2) == 0 || takes {
		c.idle(c.t)
	}
}

// agentTakes notes that the agent may take all that it has staged, and stages now.
func (c *chaos) agentTakes(calls []string) {
	c.idle(c.t) // all is staged that it was told before
	var letters []string
	for _, ch := range c.host.Workspace().Snapshot().Changes() {
		letters = append(letters, ch.Letter)
	}
	c.take(letters)
	for _, word := range agentWord.FindAllString(strings.Join(calls, " "), -1) {
		c.took[word] = true
	}
	c.flying[""] = true
	c.answersSomehow()
}

func (c *chaos) staging() string {
	name := anyOf(c, c.names)
	text := c.read(c.t, name)
	if d, ok := c.host.Workspace().Snapshot().Document(c.path(name)); ok {
		text = d.Proposed(c.host.Current()).String()
	}
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	line := anyOf(c, lines)
	c.n++
	word := fmt.Sprintf("agent%dx", c.n)
	kept := strings.Contains(line, "«") // the agent never deletes the user's words
	switch i := c.r.IntN(6); {
	case strings.TrimSpace(line) == "":
		return toolCall("memo_append", tools.AppendArgs{Path: name, Text: word})
	case i == 0 && !kept:
		return replace(name, line, word)
	case i == 1 && !kept && !strings.Contains(line, "agent"):
		return replace(name, line+"\n", "")
	case i == 1 && line == lines[max(0, len(lines)-2)]: // the last line loses its ending
		return replace(name, line+"\n", line+" "+word)
	case i == 2:
		return replace(name, line, line+"\n"+word)
	case i == 3:
		return replace(name, line, word+" "+line+" (at both ends)")
	}
	return replace(name, line, line+" "+word)
}

func (c *chaos) opensOrCloses() {
	name := anyOf(c, c.names)
	for _, open := range c.openNames() {
		if open == name {
			c.say("close %s", name)
			c.CloseBuffer(c.uri(name))
			return
		}
	}
	c.say("open %s", name)
	c.open(c.t, name)
}

func (c *chaos) saves() {
	if open := c.openNames(); len(open) > 0 {
		name := anyOf(c, open)
		c.say("save %s", name)
		if err := c.Save(c.uri(name)); err != nil {
			c.fail("%v", err)
		}
	}
}

// changesOutside is another program that writes a closed file.
func (c *chaos) changesOutside() {
	name := anyOf(c, c.names)
	for _, open := range c.openNames() {
		if open == name {
			return
		}
	}
	text := c.read(c.t, name)
	at := c.spot(text)
	c.n++
	c.say("another program writes %s", name)
	c.write(c.t, name, text[:at]+fmt.Sprintf("«%d»", c.n)+text[at:])
	c.FileChanged(c.path(name), 2)
}

// onWire is what galley.changes answers, as far as the test looks at it.
type onWire struct {
	Files []struct {
		URI     string
		Version *int
		Changes []struct{ Change, State string }
	}
}

func (c *chaos) asked() onWire {
	var out onWire
	if err := json.Unmarshal(c.command(c.t, "galley.changes"), &out); err != nil {
		c.fail("%v", err)
	}
	return out
}
