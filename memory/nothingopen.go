package memory

import (
	"context"
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
)

// nothingOpenFile is a cache: which sessions of a directory have nothing open, by ID, and how
// their journals were when that was seen. Without it each start would read all journals.
const nothingOpenFile = "nothing-open.json"

// journalStamp tells one state of a journal from another: its length in bytes and its time
// in nanoseconds.
type journalStamp [2]int64

func stampOf(journal fs.FileInfo) journalStamp {
	return journalStamp{journal.Size(), journal.ModTime().UnixNano()}
}

func readNothingOpen(dir string) map[string]journalStamp {
	var known map[string]journalStamp
	data, err := os.ReadFile(filepath.Join(dir, nothingOpenFile))
	if err != nil || json.Unmarshal(data, &known) != nil {
		return nil // then all journals are read
	}
	return known
}

// MaybeOpen is List without the sessions that were noted with NoteNothingOpen, and whose journals
// are as they were then. Those that but names are listed all the same.
func MaybeOpen(home, workspace string, but func(id string) bool) ([]Info, error) {
	known := map[string]map[string]journalStamp{}
	return list(home, workspace, func(dir, id string, journal fs.FileInfo) bool {
		if known[dir] == nil {
			if known[dir] = readNothingOpen(dir); known[dir] == nil {
				known[dir] = map[string]journalStamp{}
			}
		}
		return known[dir][id] == stampOf(journal) && !but(id)
	})
}

// NoteNothingOpen notes that sessions had nothing open when they were listed. It is no more than
// help for the next MaybeOpen: what cannot be written is looked at again.
func NoteNothingOpen(ctx context.Context, infos []Info) {
	byDir := map[string][]Info{}
	for _, in := range infos {
		dir := filepath.Dir(in.Dir)
		byDir[dir] = append(byDir[dir], in)
	}
	for dir, those := range byDir {
		_ = Rewrite(ctx, filepath.Join(dir, nothingOpenFile), func() ([]byte, error) {
			known := readNothingOpen(dir)
			next := make(map[string]journalStamp, len(known)+len(those))
			maps.Copy(next, known)
			for _, in := range those {
				next[in.ID] = in.stamp
			}
			if maps.Equal(known, next) {
				return nil, nil
			}
			there := map[string]bool{}
			found, err := os.ReadDir(dir)
			for _, f := range found {
				there[f.Name()] = true
			}
			maps.DeleteFunc(next, func(id string, _ journalStamp) bool { return err == nil && !there[id] })
			return json.Marshal(next)
		})
	}
}
