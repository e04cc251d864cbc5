package text

import "sort"

// anchored parts two sequences at the tokens that occur exactly once in each, as patience diff does, and aligns what is between.
func (w *work) anchored(a, b []rune) ([]hunk, bool) {
	const perToken = 8 // a look into a table costs as much as many comparisons
	if !w.spend(perToken * (len(a) + len(b))) {
		return nil, false
	}
	anchors := ascending(unique(a, b))
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

// unique are the tokens that occur once in each sequence, in the order of a.
func unique(a, b []rune) []pair {
	type seen struct{ a, b, at int }
	count := make(map[rune]seen, len(b))
	for i, id := range b {
		s := count[id]
		count[id] = seen{b: s.b + 1, at: i}
	}
	for _, id := range a {
		if s, ok := count[id]; ok {
			s.a++
			count[id] = s
		}
	}
	var out []pair
	for i, id := range a {
		if s := count[id]; s.a == 1 && s.b == 1 {
			out = append(out, pair{i, s.at})
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
