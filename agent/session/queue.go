package session

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/galley-ls/galley/editing"
)

// queue is the queue of decisions: check, journal, change, and what the agent and the
// person are told of it.
type queue struct {
	*road

	// mu covers a decision from its check to its change. Whoever only reads works on a
	// snapshot, without it. It guards what follows.
	mu sync.Mutex
	past
	notices  []string        // what the agent has not heard yet
	warnings []string        // what the person has not
	texts    *editing.Reader // what the texts decided, and is not journaled yet
	running  map[int64]bool  // commands that run now, by the entries of their start
	unsaved  []*unsaved      // commits with texts that an editor has not saved
	waits    atomic.Bool     // there are some

	gitting sync.WaitGroup // commits of git that are being made
	oneGit  sync.Mutex     // lets one of them run at a time
}

// errVoided says that an operation was given up after it was journaled.
var errVoided = errors.New("the texts kept moving; try again")

// attempts bounds how often an operation is planned again because the user typed
// in between.
const attempts = 8

// do plans an operation and carries it out. read are closed files that the table
// need not know; notices are told to the model at its next step.
func (s *queue) do(typ string, e editEntry, o editing.Op, notices func(*editing.Plan) []string, read ...*editing.Document) (editing.Result, error) {
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
func (s *queue) carry(typ string, e editEntry, p *editing.Plan, notices func(*editing.Plan) []string) (bool, error) {
	if !p.Changes() {
		return true, nil
	}
	if !s.ws.Fresh(p) {
		return false, nil
	}
	s.plan(p)
	e.Record = p.Record.Of(s.me)
	if s.set.Load().refuses(typ, e) {
		p.Result = holdsSecret()
		return true, nil
	}
	if notices != nil {
		e.Notices = notices(p)
	}
	if p.Result.Status == editing.StatusCommitting {
		if err := s.unhindered(p.Result); err != nil {
			return false, err
		}
	}
	if err := s.noted(typ, e, p); err != nil {
		return false, err
	}
	var in *trip
	if open := s.notSaved(p); len(p.Targets)+len(open) > 0 {
		s.ws.Disk.Lock()
		defer s.ws.Disk.Unlock()
		var err error
		if in, err = s.write(typ, &e, p, open); err != nil {
			return false, err
		}
	}
	entry, err := s.append(typ, e)
	switch {
	case err != nil && in == nil:
		return false, err
	case err != nil: // the state is what the files say; the intent stays open, and the next start journals it
		s.accept(p)
		s.hear(e)
		return false, fmt.Errorf("the files are written as decided, but not the journal: %w; galley completes it at the next start", errors.Unwrap(err))
	case !s.accept(p):
		return false, errors.Join(s.void(entry.Seq), s.takeBack(in))
	}
	s.hear(e)
	if in != nil {
		s.await(in.Intent)
		s.lookForSaved()
	}
	return true, nil
}

// hear keeps what an entry that counts tells the model, and later steps.
func (s *queue) hear(e editEntry) {
	s.notices = append(s.notices, e.Notices...)
	s.remember(e)
}

func (s *queue) warn(format string, args ...any) {
	s.warnings = append(s.warnings, fmt.Sprintf(format, args...))
}

// Warnings is what a person should know about how the session was found, and what
// became of what was not saved. Each is answered once.
func (s *queue) Warnings() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := s.warnings
	s.warnings = nil
	return out
}

// Close frees the session. What is staged stays staged.
func (s *queue) Close() error {
	s.gitting.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopWaiting()
	s.texts.Close()
	return s.store.Close()
}
