package editing

import (
	"maps"
	"slices"

	"github.com/galley-ls/galley/editing/text"
)

// tx is a state in the making: copies of what an operation changes.
type tx struct {
	from    *Snapshot
	st      Snapshot
	owned   map[string]bool     // documents already copied
	read    map[string]bool     // documents looked at
	mine    map[sessionKey]bool // sessions already copied
	dirty   bool
	changed map[string]bool // letters for the record
	closed  []*Change       // changes that left their document, for the record
	notes   []Transition
	fates   []fate
	moved   map[string]text.Edits // what became of each base, for the candidate lists
	typed   bool                  // nobody has decided: the text came
	looked  map[*standing]finding // while a document is reconciled
	flips   bool                  // while a decision takes letters in, or out
}

func begin(from *Snapshot) *tx {
	t := &tx{
		from: from, st: *from,
		owned: map[string]bool{}, read: map[string]bool{}, mine: map[sessionKey]bool{}, changed: map[string]bool{},
		moved: map[string]text.Edits{},
	}
	t.st.Seq++
	return t
}

// doc returns a document for writing.
func (t *tx) doc(path string) *Document {
	d := t.st.docs[path]
	if d == nil || t.owned[path] {
		return d
	}
	if len(t.owned) == 0 {
		t.st.docs = maps.Clone(t.st.docs)
	}
	d = d.clone()
	d.Rev++
	t.st.docs[path] = d
	t.owned[path] = true
	t.dirty = true
	return d
}

// see returns a document for reading.
func (t *tx) see(path string) *Document {
	t.read[path] = true
	return t.st.docs[path]
}

// add puts a new document into the state.
func (t *tx) add(d *Document) *Document {
	if len(t.owned) == 0 {
		t.st.docs = maps.Clone(t.st.docs)
	}
	t.st.docs[d.Path] = d
	t.owned[d.Path] = true
	t.dirty = true
	return d
}

// change returns a letter for writing.
func (t *tx) change(letter string) (*Document, *Change) {
	c, ok := t.st.Change(letter)
	if !ok {
		return nil, nil
	}
	d := t.doc(c.Path)
	for _, c := range d.changes {
		if c.Letter == letter {
			return d, c
		}
	}
	return nil, nil
}

// session returns an editing session for writing.
func (t *tx) session(owner string, n int) *Session {
	k := sessionKey{owner, n}
	s := t.st.sessions[k]
	if s == nil || t.mine[k] {
		return s
	}
	if len(t.mine) == 0 {
		t.st.sessions = maps.Clone(t.st.sessions)
	}
	s = s.clone()
	t.st.sessions[k] = s
	t.mine[k] = true
	t.dirty = true
	return s
}

// open returns the session that takes new changes of owner and task, made if needed.
func (t *tx) open(owner string, task int) *Session {
	if s, ok := t.st.Current(owner, task); ok {
		return t.session(owner, s.N)
	}
	t.st.next = maps.Clone(t.st.next)
	t.st.next[owner]++
	s := &Session{Owner: owner, N: t.st.next[owner], Task: task, State: Editing}
	if len(t.mine) == 0 {
		t.st.sessions = maps.Clone(t.st.sessions)
	}
	k := sessionKey{owner, s.N}
	t.st.sessions[k] = s
	t.mine[k] = true
	t.dirty = true
	return s
}

// move takes a change to another state and logs it. A move that the state table
// does not have is a bug of this package.
func (t *tx) move(c *Change, to ChangeState, verdict string) {
	if !c.State.CanBecome(to) {
		panic("editing: no way from " + string(c.State) + " to " + string(to))
	}
	from := c.State
	c.State, c.Verdict = to, verdict
	if to == Closed {
		c.Was = from
	}
	if to == Applied || to == Rejected || to == Merged || to == Closed {
		c.Decided = t.st.Seq
	}
	if to != Applied {
		c.By = ""
	}
	if to != Conflict {
		c.Clash = false
	}
	if to != Conflict && to != Staged {
		c.Late = false
	}
	if to == Applying || to == Rejected { // from now on the region is followed
		for i := range c.Hunks {
			c.Hunks[i].Start = c.Hunks[i].edit().Start
		}
	}
	t.note(c, from)
}

// note logs a transition of c and marks it for the record.
func (t *tx) note(c *Change, from ChangeState) {
	t.dirty = true
	t.changed[c.Letter] = true
	t.st.moves++
	t.notes = append(t.notes, Transition{
		Seq: t.st.Seq, Owner: c.Owner, Session: c.Session, Letter: c.Letter, Revision: c.Revision,
		Name: c.Name, Kind: c.Kind, From: from, To: c.State, By: c.By, Verdict: c.Verdict,
	})
}

// retire takes a change out of its document; it stays readable in its session.
func (t *tx) retire(d *Document, c *Change) {
	d.changes = slices.DeleteFunc(d.changes, func(x *Change) bool { return x == c })
	s := t.session(c.Owner, c.Session)
	if c.State != Merged { // its decision may be taken back later, when offsets say nothing any more
		c = c.described(d.Base)
		c.asItStood(d.Base)
	}
	s.Closed = append(s.Closed, c)
	t.closed = append(t.closed, c)
}

// close ends an editing session: its letters leave the documents, its lists die.
func (t *tx) close(s *Session, outcome SessionState) {
	s.State = outcome
	for _, c := range t.st.Of(s.Owner, s.N) {
		if c.State == Merged || c.State == Closed {
			continue
		}
		d, w := t.change(c.Letter)
		if w.State.Undecided() {
			t.move(w, Closed, w.Verdict)
		}
		t.retire(d, w)
	}
	for path, d := range t.st.docs {
		if slices.ContainsFunc(d.lists, func(l *list) bool { return l.belongs(s) }) {
			w := t.doc(path)
			w.lists = slices.DeleteFunc(w.lists, func(l *list) bool { return l.belongs(s) })
		}
	}
}

func (t *tx) touched() []string {
	for p := range t.owned {
		t.read[p] = true
	}
	return slices.Sorted(maps.Keys(t.read))
}

// done returns the finished state, nil if nothing changed. Documents that nothing
// rests on are not in it.
func (t *tx) done() *Snapshot {
	if !t.dirty {
		return nil
	}
	t.reconcileTree()
	for path := range t.owned {
		d := t.st.docs[path]
		for _, c := range d.changes {
			c.shape(d.Base)
		}
		if slices.ContainsFunc(d.changes, func(c *Change) bool { return c.Clash }) {
			t.part(d)
		}
	}
	t.found()
	t.again()
	t.moveLists()
	for path := range t.owned {
		t.st.docs[path].rank()
		t.st.docs[path].views = newViews()
	}
	st := t.st
	for _, path := range t.touched() {
		if d := st.docs[path]; d != nil && !d.rests() {
			delete(st.docs, path)
		}
	}
	return &st
}

// found lets changes stand where somebody has decided about them.
func (t *tx) found() {
	if t.typed {
		return
	}
	for path := range t.owned {
		d := t.st.docs[path]
		owners := map[string]bool{}
		for _, c := range d.changes {
			if t.changed[c.Letter] {
				owners[c.Owner] = true
			}
		}
		for _, c := range t.closed {
			owners[c.Owner] = true
		}
		if len(owners) > 0 {
			t.letStand(d, owners)
		}
	}
}

// letStand lets the letters of some owners stand in d as it is, and says of all of them what the text says
// with these there, until that is the same.
func (t *tx) letStand(d *Document, owners map[string]bool) {
	for anew := true; anew; {
		anew = d.founded(owners)
		t.reconcile(d)
	}
}

// based remembers edits of a base, for the candidate lists.
func (t *tx) based(path string, es text.Edits) {
	t.moved[path] = text.Compose(t.moved[path], es)
}
