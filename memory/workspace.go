package memory

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"
)

const decisionsFile = "decisions.jsonl"

// What is kept of decisions that are over: so many of the last days.
const (
	ReachDecisions = 200
	ReachDays      = 7
	reachTime      = ReachDays * 24 * time.Hour
)

// staleBytes is how much of the journal may be beyond reach before it is made anew
// without.
const staleBytes = 1 << 20

// ErrNoIntent says that there is no open intent of this ID.
var ErrNoIntent = errors.New("no such open intent")

// Workspace is a workspace's own journal: what was decided, what is about to be done to
// its files for it, and how that ended. All galley processes append to it, one at a time under the write
// lock; each takes in what the others wrote. It is safe for concurrent use.
type Workspace struct {
	dir  string
	lock Locker
	now  func() time.Time

	writing sync.Mutex // held while the journal is written; taken after the write lock, before mu

	mu       sync.Mutex // guards what follows
	secrets  Secrets
	end      journalEnd // of what was read
	torn     bool       // there are bytes behind it
	last     []byte     // the last line that was read, to see whether it is still there
	seq      int64
	intents  []*intentState // in order
	byID     map[string]*intentState
	decided  []decided // in order
	warnings []string
	whyNot   string // why nothing can be written, "" if it can
}

// intentState is what is known of an intent.
type intentState struct {
	id       string
	at       time.Time       // when it began, or was over
	size     int64           // of its entries
	payload  json.RawMessage // nil: over
	blobs    []IntentFile    // its files that have one
	aborting bool
	over     bool
}

// OpenWorkspace opens the journal of a workspace. A damaged one is open for reading
// only: see Warnings.
func OpenWorkspace(ctx context.Context, home, workspace string, lock Locker) (*Workspace, error) {
	dir, err := WorkspaceDir(ctx, home, workspace)
	if err != nil {
		return nil, err
	}
	w := &Workspace{dir: dir, lock: lock, now: time.Now}
	w.mu.Lock()
	err = w.readLocked()
	w.mu.Unlock()
	if err != nil {
		return nil, err
	}
	w.tidySoon(ctx)
	return w, nil
}

// Dir is the workspace's directory below the home.
func (w *Workspace) Dir() string { return w.dir }

// Hide keeps secrets out of all that is journaled from now on, but for paths.
func (w *Workspace) Hide(secrets Secrets) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.secrets = secrets
}

// Warnings is what a person should know about the state of the journal.
func (w *Workspace) Warnings() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.warnings)
}

func (w *Workspace) warnLocked(text string) {
	if !slices.Contains(w.warnings, text) {
		w.warnings = append(w.warnings, text)
	}
}

// Open is the intents of a session that have not ended, oldest first; "" means of
// all sessions.
func (w *Workspace) Open(session string) ([]Intent, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.readLocked(); err != nil {
		return nil, err
	}
	var open []Intent
	for _, s := range w.intents {
		if s.over {
			continue
		}
		var i Intent
		if err := json.Unmarshal(s.payload, &i); err != nil {
			w.warnLocked(fmt.Sprintf("intent %s in %s cannot be read (%v): what it did is not finished", s.id, decisionsFile, err))
			continue
		}
		i.Time, i.Aborting = s.at, s.aborting
		if session == "" || i.Session == session {
			open = append(open, i)
		}
	}
	return open, nil
}

// Begin journals an intent and waits until it is on the disk; with an error nothing
// of it is there. Its blobs must have been kept before.
func (w *Workspace) Begin(ctx context.Context, i Intent) (id string, err error) {
	if i.ID == "" {
		i.ID = ulid.Make().String()
	}
	if err := i.check(); err != nil {
		return "", err
	}
	return i.ID, w.append(ctx, typeIntent, func(s Secrets) (any, error) {
		if err := w.blobsThere(i.Files); err != nil {
			return nil, err
		}
		if w.byID[i.ID] != nil {
			return nil, fmt.Errorf("intent %s was journaled before", i.ID)
		}
		return intentPayload{i.masked(s), intentVersion}, nil
	})
}

// Aborting journals that what an intent did is being taken back.
func (w *Workspace) Aborting(ctx context.Context, id string) error {
	return w.append(ctx, typeAborting, func(Secrets) (any, error) {
		return endPayload{ID: id}, w.openLocked(id)
	})
}

// End journals how an intent ended. The blobs that only it needed are dropped.
func (w *Workspace) End(ctx context.Context, id string, o Outcome) error {
	return w.append(ctx, typeEnd, func(s Secrets) (any, error) {
		o.Reason = s.Mask(o.Reason)
		return endPayload{id, o}, w.openLocked(id)
	})
}

func (w *Workspace) openLocked(id string) error {
	if s := w.byID[id]; s == nil || s.over {
		return fmt.Errorf("%w: %s", ErrNoIntent, id)
	}
	return nil
}

// hold keeps every other writer away, also those of other processes.
func (w *Workspace) hold(ctx context.Context) (release func(), err error) {
	unlock, err := w.lock(ctx)
	if err != nil {
		return nil, err
	}
	w.writing.Lock()
	return func() { w.writing.Unlock(); unlock() }, nil
}

// append writes one entry. payload is asked under all locks, when all that others
// wrote is known.
func (w *Workspace) append(ctx context.Context, typ string, payload func(Secrets) (any, error)) error {
	release, err := w.hold(ctx)
	if err != nil {
		return err
	}
	defer release()
	line, writer, err := w.prepare(typ, payload)
	if err != nil {
		return fmt.Errorf("journal of the workspace: %w", err)
	}
	if err := w.writeLine(writer, line); err != nil {
		return fmt.Errorf("journal of the workspace: %w", err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	_ = w.readLocked() // the entry is on the disk; who asks next reads again
	if typ == typeEnd {
		w.tidyLocked()
	}
	return nil
}

// prepare is the line of an entry, and where it goes.
func (w *Workspace) prepare(typ string, payload func(Secrets) (any, error)) ([]byte, journalWriter, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	at := journalWriter{name: decisionsFile}
	if err := w.readLocked(); err != nil {
		return nil, at, err
	}
	if w.whyNot != "" {
		return nil, at, fmt.Errorf("%w: %s: move the file away to go on", ErrReadOnly, w.whyNot)
	}
	p, err := payload(w.secrets)
	if err != nil {
		return nil, at, err
	}
	data, err := Marshal(p)
	if err != nil {
		return nil, at, err
	}
	line, err := encodeLine(Entry{Seq: w.seq + 1, Time: w.now().UTC().Truncate(time.Millisecond), Type: typ, Payload: data})
	at.end, at.dirty = w.end, w.torn
	return line, at, err
}

// openFile opens the file of a journal for writing.
var openFile = func(path string) (journalDisk, error) {
	return os.OpenFile(path, os.O_CREATE|os.O_RDWR, fileMode)
}

// writeLine brings a line to the disk, or takes it back.
func (w *Workspace) writeLine(j journalWriter, line []byte) (err error) {
	if j.f, err = openFile(filepath.Join(w.dir, decisionsFile)); err != nil {
		return err
	}
	if err := j.append(line); err != nil {
		return errors.Join(err, j.f.Close())
	}
	if err = j.sync(); err == nil && j.before.at == 0 {
		err = syncDir(w.dir)
	}
	if err != nil {
		j.undo()
	}
	return errors.Join(err, j.f.Close())
}

// readLocked takes in what was appended since the last time, or all of it if the
// file is not the one that was read.
func (w *Workspace) readLocked() error {
	data, err := readFrom(filepath.Join(w.dir, decisionsFile), w.end.at-int64(len(w.last)))
	if err != nil {
		return fmt.Errorf("read %s: %w", decisionsFile, err)
	}
	if w.end.at > 0 && bytes.HasPrefix(data, w.last) {
		c := parseJournal(decisionsFile, data[len(w.last):])
		if len(c.damages) == 0 {
			w.takeLocked(c, data[len(w.last):])
			return nil
		}
	}
	if data, err = readFrom(filepath.Join(w.dir, decisionsFile), 0); err != nil {
		return fmt.Errorf("read %s: %w", decisionsFile, err)
	}
	w.end, w.last, w.seq = journalEnd{}, nil, 0
	w.intents, w.byID, w.decided = nil, map[string]*intentState{}, nil
	c := parseJournal(decisionsFile, data)
	w.warnings, w.whyNot = nil, ""
	if len(c.damages) > 0 {
		w.warnings, w.whyNot = c.warnings("the journal of the workspace", true), c.damages[0].String()
	}
	w.takeLocked(c, data)
	return nil
}

// readFrom is a file from an offset on; one that is not there is empty.
func readFrom(path string, offset int64) ([]byte, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil || fi.Size() <= offset {
		return nil, err
	}
	data := make([]byte, fi.Size()-offset)
	n, err := f.ReadAt(data, offset)
	if errors.Is(err, io.EOF) { // it has become shorter meanwhile
		err = nil
	}
	return data[:n], err
}

// takeLocked takes in entries; data is what they were read from.
func (w *Workspace) takeLocked(c contents, data []byte) {
	for _, e := range c.entries {
		w.seq = max(w.seq, e.Seq)
		w.takeEntryLocked(e)
	}
	w.torn = c.torn > 0
	if c.end == 0 {
		return
	}
	whole := data[:c.end]
	w.last = bytes.Clone(whole[bytes.LastIndexByte(whole[:len(whole)-1], '\n')+1:])
	w.end = journalEnd{w.end.at + c.end, c.unended}
}

// lineHead is about what a line has beside its payload.
const lineHead = 120

// takeEntryLocked takes in one entry. What a later galley wrote is left alone.
func (w *Workspace) takeEntryLocked(e Entry) {
	if e.Type == TypeDecision {
		w.takeDecisionLocked(e)
		return
	}
	id, version := headOf(e)
	s := w.byID[id]
	switch {
	case e.Type == typeIntent && s == nil && id != "" && version == intentVersion:
		s = &intentState{id: id, payload: bytes.Clone(e.Payload), blobs: blobsOf(e.Payload)}
		w.byID[id], w.intents = s, append(w.intents, s)
	case s == nil:
		return
	case e.Type == typeAborting:
		s.aborting = true
	case e.Type == typeEnd:
		s.over, s.payload = true, nil
	}
	if !s.aborting || s.over {
		s.at = e.Time
	}
	s.size += int64(len(e.Payload)) + lineHead
}
