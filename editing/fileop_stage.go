package editing

import (
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing/text"
)

// This file stages changes of whole files.

// creation asks for a new file.
type creation struct {
	Meta
	Path, Name string // absolute, and as shown to people
	Content    string
}

// createFile stages a new file. Who writes has looked: the table knows the file, and
// those that stand where its folders must be, if there are any.
func (t *tx) createFile(f creation) Result {
	at := t.st.Resolve(f.Owner, f.Path)
	d := t.see(f.Path)
	switch {
	case at.There && at.Letter != "" && at.Path == f.Path:
		return Write(Writing{Meta: f.Meta, Path: f.Path, Content: f.Content})(t) // a staged new file: amended
	case at.There:
		return refuse("file_exists", "there is a file %s already; read it and edit it, or write all of it", f.Name)
	case at.Now != "":
		return refuse("file_exists", "%s stands there until the user takes change %s, which renames it to %s; choose another name", f.Name, at.Letter, at.Now)
	case at.Letter != "":
		return t.rewrite(f)
	}
	if r := t.free(f.Owner, f.Path, f.Name, ""); r != nil {
		return *r
	}
	if d == nil {
		d = t.add(&Document{Path: f.Path, Name: f.Name, Missing: true})
	}
	return t.stageFile(d, f.Meta, &Change{Kind: KindCreate, Hunks: []Hunk{{New: f.Content}}}, requestKey("create", f.Content))
}

// free answers why owner cannot make a file at path.
func (t *tx) free(owner, path, name, own string) *Result {
	var r Result
	c := t.st.claim(path)
	d, by := t.st.blocker(owner, path, own)
	for _, dir := range above(path) {
		t.read[dir] = true
	}
	switch {
	case c != nil && c.Owner != owner:
		r = Result{Status: StatusConflict, Code: "owned", Hint: "change " + c.Letter + " of agent session " + c.Owner + " makes a file " + name + "; choose another name, or wait until the user has decided it"}
	case c != nil && c.makes() == path:
		r = refuse("file_exists", "your change %s makes a file %s; edit that, or choose another name", c.Letter, name)
	case c != nil:
		r = refuse("file_exists", "your change %s (%s) is in the way of a file %s: one of the two would have to be a folder; choose another name", c.Letter, c.FileSummary(), name)
	case d != nil && by == nil:
		r = refuse("file_exists", "%s is a file, so there can be no folder of that name; delete or rename it first, or choose another name", d.Name)
	case t.below(path) != "":
		r = refuse("file_exists", "%s is a folder: it holds %s; choose another name", name, t.below(path))
	default:
		return nil
	}
	r.Path, r.Owner = path, owner
	return &r
}

// below names a file below path.
func (t *tx) below(path string) string {
	for _, d := range t.st.Documents() {
		if d.readable() && strings.HasPrefix(d.Path, path) && slices.Contains(above(d.Path), path) {
			return d.Name
		}
	}
	return ""
}

// rewrite turns a staged deletion into another text of the file.
func (t *tx) rewrite(f creation) Result {
	d := t.doc(f.Path)
	i := slices.IndexFunc(d.changes, func(c *Change) bool {
		return c.Kind == KindDeleteFile && c.Owner == f.Owner && c.Proposes()
	})
	c := d.changes[i]
	if c.State == Applying {
		return refuse("applying", "change %s is being applied right now; repeat the call when it is", c.Letter)
	}
	es := text.Diff(d.Base.String(), Given(d.Base, f.Content).String())
	c.File = nil
	t.amend(d, []*Change{c}, hunksOf(d.Base, es, false, nil), f.Meta, requestKey("write", f.Content))
	return Result{Status: StatusEditing, Path: f.Path, Owner: f.Owner, Session: c.Session, Touched: []string{c.Letter}}
}

// stageFile stages what, a change of the whole file, in place of all that its owner
// has staged in the file before: the earliest letter bears it, the others are merged
// into that.
func (t *tx) stageFile(d *Document, m Meta, what *Change, key string) Result {
	d = t.doc(d.Path)
	var own []*Change
	for _, c := range d.changes {
		if !c.State.Undecided() || c.Owner == m.Owner && what.Kind == KindRename && c.Kind != KindRename {
			continue
		}
		if c.Owner != m.Owner && what.Kind == KindRename && !c.file() {
			continue
		}
		if c.Owner != m.Owner || c.State == Applying {
			return t.undo(d.barredBy(c, m.Owner))
		}
		own = append(own, c)
	}
	slices.SortFunc(own, func(a, b *Change) int { return int(a.Order - b.Order) })
	var c *Change
	if len(own) == 0 {
		var r *Result
		if c, r = t.letterFor(d, what.Hunks, m, key); r != nil {
			return t.undo(*r)
		}
	} else {
		c = own[0]
		c.Hunks = nil
		t.amend(d, own, []Hunk{{}}, m, key)
	}
	c.Kind, c.File, c.last = what.Kind, what.File, nil
	c.Hunks = slices.Clone(what.Hunks)
	c.shape(d.Base)
	return Result{Status: StatusEditing, Path: d.Path, Owner: m.Owner, Session: c.Session, Touched: []string{c.Letter}}
}

// Deletion asks for a file to go.
type Deletion struct {
	Meta
	Path string
}

// DeleteFile stages the deletion of a file. A staged new file is simply dropped.
func DeleteFile(f Deletion) Op {
	return func(t *tx) Result {
		d, r := t.sight(f.Owner, f.Path)
		if r != nil {
			return *r
		}
		for _, c := range d.changes {
			if c.Kind == KindCreate && c.Owner == f.Owner && c.State == Staged {
				return t.drop(c, "the agent deleted the new file again")
			}
		}
		base := d.Base
		return t.stageFile(d, f.Meta, &Change{
			Kind: KindDeleteFile, Hunks: []Hunk{{End: base.Len(), Old: base.String()}}, File: &FileOp{BOM: base.BOM()},
		}, requestKey("delete_file"))
	}
}

// drop closes a change of the agent's own that it took back.
func (t *tx) drop(c *Change, why string) Result {
	d, w := t.change(c.Letter)
	t.move(w, Closed, why)
	t.retire(d, w)
	return Result{Status: StatusEditing, Path: d.Path, Owner: w.Owner, Session: w.Session, Touched: []string{w.Letter}}
}

// Renaming asks for another name of a file.
type Renaming struct {
	Meta
	Path       string
	To, ToName string // absolute, and as shown to people
}

// RenameFile stages another name for a file; a further one amends the first. Of a
// staged new file it changes where that will be made. Who calls it has looked: the
// table knows what stands at To.
func RenameFile(f Renaming) Op {
	return func(t *tx) Result {
		d, r := t.sight(f.Owner, f.Path)
		if r != nil {
			return *r
		}
		if r := t.misnamed(d, f); r != nil {
			return *r
		}
		for _, c := range d.changes {
			switch {
			case c.Owner != f.Owner || !c.State.Undecided():
			case c.Kind == KindCreate && c.State == Staged:
				return t.createElsewhere(c, f)
			case c.Kind == KindRename && c.State == Staged && c.File.From == f.To:
				return t.drop(c, "the agent gave the file its old name back")
			}
		}
		if t.st.docs[f.To] == nil {
			t.add(&Document{Path: f.To, Name: f.ToName, Missing: true})
		}
		op := &FileOp{From: d.Path, FromName: d.Name, To: f.To, ToName: f.ToName, Hash: d.Base.Hash().String()}
		return t.stageFile(d, f.Meta, &Change{Kind: KindRename, File: op}, requestKey("rename_file", f.To))
	}
}

// misnamed answers why a file cannot get its new name.
func (t *tx) misnamed(d *Document, f Renaming) *Result {
	at := t.st.Resolve(f.Owner, f.To)
	to := t.see(f.To)
	var r Result
	switch {
	case f.To == f.Path:
		r = refuse("no_change", "the file has that name already; nothing was staged")
	case f.To == d.Path && at.Now != "": // back to its old name
		return nil
	case at.There:
		r = refuse("file_exists", "there is a file %s already; nothing was staged. To replace it, write it and delete %s", f.ToName, d.Name)
	case to.there():
		r = refuse("file_exists", "%s stands there until the user takes change %s; nothing was staged. Choose another name, or write %s and delete %s", f.ToName, at.Letter, f.ToName, d.Name)
	default:
		return t.free(f.Owner, f.To, f.ToName, d.Path)
	}
	r.Path, r.Owner = d.Path, f.Owner
	return &r
}

// createElsewhere moves a staged new file.
func (t *tx) createElsewhere(staged *Change, f Renaming) Result {
	d, c := t.change(staged.Letter)
	to := t.doc(f.To)
	if to == nil {
		to = t.add(&Document{Path: f.To, Name: f.ToName, Missing: true})
	}
	d.changes = slices.DeleteFunc(d.changes, func(o *Change) bool { return o == c })
	to.changes = append(to.changes, c)
	c.Path, c.Name = f.To, f.ToName
	c.Revision++
	c.Asked = append(slices.Clip(c.Asked), requestKey("rename_file", f.To))
	t.note(c, c.State)
	return Result{Status: StatusEditing, Path: f.To, Owner: f.Owner, Session: c.Session, Touched: []string{c.Letter}}
}
