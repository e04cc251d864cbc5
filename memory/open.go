package memory

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
	"github.com/oklog/ulid/v2"
)

// claimPatience is how long a claim of another process, which takes moments, is
// waited for.
const claimPatience = 10 * time.Second

// Create makes a new session and opens it. Of m it takes title and model.
func Create(home, workspace string, m Meta) (*Store, error) {
	ctx, cancel := context.WithTimeout(context.Background(), claimPatience)
	defer cancel()
	in, err := WorkspaceDir(ctx, home, workspace)
	if err != nil {
		return nil, err
	}
	id := ulid.Make().String()
	dir := filepath.Join(in, id)
	for _, d := range []string{"", memoryDir + "/detail", memoryDir + "/archive"} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.FromSlash(d)), dirMode); err != nil {
			return nil, fmt.Errorf("make the directory of session %s: %w", id, err)
		}
	}
	lock, err := acquireSoon(dir)
	if err != nil {
		return nil, err
	}
	s := &Store{id: id, dir: dir, now: time.Now, lock: lock}
	if err := s.start(workspace, m); err != nil {
		return nil, errors.Join(fmt.Errorf("make session %s: %w", id, err), s.Close())
	}
	return s, nil
}

// start writes the first files of a new session.
func (s *Store) start(workspace string, m Meta) error {
	created := s.now().UTC().Truncate(time.Second)
	s.meta = Meta{
		Version: FormatVersion, ID: s.id, Workspace: canonical(workspace),
		Title: m.Title, Model: m.Model, Created: created, Updated: created,
	}
	if err := s.openWriter(contents{}); err != nil {
		return err
	}
	if err := s.note(TypeMeta, s.meta); err != nil {
		return err
	}
	if err := s.ensureOverview(); err != nil {
		return err
	}
	return errors.Join(writeMeta(s.dir, s.meta), s.Sync(), syncDir(s.dir))
}

// Open opens a session for writing. It waits a moment for its lock; a session
// that is open elsewhere is a *LockedError. A damaged journal, or one of a later
// format, is opened for reading only: see Warnings.
func Open(home, workspace, id string) (*Store, error) {
	ctx, cancel := context.WithTimeout(context.Background(), lockGrace)
	defer cancel()
	return OpenWait(ctx, home, workspace, id)
}

// OpenWait is Open, waiting for the lock until ctx is done.
func OpenWait(ctx context.Context, home, workspace, id string) (*Store, error) {
	if path, ok := legacyPath(home, workspace, id); ok {
		return openLegacy(path, id, workspace)
	}
	dir, err := sessionDir(home, workspace, id)
	if err != nil {
		return nil, err
	}
	lock, err := acquire(ctx, dir)
	if err != nil {
		return nil, err
	}
	s := &Store{id: id, dir: dir, now: time.Now, lock: lock}
	if err := s.load(workspace); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// OpenReadOnly opens a session for reading; it may be open elsewhere.
func OpenReadOnly(home, workspace, id string) (*Store, error) {
	if path, ok := legacyPath(home, workspace, id); ok {
		return openLegacy(path, id, workspace)
	}
	dir, err := sessionDir(home, workspace, id)
	if err != nil {
		return nil, err
	}
	s := &Store{id: id, dir: dir, now: time.Now, whyNot: "it was opened that way"}
	if err := s.load(workspace); err != nil {
		return nil, err
	}
	return s, nil
}

func acquireSoon(dir string) (*flock.Flock, error) {
	ctx, cancel := context.WithTimeout(context.Background(), lockGrace)
	defer cancel()
	return acquire(ctx, dir)
}

// load reads what is on disk.
func (s *Store) load(workspace string) error {
	data, err := os.ReadFile(filepath.Join(s.dir, journalFile))
	if err != nil {
		return fmt.Errorf("read the journal of session %s: %w", s.id, err)
	}
	c := parseJournal(journalFile, data)
	s.entries, s.warnings = c.entries, c.warnings("the session", s.ReadOnly())
	if len(s.entries) > 0 {
		s.opened = s.entries[len(s.entries)-1].Seq
	}
	if err := s.loadMeta(workspace); err != nil {
		return err
	}
	if why := s.unwritable(c); why != "" {
		return s.makeReadOnly(why)
	}
	if err := s.openWriter(c); err != nil {
		return err
	}
	return s.ensureOverview()
}

func (s *Store) loadMeta(workspace string) error {
	m, err := readMeta(s.dir)
	if err != nil {
		var known bool
		if m, known = metaFromJournal(s.entries); !known {
			m = Meta{Version: FormatVersion, ID: s.id, Workspace: canonical(workspace)}
		}
		s.metaDirty = true
		s.warnings = append(s.warnings, fmt.Sprintf("%s cannot be read (%v): it is made again from the journal", metaFile, err))
	}
	if m.Workspace != canonical(workspace) {
		return fmt.Errorf("%w: %s belongs to %s, not to %s", ErrNoSession, s.id, m.Workspace, workspace)
	}
	s.meta = m
	return nil
}

// unwritable says why a loaded session must not be written to.
func (s *Store) unwritable(c contents) string {
	switch {
	case s.whyNot != "":
		return s.whyNot
	case len(c.damages) > 0:
		return c.damages[0].String()
	case s.meta.Version > FormatVersion:
		s.warnings = append(s.warnings, fmt.Sprintf("a later galley made this session (format %d): it is open for reading only", s.meta.Version))
		return fmt.Sprintf("its format %d is later than %d", s.meta.Version, FormatVersion)
	}
	return ""
}

func (s *Store) makeReadOnly(why string) error {
	s.whyNot, s.metaDirty = why, false
	if s.lock == nil {
		return nil
	}
	l := s.lock
	s.lock = nil
	return l.Unlock()
}

func (s *Store) openWriter(c contents) error {
	f, err := os.OpenFile(filepath.Join(s.dir, journalFile), os.O_CREATE|os.O_RDWR, fileMode)
	if err != nil {
		return fmt.Errorf("open the journal of session %s: %w", s.id, err)
	}
	s.writer = journalWriter{f: f, name: journalFile, end: journalEnd{c.end, c.unended}, unsynced: true, dirty: c.torn > 0}
	return nil
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
