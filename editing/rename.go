package editing

import (
	"maps"
	"slices"
)

// Renamed is a change that bears another letter since its session was opened beside
// others.
type Renamed struct{ Name, From, To string }

// Rename gives each change of the image whose letter a change of the workspace bears a
// free one, so that both can stand on one table. Of those that are decided, for which
// there may be none left, the letter is given up. With too few letters for those that
// wait it is not ok, and nothing is renamed. The record is what a journal must hold of it.
func (im *Image) Rename(s *Snapshot) (names []Renamed, r Record, ok bool) {
	borne := map[string]*Change{}
	for _, c := range s.Changes() {
		borne[c.Letter] = c
	}
	var wait, decided []*Change
	undecided := 0
	for _, c := range im.Open() {
		if c.State.Undecided() {
			undecided++
		}
		switch {
		case borne[c.Letter] == nil:
			borne[c.Letter] = c
		case c.State.Undecided():
			wait = append(wait, c)
		default:
			decided = append(decided, c)
		}
	}
	if undecided > s.Free() {
		return nil, Record{}, false
	}
	sessions := map[int]*Session{}
	for _, c := range slices.Concat(wait, decided) {
		if sessions[c.Session] == nil {
			sessions[c.Session] = im.sessions[c.Session].clone()
		}
		ses, d := sessions[c.Session], c.clone()
		switch l := unborne(borne, ses.Used); {
		case l != "":
			ses.use(l)
			d.Letter, borne[l] = l, d
			names = append(names, Renamed{c.Name, c.Letter, l})
		case c.State.Undecided():
			return nil, Record{}, false
		default:
			d.Was, d.State = d.State, Closed
		}
		r.Changes = append(r.Changes, d)
	}
	for _, n := range slices.Sorted(maps.Keys(sessions)) {
		r.Sessions = append(r.Sessions, sessions[n])
	}
	r.Lists = im.relisted(names)
	im.Add(r)
	return names, r, true
}

// relisted are the lists of candidates that name changes by letters which were renamed.
func (im *Image) relisted(names []Renamed) (out []ListRecord) {
	for _, key := range slices.Sorted(maps.Keys(im.lists)) {
		r, moved := im.lists[key], false
		r.List = r.List.clone()
		for i := range r.List.Marks {
			m := &r.List.Marks[i]
			at := slices.IndexFunc(names, func(n Renamed) bool { return n.Name == r.Name && n.From == m.Used })
			if at >= 0 {
				m.Used, moved = names[at].To, true
			}
		}
		if moved {
			out = append(out, r)
		}
	}
	return out
}

// Called is a record from before a Rename, with the letters of after.
func (im *Image) Called(r Record) Record {
	r.Changes = slices.Clone(r.Changes)
	for i, c := range r.Changes {
		if now := im.changes[c.Order]; now != nil && now.Letter != c.Letter {
			r.Changes[i] = c.clone()
			r.Changes[i].Letter = now.Letter
		}
	}
	return r
}
