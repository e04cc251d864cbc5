package editing

import (
	"maps"
	"slices"

	"github.com/galley-ls/galley/editing/text"
)

// Image gathers the records of a journal: the latest of each decides.
type Image struct {
	sessions map[int]*Session
	changes  map[int64]*Change // by order, which is unique in an agent session
	lists    map[string]ListRecord
}

// NewImage makes an empty image.
func NewImage() *Image {
	return &Image{sessions: map[int]*Session{}, changes: map[int64]*Change{}, lists: map[string]ListRecord{}}
}

// Add puts a later record over what is known.
func (im *Image) Add(r Record) {
	for _, s := range r.Sessions {
		im.sessions[s.N] = s
	}
	for _, c := range r.Changes {
		im.changes[c.Order] = c
	}
	for _, l := range r.Lists {
		im.lists[l.Path+"\x00"+l.List.Key] = l
	}
}

// Open returns the changes of editing sessions that are still open.
func (im *Image) Open() []*Change {
	var out []*Change
	for _, c := range im.changes {
		if s := im.sessions[c.Session]; s != nil && s.State.Open() && c.State != Merged && c.State != Closed {
			out = append(out, c)
		}
	}
	slices.SortFunc(out, func(a, b *Change) int { return int(a.Order - b.Order) })
	return out
}

// FilesOf are the documents that changes rest on: path → name.
func FilesOf(cs []*Change) map[string]string {
	out := map[string]string{}
	for _, c := range cs {
		out[c.Path] = c.Name
		c.others(out)
	}
	return out
}

// Files returns the documents that a restore needs the texts of: path → name.
func (im *Image) Files() map[string]string {
	out := FilesOf(im.Open())
	for _, l := range im.lists {
		if s := im.sessions[l.List.Session]; s != nil && s.State.Open() {
			out[l.Path] = l.Name
		}
	}
	return out
}

// Clashes returns the undecided letters of the image that the workspace already
// has, or that exceed its pool: then the image cannot be restored now.
func (im *Image) Clashes(s *Snapshot) []string {
	var clash []string
	n := 0
	for _, c := range im.Open() {
		if _, ok := s.Change(c.Letter); ok {
			clash = append(clash, c.Letter)
		}
		if c.State.Undecided() {
			n++
		}
	}
	if len(clash) == 0 && n > s.Free() {
		clash = append(clash, "all letters are in use")
	}
	return clash
}

// Restore brings an agent session's editing sessions, letters and lists back.
// Where a text is not the one that the offsets rest on, changes are found again
// by their own lines with their context, if unique; else they are in conflict.
// A text that is missing from texts is a file that is gone, or, of the opaque ones,
// holds no text. The record answered
// holds what the restore found out.
func (w *Workspace) Restore(owner string, im *Image, texts map[string]text.Text, opaque ...string) Record {
	return w.now(func(t *tx) Result {
		t.restoreSessions(owner, im)
		byPath := map[string][]*Change{}
		for _, c := range im.Open() {
			byPath[c.Path] = append(byPath[c.Path], c)
		}
		for path, name := range im.Files() {
			t.restoreDocument(path, name, byPath[path], texts)
			if slices.Contains(opaque, path) {
				t.doc(path).Opaque = true
			}
		}
		for _, key := range slices.Sorted(maps.Keys(im.lists)) {
			t.restoreList(im.lists[key])
		}
		return Result{}
	}).record()
}

func (t *tx) restoreSessions(owner string, im *Image) {
	t.st.sessions, t.st.next = maps.Clone(t.st.sessions), maps.Clone(t.st.next)
	for _, s := range im.sessions {
		c := s.clone()
		c.Closed = nil
		if c.State == Committing { // the process died in it: the text of each document decides
			c.State = c.Before
		}
		t.st.sessions[sessionKey{owner, s.N}] = c
		t.mine[sessionKey{owner, s.N}] = true
		t.st.next[owner] = max(t.st.next[owner], s.N)
	}
	for _, c := range im.changes {
		s := t.st.sessions[sessionKey{owner, c.Session}]
		if s != nil && (!s.State.Open() || c.State == Merged || c.State == Closed) {
			s.Closed = append(s.Closed, c)
		}
		t.st.Seq, t.st.order = max(t.st.Seq, c.Decided), max(t.st.order, c.Order)
	}
	for _, s := range t.st.sessions {
		slices.SortFunc(s.Closed, func(a, b *Change) int { return int(a.Order - b.Order) })
	}
	t.dirty = true
}

func (t *tx) restoreDocument(path, name string, cs []*Change, texts map[string]text.Text) {
	base, ok := texts[path]
	d := t.doc(path)
	if d == nil {
		d = t.add(&Document{Path: path, Name: name, Base: base, Missing: !ok})
	}
	cs = t.restoreFiles(d, cs)
	hash := d.Base.Hash().String()
	told, over, all := make([]*Stood, len(cs)), make([]*Stood, len(cs)), []*Stood(nil)
	for i, c := range cs {
		told[i], over[i] = c.told(), c.Over.checked()
		all = append(all, told[i], over[i])
	}
	stood := together(all, d.Base)
	var asked []*Change
	record := map[*Change]*Change{}
	for i, c := range cs {
		c = c.clone()
		record[c] = cs[i]
		d.changes = append(d.changes, c)
		c.Since = t.st.Seq // from here on it is known which revision people see
		t.note(c, c.State)
		if c.State == Applying { // nobody will answer for it any more, but its text may come, and is a decision's
			c.State, c.Took = Staged, true
		}
		if c.BaseHash != hash || c.Stood != nil || !c.stands(d.Base) {
			if c.last = stood[told[i]]; c.last == nil {
				c.last = c.remembered(d.Base)
			}
		}
		if c.BaseHash != hash { // else it is what its record says
			asked = append(asked, c)
		}
		c.over, c.Stood, c.Over = stood[over[i]], nil, nil
		for k := range c.Hunks {
			if h := &c.Hunks[k]; !h.Held {
				h.Place = nil
			}
		}
	}
	for _, c := range asked {
		c.regions(c.last.look(d.Base), d.Base.Len())
	}
	if d.Gone() { // nothing is decided by a text that is not there
		t.settle(d)
		return
	}
	for _, c := range asked {
		if c.last == nil {
			continue
		}
		f := c.last.look(d.Base)
		if f.evidence == neither {
			if g, ok := record[c].exact(d.Base); ok {
				f = g
			}
		}
		t.decide(d, c, f)
	}
	t.part(d)
}

// regions puts hunks of another text to their regions in one of n bytes, with the texts
// that they have.
func (c *Change) regions(f finding, n int) {
	for i := range c.Hunks {
		h, at := &c.Hunks[i], f.hunks[min(i, len(f.hunks)-1)]
		h.Start, h.End = min(at.Start, n), min(at.End, n)
		if i >= len(f.hunks) {
			h.Start = h.End
		}
	}
}

func (t *tx) restoreList(r ListRecord) {
	d := t.doc(r.Path)
	s, ok := t.st.Session(r.List.Owner, r.List.Session)
	if d == nil || !ok || !s.State.Open() {
		return
	}
	l := r.List.clone()
	p := d.Proposed(l.Owner)
	same := r.BaseHash == d.Base.Hash().String()
	for i := range l.Marks {
		m := &l.Marks[i]
		switch {
		case m.Used != "" || m.Gone:
		case same && m.End <= p.Len() && p.Slice(m.Start, m.End) == string(m.Text):
		case m.Place == nil:
			m.Gone = true
		default:
			at, ok := m.Place.locate(p)
			m.Gone = !ok
			if ok {
				m.Start, m.End = at+m.Place.Start, at+m.Place.End
			}
		}
		m.Place = nil
	}
	d.lists = append(d.lists, l)
}
