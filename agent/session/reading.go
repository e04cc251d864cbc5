package session

import "sync"

// focus is the file that a call without a path means: the one that was touched
// last.
type focus struct {
	path   string // as it was named
	cursor int    // where the user is in it, bytes of its base; -1 unknown
}

// touch makes a file the one that was touched last.
func (s *Session) touch(path string) {
	if s.focus.Load().path != path {
		s.focus.Store(&focus{path, -1})
	}
}

// reading is what a call has read: a document stays out of the table, and leaves
// this behind.
type reading struct {
	named  string // the file, as the call named it; "": nothing was read
	path   string // of a document that was shown
	memory string // the name of a file of the working memory
	hash   string // of the text
	line   int    // the last one that was shown, 0-based
}

// note takes a reading in, in the order in which the answers are journaled.
func (s *Session) note(r reading) {
	switch {
	case r.named == "":
		return
	case r.memory != "":
		s.memorySeen(r.memory, r.hash)
	case r.path != "":
		s.read[r.path] = r
	}
	s.touch(r.named)
}

// readings are what the calls have read that run side by side, until their answers
// are journaled.
type readings struct {
	mu     sync.Mutex
	byCall map[string]reading // guarded by mu
}

func (r *readings) take(call string) reading {
	r.mu.Lock()
	defer r.mu.Unlock()
	got := r.byCall[call]
	delete(r.byCall, call)
	return got
}

// Saw keeps what a call has read until its answer is journaled, with Result.
func (s *Session) Saw(call string, o Outcome) {
	if o.reading.named == "" {
		return
	}
	s.saw.mu.Lock()
	defer s.saw.mu.Unlock()
	if s.saw.byCall == nil {
		s.saw.byCall = map[string]reading{}
	}
	s.saw.byCall[call] = o.reading
}
