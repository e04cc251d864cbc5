package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/galley-ls/galley/editing/disk"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
	"github.com/galley-ls/galley/memory"
	"github.com/galley-ls/galley/tasks"
)

// editEntry is what the journal keeps of one operation on staged changes, by the
// agent (type edit) or by the person (type decision).
type editEntry struct {
	Op      string         `json:"op"`
	Call    string         `json:"call,omitempty"` // the tool call that did it
	Reason  string         `json:"reason,omitempty"`
	Notices []string       `json:"news,omitempty"`   // for the model, at its next step
	Intent  string         `json:"intent,omitempty"` // the intent that changed files for it
	Record  editing.Record `json:"record"`
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

// errVoided says that an operation was given up after it was journaled.
var errVoided = errors.New("the texts kept moving; try again")

// attempts bounds how often an operation is planned again because the user typed
// in between.
const attempts = 8

// do plans an operation and carries it out. read are closed files that the table
// need not know; notices are told to the model at its next step.
func (s *Session) do(typ string, e editEntry, o editing.Op, notices func(*editing.Plan) []string, read ...*editing.Document) (editing.Result, error) {
	for range attempts {
		p := s.ws.Plan(o, read...)
		if ok, err := s.carry(typ, e, p, notices); ok || err != nil {
			return p.Result, err
		}
	}
	return editing.Result{}, errVoided
}

// carry journals a plan and makes it the state; one that changes closed files goes
// the road. It answers false, and nothing is left of it, if the plan is stale.
func (s *Session) carry(typ string, e editEntry, p *editing.Plan, notices func(*editing.Plan) []string) (bool, error) {
	if !p.Changes() {
		return true, nil
	}
	if !s.ws.Fresh(p) {
		return false, nil
	}
	e.Record = p.Record.Of(s.me)
	if s.set.Load().refuses(typ, e) {
		p.Result = holdsSecret()
		return true, nil
	}
	if notices != nil {
		e.Notices = notices(p)
	}
	if open := s.road.notSaved(p); len(p.Targets)+len(open) > 0 {
		return s.road.write(typ, e, p, open)
	}
	entry, err := s.append(typ, e)
	if err != nil {
		return false, err
	}
	if !s.texts.Accept(p) {
		return false, s.void(entry.Seq)
	}
	heard(s, e)
	return true, nil
}

// heard keeps what an entry that counts tells the model, and later steps.
func heard(s *Session, e editEntry) {
	s.notices = append(s.notices, e.Notices...)
	s.remember(e)
}

// journal is the session's journal, with the settings that say what may be in it.
type journal struct {
	store *memory.Store
	set   atomic.Pointer[settings] // replaced as a whole, see Session.Renew
	stood stood
}

// Mask is a text without secrets, for whoever shows it.
func (j *journal) Mask(text string) string { return j.store.Mask(text) }

// Settings are those of the session as they are now.
func (j *journal) Settings() Config { return j.set.Load().Config }

// Files is the disk, as the settings let the agent see it.
func (j *journal) Files() *disk.Roots { return j.set.Load().roots }

// Dir is the session's directory.
func (j *journal) Dir() string { return j.store.Dir() }

// append journals one entry and waits until it is on the disk.
func (j *journal) append(typ string, payload any) (memory.Entry, error) {
	e, edits := payload.(editEntry)
	if edits {
		e.Record = j.kept(e.Record)
		payload = e
	}
	entry, err := j.store.Append(typ, payload)
	if err == nil {
		err = j.store.Sync()
	}
	if err != nil {
		return entry, fmt.Errorf("journal: %w; nothing was changed", err)
	}
	if edits && len(e.Record.Kept) > 0 {
		j.stood.keeps(e.Record)
		j.store.DropStood(j.stood.names())
	}
	return entry, nil
}

func (j *journal) void(seq int64) error {
	_, err := j.append(memory.TypeMeta, metaEntry{Void: seq})
	return err
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

// replay rebuilds the state from the journal.
func replay(s *Session) error {
	r := replayer{s: s, image: editing.NewImage(), void: voided(s.store.Entries()), intents: map[string]bool{}}
	for _, e := range s.store.Entries() {
		r.entry(e)
	}
	open, err := s.road.interrupted(&r)
	if err != nil {
		return err
	}
	s.tasks.Restore(r.tasks)
	if err := restore(s, r.image); err != nil {
		return err
	}
	if err := arrived(s, By{}); err != nil {
		return err
	}
	return s.road.goOn(open)
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

type replayer struct {
	s       *Session
	image   *editing.Image
	tasks   []tasks.Task
	void    map[int64]bool
	intents map[string]bool // whose decisions the journal has
}

func (r *replayer) entry(e memory.Entry) {
	s := r.s
	s.iter = max(s.iter, e.Iteration)
	if r.void[e.Seq] {
		return
	}
	switch e.Type {
	case memory.TypeEdit, memory.TypeDecision:
		if v, ok := payload[editEntry](e); ok {
			r.edit(v)
		}
	case memory.TypeTask:
		if v, ok := payload[taskEntry](e); ok {
			r.tasks = append(r.tasks, v.Tasks...)
			if v.Begun != 0 {
				s.begun[v.Begun] = v.Call
			}
		}
	case memory.TypeMeta:
		if v, ok := payload[metaEntry](e); ok {
			if v.Delivered {
				s.notices = nil
			}
			s.dealtWith(v.Folded)
			if v.Read != nil {
				s.note(*v.Read)
			}
		}
	case memory.TypeToolCall:
		if v, ok := payload[CommandRun](e); ok {
			s.effects.noted(e.Seq, e.Iteration, v)
		}
	case memory.TypeUser:
		if v, ok := payload[struct{ By string }](e); ok && v.By == "" {
			s.asked = e.Iteration
		}
	}
}

func (r *replayer) edit(e editEntry) {
	r.image.Add(e.Record)
	r.s.stood.keeps(e.Record)
	heard(r.s, e)
	r.s.closedBy(e.Record)
	r.intents[e.Intent] = true
}

// restore brings the letters back into the texts as they are now.
func restore(s *Session, im *editing.Image) error {
	texts := map[string]text.Text{}
	var opaque []string
	for path := range im.Files() {
		t, err := s.set.Load().roots.Read(path)
		switch {
		case err == nil:
			texts[path] = t
		case !isMissing(err):
			opaque = append(opaque, path)
		}
	}
	if clash := im.Clashes(s.Snapshot()); len(clash) > 0 {
		return fmt.Errorf("session %s cannot be opened beside %s: both have undecided changes %s; decide those of one side first",
			s.me, strings.Join(holders(s.Snapshot(), clash), ", "), strings.Join(clash, ", "))
	}
	im.Recall(s.store.Stood)
	rec := s.ws.Restore(s.me, im, texts, opaque...)
	notices := textNotices(s.who(By{}), s.texts.Next())
	if len(notices) == 0 || s.store.ReadOnly() {
		return nil
	}
	return s.catchUp("restore", notices, rec)
}

// holders are the sessions that bear some of the letters, or any if none does.
func holders(snap *editing.Snapshot, letters []string) []string {
	var named, all []string
	for _, c := range snap.Changes() {
		if !slices.Contains(all, c.Owner) {
			all = append(all, c.Owner)
		}
		if slices.Contains(letters, c.Letter) && !slices.Contains(named, c.Owner) {
			named = append(named, c.Owner)
		}
	}
	if len(named) == 0 {
		return all
	}
	return named
}
