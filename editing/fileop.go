package editing

import (
	"path/filepath"
	"slices"

	"github.com/galley-ls/galley/editing/text"
)

// The kinds of a change of a whole file. What is said of a text change by its text
// is said of these by whether files exist, and what they hold: see fileStands.
const (
	KindCreate     Kind = "create"
	KindDeleteFile Kind = "delete_file"
	KindRename     Kind = "rename"
)

// FileOp is what a change of a whole file holds beside its hunks: a create has its
// text as the one hunk's New, a delete the file's text as its Old, a rename no hunk.
// Values are never modified.
type FileOp struct {
	From     string   `json:"from,omitempty"` // of a rename, as To: absolute, resolved
	FromName string   `json:"from_name,omitempty"`
	To       string   `json:"to,omitempty"`
	ToName   string   `json:"to_name,omitempty"`
	Hash     string   `json:"hash,omitempty"` // of a rename: the text that the file last had under its old name
	BOM      bool     `json:"bom,omitempty"`  // of a delete: the text had a byte order mark
	Made     []string `json:"made,omitempty"` // folders that were made for the file, innermost first
}

// file reports whether the change is one of a whole file.
func (c *Change) file() bool { return c.Kind.File() }

// File reports whether a change of this kind is one of a whole file.
func (k Kind) File() bool { return k == KindCreate || k == KindDeleteFile || k == KindRename }

// content is the text of a new file.
func (c *Change) content() string {
	s := ""
	for _, h := range c.Hunks {
		s += h.New
	}
	return s
}

// deleted is the text of a file that a delete takes away.
func (c *Change) deleted() text.Text {
	if c.File != nil && c.File.BOM {
		return text.New("\uFEFF" + c.Hunks[0].Old)
	}
	return text.New(c.Hunks[0].Old)
}

// fileName is where a file is; the zero value is nowhere.
type fileName struct {
	path, name string // absolute, and as shown to people
}

// from is the name that the change takes away from a file.
func (c *Change) from() fileName {
	switch c.Kind {
	case KindDeleteFile:
		return fileName{c.Path, c.Name}
	case KindRename:
		return fileName{c.File.From, c.File.FromName}
	}
	return fileName{}
}

// to is the name that the change gives to a file.
func (c *Change) to() fileName {
	switch c.Kind {
	case KindCreate:
		return fileName{c.Path, c.Name}
	case KindRename:
		return fileName{c.File.To, c.File.ToName}
	}
	return fileName{}
}

// step is when a change is taken in, among others: one of lines first, and one that
// frees a name before one that takes it.
func (c *Change) step() int {
	switch {
	case !c.file():
		return 0
	case c.from().path != "":
		return 1
	}
	return 2
}

// makes is the path at which the change makes a file, "" if it makes none.
func (c *Change) makes() string { return c.to().path }

// Proposes reports whether the change is part of its owner's proposed text and tree.
// A conflict that is being taken over the user's text is not yet: others may stand there.
func (c *Change) Proposes() bool { return (c.State == Staged || c.State == Applying) && !c.held() }

// Gone reports whether a closed document's file is not there.
func (d *Document) Gone() bool { return d.Missing && !d.Open() }

// absent reports whether the disk has nothing under the document's name.
func (d *Document) absent() bool { return d.Missing && !d.Opaque }

// there reports whether somebody has the file: the disk, or an editor.
func (d *Document) there() bool { return d != nil && (d.Open() || !d.absent()) }

// readable reports whether the document has a text.
func (d *Document) readable() bool { return d.there() && (d.Open() || !d.Missing) }

// Tree reports whether letters, of this or of another document, rest on whether the
// file is there.
func (d *Document) Tree() bool {
	return d.watched || d.Missing || slices.ContainsFunc(d.changes, (*Change).file)
}

// whole reports whether the change leaves no room for another in its file.
func (c *Change) whole() bool { return c.Kind == KindCreate || c.Kind == KindDeleteFile }

// keeps reports whether an editor brings the change in. The text of a file and its
// name are the editor's where it has the file open; what is not there, or is to go,
// is the disk's.
func (d *Document) keeps(c *Change) bool {
	return d != nil && d.Open() && c.Kind != KindDeleteFile && (c.Kind != KindCreate || c.content() != "")
}

// shape gives the one hunk of a create or a delete the range that it has in base.
// That of a rename has none.
func (c *Change) shape(base text.Text) {
	h := Hunk{Held: c.State == Conflict}
	switch c.Kind {
	case KindCreate:
		h.New = c.content()
		if c.State == Conflict || c.WasApplied() {
			h.End = base.Len()
		}
	case KindDeleteFile:
		h.Old = c.Hunks[0].Old
		if !c.WasApplied() {
			h.End = base.Len()
		}
	default:
		return
	}
	c.Hunks = []Hunk{h}
}

// amended gives a change whose text was amended its kind: in a file that is not
// there it makes the file, which may be empty.
func (c *Change) amended(d *Document) {
	if !d.Gone() && (c.Kind != KindCreate || c.State != Staged) {
		c.Kind, c.File = kindOf(c.Hunks), nil
		return
	}
	c.Kind = KindCreate
	if len(c.Hunks) == 0 {
		c.Hunks = []Hunk{{}}
	}
}

// claim finds an undecided change, of any session, that makes a file at path, or
// where path has a folder, or below it.
func (s *Snapshot) claim(path string) *Change {
	return s.rival(&Change{Kind: KindCreate, Path: path}, func(o *Change) bool {
		return o.State.Undecided() && o.makes() != "" && nested(o.makes(), path)
	})
}

// nested reports whether there cannot be files at both paths.
func nested(a, b string) bool {
	return a == b || slices.Contains(above(a), b) || slices.Contains(above(b), a)
}

// above lists the folders of a path, innermost first.
func above(path string) []string {
	var out []string
	for dir := filepath.Dir(path); dir != path; path, dir = dir, filepath.Dir(dir) {
		out = append(out, dir)
	}
	return out
}

// blocker is a file that stands where a folder of path must be, and the letter of
// owner's that takes it away, if there is one: for a rename, whose file is at own, a
// deletion, so that no two renames wait for each other.
func (s *Snapshot) blocker(owner, path, own string) (*Document, *Change) {
	for _, dir := range above(path) {
		d := s.docs[dir]
		if dir == own || !d.readable() {
			continue
		}
		i := slices.IndexFunc(d.changes, func(c *Change) bool {
			return c.Owner == owner && c.Proposes() && c.from().path != "" && (c.makes() == "" || own == "")
		})
		if i < 0 {
			return d, nil
		}
		return d, d.changes[i]
	}
	return nil, nil
}
