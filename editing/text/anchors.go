package text

import "sort"

// anchored parts two sequences at the tokens that occur exactly once in each, as patience diff does, and aligns what is between.
func (w *work) anchored(a, b []rune) ([]hunk, bool) {
	const perToken = 8 // a look into a table costs as much as many comparisons
	if !w.spend(perToken * (len(a) + len(b))) {
		return nil, false
	}
	anchors := ascending(w.unique(a, b))
	if len(anchors) == 0 {
		return nil, false
	}
	var hunks []hunk
	x, y := 0, 0
	for _, p := range append(anchors, pair{len(a), len(b)}) {
		for _, h := range w.align(a[x:p.a], b[y:p.b]) {
			hunks = append(hunks, h.shifted(x, y))
		}
		x, y = p.a+1, p.b+1
	}
	return hunks, true
}

// pair is a place in each of two sequences.
type pair struct{ a, b int }

// seen is how often a token was seen in each of two sequences, and where in the other one last.
type seen struct{ a, b, at int }

// unique are the tokens that occur once in each sequence, in the order of a. Ids are dense, so that a table of all of them, which is zero
// between two calls, is cheaper than a map.
func (w *work) unique(a, b []rune) []pair {
	top := 0
	for _, ids := range [][]rune{a, b} {
		for _, id := range ids {
			top = max(top, int(id)+1)
		}
	}
	if len(w.seen) < top {
		w.seen = make([]seen, top)
	}
	for i, id := range b {
		s := &w.seen[id]
		s.b, s.at = s.b+1, i
	}
	for _, id := range a {
		w.seen[id].a++
	}
	var out []pair
	for i, id := range a {
		if s := w.seen[id]; s.a == 1 && s.b == 1 {
			out = append(out, pair{i, s.at})
		}
	}
	for _, ids := range [][]rune{a, b} {
		for _, id := range ids {
			w.seen[id] = seen{}
		}
	}
	return out
}

// ascending is a longest run of pairs that ascends in b too: each pair goes on the first pile whose top is not smaller, and the runs are
// found by going back from pile to pile.
func ascending(pairs []pair) []pair {
	var tops []int // index of the pair on top of each pile
	before := make([]int, len(pairs))
	for i, p := range pairs {
		pile := sort.Search(len(tops), func(k int) bool { return pairs[tops[k]].b >= p.b })
		before[i] = -1
		if pile > 0 {
			before[i] = tops[pile-1]
		}
		if pile == len(tops) {
			tops = append(tops, i)
		} else {
			tops[pile] = i
		}
	}
	out := make([]pair, len(tops))
	for k, i := len(tops)-1, -1; k >= 0; k-- {
		if i < 0 {
			i = tops[k]
		}
		out[k] = pairs[i]
		i = before[i]
	}
	return out
}
