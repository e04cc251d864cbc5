package session

import (
	"errors"
	"fmt"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
	"github.com/galley-ls/galley/memory"
)

// scratch is a workspace for one file of the working memory: the same matching
// and the same candidates, but what is staged there is written at once.
type scratch struct {
	ws   *editing.Workspace
	hash string // of the text it holds
	seen string // hash of the text that the agent saw last
}

// inMemory runs an editing operation on a file of the working memory.
func (s *Session) inMemory(name string, op func(*editing.Document, editing.Meta) editing.Op) Outcome {
	s.mu.Lock()
	defer s.mu.Unlock()
	t, hash, bad := s.memoryText(name)
	if bad != nil {
		return *bad
	}
	sc := s.scratch(name, t, hash)
	if sc.seen != "" && sc.seen != hash {
		return s.staleMemory(name, t.String(), hash)
	}
	d, _ := sc.ws.Snapshot().Document(name)
	res := sc.ws.Do(op(d, s.meta("")))
	if res.Status != editing.StatusEditing {
		o := s.outcome(res)
		o.SessionID, o.Path = "", memoryPrefix+name
		return o
	}
	d, _ = sc.ws.Snapshot().Document(name)
	return s.storeMemory(name, string(d.Proposed(s.me).Bytes()), hash)
}

// scratch returns the workspace of a memory file, with its present text. Its
// candidate lists live until the file is written next.
func (s *Session) scratch(name string, t text.Text, hash string) *scratch {
	sc := s.memory[name]
	if sc == nil {
		sc = &scratch{}
		s.memory[name] = sc
	}
	if sc.ws == nil || sc.hash != hash {
		sc.ws, sc.hash = editing.New(0), hash
		sc.ws.OpenDocument(name, memoryPrefix+name, t, 0, true)
	}
	return sc
}

// memorySeen notes what the agent has seen of a memory file.
func (s *Session) memorySeen(name, hash string) {
	sc := s.memory[name]
	if sc == nil {
		sc = &scratch{}
		s.memory[name] = sc
	}
	sc.seen = hash
}

// writeMemory answers write for a file of the working memory.
func (s *Session) writeMemory(name, content string) Outcome {
	now, hash, err := s.store.ReadMemory(name)
	if err != nil && memoryFailed(name, err).Code != CodeFileNotFound {
		return memoryFailed(name, err)
	}
	if err == nil {
		if sc := s.memory[name]; sc == nil || sc.seen != hash {
			return s.staleMemory(name, now, hash)
		}
	}
	return s.storeMemory(name, content, hash)
}

func (s *Session) storeMemory(name, content, lastSeen string) Outcome {
	hash, err := s.store.WriteMemory(name, content, lastSeen)
	var stale *memory.StaleError
	switch {
	case errors.As(err, &stale):
		return s.staleMemory(name, stale.Present, stale.Hash)
	case err != nil:
		return memoryFailed(name, err)
	}
	s.memory[name] = &scratch{seen: hash}
	s.touch(memoryPrefix + name)
	return Outcome{Status: StatusOK, Path: memoryPrefix + name, Chars: new(text.New(content).Chars())}
}

// staleMemory shows the present text; from now on the agent has seen it.
func (s *Session) staleMemory(name, present, hash string) Outcome {
	s.memorySeen(name, hash)
	o := Answer(CodeMemoryHash, fmt.Sprintf("%s%s is not what you saw last; text is what it says now. Repeat the call with that in mind", memoryPrefix, name))
	o.Path, o.Text = memoryPrefix+name, &present
	return o
}

func isConfined(err error) bool {
	var c *memory.ConfinedError
	return errors.As(err, &c)
}

// event keeps overview.md current. What the agent had seen of it, it has still
// seen: only code's own lines changed.
func (s *Session) event(e memory.Event) error {
	_, before, _ := s.store.ReadMemory(overview)
	if err := s.store.Event(e); err != nil {
		return fmt.Errorf("overview.md: %w", err)
	}
	if sc := s.memory[overview]; sc != nil && sc.seen == before {
		_, after, err := s.store.ReadMemory(overview)
		if err == nil {
			sc.seen = after
		}
	}
	return nil
}

const overview = "overview.md"
