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
	for i, c := range cs {
		c = c.clone()
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
	if d.gone() { // nothing is decided by a text that is not there
		t.strandAll(d)
		return
	}
	for _, c := range asked {
		if c.last != nil {
			t.decide(d, c, c.last.look(d.Base))
		}
	}
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

// Stood is what a record tells of the text in which a change last stood: its hunks
// there, with the lines that they rest on.
type Stood struct {
	Hash    string `json:"hash"`
	Applied bool   `json:"applied,omitempty"`
	Hunks   []Hunk `json:"hunks"`
	alone   bool   // nothing of it is taken in, or out, with others
}

// record is what a journal keeps of a standing.
func (st *standing) record() *Stood {
	if st == nil {
		return nil
	}
	out := &Stood{Hash: st.text.Hash().String(), Applied: st.applied, Hunks: slices.Clone(st.hunks)}
	for i := range out.Hunks {
		h := &out.Hunks[i]
		p := placeOf(st.text, *h)
		if st.applied {
			p = placeAt(st.text, h.Start, h.End, h.Old)
		}
		h.Place = &p
	}
	return out
}

// told is where the record of a change says that it stood last.
func (c *Change) told() *Stood {
	st := &Stood{Hash: c.BaseHash, Applied: c.State == Applied, Hunks: c.Hunks}
	if c.Stood != nil {
		st = c.Stood
	}
	st.alone = c.State == Rejected
	return st.checked()
}

// checked is nil where the hunks do not stand as their places tell.
func (st *Stood) checked() *Stood {
	if st == nil || len(st.Hunks) == 0 {
		return nil
	}
	for _, h := range st.Hunks {
		p := h.Place
		if p == nil || h.Held || h.Old != "" && h.End-h.Start != p.End-p.Start {
			return nil
		}
		if is, _ := h.sides(st.Applied); p.is() != is {
			return nil
		}
	}
	return st
}

// together makes standings of what records tell. Those that stood in one text are
// put into it side by side: the offsets say where each line was.
func together(all []*Stood, base text.Text) map[*Stood]*standing {
	byText := map[string][]*Stood{}
	for _, st := range all {
		if st != nil {
			byText[st.Hash] = append(byText[st.Hash], st)
		}
	}
	out := map[*Stood]*standing{}
	for _, set := range byText {
		sheet, moved := sheetOf(set)
		if len(sheet) == 0 {
			continue
		}
		t := text.New(string(sheet))
		since := &course{edits: wholeEdit(t, base.String())}
		for _, s := range set {
			st := &standing{text: t, applied: s.Applied, since: since}
			for _, h := range s.Hunks {
				n := moved(h.Start)
				h.Start, h.End, h.Place = h.Start+n, h.End+n, nil
				st.hunks = append(st.hunks, h)
			}
			out[s] = st
		}
		for _, s := range set {
			for _, o := range set {
				if o != s && !o.alone && !overlap(s.Hunks, o.Hunks) {
					out[s].peers = append(out[s].peers, peer{out[o].hunks, o.Applied})
				}
			}
		}
	}
	return out
}

// sheetOf is what records tell of one text, with a line that says so where it is
// not known, and how far an offset moves into it. It is empty where they contradict
// each other.
func sheetOf(set []*Stood) (sheet []byte, moved func(int) int) {
	type part struct {
		at   int
		text string
		ends bool
	}
	var parts []part
	for _, s := range set {
		for _, h := range s.Hunks {
			p, at := h.Place, h.edit().Start
			if s.Applied {
				at = h.Start
			}
			parts = append(parts, part{at - p.Start - len(p.Before), p.Before + p.Block + p.After, !p.bounded()})
		}
	}
	slices.SortFunc(parts, func(a, b part) int { return a.at - b.at })
	type shift struct{ from, by int }
	var shifts []shift
	end, ends := 0, false
	for i, p := range parts {
		known := end - p.at
		if known < 0 || i == 0 && p.at > 0 {
			sheet, known = append(lineEnded(sheet), unknown...), 0
		}
		if i == 0 || known == 0 {
			shifts = append(shifts, shift{p.at, len(sheet) - p.at})
		}
		if n := min(known, len(p.text)); string(sheet[len(sheet)-known:][:n]) != p.text[:n] {
			return nil, nil
		}
		if known < len(p.text) {
			sheet, end, ends = append(sheet, p.text[known:]...), p.at+len(p.text), false
		}
		ends = ends || p.ends
	}
	if !ends {
		sheet = append(lineEnded(sheet), unknown...)
	}
	return sheet, func(at int) int {
		by := 0
		for _, s := range shifts {
			if s.from <= at {
				by = s.by
			}
		}
		return by
	}
}

// lineEnded ends the last line, if there is one.
func lineEnded(s []byte) []byte {
	if len(s) == 0 || s[len(s)-1] == '\n' {
		return s
	}
	return append(s, '\n')
}

// unknown stands for lines of which a record tells nothing.
const unknown = "\x00 lines that are not known\n"

// remembered is the text in which a change stood as far as its record tells: its
// lines with those around them. What was between is not known.
func (c *Change) remembered(base text.Text) *standing {
	st, ok := c.fragments(true)
	if !ok {
		st, _ = c.fragments(false)
	}
	st.since = &course{edits: wholeEdit(st.text, base.String())}
	return st
}

// fragments puts the places of the hunks together, one over the other where they
// share lines. ok is false if the hunks do not come out in order.
func (c *Change) fragments(shared bool) (st *standing, ok bool) {
	st = &standing{applied: c.State == Applied}
	s := ""
	for _, h := range c.Hunks {
		p := h.Place
		if p == nil {
			p = &Place{Block: h.Old, End: len(h.Old), New: h.New}
		}
		part, n := p.Before+p.Block+p.After, 0
		if s == "" && p.Before != "" {
			s = unknown
		}
		if shared {
			for n = min(len(s), len(part)); n > 0 && !(strings.HasSuffix(s, part[:n]) && (n == len(s) || s[len(s)-n-1] == '\n')); n-- {
			}
		}
		if n == 0 && s != "" {
			s = strings.TrimSuffix(s, "\n") + "\n" + unknown
		}
		at := len(s) - n + len(p.Before)
		s += part[n:]
		if h.Held {
			h = p.hunk(at)
		}
		h.Start, h.End, h.Place = at+p.Start, at+p.End, nil
		st.hunks = append(st.hunks, h)
	}
	if n := len(c.Hunks); n > 0 && c.Hunks[n-1].Place.bounded() {
		s = strings.TrimSuffix(s, "\n") + "\n" + unknown
	}
	st.text = text.New(s)
	for i, h := range st.hunks {
		is, _ := h.sides(st.applied)
		ok = (i == 0 || ok && st.hunks[i-1].End <= h.Start) && (h.Old == "" || st.text.Slice(h.Start, h.End) == is)
		if !ok {
			break
		}
	}
	return st, ok
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
