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
	kept     map[string]string // path → name of what is kept of where changes stood
	stood    map[string][]byte
}

// NewImage makes an empty image.
func NewImage() *Image {
	return &Image{sessions: map[int]*Session{}, changes: map[int64]*Change{}, lists: map[string]ListRecord{}, kept: map[string]string{}, stood: map[string][]byte{}}
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
	for _, k := range r.Kept {
		im.kept[k.Path] = k.Name
	}
	for _, s := range r.Stood {
		im.stood[s.Path], _ = s.Encode() // it is kept by nobody: not read back, but taken as it is
	}
}

// Recall reads what is kept of where changes stood. What cannot be read is not known.
func (im *Image) Recall(read func(name string) ([]byte, error)) {
	for path, name := range im.kept {
		if data, err := read(name); err == nil {
			im.stood[path] = data
		}
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
			t.restoreDocument(path, name, byPath[path], texts, im)
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

func (t *tx) restoreDocument(path, name string, cs []*Change, texts map[string]text.Text, im *Image) {
	base, ok := texts[path]
	d := t.doc(path)
	if d == nil {
		d = t.add(&Document{Path: path, Name: name, Base: base, Missing: !ok})
	}
	cs = t.restoreFiles(d, cs)
	last, over, _ := standings(im.stood[path], d.Base) // of what is not kept, or damaged, the records tell
	on := newGround(d.Base)
	var asked []*Change
	for _, c := range cs {
		c = c.clone()
		d.changes = append(d.changes, c)
		c.Since = t.st.Seq // from here on it is known which revision people see
		t.note(c, c.State)
		if c.State == Applying { // nobody will answer for it any more, but its text may come, and is a decision's
			c.State, c.Took, c.Late = Staged, true, true
			asked = append(asked, c)
		}
		c.recall(last[c.Order], on)
		c.over = over[c.Order]
	}
	t.looked = map[*standing]finding{}
	defer func() { t.looked = nil }()
	for c := range d.lineChanges() { // those of whole files when all files are known
		t.decide(d, c, c.effect().look(t, d, c))
	}
	t.part(d)
	for _, c := range asked {
		c.Late = false
	}
}

// recorded is where a change stood as its record tells.
func (c *Change) recorded(base text.Text, on *ground) *standing {
	if hs := c.located(base, false); hs != nil {
		return newStanding(on, hs, c.State == Applied)
	}
	if hs := c.located(base, true); hs != nil && slices.ContainsFunc(c.Hunks, func(h Hunk) bool { return h.Place.Head || h.Place.Tail }) {
		return turnedBack(base, hs, c.State == Applied) // a part of a line is aligned with none
	}
	return c.remembered(base)
}

// turnedBack is where hunks stood that base has the other side of.
func turnedBack(base text.Text, hs []Hunk, applied bool) *standing {
	var es text.Edits
	shift := 0
	for i, h := range hs {
		is, _ := h.sides(applied)
		es = append(es, text.Edit{Start: h.Start, End: h.End, New: is})
		hs[i].Start, hs[i].End = h.Start+shift, h.Start+shift+len(is)
		shift += len(is) - (h.End - h.Start)
	}
	g := newGround(base.MustApply(es))
	g.edits = text.Runs(g.text.String(), base.String())
	return newStanding(g, hs, applied)
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
			from, to, ok := m.Place.locate(p)
			m.Gone = !ok
			if ok {
				m.Start, m.End = from, to
			}
		}
		m.Place = nil
	}
	d.lists = append(d.lists, l)
}
