package session

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/fsnotify/fsnotify"
)

// Watcher tells when files in some folders may have changed. Folders are
// watched, not files: editors and programs replace files.
type Watcher struct {
	fs *fsnotify.Watcher
}

// NewWatcher makes a watcher of nothing yet.
func NewWatcher() (*Watcher, error) {
	fs, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("watch files: %w; changes on disk are noticed at the next use only", err)
	}
	return &Watcher{fs: fs}, nil
}

// Watch watches exactly the folders of these files. It reports whether some are
// new: what changed in them just before is told by nobody, so look at their files.
func (w *Watcher) Watch(files []string) (more bool, err error) {
	want := map[string]bool{}
	for _, f := range files {
		want[existing(filepath.Dir(f))] = true
	}
	for _, dir := range w.fs.WatchList() {
		if !want[dir] {
			_ = w.fs.Remove(dir) // it may be gone
		}
		delete(want, dir)
	}
	for dir := range want {
		if fault := w.fs.Add(dir); fault == nil {
			more = true
		} else if err == nil {
			err = fmt.Errorf("watch %s: %w", dir, fault)
		}
	}
	return more, err
}

// existing is a folder, or the innermost one above it that is there.
func existing(dir string) string {
	for up := filepath.Dir(dir); up != dir; dir, up = up, filepath.Dir(up) {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			break
		}
	}
	return dir
}

// Run calls changed with each file that may have changed, until ctx is done.
func (w *Watcher) Run(ctx context.Context, changed func(path string)) {
	for {
		select {
		case e, ok := <-w.fs.Events:
			if !ok {
				return
			}
			changed(e.Name)
		case _, ok := <-w.fs.Errors: // an overflow: everything may have changed
			if !ok {
				return
			}
			changed("")
		case <-ctx.Done():
			_ = w.fs.Close()
			return
		}
	}
}
