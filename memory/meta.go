package memory

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// FormatVersion is the version of the session directories this code writes.
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
