package editing

import (
	"maps"
	"slices"
)

// TakeRecommended stages the recommended candidate of each open list of an
// editing session, as it was shown last. Near matches are never taken unasked.
// The result is empty if there is no such list.
func TakeRecommended(owner string, n int, m Meta) Op {
	return func(t *tx) Result {
		var last Result
		for _, path := range slices.Sorted(maps.Keys(t.st.docs)) {
			for _, l := range t.see(path).lists {
				i := l.find(l.Best)
				if l.Owner != owner || l.Session != n || l.Near || i < 0 || l.Marks[i].Used != "" || l.Request == nil {
					continue
				}
				r := *l.Request
				r.Path, r.Meta, r.MatchID = path, m, l.Best
				if last = t.replace(t.see(path), r); !last.OK() {
					last.Path = path
					return t.undo(last)
				}
			}
		}
		return last
	}
}
