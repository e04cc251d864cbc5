package memory

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"
)

// Info is what a listing shows of a session.
type Info struct {
	ID       string    `json:"id"`
	Title    string    `json:"title"`
	Model    string    `json:"model"`
	Created  time.Time `json:"created"`
	Updated  time.Time `json:"updated"`             // when its journal was last written
	Size     int64     `json:"-"`                   // of its journal, in bytes
	LockedBy int       `json:"locked_by,omitempty"` // the process that has it open: 0 none, -1 unknown
	Legacy   bool      `json:"legacy,omitempty"`    // a single file of the old kind: can only be read
	Dir      string    `json:"dir"`                 // or the file, for a legacy one

	stamp journalStamp
}

// List names the sessions of a workspace, the newest first. A session of
// another workspace that happens to share the directory is not among them.
func List(home, workspace string) ([]Info, error) { return list(home, workspace, nil) }

// leftOut says by the look of its journal that a session is not wanted.
type leftOut func(dir, id string, journal fs.FileInfo) bool

// list leaves out what skip says by the look of its journal.
func list(home, workspace string, skip leftOut) ([]Info, error) {
	list := []Info{}
	path := canonical(workspace)
	for _, dir := range homes(home, workspace) {
		found, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("list the sessions of %s: %w", workspace, err)
		}
		for _, f := range found {
			if info, ok := infoOf(filepath.Join(dir, f.Name()), f.IsDir(), path, skip); ok {
				list = append(list, info)
			}
		}
	}
	slices.SortFunc(list, func(a, b Info) int {
		return cmp.Or(b.Updated.Compare(a.Updated), strings.Compare(b.ID, a.ID))
	})
	return list, nil
}

func infoOf(path string, isDir bool, workspace string, skip leftOut) (Info, bool) {
	if isDir {
		return directoryInfo(path, workspace, skip)
	}
	return legacyInfo(path, workspace)
}

func directoryInfo(dir, workspace string, skip leftOut) (Info, bool) {
	id := filepath.Base(dir)
	if _, err := ulid.ParseStrict(id); err != nil {
		return Info{}, false
	}
	journal, err := os.Stat(filepath.Join(dir, journalFile))
	if err != nil || skip != nil && skip(filepath.Dir(dir), id, journal) {
		return Info{}, false
	}
	m, err := readMeta(dir)
	if err != nil {
		// The opening makes it again; a listing does not read whole journals.
		m = Meta{Workspace: workspace, Title: "(" + metaFile + " cannot be read)"}
	}
	if m.Workspace != workspace {
		return Info{}, false
	}
	return Info{
		ID: id, Title: m.Title, Model: m.Model, Created: m.Created,
		Updated: journal.ModTime(), Size: journal.Size(), LockedBy: lockedBy(dir), Dir: dir,
		stamp: stampOf(journal),
	}, true
}
