package editing

import (
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing/text"
)

// Record is what a journal keeps of one operation: the sessions, changes and
// lists that it changed, as they are after it. The latest of each decides.
type Record struct {
	Sessions []*Session   `json:"sessions,omitempty"`
	Changes  []*Change    `json:"changes,omitempty"`
	Lists    []ListRecord `json:"lists,omitempty"`
	Kept     []KeptStood  `json:"kept,omitempty"` // where Stood is, once somebody has kept it
	Stood    []*Stood     `json:"-"`              // where changes stood, if they do so elsewhere now
}

// ListRecord is a list of candidates of one document.
type ListRecord struct {
	Path     string `json:"path"`
	Name     string `json:"name"`
	BaseHash string `json:"base_hash"`
	List     *list  `json:"list"`
}

// Of is the part of a record that belongs to one agent session.
func (r Record) Of(owner string) Record {
	var out Record
	for _, s := range r.Sessions {
		if s.Owner == owner {
			out.Sessions = append(out.Sessions, s)
		}
	}
	for _, c := range r.Changes {
		if c.Owner == owner {
			out.Changes = append(out.Changes, c)
		}
	}
	for _, l := range r.Lists {
		if l.List.Owner == owner {
			out.Lists = append(out.Lists, l)
		}
	}
	for _, s := range r.Stood {
		if s.owner == owner {
			out.Stood = append(out.Stood, s)
		}
	}
	return out
}

// Move has files of a workspace that was in other folders before where it is now.
func (r *Record) Move(was []string, now string) {
	if len(was) == 0 {
		return
	}
	move := func(path *string) {
		for _, dir := range was {
			if below, is := strings.CutPrefix(*path, dir+string(filepath.Separator)); is {
				*path = filepath.Join(now, below)
				return
			}
		}
	}
	for _, c := range r.Changes {
		move(&c.Path)
		if c.File == nil {
			continue
		}
		for _, path := range []*string{&c.File.From, &c.File.To} {
			move(path)
		}
		for i := range c.File.Made {
			move(&c.File.Made[i])
		}
	}
	for i, l := range r.Lists {
		move(&r.Lists[i].Path)
		if l.List != nil && l.List.Request != nil {
			move(&l.List.Request.Path)
		}
	}
	for i := range r.Kept {
		move(&r.Kept[i].Path)
	}
}

// Empty reports whether there is nothing to keep.
func (r Record) Empty() bool { return len(r.Sessions)+len(r.Changes)+len(r.Lists) == 0 }

// record makes the record of what the transaction has done. Where a base moved,
// all changes on it are recorded, so that a restart finds them by their offsets.
func (t *tx) record() Record {
	var r Record
	for k := range t.mine {
		r.Sessions = append(r.Sessions, t.st.sessions[k])
	}
	slices.SortFunc(r.Sessions, func(a, b *Session) int { return a.N - b.N })
	for _, path := range slices.Sorted(maps.Keys(t.owned)) {
		d, old := t.st.docs[path], t.from.docs[path]
		if d == nil { // nothing rests on it any more
			d = &Document{Path: path}
		}
		rebased := old != nil && !old.Base.Equal(d.Base)
		for _, c := range d.changes {
			if rebased || t.changed[c.Letter] || old.marks(c) {
				r.Changes = append(r.Changes, c.described(d.Base))
			}
		}
		r.Lists = append(r.Lists, d.listRecords(old)...)
		r.Stood = append(r.Stood, d.moved(old)...)
	}
	r.Changes = append(r.Changes, t.closed...)
	return r
}

// Record describes letters as they stand, for a journal that catches up with what
// the texts decided.
func (s *Snapshot) Record(letters ...string) Record {
	var r Record
	for _, d := range s.Documents() {
		n := len(r.Changes)
		for _, c := range d.changes {
			if slices.Contains(letters, c.Letter) {
				r.Changes = append(r.Changes, c.described(d.Base))
			}
		}
		if len(r.Changes) > n {
			r.Stood = append(r.Stood, d.moved(nil)...)
		}
	}
	return r
}

// marks reports whether d has a change that is not marked as it is in c.
func (d *Document) marks(c *Change) bool {
	return d != nil && slices.ContainsFunc(d.changes, func(o *Change) bool {
		return o.Order == c.Order && (o.Covered != c.Covered || o.Yields != c.Yields || o.Clash != c.Clash)
	})
}

// decidedByText is the record of a keystroke: empty unless a letter moved to
// another state, since describing what merely shifted costs a pass over the text.
func (t *tx) decidedByText() Record {
	if len(t.changed) == 0 && len(t.closed) == 0 {
		return Record{}
	}
	return t.record()
}

// described is a copy of a change with everything that finds it again.
func (c *Change) described(base text.Text) *Change {
	d := c.clone()
	d.BaseHash = base.Hash().String()
	d.effect().describe(d, base)
	return d
}

// describe is the hunk's place in the text as it stands. For an applied hunk it
// is the place of the new text, and New is what an undo would write.
func (h Hunk) describe(base text.Text, applied bool) Place {
	if applied {
		return placeAt(base, h.Start, h.End, h.Old)
	}
	return placeOf(base, h)
}

func (d *Document) listRecords(old *Document) []ListRecord {
	var out []ListRecord
	for _, l := range d.lists {
		if old != nil {
			i := slices.IndexFunc(old.lists, func(o *list) bool { return o.Key == l.Key && o.Owner == l.Owner })
			if i >= 0 && reflect.DeepEqual(old.lists[i], l) {
				continue
			}
		}
		m := l.clone()
		p := d.Proposed(l.Owner)
		for i := range m.Marks {
			k := &m.Marks[i]
			if k.Used == "" && !k.Gone {
				place := placeAt(p, k.Start, k.End, "")
				k.Place = &place
			}
		}
		out = append(out, ListRecord{Path: d.Path, Name: d.Name, BaseHash: d.Base.Hash().String(), List: m})
	}
	return out
}
