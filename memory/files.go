package memory

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// memoryDir is the working memory's place in a session directory, and the
// prefix under which the model knows it.
const memoryDir = "working-memory"

const overviewFile = "overview.md"

// ConfinedError says that a path does not lie in the working memory.
type ConfinedError struct{ Path, Why string }

func (e *ConfinedError) Error() string {
	return fmt.Sprintf("%q %s: use a path below %s/, such as %s/detail/notes.md", e.Path, e.Why, memoryDir, memoryDir)
}

// StaleError says that a file is not what the writer last saw. Nothing was
// written.
type StaleError struct {
	Path    string
	Present string // the file's text now, "" if there is no file
	Hash    string // of it, "" if there is no file
}

func (e *StaleError) Error() string {
	return fmt.Sprintf("%s/%s has changed since it was read: take in its present text and write again", memoryDir, e.Path)
}

// ReadMemory reads a file of the working memory. The hash is what WriteMemory
// compares; a file that is not there is an fs.ErrNotExist.
func (s *Store) ReadMemory(name string) (content, hash string, err error) {
	root, name, err := s.memoryRoot(name)
	if err != nil {
		return "", "", err
	}
	defer root.Close()
	if name == overviewFile {
		return s.readWhole(root)
	}
	return readIn(root, name)
}

// WriteMemory replaces a file of the working memory, or makes it, if it is
// still what the writer last saw: the file of that hash, or with "" no file. It
// returns the hash of what is there now. Lines that events have added to the
// overview since are kept, not refused. Secrets are written as their mark.
func (s *Store) WriteMemory(name, content, lastSeen string) (string, error) {
	w, err := s.WriteMemoryBy(ByAgent, name, content, lastSeen)
	return w.Hash, err
}

// Who writes to the memory.
const (
	ByAgent  = "agent"
	ByGalley = "galley" // to keep what leaves the requests
	ByUser   = "user"   // who takes back what the agent wrote
)

// WriteMemoryBy is WriteMemory that says who writes, and answers what was written.
func (s *Store) WriteMemoryBy(by, name, content, lastSeen string) (Written, error) {
	root, name, err := s.memoryRoot(name)
	if err != nil {
		return Written{}, err
	}
	defer root.Close()
	s.files.Lock()
	defer s.files.Unlock()
	if err := s.writable(); err != nil {
		return Written{}, err
	}
	p := memoryPayload{Path: name}
	if name == overviewFile {
		s.askJournal()
		if content, p.Healed, err = s.inOrder(root, content); err != nil {
			return Written{}, err
		}
		content, lastSeen = s.upkeep.trail.carry(root, content, lastSeen)
	}
	content = s.Mask(content)
	old, was, err := readIn(root, name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Written{}, err
	}
	if p.Hash, err = swapIn(root, name, content, lastSeen); err != nil {
		return Written{}, err
	}
	if p.Bytes = len(content); name == overviewFile {
		s.remember(content, p.Hash)
		p.Front = s.freshFront(content)
	}
	return s.noteWrite(by, p, old, content, was)
}

// memoryPayload is a write to the working memory.
type memoryPayload struct {
	Path  string `json:"path"`
	Hash  string `json:"hash"`
	Bytes int    `json:"bytes,omitempty"`
	Event *Event `json:"event,omitempty"` // what made the code write it; without a hash: it is owed

	Owed   int64  `json:"owed,omitempty"`   // the entry of an event that is written only now
	Front  string `json:"front,omitempty"`  // of overview.md, where it is another than before
	Healed string `json:"healed,omitempty"` // what was wrong with the front matter

	By     string      `json:"by,omitempty"`
	Source *Source     `json:"source,omitempty"`
	Change *difference `json:"change,omitempty"`
}

func (s *Store) writable() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.writableLocked()
}

// memoryRoot opens the working memory and checks that name stays in it.
func (s *Store) memoryRoot(name string) (*os.Root, string, error) {
	clean, err := memoryPath(name)
	if err != nil {
		return nil, "", err
	}
	dir := filepath.Join(s.dir, memoryDir)
	if fi, err := os.Lstat(dir); err == nil && !fi.IsDir() {
		return nil, "", &ConfinedError{memoryDir, "is not a directory"}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, "", fmt.Errorf("open the working memory: %w", err)
	}
	if err := noLinks(root, clean); err != nil {
		return nil, "", errors.Join(err, root.Close())
	}
	return root, clean, nil
}

// memoryPath is name below the working memory, with or without its prefix.
func memoryPath(name string) (string, error) {
	slashed := filepath.ToSlash(name)
	below := strings.TrimPrefix(strings.TrimPrefix(slashed, "./"), memoryDir+"/")
	switch {
	case below == "" || path.Clean(below) == "." || strings.HasSuffix(below, "/"):
		return "", &ConfinedError{name, "names no file"}
	case strings.ContainsAny(below, "\x00\\"):
		return "", &ConfinedError{name, "holds characters that a path must not"}
	case path.IsAbs(below) || !filepath.IsLocal(filepath.FromSlash(below)):
		return "", &ConfinedError{name, "leads out of the working memory"}
	}
	return path.Clean(below), nil
}

// noLinks refuses symbolic links on the way: what is read or replaced must be
// the memory's own file.
func noLinks(root *os.Root, name string) error {
	for i, c := range name + "/" {
		if c != '/' {
			continue
		}
		fi, err := root.Lstat(filepath.FromSlash(name[:i]))
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("look at %s: %w", name, err)
		}
		if fi.Mode()&fs.ModeSymlink != 0 {
			return &ConfinedError{name, "is reached through a symbolic link"}
		}
		if i == len(name) && !fi.Mode().IsRegular() {
			return &ConfinedError{name, "is not a regular file"}
		}
	}
	return nil
}

// maxMemoryFile bounds a file of the memory, in bytes.
const maxMemoryFile = 16 << 20

var errTooLarge = fmt.Errorf("it is larger than %d MB: move what is not needed out of it", maxMemoryFile>>20)

func readIn(root *os.Root, name string) (content, hash string, err error) {
	info, err := root.Stat(filepath.FromSlash(name))
	if err == nil && info.Size() > maxMemoryFile {
		err = errTooLarge
	}
	var data []byte
	if err == nil {
		data, err = root.ReadFile(filepath.FromSlash(name))
	}
	if err != nil {
		return "", "", fmt.Errorf("read %s/%s: %w", memoryDir, name, err)
	}
	return string(data), hashOf(string(data)), nil
}

// swapIn replaces a file if it is still the one of hash lastSeen.
func swapIn(root *os.Root, name, content, lastSeen string) (string, error) {
	if err := unchanged(root, name, lastSeen); err != nil {
		return "", err
	}
	file := filepath.FromSlash(name)
	if err := root.MkdirAll(filepath.Dir(file), dirMode); err != nil {
		return "", fmt.Errorf("make the folder of %s/%s: %w", memoryDir, name, err)
	}
	// Writing takes its time: somebody without our locks may have been quicker.
	err := replaceIn(root, file, content, func() error { return unchanged(root, name, lastSeen) })
	var stale *StaleError
	switch {
	case errors.As(err, &stale):
		return "", err
	case err != nil:
		return "", fmt.Errorf("write %s/%s: %w", memoryDir, name, err)
	}
	return hashOf(content), nil
}

func unchanged(root *os.Root, name, lastSeen string) error {
	present, hash, err := readIn(root, name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if hash != lastSeen {
		return &StaleError{name, present, hash}
	}
	return nil
}

func hashOf(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}
