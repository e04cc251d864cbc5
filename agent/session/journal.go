package session

import (
	"encoding/json"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/memory"
	"github.com/galley-ls/galley/tasks"
)

// editEntry is what the journal keeps of one operation on staged changes, by the
// agent (type edit) or by the person (type decision).
type editEntry struct {
	Op      string          `json:"op"`
	Call    string          `json:"call,omitempty"` // the tool call that did it
	Reason  string          `json:"reason,omitempty"`
	Notices []string        `json:"news,omitempty"`   // for the model, at its next step
	Intent  string          `json:"intent,omitempty"` // the intent that changed files for it
	Undoes  string          `json:"undoes,omitempty"` // of an undo: the decision in the workspace's journal
	Takes   []editing.Taken `json:"takes,omitempty"`  // and what it takes back
	Record  editing.Record  `json:"record"`

	by memory.Client // who decides; kept in the workspace's journal
}

// editOf is an entry about edits, with files where the workspace is now.
func editOf(e memory.Entry, m memory.Meta) (editEntry, bool) {
	v, ok := payload[editEntry](e)
	v.Record.Move(m.Moved, m.Workspace)
	return v, ok
}

// taskEntry keeps the tasks that an operation made or changed.
type taskEntry struct {
	Op    string       `json:"op"`
	Call  string       `json:"call,omitempty"`
	Begun int          `json:"begun,omitempty"` // the task that this call began
	Tasks []tasks.Task `json:"tasks"`
}

// metaEntry keeps small facts: a journaled entry that did not happen, notices that
// were delivered, editing sessions whose history was dealt with, what a call read.
type metaEntry struct {
	Void      int64    `json:"void,omitempty"`
	Delivered bool     `json:"delivered,omitempty"`
	Folded    []int    `json:"folded,omitempty"`
	Read      *Reading `json:"read,omitempty"`
}

// remember keeps what later steps ask of an entry.
func (p *past) remember(e editEntry) {
	seen := map[int]bool{}
	for _, c := range e.Record.Changes {
		seen[c.Session] = true
	}
	for _, es := range e.Record.Sessions {
		seen[es.N] = true
	}
	if e.Call == "" {
		return
	}
	for n := range seen {
		p.touched[n] = append(p.touched[n], e.Call)
	}
}

// voided are the entries that did not happen.
func voided(entries []memory.Entry) map[int64]bool {
	out := map[int64]bool{}
	for _, e := range entries {
		if e.Type != memory.TypeMeta { // first: others can be long
			continue
		}
		if m, ok := payload[metaEntry](e); ok && m.Void != 0 {
			out[m.Void] = true
		}
	}
	return out
}

func payload[T any](e memory.Entry) (T, bool) {
	var v T
	err := json.Unmarshal(e.Payload, &v)
	return v, err == nil
}
