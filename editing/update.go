package editing

import (
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing/text"
)

// OpenDocument puts a document into the workspace that an editor opened with this
// text, or replaces what is known of one: its keeper tells all of it once more, or a
// closed file was read. If the text differs from what was known, the difference is
// rebased as the user's. What a closed file holds does not touch a document that an
// editor has open, nor does the text of another editor: that one is beside it.
func (w *Workspace) OpenDocument(path, name string, t text.Text, version int32, by Keeper) Record {
	for {
		was, ok := w.Snapshot().Document(path)
		var es text.Edits
		if ok && was.heeds(by) && !was.Base.Equal(t) { // comparing texts can be slow: not under the lock
			es = text.Became(was.Base.String(), t.String())
		}
		done := false
		did := w.now(func(tx *tx) Result {
			d := tx.st.docs[path]
			if ok != (d != nil) || ok && (d.Base != was.Base || d.heeds(by) != was.heeds(by)) {
				return Result{} // it moved meanwhile: compare again
			}
			done = true
			switch {
			case by == Disk && (!ok && !tx.st.Watched()[path] || ok && d.Open()): // nothing rests on it, or an editor opened it while the file was read: its text counts
				tx.onDisk(d)
			case !ok:
				tx.add(&Document{Path: path, Name: name, Base: t, Version: version, Keeper: by})
			case !d.heeds(by):
				if !slices.Contains(d.Beside, by) {
					tx.doc(path).Beside = append(slices.Clip(d.Beside), by)
				}
			default:
				d = tx.doc(path)
				d.keep(by, version)
				d.Missing = d.Missing && by != Disk // an editor may show what is not on the disk
				d.Opaque = d.Opaque && d.Missing
				tx.userEdits(d, es)
				d.Base = t // the BOM and the like are facts of the new text
			}
			return Result{}
		})
		if done {
			return did.record()
		}
	}
}

// Lose tells that a file is gone from the disk. Its changes are held as conflicts
// and heal when it comes back; what an editor has open stays what it shows.
func (w *Workspace) Lose(path string) Record { return w.lose(path, false) }

// LoseText tells that a file is there which holds no text any more.
func (w *Workspace) LoseText(path string) Record { return w.lose(path, true) }

func (w *Workspace) lose(path string, opaque bool) Record {
	return w.now(func(tx *tx) Result {
		d := tx.st.docs[path]
		if d != nil && (!d.Missing || d.Opaque != opaque || !d.Open() && (d.Base.Len() > 0 || len(d.Heirs) > 0)) {
			d = tx.doc(path)
			d.Opaque, d.Heirs = opaque, nil
			tx.setText(d, text.Text{}, true)
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

// Update is the typing of whoever keeps the document: edits in the order they happened, each in the
// text that the one before left. It answers the record of what the text decided
// (conflict, healed, undone, typed), which is empty for most; an edit outside the text is refused whole.
// Updates of one document come one after the other.
func (w *Workspace) Update(path string, version int32, edits []text.Edit) (Record, error) {
	by := Disk
	if d, ok := w.Snapshot().Document(path); ok {
		by = d.Keeper
	}
	rec, _, err := w.UpdateOneOf(path, version, [][]text.Edit{edits}, by)
	return rec, err
}

// UpdateOneOf is Update by a keeper that is named, where the editor leaves open which of several texts its
// message means. It answers which one was taken: the first, unless that is
// another text, and exactly another one is what letters write, or what was there
// before them.
func (w *Workspace) UpdateOneOf(path string, version int32, readings [][]text.Edit, by Keeper) (Record, int, error) {
	for {
		was, ok := w.Snapshot().Document(path)
		if !ok {
			return Record{}, 0, ErrUnknownDocument
		}
		if was.Keeper != by {
			return Record{}, 0, ErrNotKeeper
		}
		all := make([]text.Edits, len(readings))
		for i, edits := range readings {
			es, err := text.Sequence(was.Base.Len(), edits)
			if err != nil {
				return Record{}, 0, err
			}
			all[i] = es.Trim(was.Base)
		}
		taken := -1
		fine := was.finer(all[0]) // comparing texts can be slow: not under the lock
		did := w.now(func(tx *tx) Result {
			if d := tx.st.docs[path]; d == nil || d.Base != was.Base || d.Keeper != by {
				return Result{}
			}
			d := tx.doc(path)
			d.Version = version
			taken = tx.rebaseOneOf(d, all, fine)
			return Result{}
		})
		if taken >= 0 {
			return did.decidedByText(), taken, nil
		}
	}
}

// rebaseOneOf moves d over what an editor says happened, which is read in one of several
// ways; fine are the edits of the first, cut finer already. It answers which one was
// taken.
func (t *tx) rebaseOneOf(d *Document, readings []text.Edits, fine text.Edits) int {
	es := readings[0]
	if len(es) == 0 {
		return 0
	}
	sets := d.flippable(es)
	if t.recognise(d, es, sets) {
		return 0
	}
	for i, other := range readings[1:] {
		if len(other) > 0 && t.recognise(d, other, d.flippable(other)) {
			return i + 1
		}
	}
	sets = slices.DeleteFunc(sets, func(set []*Change) bool { return !meetAll(fine, flipEdits(set)) })
	if t.recogniseBeside(d, fine, sets) {
		return 0
	}
	t.userEdits(d, fine)
	return 0
}

// meetAll reports whether edits touch every place of others: where one is left
// alone, the others did not happen. Both are in order.
func meetAll(es, others text.Edits) bool {
	for _, o := range others {
		for len(es) > 0 && es[0].End < o.Start {
			es = es[1:]
		}
		if len(es) == 0 || es[0].Start > o.End {
			return false
		}
	}
	return true
}

// finer cuts edits that replace several lines by several into the edits they
// really are: editors send whole documents, and formatters whole files. Where no
// letter is to be moved, or the edits are what an editor was asked for, they stay.
func (d *Document) finer(es text.Edits) text.Edits {
	if len(d.changes) == 0 || slices.Equal(es, d.applying().Trim(d.Base)) {
		return es
	}
	var out text.Edits
	for _, e := range es {
		old := d.Base.Slice(e.Start, e.End)
		several := multiline(old) || multiline(e.New)
		if !several || !strings.Contains(old, "\n") || !strings.Contains(e.New, "\n") {
			out = append(out, e)
			continue
		}
		for _, f := range text.Became(old, e.New) {
			out = append(out, text.Edit{Start: e.Start + f.Start, End: e.Start + f.End, New: f.New})
		}
	}
	return out
}

// applying are the edits of the changes that are being applied.
func (d *Document) applying() text.Edits {
	return flipEdits(slices.DeleteFunc(slices.Clone(d.changes), func(c *Change) bool { return c.State != Applying }))
}

func multiline(s string) bool {
	for i := 0; i+1 < len(s); i++ {
		if s[i] == '\n' {
			return true
		}
	}
	return false
}
