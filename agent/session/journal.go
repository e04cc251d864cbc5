package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
	"github.com/galley-ls/galley/memory"
	"github.com/galley-ls/galley/tasks"
)

// editEntry is what the journal keeps of one operation on staged changes, by the
// agent (type edit) or by the person (type decision).
type editEntry struct {
	Op     string         `json:"op"`
	Call   string         `json:"call,omitempty"` // the tool call that did it
	Reason string         `json:"reason,omitempty"`
	News   []string       `json:"news,omitempty"`   // for the model, at its next step
	Intent string         `json:"intent,omitempty"` // the intent that changed files for it
	Record editing.Record `json:"record"`
}

// taskEntry keeps the tasks that an operation made or changed.
type taskEntry struct {
	Op    string       `json:"op"`
	Call  string       `json:"call,omitempty"`
	Begun int          `json:"begun,omitempty"` // the task that this call began
	Tasks []tasks.Task `json:"tasks"`
}

// metaEntry keeps small facts: a journaled entry that did not happen, news that
// were delivered, editing sessions whose history was dealt with.
type metaEntry struct {
	Void      int64 `json:"void,omitempty"`
	Delivered bool  `json:"delivered,omitempty"`
	Folded    []int `json:"folded,omitempty"`
}

// errVoided says that an operation was given up after it was journaled.
var errVoided = errors.New("the texts kept moving; try again")

// attempts bounds how often an operation is planned again because the user typed
// in between.
const attempts = 8

// do plans an operation and carries it out. read are closed files that the table
// need not know; news are told to the model at its next step.
func (s *Session) do(typ, op, reason string, o editing.Op, news func(*editing.Plan) []string, read ...*editing.Document) (editing.Result, error) {
	return s.doEntry(typ, editEntry{Op: op, Call: s.call, Reason: reason}, o, news, read...)
}

func (s *Session) doEntry(typ string, e editEntry, o editing.Op, news func(*editing.Plan) []string, read ...*editing.Document) (editing.Result, error) {
	for range attempts {
		p := s.ws.Plan(o, read...)
		if ok, err := s.carryEntry(typ, e, p, news); ok || err != nil {
			return p.Result, err
		}
	}
	return editing.Result{}, errVoided
}

// carry journals a plan, writes the closed files it changes, and makes it the
// state. It answers false, and nothing is left of it, if the plan is stale.
func (s *Session) carry(typ, op, reason string, p *editing.Plan, news func(*editing.Plan) []string) (bool, error) {
	return s.carryEntry(typ, editEntry{Op: op, Call: s.call, Reason: reason}, p, news)
}

func (s *Session) carryEntry(typ string, e editEntry, p *editing.Plan, news func(*editing.Plan) []string) (bool, error) {
	if !p.Changes() {
		return true, nil
	}
	if !s.ws.Fresh(p) {
		return false, nil
	}
	e.Record = p.Record.Of(s.me)
	if s.refuses(e.Op, e.Record) {
		p.Result = holdsSecret()
		return true, nil
	}
	if news != nil {
		e.News = news(p)
	}
	if open := s.notSaved(p); len(p.Targets)+len(open) > 0 {
		return s.write(typ, e, p, open)
	}
	return s.accept(typ, e, p)
}

// accept journals what a plan decided, and makes it the state.
func (s *Session) accept(typ string, e editEntry, p *editing.Plan) (bool, error) {
	entry, err := s.append(typ, e)
	if err != nil {
		return false, err
	}
	if !s.texts.Accept(p) {
		return false, s.void(entry.Seq)
	}
	s.heard(e)
	return true, nil
}

// heard keeps what an entry that counts tells the model, and later steps.
func (s *Session) heard(e editEntry) {
	s.news = append(s.news, e.News...)
	s.remember(e)
}

// append journals one entry and waits until it is on the disk.
func (s *Session) append(typ string, payload any) (memory.Entry, error) {
	if e, ok := payload.(editEntry); ok {
		e.Record = s.withoutSecrets(e.Record)
		payload = e
	}
	entry, err := s.store.Append(typ, payload)
	if err == nil {
		err = s.store.Sync()
	}
	if err != nil {
		return entry, fmt.Errorf("journal: %w; nothing was changed", err)
	}
	return entry, nil
}

func (s *Session) void(seq int64) error {
	_, err := s.append(memory.TypeMeta, metaEntry{Void: seq})
	return err
}

// remember keeps what later steps ask of an entry.
func (s *Session) remember(e editEntry) {
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
		s.touched[n] = append(s.touched[n], e.Call)
	}
}

// replay rebuilds the state from the journal.
func (s *Session) replay() error {
	r := replayer{s: s, image: editing.NewImage(), void: map[int64]bool{}, intents: map[string]bool{}}
	for _, e := range s.store.Entries() {
		if e.Type != memory.TypeMeta {
			continue
		}
		if m, ok := payload[metaEntry](e); ok && m.Void != 0 {
			r.void[m.Void] = true
		}
	}
	for _, e := range s.store.Entries() {
		r.entry(e)
	}
	open, err := s.interrupted(&r)
	if err != nil {
		return err
	}
	s.tasks.Restore(r.tasks)
	if err := s.restore(r.image); err != nil {
		return err
	}
	for _, i := range open {
		if err := s.goOn(i); err != nil {
			return err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lookForSaved()
	return nil
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
				s.news = nil
			}
			s.dealtWith(v.Folded)
		}
	case memory.TypeToolCall:
		if v, ok := payload[commandEntry](e); ok {
			s.effectNoted(e.Seq, e.Iteration, v)
		}
	case memory.TypeUser:
		if v, ok := payload[struct{ By string }](e); ok && v.By == "" {
			s.asked = e.Iteration
		}
	case memory.TypeAssistant:
		r.calls(e)
	}
}

func (r *replayer) edit(e editEntry) {
	r.image.Add(e.Record)
	r.s.heard(e)
	r.s.closedBy(e.Record)
	r.intents[e.Intent] = true
}

// calls finds the file touched last, and the place read last, in a reply.
func (r *replayer) calls(e memory.Entry) {
	var v struct {
		ToolCalls []struct{ Arguments json.RawMessage } `json:"tool_calls"`
	}
	if json.Unmarshal(e.Payload, &v) != nil {
		return
	}
	for _, c := range v.ToolCalls {
		var quoted string
		var args struct {
			Path    string `json:"path"`
			EndLine int    `json:"end_line"`
		}
		if json.Unmarshal(c.Arguments, &quoted) != nil || json.Unmarshal([]byte(quoted), &args) != nil || args.Path == "" {
			continue
		}
		p, err := r.s.set.Load().roots.Resolve(args.Path, false)
		if err != nil || strings.HasPrefix(args.Path, memoryPrefix) {
			continue
		}
		r.s.touch(args.Path)
		if args.EndLine > 0 {
			r.s.read[p.Abs] = reading{line: args.EndLine - 1}
		}
	}
}

// restore brings the letters back into the texts as they are now.
func (s *Session) restore(im *editing.Image) error {
	texts := map[string]text.Text{}
	for path := range im.Files() {
		t, err := s.set.Load().roots.Read(path)
		if err == nil {
			texts[path] = t
		}
	}
	if clash := im.Clashes(s.Snapshot()); len(clash) > 0 {
		return fmt.Errorf("session %s cannot be opened beside %s: both have undecided changes %s; decide those of one side first",
			s.me, strings.Join(s.holders(clash), ", "), strings.Join(clash, ", "))
	}
	rec := s.ws.Restore(s.me, im, texts)
	news := s.textNews(s.texts.Next())
	if len(news) == 0 || s.store.ReadOnly() {
		return nil
	}
	if _, err := s.append(memory.TypeEdit, editEntry{Op: "restore", News: news, Record: rec}); err != nil {
		return err
	}
	s.news = append(s.news, news...)
	return nil
}

// holders are the sessions that bear some of the letters, or any if none does.
func (s *Session) holders(letters []string) []string {
	var named, all []string
	for _, c := range s.Snapshot().Changes() {
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
