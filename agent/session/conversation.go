package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/memory"
)

// Prompt journals what the person says, behind the decisions since the last step.
func (s *Session) Prompt(prompt string) error {
	if _, _, err := s.Notices(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.store.Meta().Title == "" {
		if err := s.store.SetTitle(shorten(strings.Join(strings.Fields(s.Mask(prompt)), " "), 60)); err != nil {
			return err
		}
	}
	s.asked = s.iter
	return s.store.AddUser(prompt)
}

// shorten keeps the beginning of a text.
func shorten(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}

// Rewind takes the conversation back to an entry of the journal: what was said since leaves the requests, and what was
// folded since comes back. Nothing else moves with it, which the agent hears at its next step.
func (s *queue) Rewind(to int64) (memory.Rewound, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.store.Rewind(to)
	if err != nil {
		return r, err
	}
	return r, s.happened(memory.TypeDecision, editEntry{Op: "rewind", Notices: []string{
		"the user took the conversation back to where it stood before; files, changes, tasks and " + MemoryPrefix + overview +
			" did not go back with it and are as they are now: read before you edit",
	}})
}

// Said is the whole conversation, as it was, without galley's notices.
func (s *base) Said() []memory.Message { return s.store.Said() }

// Request is what the model is asked next.
func (s *Session) Request() (memory.Request, memory.ContextMeta, error) {
	in := s.input()
	s.mu.Lock()
	defer s.mu.Unlock()
	untended := s.memory.Tend()
	if !s.store.ReadOnly() {
		if _, err := s.store.NoteView(in); err != nil {
			return memory.Request{}, memory.ContextMeta{}, err
		}
	}
	req, meta := s.store.Request(in)
	if !s.store.ReadOnly() {
		say, err := s.room(in, meta)
		if err != nil {
			return memory.Request{}, memory.ContextMeta{}, err
		}
		if say != "" {
			req, meta = s.store.Request(in)
			meta.Compacted = say
		}
		if meta.Foreseen, err = s.foreseen(in, meta); err != nil {
			return memory.Request{}, memory.ContextMeta{}, err
		}
		if err := s.store.NoteRepaired(meta.Repaired); err != nil {
			return memory.Request{}, memory.ContextMeta{}, err
		}
	}
	if untended != nil {
		meta.Warnings = append(meta.Warnings, s.Mask(untended.Error()))
	}
	if _, hash, err := s.store.ReadMemory(overview); err == nil {
		s.memory.saw(overview, hash)
	}
	return req, meta, nil
}

// Reply journals the model's reply.
func (s *Session) Reply(m memory.Message, u memory.Usage) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.iter++
	return errors.Join(s.store.AddAssistant(m, u), s.store.Sync())
}

// Answer journals the answer to a call, and what the call has read.
func (s *Session) Answer(c memory.ToolCall, content string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if v, ok := s.saw.LoadAndDelete(c.ID); ok {
		if r := v.(Reading); s.note(r) {
			if _, err := s.store.Append(memory.TypeMeta, metaEntry{Read: &r}); err != nil {
				return err
			}
		}
	}
	return errors.Join(s.store.AddResult(c.ID, content), s.store.Sync())
}

// noticeMark begins what galley tells the model in the user's place.
const noticeMark = "[galley] "

// Notice journals what galley tells the model.
func (s *queue) Notice(text string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.store.AddNotice(noticeMark + text)
}

// Notices journals what the agent has not heard yet, mostly the person's decisions,
// as one message. Editing sessions that wait for nothing any more are closed first.
func (s *Session) Notices() (string, bool, error) {
	if err := s.refreshAll(By{}); err != nil {
		return "", false, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.going {
		s.going, s.settled = true, s.decided()
	}
	if err := s.closeDecided(false); err != nil {
		return "", false, err
	}
	if len(s.notices) == 0 {
		return "", false, nil
	}
	say := s.Mask(noticeMark + strings.Join(s.notices, "; "))
	if err := s.store.AddNotice(say); err != nil {
		return "", false, err
	}
	if _, err := s.append(memory.TypeMeta, metaEntry{Delivered: true}); err != nil {
		return "", false, err
	}
	s.notices = nil
	return say, true, nil
}

// decided are the editing sessions whose letters are all decided.
func (s *queue) decided() (all []int) {
	for _, e := range s.OpenEdits() {
		// one without letters is only a list of candidates, that stays open
		if e.State != editing.Committing && len(s.Snapshot().Undecided(s.me, e.N)) == 0 && len(s.Snapshot().Of(s.me, e.N)) > 0 {
			all = append(all, e.N)
		}
	}
	return all
}

// closeDecided closes the editing sessions whose letters are all decided: those that were
// proposed, and at the end of a run also those that were so when it began. It folds the
// history of those that are closed and whose task has ended.
func (s *Session) closeDecided(over bool) error {
	for _, n := range s.decided() {
		if e, _ := s.Snapshot().Session(s.me, n); e.State != editing.Proposed && !(over && slices.Contains(s.settled, n)) {
			continue
		}
		res, err := s.do(memory.TypeEdit, editEntry{Op: "close"}, editing.Close(s.me, n), nil)
		if err != nil {
			return err
		}
		if !res.OK() {
			continue
		}
		if err := s.closed(n); err != nil {
			return err
		}
	}
	return s.foldEnded()
}

// foldEnded folds closed editing sessions whose task is not worked on any more.
func (s *Session) foldEnded() error {
	for _, n := range append([]int(nil), s.unfolded...) {
		e, ok := s.Snapshot().Session(s.me, n)
		if !ok || active(s.tasks, e.Task) {
			continue
		}
		alone := s.closedAlone(n)
		alone.decisions = s.keyDecisions(alone, false)
		delta, err := s.fold(alone)
		if err != nil {
			return err
		}
		line := fmt.Sprintf("#%d is %s", n, e.State)
		if delta.MessagesRemoved > 0 {
			line += fmt.Sprintf(" (history: %d messages folded)", delta.MessagesRemoved)
		}
		s.notices = append(s.notices, line)
	}
	return nil
}

// End ends a run, and answers what the model will hear at its next prompt. Editing sessions
// close whose letters were all decided before it: what was decided during a run an editor's
// undo can still take back.
func (s *Session) End(context.Context) (string, error) {
	if err := s.refreshAll(By{}); err != nil {
		return "", err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.closeDecided(true)
	s.going = false
	return s.Mask(strings.Join(s.notices, "; ")), err
}
