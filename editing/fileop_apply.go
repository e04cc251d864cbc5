package editing

import (
	"cmp"
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

// fileEffect is the effect of a change of a whole file: the file goes from one name
// to another; one that is made comes from nowhere, one that is deleted goes there.
type fileEffect struct{}

func (fileEffect) unfit(t *tx, d *Document, c *Change, with []*Change) *Result {
	var r Result
	b, by := t.st.blocker(c.Owner, c.makes(), c.from().path)
	switch {
	case d.Opaque:
		r = refuse("state", "what stands at %s now is no text, so change %s leaves it alone; move it, or reject the change", c.Name, c.Letter)
	case c.Kind == KindRename && c.State == Conflict:
		r = refuse("state", "change %s cannot rename the file: %s. Nothing is written over a file of yours; move it, or reject the change", c.Letter, t.st.why(c))
	case b == nil || slices.ContainsFunc(with, func(o *Change) bool { return o == by }):
		return nil
	case by == nil:
		r = refuse("state", "change %s needs a folder where %s is a file; move that, or reject the change", c.Letter, b.Name)
	default:
		r = refuse("state", "change %s needs a folder where %s is still a file; apply change %s, which takes that away, first or together with it", c.Letter, b.Name, by.Letter)
	}
	return &r
}

// overwrite makes a conflict that is taken over the user's text a change of what
// stands there now.
func (c *Change) overwrite(d *Document) {
	for i := range c.Hunks {
		if h := &c.Hunks[i]; c.Clash { // its old text stands: nothing of the user's goes
			h.Held, h.Place = false, nil
		}
	}
	h := Hunk{End: d.Base.Len(), Old: d.Base.String(), New: c.content(), Held: true}
	switch c.Kind {
	case KindCreate:
		c.Hunks, c.Kind, c.last = []Hunk{h}, KindReplace, nil
	case KindDeleteFile:
		h.New = ""
		c.Hunks, c.File, c.last = []Hunk{h}, &FileOp{BOM: d.Base.BOM()}, nil
	}
}

func (fileEffect) do(t *tx, _ *Document, set []*Change) {
	for _, c := range set {
		c.Took = true
		if c.Kind == KindDeleteFile { // it may have other line ends by now
			c.Hunks[0].Old = t.doc(c.Path).Base.String()
		}
		t.carry(c, c.from(), c.to(), text.New(c.content()), nil)
		t.reconcileFile(c)
	}
}

func (e fileEffect) undo(t *tx, d *Document, c *Change) bool {
	if e.look(t, d, c).evidence != kept || c.Kind == KindRename && t.st.docs[c.File.From].there() {
		return false
	}
	var back text.Text
	if c.Kind == KindDeleteFile {
		back = c.deleted()
	}
	var made []string
	if c.File != nil {
		made = c.File.Made
	}
	open := d.bears(c)
	if open {
		c.Covered = false
	}
	t.carry(c, c.to(), c.from(), back, made)
	if open {
		t.reconcileFile(c)
	}
	return true
}

// carry takes a closed file from one name to another, by a change or by its undo.
// What has no old name gets a text; where there is no new one, folders go too, where
// they are empty then.
func (t *tx) carry(c *Change, from, to fileName, now text.Text, folders []string) {
	switch d := t.doc(cmp.Or(from, to).path); {
	case from.path == "":
		t.becomes(fate{to: to, after: now})
		t.goneBy(d, c)
		t.setText(d, now, false)
	case to.path == "":
		t.becomes(fate{from: from, before: d.Base, folders: folders})
		t.goneBy(d, c)
		t.setText(d, text.Text{}, true)
	default:
		t.becomes(fate{from, to, d.Base, d.Base, folders})
		t.moveFile(from.path, to)
	}
}

// goneBy marks what else was applied in a file that comes or goes, or gave or took its
// name: that is no undo.
func (t *tx) goneBy(d *Document, c *Change) {
	for _, o := range t.st.Changes() {
		there := o.Path == d.Path || o.from().path == d.Path || o.makes() == d.Path
		if o.State != Applied || !there || o.Letter == c.Letter {
			continue
		}
		_, w := t.change(o.Letter)
		w.Covered = true
		t.changed[w.Letter] = true
	}
}

// fate is what an operation makes of a file on the disk.
type fate struct {
	from, to      fileName
	before, after text.Text
	folders       []string
}

// becomes notes what becomes of a file, after what else this operation does to it.
func (t *tx) becomes(f fate) {
	i := slices.IndexFunc(t.fates, func(o fate) bool {
		again := f.from.path == "" && o.to.path == "" && o.from == f.to
		return again || f.from.path != "" && o.to == f.from
	})
	if i < 0 {
		t.fates = append(t.fates, f)
		return
	}
	was := &t.fates[i]
	was.to, was.after, was.folders = f.to, f.after, f.folders
	if was.from == was.to && was.to.path == "" {
		t.fates = slices.Delete(t.fates, i, i+1)
	}
}

func (f fate) target() Target {
	g := Target{Action: ActReplace, Path: f.from.path, Name: f.from.name, Before: f.before, After: f.after, Folders: f.folders}
	switch {
	case f.from.path == "":
		g.Action, g.Path, g.Name = ActCreate, f.to.path, f.to.name
	case f.to.path == "":
		g.Action = ActDelete
	case f.from != f.to:
		g.Action, g.To, g.ToName = ActRename, f.to.path, f.to.name
	}
	return g
}

// At is where the file stands once the target is done.
func (g Target) At() string {
	if g.Action == ActRename {
		return g.To
	}
	return g.Path
}

// ordered are the targets of fates: what frees a name or a folder first, and other
// deletions last.
func ordered(fates []fate) []Target {
	var targets []Target
	for _, f := range fates {
		targets = append(targets, f.target())
	}
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

// rivals reports whether two undecided changes cannot be beside each other.
func rivals(a, b *Change) bool {
	if a.makes() != "" && b.makes() != "" && nested(a.makes(), b.makes()) {
		return true
	}
	return a.Path == b.Path && (a.whole() || b.whole() || a.file() && b.file())
}

// rival finds a letter, among some, that a change cannot be beside.
func (s *Snapshot) rival(c *Change, among func(*Change) bool) *Change {
	for _, o := range s.Changes() {
		if o != c && among(o) && rivals(o, c) {
			return o
		}
	}
	return nil
}

// Renaming lists the paths that editors are about to give files.
func (p *Plan) Renaming() []string {
	var out []string
	for _, c := range p.Record.Changes {
		if c.Kind == KindRename && c.State == Applying {
			out = append(out, c.File.To)
		}
	}
	return out
}

// Made notes the folders that are made for a file, before the plan is accepted and
// journaled: undoing it takes them away again where they are empty then.
func (p *Plan) Made(path string, folders []string) {
	for _, c := range p.Record.Changes { // a closed letter is the session's own value
		if c.makes() != path || !c.WasApplied() && c.State != Applying {
			continue
		}
		c.made(folders)
		if d := p.to.docs[c.Path]; d != nil {
			for _, o := range d.changes {
				if o.Order == c.Order {
					o.made(folders)
				}
			}
		}
	}
}

func (c *Change) made(folders []string) {
	f := FileOp{}
	if c.File != nil {
		f = *c.File
	}
	f.Made = folders
	c.File = &f
}

// why says what is in the way of a change of a whole file.
func (s *Snapshot) why(c *Change) string {
	d := s.docs[c.Path]
	if b, by := s.blocker(c.Owner, c.makes(), c.from().path); b != nil && by == nil {
		return fmt.Sprintf("%s is a file, not a folder", b.Name)
	}
	switch {
	case !c.file():
		return "the file is gone"
	case c.Kind == KindCreate:
		return "the user has made this file meanwhile"
	case c.Kind == KindDeleteFile && d != nil && d.Base.Plain().Equal(c.deleted().Plain()):
		return "other changes wait in the file"
	case c.Kind == KindDeleteFile:
		return "the user has changed the file since"
	case s.docs[c.File.To].there():
		return strings.TrimSpace(c.File.ToName) + " is there already"
	}
	return c.File.FromName + " is gone"
}
