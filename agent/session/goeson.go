package session

import (
	"slices"

	"github.com/galley-ls/galley/memory"
)

// This file is for a run that goes on when the process that held its session has ended, and another one opened it. Its last
// request is made again: what the journal has of it must not be done twice.

// GoesOn says that the run of the last reply goes on: its open calls wait for their answers.
func (b *base) GoesOn() { b.store.GoesOn() }

// Acted reports whether the journal has something that a call of the last reply did. Calls that write to the working memory
// come one by one, so that a write behind the last answer is of the call behind it.
func (b *base) Acted(call string) bool {
	answered := false
	for _, e := range slices.Backward(b.store.Entries()) {
		var of struct{ Call, By string }
		switch e.Type {
		case memory.TypeAssistant:
			return false
		case memory.TypeToolResult:
			answered = true
		case memory.TypeEdit, memory.TypeTask, memory.TypeMemory, memory.TypeToolCall:
			of, _ = payload[struct{ Call, By string }](e)
		}
		if of.Call != "" && of.Call == call || of.By == memory.ByAgent && !answered {
			return true
		}
	}
	return false
}

// Has reports whether a message is the last one that its role has said, and nobody has said anything since but tools.
func (b *base) Has(m memory.Message) bool {
	said := slices.DeleteFunc(b.Said(), func(m memory.Message) bool { return m.Role == memory.RoleTool })
	if len(said) == 0 {
		return false
	}
	last := said[len(said)-1]
	same := func(x, y memory.ToolCall) bool { return x.ID == y.ID && x.Name == y.Name }
	return last.Role == m.Role && last.Content == b.Mask(m.Content) && slices.EqualFunc(last.ToolCalls, m.ToolCalls, same)
}
