package session

import (
	"fmt"
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
	"github.com/galley-ls/galley/memory"
	"github.com/galley-ls/galley/tasks"
)

// recovery rebuilds the state from the journal, and goes on where a process died on
// the road. It is over when its session is open.
type recovery struct {
	*Session
	image   *editing.Image
	tasks   []tasks.Task
	intents map[string]bool // whose decisions the journal has
	back    []int           // editing sessions that are open again
}

func (r *recovery) run() error {
	void := voided(r.store.Entries())
	for _, e := range r.store.Entries() {
		r.iter = max(r.iter, e.Iteration)
		if !void[e.Seq] {
			r.entry(e)
		}
	}
	if err := r.rename(); err != nil {
		return err
	}
	open, err := r.interrupted()
	if err != nil {
		return err
	}
	r.Session.tasks.Restore(r.tasks)
	if err := r.restore(); err != nil {
		return err
	}
	if err := r.arrived(By{}); err != nil {
		return err
	}
	return r.goOn(open)
}

func (r *recovery) entry(e memory.Entry) {
	switch e.Type {
	case memory.TypeEdit, memory.TypeDecision:
		if v, ok := editOf(e, r.store.Meta()); ok {
			r.edit(v)
		}
	case memory.TypeTask:
		if v, ok := payload[taskEntry](e); ok {
			r.tasks = append(r.tasks, v.Tasks...)
			if v.Begun != 0 {
				r.begun[v.Begun] = v.Call
			}
		}
	case memory.TypeMeta:
		if v, ok := payload[metaEntry](e); ok {
			if v.Delivered {
				r.notices = nil
			}
			r.dealtWith(v.Folded)
			if v.Read != nil {
				r.note(*v.Read)
			}
		}
	case memory.TypeToolCall:
		if v, ok := payload[CommandRun](e); ok {
			r.effects.noted(e.Seq, e.Iteration, v)
		}
	case memory.TypeUser:
		if v, ok := payload[struct{ By string }](e); ok && v.By == "" {
			r.asked = e.Iteration
		}
	}
}

func (r *recovery) edit(e editEntry) {
	r.image.Add(e.Record)
	r.stood.keeps(e.Record)
	r.hear(e)
	r.closedBy(e.Record)
	r.intents[e.Intent] = true
}

// restore brings the letters back into the texts as they are now.
func (r *recovery) restore() error {
	texts := map[string]text.Text{}
	var opaque []string
	for path := range r.image.Files() {
		t, err := r.Files().Read(path)
		switch {
		case err == nil:
			texts[path] = t
		case !isMissing(err):
			opaque = append(opaque, path)
		}
	}
	r.image.Recall(r.store.Stood)
	rec := r.ws.Restore(r.me, r.image, texts, opaque...)
	notices := textNotices(r.who(By{}), r.texts.Next())
	if r.store.ReadOnly() {
		return nil
	}
	r.emptied(r.Snapshot().Record(cutOffRenames(r.image)...).Changes)
	if len(notices) == 0 {
		return nil
	}
	return r.happened(memory.TypeEdit, editEntry{Op: "restore", Notices: notices, Record: rec})
}

// rename gives letters that other sessions of the workspace bear free ones, before
// anything else is done with them.
func (r *recovery) rename() error {
	names, rec, ok := r.image.Rename(r.Snapshot())
	if !ok {
		return fmt.Errorf("session %s cannot be opened beside %s: there are not letters enough for both; decide some first",
			r.me, strings.Join(holders(r.Snapshot()), ", "))
	}
	if rec.Empty() {
		return nil
	}
	var notices []string
	for _, n := range names {
		notices = append(notices, fmt.Sprintf("%s in %s is %s now: another session of this workspace has a change %s", n.From, n.Name, n.To, n.From))
		r.warn("%s in %s is %s now", n.From, n.Name, n.To)
	}
	return r.happened(memory.TypeEdit, editEntry{Op: "rename", Notices: notices, Record: rec})
}

// holders are the sessions with changes on the table.
func holders(snap *editing.Snapshot) (all []string) {
	for _, c := range snap.Changes() {
		if !slices.Contains(all, c.Owner) {
			all = append(all, c.Owner)
		}
	}
	return all
}
