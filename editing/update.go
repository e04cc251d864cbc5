package editing

import (
	"slices"

	"github.com/galley-ls/galley/editing/text"
)

// OpenDocument puts a document into the workspace, or replaces what is known of
// it: an editor opened the file with this text, or a closed file was read. If
// the text differs from what was known, the difference is rebased as the user's.
// What a closed file holds does not touch a document that an editor has open.
func (w *Workspace) OpenDocument(path, name string, t text.Text, version int32, open bool) Record {
	for {
		was, ok := w.Snapshot().Document(path)
		var es text.Edits
		if ok && !was.Base.Equal(t) { // comparing texts can be slow: not under the lock
			es = text.Diff(was.Base.String(), t.String())
		}
		done := false
		did := w.now(func(tx *tx) Result {
			d := tx.st.docs[path]
			if ok != (d != nil) || ok && d.Base != was.Base {
				return Result{} // it moved meanwhile: compare again
			}
			done = true
			if ok && d.Open && !open {
				return Result{} // an editor opened it while the file was read: its text counts
			}
			if !ok {
				tx.add(&Document{Path: path, Name: name, Base: t, Version: version, Open: open})
				return Result{}
			}
			d = tx.doc(path)
			d.Version, d.Open, d.Missing = version, open, false
			tx.userText(d, es)
			d.Base = t // the BOM and the like are facts of the new text
			return Result{}
		})
		if done {
			return did.record()
		}
	}
}

// CloseDocument tells that no editor has the document any more; its text is the
// disk's from now on, to be fed in with OpenDocument.
func (w *Workspace) CloseDocument(path string) {
	w.now(func(tx *tx) Result {
		if d := tx.doc(path); d != nil {
			d.Open, d.Version = false, 0
		}
		return Result{}
	})
}

// Lose tells that a closed file is gone from the disk. Its changes are held as
// conflicts and heal when it comes back.
func (w *Workspace) Lose(path string) Record {
	return w.now(func(tx *tx) Result {
		if d := tx.doc(path); d != nil && !d.Missing {
			tx.userText(d, wholeEdit(d.Base, ""))
			d.Missing = true
		}
		return Result{}
	}).record()
}

func wholeEdit(t text.Text, s string) text.Edits {
	if t.Len() == 0 && s == "" {
		return nil
	}
	return text.Edits{{Start: 0, End: t.Len(), New: s}}
}

// Update is the user's typing: edits in the order they happened, each in the
// text that the one before left. It answers the record of what the text decided
// (conflict, healed, undone, typed), which is empty for most; an edit outside the text is refused whole.
// Updates of one document come one after the other.
func (w *Workspace) Update(path string, version int32, edits []text.Edit) (Record, error) {
	for {
		was, ok := w.Snapshot().Document(path)
		if !ok {
			return Record{}, ErrUnknownDocument
		}
		es, err := sequence(was.Base, edits)
		if err != nil {
			return Record{}, err
		}
		es = es.Trim(was.Base)
		done := false
		fine := finer(was.Base, es) // comparing texts can be slow: not under the lock
		did := w.now(func(tx *tx) Result {
			if d := tx.st.docs[path]; d == nil || d.Base != was.Base {
				return Result{}
			}
			done = true
			d := tx.doc(path)
			d.Version = version
			tx.rebase(d, es, fine)
			return Result{}
		})
		if done {
			return did.decidedByText(), nil
		}
	}
}

// sequence composes edits that follow one another into edits of t.
func sequence(t text.Text, edits []text.Edit) (text.Edits, error) {
	var all text.Edits
	n := t.Len()
	for _, e := range edits {
		one := text.Edits{e}
		if err := one.Validate(n); err != nil {
			return nil, err
		}
		n += one.Delta()
		all = text.Compose(all, one)
	}
	return all, nil
}

// userText moves d over the user's edits of its base and decides what they mean.
func (t *tx) userText(d *Document, es text.Edits) {
	es = es.Trim(d.Base)
	t.rebase(d, es, es)
}

// rebase is userText for edits that are cut finer already.
func (t *tx) rebase(d *Document, es, fine text.Edits) {
	if len(es) == 0 {
		return
	}
	t.based(d.Path, es)
	if t.recognise(d, es) {
		return
	}
	for _, e := range slices.Backward(fine) {
		d.userEdit(e)
	}
	t.settle(d)
}

// finer cuts edits that replace several lines by several into the edits they
// really are: editors send whole documents, and formatters whole files.
func finer(t text.Text, es text.Edits) text.Edits {
	var out text.Edits
	for _, e := range es {
		old := t.Slice(e.Start, e.End)
		if !multiline(old) || !multiline(e.New) {
			out = append(out, e)
			continue
		}
		for _, f := range text.Diff(old, e.New) {
			out = append(out, text.Edit{Start: e.Start + f.Start, End: e.Start + f.End, New: f.New})
		}
	}
	return out
}

func multiline(s string) bool {
	for i := 0; i+1 < len(s); i++ {
		if s[i] == '\n' {
			return true
		}
	}
	return false
}
