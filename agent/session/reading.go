package session

import (
	"strings"
	"sync"
	"sync/atomic"
)

// attention is where the agent has looked, and where the user is.
type attention struct {
	named atomic.Pointer[string] // the file that a call without a path means, as it was named; changed with the session's lock held
	user  cursor                 // the session's lock guards it
	read  map[string]Reading     // name of a file → what the agent read of it last; the session's lock guards it
	saw   sync.Map               // call → the Reading that it left: calls may run side by side
}

// cursor is where the user is: a document's path, and what is selected, in bytes of
// its base; -1 unknown.
type cursor struct {
	path       string
	start, end int
}

// Reading is what a call has looked at: a document that is only read stays out of
// the table, and leaves this behind.
type Reading struct {
	Named string `json:"named"`          // the file, as the call named it
	Name  string `json:"name,omitempty"` // of a file whose text was shown
	Hash  string `json:"hash,omitempty"` // of that text
	Line  int    `json:"line,omitempty"` // the last one that was shown, 0-based
}

// Saw keeps what a call has looked at until its answer is journaled.
func (a *attention) Saw(by By, r Reading) { a.saw.Store(by.Call, r) }

// Named is the path that a call means: its own, else the file touched last.
func (a *attention) Named(path string) (string, error) {
	if strings.TrimSpace(path) == "" {
		path = *a.named.Load()
	}
	if path == "" {
		return "", refuse("bad_arguments", "path is missing, and no file was touched yet; name one (list_files shows what there is)")
	}
	return path, nil
}

// note takes a reading in, in the order in which the answers are journaled. It is
// fresh to the journal if it is not what was known.
func (s *Session) note(r Reading) (fresh bool) {
	if *s.named.Load() != r.Named {
		s.named.Store(&r.Named)
		fresh = true
	}
	if name, ok := strings.CutPrefix(r.Name, MemoryPrefix); ok {
		s.memory.saw(name, r.Hash)
	}
	if r.Hash == "" || s.read[r.Name] == r {
		return fresh
	}
	s.read[r.Name] = r
	return true
}
