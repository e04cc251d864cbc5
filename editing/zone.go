package editing

import (
	"cmp"
	"slices"
	"sort"
)

// zone is a range of a text, and how far the zones up to it reach.
type zone struct{ start, end, reach int }

type zones []zone

// sort puts them in order, after which meet can be asked.
func (s zones) sort() {
	slices.SortFunc(s, func(a, b zone) int { return cmp.Compare(a.start, b.start) })
	reach := 0
	for i := range s {
		reach = max(reach, s[i].end)
		s[i].reach = reach
	}
}

// meet reports whether one of them lies in a range, or at its ends.
func (s zones) meet(from, to int) bool {
	i := sort.Search(len(s), func(i int) bool { return s[i].start > to }) - 1
	return i >= 0 && s[i].reach >= from
}
