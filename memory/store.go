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

	writing sync.Mutex // held while the journal is written; taken before mu
	writer  journalWriter

	mu        sync.Mutex // guards what follows; nothing slow is done under it
	closed    bool
	meta      Meta
	metaDirty bool
	entries   []Entry // append-only: a slice of it may be handed out
	opened    int64   // seq of the last entry that was there at the opening
	answered  bool    // the calls that an earlier process left open are answered
	conv      *conversation
	counted   counter
	lastAsked int // tokens counted for the last request
	price     Price
	secrets   Secrets
	seen      seenText
	frontRead string // the front matter of an overview that was found in order last

	files  sync.Mutex // guards the working memory, and what follows; taken before writing
	upkeep upkeep
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

// write locks what whoever adds to the journal must hold; the caller defers what
// it returns.
func (s *Store) write() (unlock func()) {
	s.writing.Lock()
	s.mu.Lock()
	return func() {
		s.mu.Unlock()
		s.writing.Unlock()
	}
}

// SetTitle renames the session.
func (s *Store) SetTitle(title string) error {
	defer s.write()()
	m := s.meta
	m.Title, m.Updated = s.secrets.Mask(title), s.now().UTC().Truncate(time.Second)
	if _, err := s.appendLocked(TypeMeta, m, 0); err != nil {
		return err
	}
	s.meta = m
	return writeMeta(s.dir, m)
}

// Append writes one entry of any type to the journal and waits until it is on the
// disk. With an error it is not there, and nobody will find it later.
func (s *Store) Append(typ string, payload any) (Entry, error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.mu.Lock()
	e, err := s.appendLocked(typ, payload, 0)
	s.mu.Unlock()
	if err != nil {
		return Entry{}, err
	}
	if err := s.writer.sync(); err != nil {
		s.writer.undo()
		s.mu.Lock()
		s.entries = slices.Clone(s.entries[:len(s.entries)-1]) // others may hold the longer one
		s.conv = nil
		s.mu.Unlock()
		return Entry{}, fmt.Errorf("session %s: %w", s.id, err)
	}
	return e, nil
}

// note is Append for what a crash may take away.
func (s *Store) note(typ string, payload any) error {
	defer s.write()()
	_, err := s.appendLocked(typ, payload, 0)
	return err
}

// Sync waits until everything appended is on the disk.
func (s *Store) Sync() error {
	s.writing.Lock()
	defer s.writing.Unlock()
	if err := s.writer.sync(); err != nil {
		return fmt.Errorf("session %s: %w", s.id, err)
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
	defer s.write()()
	if s.closed {
		return nil
	}
	s.closed = true
	var errs []error
	if s.metaDirty && s.lock != nil {
		errs = append(errs, writeMeta(s.dir, s.meta))
	}
	errs = append(errs, s.writer.close())
	if s.lock != nil {
		errs = append(errs, s.lock.Unlock())
	}
	return errors.Join(errs...)
}
