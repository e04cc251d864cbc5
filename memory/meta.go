package memory

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// FormatVersion is the version of the session directories this code writes. Since
// 2 the entry of a fold holds its own block only; since 3 a view entry may take the conversation back.
const FormatVersion = 3

const metaFile = "meta.json"

// Meta says what a session is. Workspace is its true path.
type Meta struct {
	Version   int       `json:"version"`
	ID        string    `json:"id"`
	Workspace string    `json:"workspace"`
	Title     string    `json:"title"`
	Model     string    `json:"model"`
	Created   time.Time `json:"created"`
	Updated   time.Time `json:"updated"`
	Moved     []string  `json:"moved,omitempty"` // the paths that the workspace had before: the journal has files by them
}

func readMeta(dir string) (Meta, error) {
	var m Meta
	data, err := os.ReadFile(filepath.Join(dir, metaFile))
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return m, fmt.Errorf("read %s: %w", metaFile, err)
	}
	return m, nil
}

func writeMeta(dir string, m Meta) error {
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	if err := replaceFile(filepath.Join(dir, metaFile), append(data, '\n')); err != nil {
		return fmt.Errorf("write %s: %w", metaFile, err)
	}
	return nil
}

// raiseLocked marks a session of an earlier format, before the first entry that
// code of that format would not understand.
func (s *Store) raiseLocked() error {
	m := s.meta
	m.Version = FormatVersion
	if err := writeMeta(s.dir, m); err != nil {
		return err
	}
	s.meta = m
	_, err := s.writeLocked(TypeMeta, s.iterationLocked(), m, 0)
	return err
}

// metaFromJournal is the newest meta entry: the journal decides when meta.json
// cannot be read.
func metaFromJournal(entries []Entry) (Meta, bool) {
	for i := len(entries) - 1; i >= 0; i-- {
		var m Meta
		if entries[i].Type == TypeMeta && json.Unmarshal(entries[i].Payload, &m) == nil && m.ID != "" {
			return m, true
		}
	}
	return Meta{}, false
}
