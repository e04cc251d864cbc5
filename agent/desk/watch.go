package desk

import (
	"path/filepath"

	"github.com/galley-ls/galley/agent/session"
)

// watch follows the session directories and the closed files with changes for
// as long as the desk lives.
func (d *Desk) watch() {
	w, err := session.NewWatcher()
	if err != nil {
		d.cfg.Warn("%v", err)
		return
	}
	d.work.Go(func() {
		w.Run(d.ctx, func(path string) { d.FilesChanged(d.ctx, []string{path}) })
	})
	d.work.Go(func() {
		var seq int64 = -1
		for {
			if err := w.Watch(d.watched()); err != nil && d.ctx.Err() == nil { // at the end it is closed already
				d.cfg.Warn("%v", err)
			}
			snap, err := d.table.Wait(d.ctx, seq)
			if err != nil {
				return
			}
			seq = snap.Seq
		}
	})
}

// watched are the files whose folders matter now.
func (d *Desk) watched() []string {
	var files []string
	for _, s := range d.all() {
		files = append(files, filepath.Join(s.Dir(), "working-memory", "overview.md"))
	}
	for _, doc := range d.table.Snapshot().Documents() {
		if !doc.Open && len(doc.Changes()) > 0 {
			files = append(files, doc.Path)
		}
	}
	return files
}
