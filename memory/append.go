package memory

import (
	"errors"
	"fmt"
	"time"
)

// errClosed says that a Store was used after its Close.
var errClosed = errors.New("the session is closed")

// appendLocked writes one entry of the current iteration. Calls that were cut
// off with an earlier process are answered first, so that the journal says what
// the model was told, and a result that comes too late changes nothing.
func (s *Store) appendLocked(typ string, payload any, tokens int) (Entry, error) {
	if err := s.writableLocked(); err != nil {
		return Entry{}, err
	}
	if err := s.answerOpen(false); err != nil {
		return Entry{}, err
	}
	return s.writeLocked(typ, s.iterationLocked(), payload, tokens)
}

func (s *Store) writableLocked() error {
	switch {
	case s.closed:
		return fmt.Errorf("session %s: %w", s.id, errClosed)
	case s.whyNot != "":
		return fmt.Errorf("session %s: %w: %s", s.id, ErrReadOnly, s.whyNot)
	}
	return nil
}

// writeLocked adds the entry to the file, then to what is known.
func (s *Store) writeLocked(typ string, iteration int, payload any, tokens int) (Entry, error) {
	data, err := Marshal(payload)
	if err != nil {
		return Entry{}, fmt.Errorf("journal entry %s: %w", typ, err)
	}
	data = s.secrets.payload(data)
	e := Entry{
		Seq: 1, Time: s.now().UTC().Truncate(time.Millisecond), Iteration: iteration,
		Type: typ, Tokens: tokens, Payload: data,
	}
	if n := len(s.entries); n > 0 {
		e.Seq = s.entries[n-1].Seq + 1
	}
	line, err := encodeLine(e)
	if err != nil {
		return Entry{}, fmt.Errorf("journal entry %s: %w", typ, err)
	}
	if err := s.writer.append(line); err != nil {
		return Entry{}, err
	}
	s.entries = append(s.entries, e)
	if s.conv != nil {
		s.conv.apply(s.entries, len(s.entries)-1)
	}
	s.meta.Updated, s.metaDirty = e.Time.Truncate(time.Second), true
	return e, nil
}

func (s *Store) iterationLocked() int {
	if len(s.entries) == 0 {
		return 0
	}
	return s.entries[len(s.entries)-1].Iteration
}

// convLocked is the conversation so far, read from the journal when it is first
// asked for.
func (s *Store) convLocked() *conversation {
	if s.conv == nil {
		s.conv = newConversation()
		for i := range s.entries {
			s.conv.apply(s.entries, i)
		}
	}
	return s.conv
}

// answerOpen answers the open calls of the last unit in the journal: those of
// an earlier process, or with force all.
func (s *Store) answerOpen(force bool) error {
	if s.answered && !force {
		return nil
	}
	u := s.openUnitLocked()
	if u != nil && (force || u.seq <= s.opened) {
		for _, id := range u.unanswered() {
			p := resultPayload{CallID: raw(id), Content: unansweredText, Synthetic: true}
			if _, err := s.writeLocked(TypeToolResult, u.iteration, p, 0); err != nil {
				return err
			}
		}
	}
	s.answered = true
	return nil
}

// GoesOn says that the run of the last reply goes on, though its process is another one: its open calls wait for their answers.
func (s *Store) GoesOn() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opened = 0
}

// openUnitLocked is the last unit if it has calls without a result. Only the
// journal's tail is looked at: a single tool call must not pay for all of it.
func (s *Store) openUnitLocked() *unit {
	if s.conv != nil {
		return s.conv.openUnit()
	}
	last := len(s.entries) - 1
	for last >= 0 && s.entries[last].Type != TypeAssistant {
		last--
	}
	tail := newConversation()
	for i := max(last, 0); i < len(s.entries); i++ {
		tail.apply(s.entries, i)
	}
	return tail.openUnit()
}
