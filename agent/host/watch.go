package host

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/galley-ls/galley/agent/session"
)

// watch follows the working memory of the sessions and the closed files with changes
// for as long as the host lives.
func (h *Host) watch() {
	w, err := session.NewWatcher()
	if err != nil {
		h.cfg.Warn("%v", err)
	} else {
		h.watching.Lock()
		h.watcher = w
		h.watching.Unlock()
		h.work.Go(func() {
			w.Run(h.ctx, func(path string) {
				h.memoryChanged(path)
				h.FilesChanged(h.ctx, []string{path})
			})
		})
	}
	h.work.Go(func() {
		var seq int64 = -1
		for {
			h.rewatch()
			h.sayWarnings()
			snap, err := h.table.Wait(h.ctx, seq)
			if err != nil {
				return
			}
			seq = snap.Seq
			var open []string
			for _, d := range snap.Documents() {
				if d.Open() {
					open = append(open, d.Name)
				}
			}
			slices.Sort(open)
			if err := h.lock.Opens(open); err != nil {
				h.cfg.Warn("say which files are open: %v", err)
			}
		}
	})
}

// rewatch has the watcher look at what matters now.
func (h *Host) rewatch() {
	h.watching.Lock()
	defer h.watching.Unlock()
	if h.watcher == nil {
		return
	}
	more, err := h.watcher.Watch(h.watched())
	if err != nil && h.ctx.Err() == nil { // at the end it is closed already
		h.cfg.Warn("%v", err)
	}
	if more {
		h.FilesChanged(h.ctx, nil)
	}
}

// memoryChanged takes in what somebody did to files of a working memory, "" to any, and
// watches folders that are new in it.
func (h *Host) memoryChanged(path string) {
	for _, s := range h.all() {
		if path != "" && !strings.HasPrefix(path, s.Dir()+string(filepath.Separator)) {
			continue
		}
		if err := s.Memory().Tend(); err != nil && h.ctx.Err() == nil {
			h.cfg.Warn("%v", err)
		}
		h.rewatch()
	}
}

// watched are the files whose folders matter now.
func (h *Host) watched() []string {
	files := h.drafts.paths()
	for _, s := range h.all() {
		files = append(files, s.Memory().Watched()...)
		files = append(files, s.Unsaved()...)
	}
	for _, doc := range h.table.Snapshot().Documents() {
		if doc.Tree() || !doc.Open() && len(doc.Changes()) > 0 {
			files = append(files, doc.Path)
		}
	}
	return files
}
