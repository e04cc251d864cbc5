package session

import (
	"strings"
	"sync"
	"sync/atomic"
)

// attention is where the agent has looked, and where the user is.
type attention struct {
	focus atomic.Pointer[focus] // changed with the session's lock held
	read  map[string]Reading    // name of a file → what the agent read of it last; the session's lock guards it
	saw   readings
}

// focus is the file that a call without a path means: the one that was touched
// last.
type focus struct {
	path   string // as it was named
	cursor int    // where the user is in it, bytes of its base; -1 unknown
}

// Reading is what a call has looked at: a document that is only read stays out of
// the table, and leaves this behind.
type Reading struct {
	Named string `json:"named"`          // the file, as the call named it
	Name  string `json:"name,omitempty"` // of a file whose text was shown
	Hash  string `json:"hash,omitempty"` // of that text
	Line  int    `json:"line,omitempty"` // the last one that was shown, 0-based
}

// readings are what calls have looked at that may run side by side, until their
// answers are journaled.
type readings struct {
	mu     sync.Mutex
	byCall map[string]Reading // guarded by mu
}

// Saw keeps what a call has looked at until its answer is journaled.
func (a *attention) Saw(by By, r Reading) {
	a.saw.mu.Lock()
	defer a.saw.mu.Unlock()
	if a.saw.byCall == nil {
		a.saw.byCall = map[string]Reading{}
	}
	a.saw.byCall[by.Call] = r
}

// Named is the path that a call means: its own, else the file touched last.
func (a *attention) Named(path string) (string, error) {
	if strings.TrimSpace(path) == "" {
		path = a.focus.Load().path
	}
	if path == "" {
		return "", refuse("bad_arguments", "path is missing, and no file was touched yet; name one (list_files shows what there is)")
	}
	return path, nil
}

func (r *readings) take(call string) (Reading, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	got, ok := r.byCall[call]
	delete(r.byCall, call)
	return got, ok
}

// note takes a reading in, in the order in which the answers are journaled. It is
// news to the journal if it is not what was known.
func (s *Session) note(r Reading) (news bool) {
	if now := s.focus.Load(); now.path != r.Named {
		s.focus.Store(&focus{r.Named, -1})
		news = true
	}
	if name, ok := strings.CutPrefix(r.Name, MemoryPrefix); ok {
		s.memory.saw(name, r.Hash)
	}
	if r.Hash == "" || s.read[r.Name] == r {
		return news
	}
	s.read[r.Name] = r
	return true
}
