package editing

import (
	"maps"
	"slices"

	"github.com/galley-ls/galley/editing/text"
)

// Target is a closed file that an accepted plan expects with new bytes.
type Target struct {
	Path, Name    string
	Before, After text.Text
}

// DocumentEdit is what an editor is asked to do to a document it has open.
type DocumentEdit struct {
	Path    string
	Version int32
	Edits   text.Edits
}

// Apply takes changes into their documents. Closed files become Targets of the
// plan, to be written before it is accepted; open documents get their changes
// marked as applying, and their text decides later (see Workspace.Applying).
func Apply(choices []Choice) Op {
	return func(t *tx) Result {
		cs, r := t.chosen(choices, "applied", Staged)
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

// TakeAgents ends conflicts with the agent's text, over the user's.
func TakeAgents(choices []Choice) Op {
	return func(t *tx) Result {
		cs, r := t.chosen(choices, "taken over the user's text", Conflict)
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

// fitting refuses changes whose edits do not fit their text, each by itself.
func (t *tx) fitting(cs []*Change) *Result {
	for _, c := range cs {
		if err := toggleEdits([]*Change{c}).Validate(t.st.docs[c.Path].Base.Len()); err != nil {
			r := refuse("state", "change %s does not fit the text of %s any more (%v); reject it, or ask the agent again", c.Letter, c.Name, err)
			return &r
		}
	}
	return nil
}

func (t *tx) apply(cs []*Change) {
	byPath := map[string][]*Change{}
	for _, c := range cs {
		d, w := t.change(c.Letter)
		byPath[d.Path] = append(byPath[d.Path], w)
	}
	for _, path := range slices.Sorted(maps.Keys(byPath)) {
		d, set := t.doc(path), byPath[path]
		if d.Open {
			t.applyOpen(d, set)
			continue
		}
		t.applyClosed(d, set)
	}
}

// applyOpen marks the set as applying: the document's text will decide. Changes
// that leave the text as it is are decided now, since no text would come.
func (t *tx) applyOpen(d *Document, set []*Change) {
	for _, c := range set {
		t.move(c, Applying, c.Verdict)
		one := []*Change{c}
		if edits := toggleEdits(one); mustApply(d.Base, edits).Equal(d.Base) {
			t.toggle(d, one, edits)
		}
	}
}

// applyClosed takes the set into the text of a closed file.
func (t *tx) applyClosed(d *Document, set []*Change) {
	before := d.Base
	for _, c := range set {
		c.Took = true
	}
	edits := toggleEdits(set)
	if edits.Validate(d.Base.Len()) != nil { // two conflicts over one place: one after the other
		for _, c := range set {
			one := []*Change{c}
			t.based(d.Path, toggleEdits(one))
			t.toggle(d, one, toggleEdits(one))
		}
	} else {
		t.based(d.Path, edits)
		t.toggle(d, set, edits)
	}
	t.target(d, before)
}

// target notes that a closed file gets a new text.
func (t *tx) target(d *Document, before text.Text) {
	i := slices.IndexFunc(t.targets, func(g Target) bool { return g.Path == d.Path })
	if i < 0 {
		t.targets = append(t.targets, Target{Path: d.Path, Name: d.Name, Before: before, After: d.Base})
		return
	}
	t.targets[i].After = d.Base
}

// Applying returns the edits that bring every applying change of the open
// documents in, one entry a document, with the version they rest on.
func (s *Snapshot) Applying(letters ...string) []DocumentEdit {
	var out []DocumentEdit
	for _, d := range s.Documents() {
		var set []*Change
		for _, c := range d.changes {
			if c.State != Applying || len(letters) > 0 && !slices.Contains(letters, c.Letter) {
				continue
			}
			if c.reads(d.Base) || c.held() { // else the user has typed there meanwhile: nothing goes over it
				set = append(set, c)
			}
		}
		if len(set) > 0 {
			out = append(out, DocumentEdit{Path: d.Path, Version: d.Version, Edits: toggleEdits(set)})
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
