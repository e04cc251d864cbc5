package memory

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

const blobsDir = "blobs"

// blobGrace spares blobs that were kept for an intent not yet begun.
const blobGrace = time.Hour

// tidyPatience is how long an opening waits to be the one that tidies up.
const tidyPatience = 50 * time.Millisecond

// KeepBlob keeps the content of a file for an intent that is begun right after, and
// waits until it is on the disk. It is never masked or shown; it goes with the end of
// the intent, but of a deleted file it stays while that can be undone.
func (w *Workspace) KeepBlob(data []byte) (name string, err error) {
	name = hashOf(string(data))
	dir := filepath.Join(w.dir, blobsDir)
	if err := os.MkdirAll(dir, dirMode); err != nil {
		return "", fmt.Errorf("keep the content of a file: %w", err)
	}
	point(blobsDir, "write")
	err = replaceFile(w.blobPath(name), data)
	if err == nil {
		err = errors.Join(syncDir(dir), syncDir(w.dir))
	}
	if err != nil {
		return "", fmt.Errorf("keep the content of a file: %w", err)
	}
	point(blobsDir, "synced")
	return name, nil
}

// Blob is a content that was kept.
func (w *Workspace) Blob(name string) ([]byte, error) {
	data, err := contentOf(filepath.Join(w.dir, blobsDir), name)
	if err != nil {
		return nil, fmt.Errorf("read what was kept: %w", err)
	}
	return data, nil
}

// contentOf reads a file that is named by the hash of what it holds.
func contentOf(dir, name string) ([]byte, error) {
	if !isHash(name) {
		return nil, fmt.Errorf("%q is no hash", name)
	}
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err == nil && hashOf(string(data)) != name {
		err = fmt.Errorf("%s is damaged", name)
	}
	return data, err
}

func (w *Workspace) blobPath(name string) string { return filepath.Join(w.dir, blobsDir, name) }

// isHash tells whether a name is a hash.
func isHash(name string) bool { return len(name) == len(hashOf("")) && plain(name, len(name)) }

func (w *Workspace) blobsThere(files []IntentFile) error {
	for _, f := range files {
		for _, b := range f.blobs() {
			if _, err := os.Stat(w.blobPath(b)); err != nil {
				return fmt.Errorf("the content of %s is not kept: %w", f.Path, err)
			}
		}
	}
	return nil
}

// tidySoon tidies up if nobody is just writing: the next to come does it then.
func (w *Workspace) tidySoon(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, tidyPatience)
	defer cancel()
	unlock, err := w.lock(ctx)
	if err != nil {
		return
	}
	defer unlock()
	w.writing.Lock()
	defer w.writing.Unlock()
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.readLocked() == nil {
		w.tidyLocked()
	}
}

// tidyLocked drops blobs that nobody needs, and makes the journal anew when much of
// it is out of reach. What fails is tried again the next time.
func (w *Workspace) tidyLocked() {
	if w.whyNot != "" {
		return
	}
	gone := map[string]bool{}
	wanted := map[string]bool{} // blobs that were named, and whether they still are needed
	stale, over := w.beyond(gone), 0
	for i := len(w.intents) - 1; i >= 0; i-- {
		s := w.intents[i]
		if s.over {
			over++
		}
		if s.over && (over > ReachDecisions || !w.reaches(s.at)) {
			gone[s.id] = true
			stale += s.size
		}
		for _, f := range s.blobs {
			for _, b := range f.blobs() {
				wanted[b] = wanted[b] || !s.over || f.Op == FileDelete && !gone[s.id]
			}
		}
	}
	w.dropBlobs(wanted)
	if stale > staleBytes && stale > w.end.at/2 {
		w.compactLocked(gone)
	}
}

// blobsOf are the files of an intent that have blobs.
func blobsOf(payload json.RawMessage) []IntentFile {
	var i struct{ Files []IntentFile }
	if !bytes.Contains(payload, []byte(`"blob`)) || json.Unmarshal(payload, &i) != nil {
		return nil
	}
	return slices.DeleteFunc(i.Files, func(f IntentFile) bool { return len(f.blobs()) == 0 })
}

func (w *Workspace) dropBlobs(wanted map[string]bool) {
	found, _ := os.ReadDir(filepath.Join(w.dir, blobsDir)) // none were kept
	for _, f := range found {
		needed, named := wanted[f.Name()]
		fi, err := f.Info()
		if err != nil || needed || !named && w.now().Sub(fi.ModTime()) < blobGrace {
			continue
		}
		if err := os.Remove(w.blobPath(f.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return
		}
	}
}

// compactLocked makes the journal anew without intents and decisions that are gone. All else stays
// as it is, also what a later galley wrote.
func (w *Workspace) compactLocked(gone map[string]bool) {
	path := filepath.Join(w.dir, decisionsFile)
	data, err := os.ReadFile(path)
	if err != nil {
		return
	}
	kept := make([]byte, 0, len(data))
	for line := range bytes.Lines(data[:min(int64(len(data)), w.end.at)]) {
		e, err := decodeLine(bytes.TrimSuffix(line, []byte("\n")))
		if err != nil {
			kept = append(kept, line...)
			continue
		}
		if id, _ := headOf(e); !gone[id] {
			kept = append(kept, line...)
		}
	}
	point(decisionsFile, "compact")
	if replaceFile(path, kept) != nil || syncDir(w.dir) != nil {
		return
	}
	point(decisionsFile, "compacted")
	_ = w.readLocked() // nobody is told: who asks next reads again
}
