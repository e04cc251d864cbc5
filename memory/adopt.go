package memory

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/gofrs/flock"
	"github.com/oklog/ulid/v2"
)

// Why sessions of another folder are not taken over.
var (
	ErrNothingThere = errors.New("no session is kept of that folder")
	ErrStillThere   = errors.New("that folder is still there, and its sessions are its own")
)

// Adopt takes over the sessions of a folder that was moved away, with what was decided in them, for the workspace that it is
// now, and answers which they are. While one of them is open nothing is moved. What is left halfway is taken over the next time.
func Adopt(ctx context.Context, home, gone, workspace string) (ids []string, err error) {
	was, is := lastPath(gone), canonical(workspace)
	if fi, err := os.Lstat(was); err == nil && fi.IsDir() {
		return nil, fmt.Errorf("%w: %s", ErrStillThere, was)
	}
	dirs, unlock, err := leftBehind(home, was, is)
	defer func() { err = errors.Join(err, unlock()) }()
	if err != nil {
		return nil, err
	}
	for _, dir := range dirs {
		ids = append(ids, filepath.Base(dir))
	}
	journal, err := OpenWorkspace(ctx, home, workspace, NewWriteLock(home).Lock)
	if err != nil {
		return nil, err
	}
	for _, in := range homesOf(home, was) {
		if err := journal.adopt(ctx, in, ids); err != nil {
			return nil, fmt.Errorf("take over what was decided in %s: %w", was, err)
		}
	}
	for _, dir := range dirs {
		if err := moveSession(dir, journal.Dir(), is); err != nil {
			return nil, fmt.Errorf("take over session %s: %w", filepath.Base(dir), err)
		}
	}
	return ids, syncDir(journal.Dir())
}

// leftBehind are the directories of the sessions of a folder, or that are on their way from there, all of them locked.
func leftBehind(home, was, is string) (dirs []string, unlock func() error, err error) {
	var locks []*flock.Flock
	unlock = func() (err error) {
		for _, l := range locks {
			err = errors.Join(err, l.Unlock())
		}
		return err
	}
	for _, in := range homesOf(home, was) {
		if path := filepath.Join(in, hostLockFile); ownerOf(in) == was && isHeld(path) {
			held, _ := readHosting(in)
			held.PID = lockHolder(path)
			return nil, unlock, &HostedError{was, held}
		}
		found, _ := os.ReadDir(in) // what cannot be read holds nothing
		for _, f := range found {
			dir := filepath.Join(in, f.Name())
			if _, err := ulid.ParseStrict(f.Name()); err != nil {
				continue
			}
			if m, err := readMeta(dir); err != nil || m.Workspace != was && m.Workspace != is {
				continue
			}
			lock, err := acquireSoon(dir)
			if err != nil {
				return nil, unlock, err
			}
			locks, dirs = append(locks, lock), append(dirs, dir)
		}
	}
	if len(dirs) == 0 {
		err = fmt.Errorf("%w: %s", ErrNothingThere, was)
	}
	return dirs, unlock, err
}

// moveSession makes a session another workspace's, and then moves it there.
func moveSession(dir, to, workspace string) error {
	m, err := readMeta(dir)
	if err != nil {
		return err
	}
	if m.Workspace != workspace {
		m.Workspace, m.Moved = workspace, append(m.Moved, m.Workspace)
		if err := writeMeta(dir, m); err != nil {
			return err
		}
	}
	return os.Rename(dir, filepath.Join(to, filepath.Base(dir)))
}

// lastPath is the true path that a folder had: of one that is gone, or is a link now, what lies above it is looked at.
func lastPath(folder string) string {
	abs, err := filepath.Abs(folder)
	if err != nil || abs == filepath.Dir(abs) {
		return filepath.Clean(folder)
	}
	above := filepath.Dir(abs)
	if resolved, err := filepath.EvalSymlinks(above); err == nil {
		return filepath.Join(resolved, filepath.Base(abs))
	}
	return filepath.Join(lastPath(above), filepath.Base(abs))
}

// adopt takes in what the journal in another directory says of sessions, in the order of time, and the blobs there.
func (w *Workspace) adopt(ctx context.Context, from string, sessions []string) error {
	data, err := readFrom(filepath.Join(from, decisionsFile), 0)
	if err != nil || len(data) == 0 {
		return err
	}
	release, err := w.hold(ctx)
	if err != nil {
		return err
	}
	defer release()
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.readLocked(); err != nil {
		return err
	}
	if w.whyNot != "" {
		return fmt.Errorf("%w: %s: move the file away to go on", ErrReadOnly, w.whyNot)
	}
	own, err := readFrom(filepath.Join(w.dir, decisionsFile), 0)
	if err != nil {
		return err
	}
	blobs, _ := os.ReadDir(filepath.Join(from, blobsDir)) // none were kept
	for _, b := range blobs {
		content, err := os.ReadFile(filepath.Join(from, blobsDir, b.Name()))
		if err == nil && isHash(b.Name()) {
			_, err = w.KeepBlob(content)
		}
		if err != nil {
			return err
		}
	}
	all := parseJournal(decisionsFile, own).entries
	all = append(all, entriesOf(sessions, parseJournal(decisionsFile, data).entries, all)...)
	slices.SortStableFunc(all, func(a, b Entry) int { return a.Time.Compare(b.Time) })
	var lines bytes.Buffer
	for i, e := range all {
		e.Seq = int64(i + 1)
		line, err := encodeLine(e)
		if err != nil {
			return err
		}
		lines.Write(append(line, '\n'))
	}
	if err := replaceFile(filepath.Join(w.dir, decisionsFile), lines.Bytes()); err != nil {
		return err
	}
	return errors.Join(syncDir(w.dir), w.readLocked())
}

// entriesOf are the entries about sessions that are not known yet.
func entriesOf(sessions []string, all, known []Entry) (out []Entry) {
	has := map[string]bool{}
	for _, e := range known {
		id, _ := headOf(e)
		has[e.Type+id] = true
	}
	begun := map[string]bool{}
	for _, e := range all {
		var of struct{ Session string }
		id, _ := headOf(e)
		if json.Unmarshal(e.Payload, &of) == nil && slices.Contains(sessions, of.Session) {
			begun[id] = true
		}
		if begun[id] && !has[e.Type+id] {
			out = append(out, e)
		}
	}
	return out
}
