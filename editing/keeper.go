package editing

import (
	"slices"

	"github.com/galley-ls/galley/editing/text"
)

// Keeper says who holds the text of a document: an editor, by a number of its own for
// as long as it is connected, else the disk.
type Keeper int

// Disk keeps the documents that no editor has open.
const Disk Keeper = 0

// Open reports whether an editor keeps the document.
func (d *Document) Open() bool { return d.Keeper != Disk }

// heeds reports whether a whole text counts that comes from there: the keeper's, or
// that of the first editor to open a document.
func (d *Document) heeds(from Keeper) bool { return !d.Open() || d.Keeper == from }

// keep makes an editor the keeper.
func (d *Document) keep(by Keeper, version int32) {
	d.Keeper, d.Version, d.Doubt, d.Heirs = by, version, "", nil
	d.Beside = without(d.Beside, by)
}

func without(all []Keeper, one Keeper) []Keeper {
	return slices.DeleteFunc(slices.Clone(all), func(k Keeper) bool { return k == one })
}

// CloseDocument tells that an editor has the document no more. The text that it kept
// is the disk's from now on, to be fed in with OpenDocument, unless one of the editors
// beside it holds the very text: they are asked first, see Adopt.
func (w *Workspace) CloseDocument(path string, by Keeper) {
	w.now(func(tx *tx) Result {
		d := tx.st.docs[path]
		if d == nil || by == Disk || d.Keeper != by && !slices.Contains(d.Beside, by) {
			return Result{}
		}
		d = tx.doc(path)
		switch {
		case d.Keeper != by:
			d.Beside, d.Heirs = without(d.Beside, by), without(d.Heirs, by)
		case len(d.Beside) > 0:
			d.orphan()
		default:
			d.Keeper, d.Version, d.Doubt = Disk, 0, ""
		}
		return Result{}
	})
}

// Offer is for a keeper that does not answer: one of the editors beside it is to keep
// the document, if it holds the very text. It is the last to be asked itself, before
// the disk. It reports whether there is anybody to ask.
func (w *Workspace) Offer(path string, by Keeper) (offered bool) {
	w.now(func(tx *tx) Result {
		if d := tx.st.docs[path]; d != nil && by != Disk && d.Keeper == by && len(d.Beside) > 0 {
			d = tx.doc(path)
			d.Beside = append(slices.Clip(d.Beside), by)
			d.orphan()
			offered = true
		}
		return Result{}
	})
	return offered
}

// orphan leaves a document without a keeper to those beside.
func (d *Document) orphan() {
	d.Keeper, d.Version, d.Doubt, d.Heirs = Disk, 0, "", append(slices.Clone(d.Beside), Disk)
}

// Adopt makes an editor that has a document open the keeper, if there is none and its
// text is the document's.
func (w *Workspace) Adopt(path string, t text.Text, version int32, by Keeper) (adopted bool) {
	was, ok := w.Snapshot().Document(path)
	if !ok || was.Open() || !was.Base.Equal(t) { // comparing texts can be slow: not under the lock
		return false
	}
	w.now(func(tx *tx) Result {
		if d := tx.st.docs[path]; d != nil && !d.Open() && d.Base == was.Base && slices.Contains(d.Beside, by) {
			tx.doc(path).keep(by, version)
			adopted = true
		}
		return Result{}
	})
	return adopted
}

// Decline tells that an heir holds another text. It reports whether the disk is next.
func (w *Workspace) Decline(path string, by Keeper) (disk bool) {
	w.now(func(tx *tx) Result {
		if d := tx.st.docs[path]; d != nil && slices.Contains(d.Heirs, by) {
			d = tx.doc(path)
			d.Heirs = without(d.Heirs, by)
			disk = len(d.Heirs) == 1
		}
		return Result{}
	})
	return disk
}

// DoubtDocument tells that the editor's text may be another than the document's, and
// why. A whole text of its keeper ends that.
func (w *Workspace) DoubtDocument(path, why string, by Keeper) {
	w.now(func(tx *tx) Result {
		if d := tx.st.docs[path]; d != nil && by != Disk && d.Keeper == by && d.Doubt != why {
			tx.doc(path).Doubt = why
		}
		return Result{}
	})
}

// Elsewhere reports whether nothing has moved since an earlier snapshot but documents
// that other editors keep.
func (s *Snapshot) Elsewhere(since *Snapshot, me Keeper) bool {
	if since == nil || len(since.docs) != len(s.docs) {
		return false
	}
	for path, d := range s.docs {
		if was := since.docs[path]; was != d && (was == nil || was.Keeper != d.Keeper || !d.Open() || d.Keeper == me) {
			return false
		}
	}
	return true
}
