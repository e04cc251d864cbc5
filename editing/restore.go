package editing

import (
	"maps"
	"slices"
	"strings"

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

// Files returns the documents that a restore needs the texts of: path → name.
func (im *Image) Files() map[string]string {
	out := map[string]string{}
	for _, c := range im.Open() {
		out[c.Path] = c.Name
		c.others(out)
	}
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
	var held []*Change
	for _, c := range cs {
		c = c.clone()
		if t.restoreFile(d, c) {
			continue
		}
		same := c.BaseHash == d.Base.Hash().String()
		found := c.find(d.Base, same)
		d.changes = append(d.changes, c)
		t.note(c, c.State) // from here on it is known which revision people see
		switch c.State {
		case Applying: // nobody will answer for it any more
			c.State = Staged
		case Conflict: // decided when all others have their places
			held = append(held, c)
			continue
		}
		t.restored(d, c, found)
	}
	for _, c := range held {
		c.hold(d.Base)
	}
}

// find moves the hunks of a restored change to their places in base.
func (c *Change) find(base text.Text, same bool) bool {
	found := true
	last := 0
	for i := range c.Hunks {
		h := &c.Hunks[i]
		switch {
		case same && h.End <= base.Len():
		case h.Held:
			if at, ok := h.Place.found(base); ok { // its old text is back
				*h = h.Place.hunk(at)
			} else {
				h.lay(base)
			}
		case !h.seek(base, c.State) || h.Start < last:
			found = false
			continue
		}
		if !h.Held {
			h.Place = nil
		}
		last = h.End
	}
	return found
}

// seek finds the hunk by its lines.
func (h *Hunk) seek(base text.Text, s ChangeState) bool {
	if h.Place == nil {
		return false
	}
	at, ok := h.Place.locate(base)
	if ok {
		h.Start, h.End = at+h.Place.Start, at+h.Place.End
	}
	return ok
}

// lay puts a hunk whose lines are not there between the lines that stood around
// them, as many of them as are still there; what stands between is the user's.
func (h *Hunk) lay(base text.Text) {
	s := base.String()
	from, to := -1, -1
	if p := h.Place; p != nil {
		from, to = p.behind(s), p.ahead(s)
	}
	switch {
	case from >= 0 && to >= from:
		h.Start, h.End = from, to
	case from >= 0:
		h.Start, h.End = from, from
	case to >= 0:
		h.Start, h.End = to, to
	default:
		h.Start = lineStart(base, min(h.Start, base.Len()))
		h.End = h.Start
	}
}

// behind is where the lines before the block end in s, -1 if that is not known.
func (p *Place) behind(s string) int {
	if p.Before == "" {
		return 0 // the block began the text
	}
	for lines := strings.SplitAfter(p.Before, "\n"); len(lines) > 0; lines = lines[1:] {
		want := strings.Join(lines, "")
		if strings.TrimSpace(want) == "" {
			break
		}
		if at := linesIn(s, want, 2); len(at) == 1 {
			return at[0] + len(want)
		}
	}
	return -1
}

// ahead is where the lines behind the block begin in s, at the line break before
// them; -1 if that is not known.
func (p *Place) ahead(s string) int {
	if strings.TrimSpace(p.After) == "" {
		return len(strings.TrimRight(s, "\r\n")) // the block ended the text
	}
	nl := "\n"
	if strings.HasPrefix(p.After, "\r\n") {
		nl = "\r\n"
	}
	for lines := strings.Split(strings.TrimPrefix(p.After, nl), "\n"); len(lines) > 0; lines = lines[:len(lines)-1] {
		want := strings.Join(lines, "\n")
		if strings.TrimSpace(want) == "" {
			break
		}
		if at := linesIn(s, want, 2); len(at) == 1 {
			if strings.HasPrefix(p.After, nl) {
				return max(0, at[0]-len(nl))
			}
			return at[0]
		}
	}
	return -1
}

// restored decides the state of a change that came back.
func (t *tx) restored(d *Document, c *Change, found bool) {
	switch {
	case found:
		if old, new := c.stands(d.Base); c.State == Applied && old && !new && !c.Settled {
			c.heal(d.Base)
			t.move(c, Staged, "")
		}
	case c.State == Applied && !c.Settled && c.backAt(d.Base, false):
		t.move(c, Staged, "")
	case c.State == Staged && c.backAt(d.Base, true):
		t.taken(c)
	case c.State == Staged:
		c.hold(d.Base)
		t.move(c, Conflict, "")
	default: // applied or rejected, and the text has gone on
		t.move(c, Closed, c.Verdict)
		t.retire(d, c)
	}
}

// backAt looks for the other side of a change that is not where it was: the
// agent's text of a staged one (applied), the old text of an applied one.
func (c *Change) backAt(base text.Text, agents bool) bool {
	hs := slices.Clone(c.Hunks)
	for i := range hs {
		h := &hs[i]
		if h.Place == nil {
			return false
		}
		p := *h.Place
		p.Block = p.Block[:p.Start] + p.New + p.Block[p.End:]
		p.gone = p.New == ""
		at, ok := p.locate(base)
		if !ok {
			return false
		}
		h.Start = at + p.Start
		h.End = h.Start + len(p.New)
		want := h.Old
		if agents {
			want = h.New
		}
		if base.Slice(h.Start, h.End) != want {
			return false
		}
		h.Place = nil
	}
	c.Hunks = hs
	return true
}

// hold makes conflicts of the hunks that have no place in the text.
func (c *Change) hold(base text.Text) {
	for i := range c.Hunks {
		h := &c.Hunks[i]
		if h.Held || h.Place == nil {
			continue
		}
		p := *h.Place
		h.lay(base)
		h.Old = p.Block
		h.New = p.Block[:p.Start] + p.New + p.Block[p.End:]
		h.Held = true
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
