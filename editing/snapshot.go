package editing

import (
	"cmp"
	"maps"
	"slices"
	"sync"

	"github.com/galley-ls/galley/editing/text"
)

// Document is one file as galley sees it.
type Document struct {
	Path    string // absolute, resolved
	Name    string // as shown to people
	Base    text.Text
	Version int32 // the editor's version while open
	Keeper  Keeper
	Beside  []Keeper // editors that have it open too; their texts count for nothing
	Heirs   []Keeper // who is yet to say whether its text is that of a keeper who has gone, Disk last
	Doubt   string   // why the keeper's text may be another; "": it is this one
	Missing bool     // there is no such file, or no text in it; Base is then empty, unless an editor has it open
	Opaque  bool     // and yet something is there, which is no text
	Rev     int64    // rises with every change of the base or of its changes

	watched bool      // a change in another document rests on whether the file is there
	changes []*Change // of open editing sessions, every state but merged and closed
	lists   []*list
	views   *views
}

// NewDocument is a closed file as it was just read. The table does not know it;
// see Workspace.Plan.
func NewDocument(path, name string, t text.Text) *Document {
	return &Document{Path: path, Name: name, Base: t, views: newViews()}
}

// rests reports whether the table must know the document: an editor has it open,
// or letters, of this or of whole files elsewhere, or candidates rest on it.
func (d *Document) rests() bool {
	return d.Open() || len(d.Beside) > 0 || d.watched || len(d.changes) > 0 || len(d.lists) > 0
}

// views caches what is worked out of one immutable Document value: proposed texts
// by owner, and what readers keep. A document that is still being changed has none.
type views struct {
	mu   sync.Mutex // guards what follows
	text map[string]text.Text
	kept map[any]any
}

func newViews() *views { return &views{text: map[string]text.Text{}, kept: map[any]any{}} }

// Keep returns what work makes of the document, which is worked out once for each
// key: a publisher asks several times for each change.
func (d *Document) Keep(key any, work func() any) any {
	if d.views == nil { // still in the making
		return work()
	}
	d.views.mu.Lock()
	kept, ok := d.views.kept[key]
	d.views.mu.Unlock()
	if ok {
		return kept
	}
	kept = work()
	d.views.mu.Lock()
	defer d.views.mu.Unlock()
	d.views.kept[key] = kept
	return kept
}

func (d *Document) clone() *Document {
	e := *d
	e.changes = make([]*Change, len(d.changes))
	cs := make([]Change, len(d.changes)) // all at once: a keystroke pays for it
	for i, c := range d.changes {
		cs[i] = *c
		cs[i].Hunks = slices.Clone(c.Hunks)
		e.changes[i] = &cs[i]
	}
	e.lists = make([]*list, len(d.lists))
	for i, l := range d.lists {
		e.lists[i] = l.clone()
	}
	e.views = nil
	return &e
}

// Changes returns the document's changes in the order of the text.
func (d *Document) Changes() []*Change {
	cs := slices.Clone(d.changes)
	slices.SortStableFunc(cs, func(a, b *Change) int { return cmp.Compare(a.Start(), b.Start()) })
	return cs
}

// Find returns the document's own value of a change, which another snapshot may
// have given, if it still has its place here.
func (d *Document) Find(c *Change) (*Change, bool) {
	for _, o := range d.changes {
		if o == c || o.Letter == c.Letter && o.Order == c.Order {
			return o, true
		}
	}
	return nil, false
}

// Piece is one edit of the base that a change proposes.
type Piece struct {
	Change *Change
	Edit   text.Edit
}

// Pieces lists the edits of owner's proposed changes on the base, in order.
func (d *Document) Pieces(owner string) []Piece {
	var out []Piece
	for _, p := range pieces(d.proposals(owner)) {
		out = append(out, Piece{p.c, p.e})
	}
	return out
}

// Staged returns owner's proposed changes as edits of the base.
func (d *Document) Staged(owner string) text.Edits { return flipEdits(d.proposals(owner)) }

// proposals are the changes that make owner's proposed text. Should some of them not
// fit beside each other, which is a fault of this package, the later ones are left
// out: a text without a letter is better than none.
func (d *Document) proposals(owner string) []*Change {
	var set []*Change
	for _, c := range d.changes {
		if c.Owner == owner && c.Proposes() {
			set = append(set, c)
		}
	}
	if flipEdits(set).Validate(d.Base.Len()) == nil {
		return set
	}
	var fit []*Change
	for _, c := range set {
		if more := append(slices.Clip(fit), c); flipEdits(more).Validate(d.Base.Len()) == nil {
			fit = more
		}
	}
	return fit
}

// rank numbers the hunks in the order of the text; where they stand at one point
// they keep the order they had.
func (d *Document) rank() {
	for i, p := range pieces(d.changes) {
		p.c.Hunks[p.i].Rank = i + 1
	}
}

func joinPoints(es text.Edits) text.Edits { return es.JoinPoints() }

// Proposed returns the base with owner's own staged changes applied.
func (d *Document) Proposed(owner string) text.Text {
	if d.views == nil { // still in the making
		es := d.Staged(owner)
		return mustApply(d.Base, es)
	}
	d.views.mu.Lock()
	defer d.views.mu.Unlock()
	if t, ok := d.views.text[owner]; ok {
		return t
	}
	es := d.Staged(owner)
	t := mustApply(d.Base, es)
	d.views.text[owner] = t
	return t
}

// mustApply is for edits that this package keeps valid itself.
func mustApply(t text.Text, es text.Edits) text.Text { return t.MustApply(es) }

// ToBase moves an offset of owner's proposed text to the base.
func (d *Document) ToBase(owner string, offset int, after bool) int {
	es := d.Staged(owner)
	return es.Invert(d.Base).Map(offset, after)
}

// ToProposed moves an offset of the base to owner's proposed text.
func (d *Document) ToProposed(owner string, offset int, after bool) int {
	es := d.Staged(owner)
	return es.Map(offset, after)
}

// Snapshot is the whole state at one sequence number. It never changes.
type Snapshot struct {
	Seq      int64
	docs     map[string]*Document
	sessions map[sessionKey]*Session
	next     map[string]int // last editing session number by owner
	order    int64          // of the change staged last
	moves    int64          // transitions so far
	limit    int            // undecided letters at most
}

// Transition is one move of one change, for whoever must not miss any.
type Transition struct {
	Seq      int64       `json:"seq"`
	Owner    string      `json:"owner"`
	Session  int         `json:"edit"`
	Letter   string      `json:"change"`
	Revision int         `json:"revision"`
	Name     string      `json:"name"`
	Kind     Kind        `json:"-"`
	From     ChangeState `json:"from,omitempty"` // empty: new; as To: amended, or read back by a restore
	To       ChangeState `json:"to"`
	By       string      `json:"by,omitempty"`
	Verdict  string      `json:"verdict,omitempty"`
}

// with is the snapshot with closed files that it does not know.
func (s *Snapshot) with(read []*Document) *Snapshot {
	if len(read) == 0 {
		return s
	}
	t := *s
	t.docs = maps.Clone(s.docs)
	for _, d := range read {
		if t.docs[d.Path] == nil {
			t.docs[d.Path] = NewDocument(d.Path, d.Name, d.Base)
		}
	}
	return &t
}

// Document returns the document at path, if an editor has it open or letters or
// candidates rest on it.
func (s *Snapshot) Document(path string) (*Document, bool) {
	d, ok := s.docs[path]
	return d, ok
}

// Documents returns all documents, by name.
func (s *Snapshot) Documents() []*Document {
	ds := slices.Collect(maps.Values(s.docs))
	slices.SortFunc(ds, func(a, b *Document) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Path, b.Path))
	})
	return ds
}

// Changes returns every change of open editing sessions, by letter.
func (s *Snapshot) Changes() []*Change {
	var cs []*Change
	for _, d := range s.docs {
		cs = append(cs, d.changes...)
	}
	slices.SortFunc(cs, func(a, b *Change) int {
		return cmp.Or(cmp.Compare(a.Letter, b.Letter), cmp.Compare(a.Order, b.Order))
	})
	return cs
}

// Change finds a letter among the changes of open editing sessions.
func (s *Snapshot) Change(letter string) (*Change, bool) {
	for _, d := range s.docs {
		for _, c := range d.changes {
			if c.Letter == letter {
				return c, true
			}
		}
	}
	return nil, false
}

// Of returns the changes of one editing session, open or closed, by letter.
func (s *Snapshot) Of(owner string, n int) []*Change {
	var cs []*Change
	for _, c := range s.Changes() {
		if c.Owner == owner && c.Session == n {
			cs = append(cs, c)
		}
	}
	if ses, ok := s.sessions[sessionKey{owner, n}]; ok {
		cs = append(cs, ses.Closed...)
	}
	return cs
}

// Undecided returns the letters of an editing session that still wait.
func (s *Snapshot) Undecided(owner string, n int) []*Change {
	return slices.DeleteFunc(s.Of(owner, n), func(c *Change) bool { return !c.State.Undecided() })
}

// Session returns an editing session.
func (s *Snapshot) Session(owner string, n int) (*Session, bool) {
	ses, ok := s.sessions[sessionKey{owner, n}]
	return ses, ok
}

// Committing reports whether an editing session is being committed.
func (s *Snapshot) Committing(owner string, n int) bool {
	ses, ok := s.Session(owner, n)
	return ok && ses.State == Committing
}

// Sessions returns owner's editing sessions, oldest first. An empty owner means all.
func (s *Snapshot) Sessions(owner string) []*Session {
	var out []*Session
	for _, ses := range s.sessions {
		if owner == "" || ses.Owner == owner {
			out = append(out, ses)
		}
	}
	slices.SortFunc(out, func(a, b *Session) int { return cmp.Or(cmp.Compare(a.Owner, b.Owner), cmp.Compare(a.N, b.N)) })
	return out
}

// Current returns the session of owner and task that takes new changes.
func (s *Snapshot) Current(owner string, task int) (*Session, bool) {
	for _, ses := range s.Sessions(owner) {
		if ses.State == Editing && ses.Task == task {
			return ses, true
		}
	}
	return nil, false
}

// Ranges are the places of a change in owner's proposed text, as byte ranges.
// Of a change that is not part of that text they are the places of its base.
func (d *Document) Ranges(owner string, c *Change) [][2]int {
	var out [][2]int
	if c.Owner == owner && c.Proposes() {
		for _, s := range d.spans(owner) {
			if s.c.Letter == c.Letter {
				out = append(out, [2]int{s.start, s.end})
			}
		}
		return out
	}
	for _, h := range c.Hunks {
		out = append(out, [2]int{d.ToProposed(owner, h.Start, false), d.ToProposed(owner, h.End, true)})
	}
	return out
}
