package editing

import (
	"slices"

	"github.com/galley-ls/galley/editing/text"
)

// This file decides what the state of a change of a whole file is, by which files
// there are and what they hold. docs/review.md has the table.

func (fileEffect) look(t *tx, d *Document, c *Change) finding {
	before, after := t.fileStands(d, c)
	f := finding{evidence: neither, hunks: c.Hunks}
	switch applied := c.WasApplied(); {
	case after && applied, before && !applied && t.fits(d, c):
		f.evidence = kept
	case before && applied, after:
		f.evidence = turned
	}
	return f
}

// fileStands says whether things are as they were before the change, or as the
// change makes them. Neither: the user has been there.
func (t *tx) fileStands(d *Document, c *Change) (before, after bool) {
	switch c.Kind {
	case KindCreate:
		there := !d.absent()
		if d.keeps(c) { // an editor shows the new file before there is one
			there = d.Base.Len() > 0
		}
		return !there && d.Base.Len() == 0, there && d.readable() && d.Base.Plain().String() == text.Unix(c.content())
	case KindDeleteFile:
		return !d.Missing && d.Base.Plain().Equal(c.deleted().Plain()), d.absent()
	}
	from, to := t.st.docs[c.File.From], t.st.docs[c.File.To]
	ours := c.Took || c.State == Applying || c.WasApplied()
	after = !from.readable() && to.readable() && (ours || to.Base.Hash().String() == c.File.Hash)
	return from.readable() && !to.there(), after
}

// fits reports whether no other letter, and no file where a folder must be, is in the
// way of a change that waits.
func (t *tx) fits(d *Document, c *Change) bool {
	for _, dir := range above(c.makes()) {
		t.read[dir] = true
	}
	b, by := t.st.blocker(c.Owner, c.makes(), c.from().path)
	crowded := c.Kind == KindDeleteFile && slices.ContainsFunc(d.changes, func(o *Change) bool { return o != c && o.State.Undecided() })
	return (b == nil || by != nil) && !crowded && t.st.rival(c, (*Change).Proposes) == nil
}

// reconcileFile decides the state of one change of a whole file.
func (t *tx) reconcileFile(c *Change) {
	d := t.st.docs[c.Path]
	t.decide(d, c, c.effect().look(t, d, c))
}

// followFile takes a letter along with its file.
func (t *tx) followFile(c *Change, to fileName) *Document {
	if to.path != "" && to.path != c.Path {
		t.moveFile(c.Path, to)
	}
	return t.doc(c.Path)
}

// reconcileTree decides, at the end of an operation after which the tree may be
// another one, the changes that rest on more than their own document.
func (t *tx) reconcileTree() {
	if !t.treeMoved() {
		return
	}
	for range MaxLetters {
		again := false
		for _, l := range t.fileLetters() {
			again = t.reconcileLetter(l) || again
		}
		if !again {
			break
		}
	}
	t.watch()
}

// treeMoved reports whether something was done to what changes of whole files rest on.
func (t *tx) treeMoved() bool {
	for path := range t.owned {
		d, old := t.st.docs[path], t.from.docs[path]
		if old == nil || old.Tree() || d.Tree() {
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

// reconcileLetter is reconcileFile for a change that is not yet copied. It reports whether
// the state is another one.
func (t *tx) reconcileLetter(letter string) bool {
	c, _ := t.st.Change(letter)
	f := c.effect().look(t, t.see(c.Path), c)
	if c.rests(f.evidence) {
		return false
	}
	d, c := t.change(letter)
	was := c.State
	t.changed[letter] = true
	t.decide(d, c, f)
	return c.State != was
}

// rests reports whether decide leaves the change as it is.
func (c *Change) rests(e evidence) bool {
	switch e {
	case kept:
		return c.State != Conflict && !c.Covered
	case turned:
		return c.State == Rejected || c.Covered
	}
	return c.State != Staged
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
	if d.Open() {
		t.reconcile(d)
		return
	}
	var es text.Edits
	if !d.Base.Equal(now) {
		es = wholeEdit(d.Base, now.String())
	}
	t.userEdits(d, es)
	d.Base = now
}

// remember notes what a file that goes held, for those who look for it elsewhere.
func (d *Document) remember() {
	for _, c := range d.changes {
		c.remember(d.Base)
	}
}

// moveFile takes all letters of a file along to its new name. The text is what the
// file has there, if it is there already.
func (t *tx) moveFile(from string, to fileName) {
	src, dst := t.doc(from), t.doc(to.path)
	if dst == nil {
		dst = t.add(&Document{Path: to.path, Name: to.name, Missing: true})
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
		c.Path, c.Name = to.path, to.name
		t.changed[c.Letter] = true
		dst.changes = append(dst.changes, c)
	}
	dst.lists = append(dst.lists, src.lists...)
	src.changes, src.lists = stay, nil
	src.Base, src.Missing = text.Text{}, true
	dst.Base, dst.Missing, dst.Opaque = now, false, false
	t.reconcile(dst)
}

// onDisk tells that the file of a document which an editor has open is there.
func (t *tx) onDisk(d *Document) {
	if d != nil && d.Missing {
		t.setText(t.doc(d.Path), d.Base, false)
	}
}

func (fileEffect) describe(c *Change, base text.Text) {
	c.shape(base)
	if base.Len() > 0 {
		c.remember(base)
	}
}

// remember notes what the file of a rename held before.
func (c *Change) remember(base text.Text) {
	if c.Kind == KindRename && c.Path == c.File.From {
		f := *c.File
		f.Hash = base.Hash().String()
		c.File = &f
	}
}

// others adds the documents that a change rests on besides its own.
func (c *Change) others(names map[string]string) {
	for _, f := range []fileName{c.from(), c.to()} {
		if f.path != "" {
			names[f.path] = f.name
		}
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
		if c.State == Applying { // nobody will answer for it any more, but it is a decision's
			c.State, c.Took = Staged, true
		}
	}
	return rest
}
