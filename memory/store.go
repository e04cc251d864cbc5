package memory

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

// ErrNoSession says that there is no session of this ID in this workspace.
var ErrNoSession = errors.New("no such session")

// ErrReadOnly says that a session is open for reading only.
var ErrReadOnly = errors.New("the session is open for reading only")

// Store is one agent session on disk. It is safe for concurrent use; of
// several Stores of one session at most one can write.
type Store struct {
	id   string
	dir  string
	now  func() time.Time
	lock *flock.Flock // nil: read-only

	warnings []string // of the opening; never changed after
	whyNot   string   // why it is read-only, "" if it is not

	mu        sync.Mutex // guards what follows
	closed    bool
	meta      Meta
	metaDirty bool
	entries   []Entry // append-only: a slice of it may be handed out
	writer    journalWriter
	opened    int64 // seq of the last entry that was there at the opening
	settled   bool  // the calls that an earlier process left open are answered
	conv      *conversation
	counted   counter
	lastAsked int // tokens counted for the last request
	secrets   Secrets

	files sync.Mutex // guards the working memory, and what follows; taken before mu
	trail trail
}

// ID is the session's ULID.
func (s *Store) ID() string { return s.id }

// Dir is the session's directory.
func (s *Store) Dir() string { return s.dir }

// ReadOnly tells whether nothing can be written.
func (s *Store) ReadOnly() bool { return s.whyNot != "" }

// Warnings is what a person should know about the state in which the session
// was found, [] if nothing; once the conversation has been asked for, with what
// of the journal could not be taken into it.
func (s *Store) Warnings() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	w := append([]string{}, s.warnings...)
	if s.conv != nil {
		w = append(w, s.conv.odd...)
	}
	return w
}

// Meta says what the session is.
func (s *Store) Meta() Meta {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.meta
}

// SetTitle renames the session.
func (s *Store) SetTitle(title string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.meta
	m.Title, m.Updated = s.secrets.Mask(title), s.now().UTC().Truncate(time.Second)
	if _, err := s.appendLocked(TypeMeta, m, 0); err != nil {
		return err
	}
	s.meta = m
	return writeMeta(s.dir, m)
}

// Append writes one entry of any type to the journal.
func (s *Store) Append(typ string, payload any) (Entry, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.appendLocked(typ, payload, 0)
}

// Sync waits until everything appended is on the disk.
func (s *Store) Sync() error {
	s.mu.Lock()
	f := s.writer.f
	s.mu.Unlock()
	if f == nil {
		return nil
	}
	if err := f.Sync(); err != nil {
		return fmt.Errorf("write the journal of session %s to the disk: %w", s.id, err)
	}
	return nil
}

// Entries is the whole journal, in order. It must not be changed.
func (s *Store) Entries() []Entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clip(s.entries)
}

// Close frees the session. A closed Store can still be read.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	var errs []error
	if s.metaDirty && s.lock != nil {
		errs = append(errs, writeMeta(s.dir, s.meta))
	}
	if s.writer.f != nil {
		errs = append(errs, s.writer.f.Sync(), s.writer.f.Close())
		s.writer.f = nil
	}
	if s.lock != nil {
		errs = append(errs, s.lock.Unlock())
	}
	return errors.Join(errs...)
}
