package editing

import (
	"fmt"
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing/text"
)

// This file takes changes of whole files in, and back out.

// Action is what a Target does to its file.
type Action string

// The actions.
const (
	ActReplace Action = "replace"
	ActCreate  Action = "create"
	ActDelete  Action = "delete"
	ActRename  Action = "rename"
)

// unfit answers why a change cannot be taken in, whatever is taken in with it.
func (t *tx) unfit(c *Change, with []*Change) *Result {
	d := t.st.docs[c.Path]
	var r Result
	switch {
	case d.gone() && !c.file():
		r = refuse("state", "%s is not there any more, so change %s cannot be taken in; it waits for the file to come back. Reject it, or have the agent write the file again", c.Name, c.Letter)
	case d.Opaque && c.file():
		r = refuse("state", "what stands at %s now is no text, so change %s leaves it alone; move it, or reject the change", c.Name, c.Letter)
	case c.Kind == KindRename && c.State == Conflict:
		r = refuse("state", "change %s cannot rename the file: %s. Nothing is written over a file of yours; move it, or reject the change", c.Letter, t.st.why(c))
	case c.makes() == "":
		return nil
	default:
		own := ""
		if c.Kind == KindRename {
			own = c.File.From
		}
		b, by := t.st.blocker(c.Owner, c.makes(), own)
		switch {
		case b == nil || slices.ContainsFunc(with, func(o *Change) bool { return o == by }):
			return nil
		case by == nil:
			r = refuse("state", "change %s needs a folder where %s is a file; move that, or reject the change", c.Letter, b.Name)
		default:
			r = refuse("state", "change %s needs a folder where %s is still a file; apply change %s, which takes that away, first or together with it", c.Letter, b.Name, by.Letter)
		}
	}
	return &r
}

// overwrite makes a conflict that is taken over the user's text a change of what
// stands there now.
func (c *Change) overwrite(d *Document) {
	h := Hunk{End: d.Base.Len(), Old: d.Base.String(), New: c.content(), Held: true}
	switch c.Kind {
	case KindCreate:
		c.Hunks, c.Kind, c.last = []Hunk{h}, KindReplace, nil
	case KindDeleteFile:
		h.New = ""
		c.Hunks, c.File, c.last = []Hunk{h}, &FileOp{BOM: d.Base.BOM()}, nil
	}
}

// applyFiles takes changes of whole files into the disk's tree: what goes first, as
// it may make room.
func (t *tx) applyFiles(cs []*Change) {
	for _, frees := range []bool{true, false} {
		for _, c := range cs {
			if _, w := t.change(c.Letter); w.frees() == frees {
				t.applyFile(w)
			}
		}
	}
}

func (t *tx) applyFile(c *Change) {
	c.Took = true
	t.tree = true
	d := t.st.docs[c.Path]
	switch c.Kind {
	case KindCreate:
		t.fileTarget(Target{Action: ActCreate, Path: d.Path, Name: d.Name, After: text.New(c.content())})
		t.goneBy(d, c)
		t.setText(d, text.New(c.content()), false)
	case KindDeleteFile:
		t.goneBy(d, c)
		t.fileTarget(Target{Action: ActDelete, Path: d.Path, Name: d.Name, Before: d.Base})
		t.setText(d, text.Text{}, true)
	case KindRename:
		t.rename(d, c.File.To, c.File.ToName, nil)
		t.settleFile(t.st.docs[c.Path], c)
	}
}

// goneBy marks what else was applied in a file that comes or goes: that is no undo.
func (t *tx) goneBy(d *Document, c *Change) {
	for _, l := range t.appliedAt(d.Path) {
		if l == c.Letter {
			continue
		}
		_, o := t.change(l)
		o.Settled = true
		t.changed[l] = true
	}
}

// appliedAt lists the applied letters in a file, and those that gave or took its name.
func (t *tx) appliedAt(path string) []string {
	var out []string
	for _, o := range t.st.Changes() {
		named := o.Kind == KindRename && (o.File.From == path || o.File.To == path)
		if o.State == Applied && (named || o.Path == path) {
			out = append(out, o.Letter)
		}
	}
	return out
}

// rename gives a closed file another name. folders go with the old one, where they are
// empty then.
func (t *tx) rename(d *Document, to, name string, folders []string) {
	t.fileTarget(Target{Action: ActRename, Path: d.Path, Name: d.Name, To: to, ToName: name, Before: d.Base, After: d.Base, Folders: folders})
	t.moveFile(d.Path, to, name)
}

// fileTarget notes what becomes of a whole file, after what else this operation does
// to it.
func (t *tx) fileTarget(g Target) {
	i := slices.IndexFunc(t.targets, func(o Target) bool { return o.At() == g.Path })
	if i < 0 {
		t.targets = append(t.targets, g)
		return
	}
	was := &t.targets[i]
	switch {
	case g.Action == ActDelete && was.Action == ActCreate:
		t.targets = slices.Delete(t.targets, i, i+1)
	case g.Action == ActDelete:
		was.Action, was.After, was.To, was.ToName, was.Folders = ActDelete, text.Text{}, "", "", g.Folders
	case g.Action == ActRename && was.Action == ActCreate:
		was.Path, was.Name = g.To, g.ToName
	case g.Action == ActRename:
		was.Action, was.To, was.ToName, was.Folders = ActRename, g.To, g.ToName, g.Folders
	case was.Action == ActDelete: // and made again
		was.Action, was.After = ActReplace, g.After
	}
}

// At is where the file stands once the target is done.
func (g Target) At() string {
	if g.Action == ActRename {
		return g.To
	}
	return g.Path
}

// ordered puts what frees a name or a folder first, and other deletions last.
func ordered(targets []Target) []Target {
	makesRoom := func(g Target) bool {
		if g.Action != ActDelete && g.Action != ActRename {
			return false
		}
		return slices.ContainsFunc(targets, func(o Target) bool {
			return o.Path != g.Path && (o.Action == ActCreate || o.Action == ActRename) && slices.Contains(above(o.At()), g.Path)
		})
	}
	rank := func(g Target) int {
		switch {
		case g.Action == ActDelete && makesRoom(g):
			return 0
		case makesRoom(g):
			return 1
		case g.Action == ActDelete:
			return 3
		}
		return 2
	}
	out := slices.Clone(targets)
	slices.SortStableFunc(out, func(a, b Target) int { return rank(a) - rank(b) })
	return out
}

// bringFileBack is bringBack for changes of whole files.
func (t *tx) bringFileBack(d *Document, c *Change) {
	old, new := t.fileStands(d, c)
	if new && c.State == Rejected {
		t.move(c, Staged, "")
	}
	switch {
	case new:
		t.takenFile(c)
	case old:
		t.move(c, Staged, "")
	default:
		t.move(c, Conflict, "")
	}
	t.tree = true
	c.shape(t.st.docs[c.Path].Base)
}

// rivals reports whether two undecided changes cannot be beside each other.
func rivals(a, b *Change) bool {
	if a.whole() || b.whole() {
		return a.Path == b.Path
	}
	return a.Kind == KindRename && b.Kind == KindRename && a.Path == b.Path
}

// rival names an undecided letter that a change of a whole file would stand beside.
func (t *tx) rival(c *Change) string {
	for _, o := range t.st.docs[c.Path].changes {
		if o != c && o.State.Undecided() && rivals(o, c) {
			return o.Letter
		}
	}
	if c.makes() != "" {
		if o := t.st.claim(c.makes(), c); o != nil {
			return o.Letter
		}
	}
	return ""
}

// undoFile takes an applied change of a whole file back out of the disk's tree. It
// answers false where the user has been there since.
func (t *tx) undoFile(c *Change) bool {
	d := t.st.docs[c.Path]
	if _, new := t.fileStands(d, c); !new {
		return false
	}
	t.tree = true
	c.Settled = false
	t.takeBack(d, c)
	if c.State == Applied {
		t.settleFile(t.st.docs[c.Path], c)
	}
	return true
}

// takeBack undoes in the tree what c did.
func (t *tx) takeBack(d *Document, c *Change) {
	switch c.Kind {
	case KindCreate:
		g := Target{Action: ActDelete, Path: d.Path, Name: d.Name, Before: d.Base}
		if c.File != nil {
			g.Folders = c.File.Made
		}
		t.goneBy(d, c)
		t.fileTarget(g)
		t.setText(d, text.Text{}, true)
	case KindDeleteFile:
		t.fileTarget(Target{Action: ActCreate, Path: d.Path, Name: d.Name, After: c.deleted()})
		t.setText(d, c.deleted(), false)
	case KindRename:
		t.rename(d, c.File.From, c.File.FromName, c.File.Made)
	}
}

// undoClosedFile is undoFile for a change of a closed editing session.
func (t *tx) undoClosedFile(c *Change) bool {
	d := t.doc(c.Path)
	if d == nil && c.Kind == KindDeleteFile { // the table forgets what is not there
		d = t.add(&Document{Path: c.Path, Name: c.Name, Missing: true})
	}
	if d == nil || c.Kind == KindRename && t.st.docs[c.File.From].there() {
		return false
	}
	switch c.Kind {
	case KindDeleteFile:
		if !d.Missing {
			return false
		}
	case KindCreate:
		if d.Missing || !holds(d.Base, c.content()) {
			return false
		}
	default:
		if d.Missing {
			return false
		}
	}
	t.tree = true
	t.takeBack(d, c)
	return true
}

// Made notes the folders that were made for a new file, before the plan is accepted
// and journaled: undoing it takes them away again where they are empty then.
func (p *Plan) Made(path string, folders []string) {
	if p.to == nil || len(folders) == 0 {
		return
	}
	all := [][]*Change{p.Record.Changes} // a closed letter is the session's own value
	if d := p.to.docs[path]; d != nil {
		all = append(all, d.changes)
	}
	for _, cs := range all {
		for _, c := range cs {
			if c.makes() != path || !c.WasApplied() {
				continue
			}
			f := FileOp{}
			if c.File != nil {
				f = *c.File
			}
			f.Made = folders
			c.File = &f
		}
	}
}

// why says what is in the way of a change of a whole file.
func (s *Snapshot) why(c *Change) string {
	d := s.docs[c.Path]
	own := ""
	if c.Kind == KindRename {
		own = c.File.From
	}
	if c.makes() != "" {
		if b, by := s.blocker(c.Owner, c.makes(), own); b != nil && by == nil {
			return fmt.Sprintf("%s is a file, not a folder", b.Name)
		}
	}
	switch {
	case !c.file():
		return "the file is gone"
	case c.Kind == KindCreate:
		return "the user has made this file meanwhile"
	case c.Kind == KindDeleteFile && d != nil && d.Base.Equal(c.deleted()):
		return "other changes wait in the file"
	case c.Kind == KindDeleteFile:
		return "the user has changed the file since"
	case s.docs[c.File.To].there():
		return strings.TrimSpace(c.File.ToName) + " is there already"
	}
	return c.File.FromName + " is gone"
}
