package editing

import (
	"slices"

	"github.com/galley-ls/galley/editing/text"
)

// This file decides what the state of a change of a whole file is, by which files
// there are and what they hold. docs/review.md has the table.

// fileStands says whether things are as they were before the change, or as the
// change makes them. Neither: the user has been there.
func (t *tx) fileStands(d *Document, c *Change) (old, new bool) {
	back := c.State == Applied // then only whether it was undone
	switch c.Kind {
	case KindCreate:
		there := !d.absent()
		if d.keeps(c) { // an editor shows the new file before there is one
			there = d.Base.Len() > 0
		}
		new = there && d.readable() && holds(d.Base, c.content())
		old = !there && d.Base.Len() == 0 && (back || t.room(c, c.Path, ""))
	case KindDeleteFile:
		new = d.absent()
		old = !d.Missing && d.Base.Equal(c.deleted()) && (back || !crowded(d, c))
	case KindRename:
		from, to := t.st.docs[c.File.From], t.st.docs[c.File.To]
		ours := c.Took || c.State == Applying || c.State == Applied
		new = !from.readable() && to.readable() && (ours || to.Base.Hash().String() == c.File.Hash)
		old = from.readable() && !to.there() && (back || t.room(c, c.File.To, c.File.From))
	}
	return old, new
}

func holds(t text.Text, s string) bool { return t.Len() == len(s) && t.String() == s }

// crowded reports whether another letter waits in a file that c deletes.
func crowded(d *Document, c *Change) bool {
	return slices.ContainsFunc(d.changes, func(o *Change) bool { return o != c && o.State.Undecided() })
}

// room reports whether no file stands, for c's owner, where a folder of path must be.
func (t *tx) room(c *Change, path, own string) bool {
	for _, dir := range above(path) {
		t.read[dir] = true
	}
	d, by := t.st.blocker(c.Owner, path, own)
	return d == nil || by != nil
}

// fileNext is the state table of changes of whole files.
func fileNext(c *Change, old, new bool) ChangeState {
	switch {
	case new && c.State.Undecided():
		return Applied
	case old && (c.State == Conflict || c.State == Applied && !c.Settled):
		return Staged
	case !old && !new && c.State == Staged:
		return Conflict
	}
	return c.State
}

// apart settles what is not decided by text: changes of whole files, and letters in
// a file that is gone. It reports whether c is one.
func (t *tx) apart(d *Document, c *Change) bool {
	switch {
	case c.Kind == KindRename: // by settleTree: it is about two documents
	case c.file():
		t.settleFile(d, c)
	case d.gone():
		t.strand(d, c)
	default:
		return false
	}
	return true
}

// strand makes a conflict of a letter in a file that is gone, whatever an empty text
// would say of it.
func (t *tx) strand(d *Document, c *Change) {
	if c.last == nil {
		c.stand(d.here(), c.State == Applied)
	}
	f := d.find(c)
	if !c.open() {
		c.regions(f, d.Base.Len())
		return
	}
	f.evidence = neither
	c.found = neither
	t.decideOpen(d, c, f)
}

// settleFile decides the state of one change of a whole file. It reports whether
// that is another one.
func (t *tx) settleFile(d *Document, c *Change) bool {
	if c.State == Rejected {
		c.shape(d.Base)
		return false
	}
	old, new := t.fileStands(d, c)
	if c.State == Applied && new && c.Settled {
		c.Settled = false
		t.changed[c.Letter] = true
	}
	was := c.State
	switch next := fileNext(c, old, new); {
	case next == was || next == Staged && was == Conflict && t.displaced(c):
	case next == Applied:
		t.takenFile(c)
	default:
		if was == Applied && c.Kind == KindRename {
			t.moveFile(c.File.To, c.File.From, c.File.FromName)
		}
		t.move(c, next, "")
		if old, _ := t.fileStands(t.st.docs[c.Path], c); next == Staged && (!old || t.displaced(c)) {
			t.move(c, Conflict, "")
		}
	}
	c.shape(t.st.docs[c.Path].Base)
	return c.State != was
}

// displaced reports whether another letter proposes what c cannot be beside.
func (t *tx) displaced(c *Change) bool {
	for _, d := range t.st.docs {
		for _, o := range d.changes {
			if o == c || !o.proposes() {
				continue
			}
			if rivals(o, c) || o.makes() != "" && c.makes() != "" && nested(o.makes(), c.makes()) {
				return true
			}
		}
	}
	return false
}

// takenFile marks a change as applied, because the tree says so.
func (t *tx) takenFile(c *Change) {
	if c.Kind == KindRename && c.Path == c.File.From {
		t.moveFile(c.File.From, c.File.To, c.File.ToName)
	}
	t.taken(c)
}

// settleTree decides, at the end of an operation after which the tree may be
// another one, the changes that rest on more than their own document.
func (t *tx) settleTree() {
	if !t.treeMoved() {
		return
	}
	for range MaxLetters {
		again := false
		for _, l := range t.fileLetters() {
			again = t.settleLetter(l) || again
		}
		if !again {
			break
		}
	}
	t.watch()
}

// treeMoved reports whether a file came or went, or an operation on one did.
func (t *tx) treeMoved() bool {
	if t.tree {
		return true
	}
	for path := range t.owned {
		d, old := t.st.docs[path], t.from.docs[path]
		if old == nil || d.watched || d.Missing != old.Missing || d.Opaque != old.Opaque || d.Open != old.Open {
			return true
		}
	}
	return false
}

func (t *tx) fileLetters() []string {
	var out []string
	for _, d := range t.st.docs {
		for _, c := range d.changes {
			if c.file() {
				out = append(out, c.Letter)
			}
		}
	}
	slices.Sort(out)
	return out
}

// settleLetter is settleFile for a change that is not yet copied.
func (t *tx) settleLetter(letter string) bool {
	c, _ := t.st.Change(letter)
	d := t.see(c.Path)
	old, new := t.fileStands(d, c)
	if c.State == Rejected || fileNext(c, old, new) == c.State && !(c.Settled && new) {
		return false
	}
	d, c = t.change(letter)
	return t.settleFile(d, c)
}

// watch keeps in mind which documents the changes of other ones rest on.
func (t *tx) watch() {
	on := t.st.Watched()
	for path, d := range t.st.docs {
		if d.watched != on[path] {
			t.doc(path).watched = on[path]
		}
	}
}

// Watched are the paths that changes of whole files elsewhere rest on: both ends of a
// rename, and what must be folders.
func (s *Snapshot) Watched() map[string]bool {
	on := map[string]bool{}
	for _, d := range s.docs {
		for _, c := range d.changes {
			if !c.file() {
				continue
			}
			if c.Kind == KindRename {
				on[c.File.From], on[c.File.To] = true, true
			}
			for _, dir := range above(c.makes()) {
				on[dir] = true
			}
		}
	}
	return on
}

// setText gives a document the text that the disk has now, or none where the file
// is gone. What an editor has open stays what it shows.
func (t *tx) setText(d *Document, now text.Text, missing bool) {
	if missing && !d.Missing {
		d.remember()
	}
	d.Missing, d.Opaque = missing, d.Opaque && missing
	if d.Open {
		t.settle(d)
		return
	}
	var es text.Edits
	if !d.Base.Equal(now) {
		es = wholeEdit(d.Base, now.String())
	}
	t.based(d.Path, es)
	t.userEdits(d, es)
	d.Base = now
}

// remember notes what a file that goes held, for those who look for it elsewhere.
func (d *Document) remember() {
	for _, c := range d.changes {
		if c.Kind == KindRename && c.Path == c.File.From {
			f := *c.File
			f.Hash = d.Base.Hash().String()
			c.File = &f
		}
	}
}

// moveFile takes all letters of a file along to its new name. The text is what the
// file has there, if it is there already.
func (t *tx) moveFile(from, to, name string) {
	src, dst := t.doc(from), t.doc(to)
	if dst == nil {
		dst = t.add(&Document{Path: to, Name: name, Missing: true})
	}
	src.remember()
	now := src.Base
	if dst.there() {
		now = dst.Base
	}
	for _, d := range []*Document{src, dst} {
		if !d.Base.Equal(now) {
			d.follow(d.Base, now, text.Runs(d.Base.String(), now.String()))
		}
	}
	var stay []*Change
	for _, c := range src.changes {
		if c.Kind == KindCreate && c.State != Applied { // it is about the name
			stay = append(stay, c)
			continue
		}
		c.Path, c.Name = to, name
		t.changed[c.Letter] = true
		dst.changes = append(dst.changes, c)
	}
	dst.lists = append(dst.lists, src.lists...)
	src.changes, src.lists = stay, nil
	src.Base, src.Missing = text.Text{}, true
	dst.Base, dst.Missing, dst.Opaque = now, false, false
	t.tree = true
	t.settle(dst)
}

// onDisk tells that the file of a document which an editor has open is there.
func (t *tx) onDisk(d *Document) {
	if d != nil && d.Missing {
		t.setText(t.doc(d.Path), d.Base, false)
	}
}

// remembering is a change of a whole file as a journal keeps it.
func (c *Change) remembering(base text.Text) *Change {
	if c.Kind == KindRename && c.Path == c.File.From && base.Len() > 0 {
		f := *c.File
		f.Hash = base.Hash().String()
		c.File = &f
	}
	return c
}

// others adds the documents that a change rests on besides its own.
func (c *Change) others(names map[string]string) {
	if c.Kind == KindRename {
		names[c.File.From], names[c.File.To] = c.File.FromName, c.File.ToName
	}
}

// restoreFiles brings changes of the whole file back: the tree decides what they are.
// It returns the others.
func (t *tx) restoreFiles(d *Document, cs []*Change) []*Change {
	var rest []*Change
	for _, c := range cs {
		if !c.file() {
			rest = append(rest, c)
			continue
		}
		c = c.clone()
		d.changes = append(d.changes, c)
		t.note(c, c.State)
		if c.State == Applying {
			c.State = Staged
		}
		c.shape(d.Base)
	}
	return rest
}
