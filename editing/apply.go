package editing

import (
	"cmp"
	"maps"
	"slices"

	"github.com/galley-ls/galley/editing/text"
)

// Target is what an accepted plan expects of a file on the disk.
type Target struct {
	Action        Action // "" is ActReplace
	Path, Name    string
	To, ToName    string    // of ActRename
	Before, After text.Text // Before: all but ActCreate; After: all but ActDelete. A rename may change the text, too
	Folders       []string  // of ActDelete: made for the file when it was created; to go where they are empty
}

// DocumentEdit is what an editor is asked to do to a document it has open.
type DocumentEdit struct {
	Path    string
	Keeper  Keeper
	Version int32
	Edits   text.Edits
	Rename  string // and then the file gets this path
}

// Apply takes changes into their documents. Closed files become Targets of the
// plan, to be written before it is accepted; open documents get their changes
// marked as applying, and their text decides later (see Workspace.Applying).
func Apply(choices []Choice) Op { return takeIn(choices, "applied", Staged) }

// TakeAgents ends conflicts with the agent's text, over the user's.
func TakeAgents(choices []Choice) Op {
	return takeIn(choices, "taken over the user's text", Conflict)
}

func takeIn(choices []Choice, verb string, from ChangeState) Op {
	return func(t *tx) Result {
		cs, r := t.chosen(choices, verb, from)
		if r == nil {
			r = t.fitting(cs)
		}
		if r != nil {
			return *r
		}
		t.apply(cs)
		return touchedBy(cs)
	}
}

// fitting refuses changes that cannot be taken in, each by itself.
func (t *tx) fitting(cs []*Change) *Result {
	for _, c := range cs {
		if r := c.effect().unfit(t, t.st.docs[c.Path], c, cs); r != nil {
			return r
		}
	}
	return nil
}

// apply takes changes in: those of lines, file by file, then what frees a name, as it
// may make room, then what else becomes of files.
func (t *tx) apply(cs []*Change) {
	type place struct {
		step int
		path string
	}
	sets := map[place][]*Change{}
	for _, c := range cs {
		d, w := t.change(c.Letter)
		if w.State == Conflict {
			w.overwrite(d)
		}
		at := place{w.step(), d.Path}
		sets[at] = append(sets[at], w)
	}
	inOrder := func(a, b place) int { return cmp.Or(a.step-b.step, cmp.Compare(a.path, b.path)) }
	for _, at := range slices.SortedFunc(maps.Keys(sets), inOrder) {
		set := sets[at]
		if d := t.doc(set[0].Path); d.keeps(set[0]) {
			t.applyOpen(d, set)
		} else {
			set[0].effect().do(t, d, set)
		}
	}
}

// applyOpen marks the set as applying: the document's text will decide. Changes that leave
// the text as it is, by themselves or all together, are decided now, since no text would come.
func (t *tx) applyOpen(d *Document, set []*Change) {
	d.founded(ownersOf(set)) // as flip does, before others wait behind the set
	for _, c := range set {
		t.move(c, Applying, c.Verdict)
		t.applyIdle(d, []*Change{c})
	}
	t.applyIdle(d, slices.DeleteFunc(slices.Clone(set), func(c *Change) bool { return c.State != Applying }))
}

func (t *tx) applyIdle(d *Document, set []*Change) {
	edits := flipEdits(set)
	if len(edits) > 0 && edits.Validate(d.Base.Len()) == nil && mustApply(d.Base, edits).Equal(d.Base) {
		t.flip(d, set, edits)
	}
}

// Applying returns the edits that bring every applying change of the open
// documents in, one entry a document, with the version they rest on.
func (s *Snapshot) Applying(letters ...string) []DocumentEdit {
	return s.documentEdits(func(d *Document) (set []*Change) {
		for _, c := range d.changes {
			wanted := c.State == Applying && (len(letters) == 0 || slices.Contains(letters, c.Letter))
			// else the user has typed there meanwhile: nothing goes over it
			free := c.held() || c.reads(d.Base) && (c.Kind != KindCreate || d.Base.Len() == 0)
			if wanted && free {
				set = append(set, c)
			}
		}
		return set
	})
}

// documentEdits bring in what is not applied of the changes picked, and take out what is, one
// entry a document.
func (s *Snapshot) documentEdits(pick func(*Document) []*Change) []DocumentEdit {
	var out []DocumentEdit
	for _, d := range s.Documents() {
		set := pick(d)
		e := DocumentEdit{Path: d.Path, Keeper: d.Keeper, Version: d.Version, Edits: flipEdits(set)}
		for _, c := range set {
			switch {
			case c.Kind != KindRename:
			case c.State == Applied:
				e.Rename = c.File.From
			default:
				e.Rename = c.File.To
			}
		}
		if len(set) > 0 && e.Edits.Validate(d.Base.Len()) == nil {
			out = append(out, e)
		}
	}
	return out
}

// Expire decides changes that the editor refused, or whose text did not come in
// time, by what the text says now: staged, applied, or conflict.
func Expire(letters []string) Op {
	return func(t *tx) Result {
		var r Result
		for _, l := range letters {
			c, ok := t.st.Change(l)
			if !ok || c.State != Applying {
				continue
			}
			d, w := t.change(l)
			t.bringBack(d, w)
			w.Late = w.State == Staged
			r.Touched = append(r.Touched, l)
		}
		r.Status = StatusOK
		return r
	}
}
