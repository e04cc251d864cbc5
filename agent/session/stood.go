package session

import (
	"maps"
	"slices"

	"github.com/galley-ls/galley/editing"
)

// stood is what is kept beside the journal of where changes stood, by document: as the
// last entry says, and as the one before it did, since an entry may not come about.
type stood struct{ now, before map[string]string }

// kept is a record that may be journaled: without secrets, and with the names of what
// is kept beside the journal.
func (b *base) kept(r editing.Record) editing.Record {
	set := b.set.Load()
	r = set.withoutSecrets(r)
	for _, s := range r.Stood {
		k := editing.KeptStood{Path: s.Path}
		if data, err := s.Without(set.secrets.In).Encode(); err == nil && !s.Empty() {
			k.Name, _ = b.store.KeepStood(data) // else a restart goes by the journal
		}
		r.Kept = append(r.Kept, k)
	}
	r.Stood = nil
	return r
}

// keeps takes in what an entry says.
func (s *stood) keeps(r editing.Record) {
	if len(r.Kept) == 0 {
		return
	}
	s.before, s.now = s.now, maps.Clone(s.now)
	if s.now == nil {
		s.now = map[string]string{}
	}
	for _, k := range r.Kept {
		s.now[k.Path] = k.Name
	}
	maps.DeleteFunc(s.now, func(_, name string) bool { return name == "" })
}

// names are those of what may still be asked for.
func (s *stood) names() []string {
	return slices.Concat(slices.Collect(maps.Values(s.now)), slices.Collect(maps.Values(s.before)))
}
