package match

import "slices"

// align finds a longest common subsequence: for every element of a its index in
// b, or -1. Large inputs are divided at elements that are unique in both, and
// left unaligned where there are none.
func align(a, b []string) []int {
	ids := make(map[string]int32, len(a))
	al := aligner{a: intern(ids, a), b: intern(ids, b), to: make([]int, len(a))}
	for i := range al.to {
		al.to[i] = -1
	}
	al.run(0, len(a), 0, len(b))
	return al.to
}

func intern(ids map[string]int32, s []string) []int32 {
	out := make([]int32, len(s))
	for i, e := range s {
		id, ok := ids[e]
		if !ok {
			id = int32(len(ids))
			ids[e] = id
		}
		out[i] = id
	}
	return out
}

type aligner struct {
	a, b []int32
	to   []int
}

// tableMax is the largest table of lengths that is filled in.
const tableMax = 1 << 20

func (al *aligner) run(a0, a1, b0, b1 int) {
	for a0 < a1 && b0 < b1 && al.a[a0] == al.b[b0] {
		al.to[a0] = b0
		a0++
		b0++
	}
	for a0 < a1 && b0 < b1 && al.a[a1-1] == al.b[b1-1] {
		a1--
		b1--
		al.to[a1] = b1
	}
	switch {
	case a0 == a1 || b0 == b1:
	case (a1-a0+1)*(b1-b0+1) <= tableMax:
		al.table(a0, a1, b0, b1)
	default:
		al.divide(a0, a1, b0, b1)
	}
}

// table is the textbook algorithm.
func (al *aligner) table(a0, a1, b0, b1 int) {
	w := b1 - b0 + 1
	t := make([]int32, (a1-a0+1)*w)
	for i := a1 - 1; i >= a0; i-- {
		row, below := t[(i-a0)*w:], t[(i-a0+1)*w:]
		for j := b1 - 1; j >= b0; j-- {
			if al.a[i] == al.b[j] {
				row[j-b0] = below[j-b0+1] + 1
			} else {
				row[j-b0] = max(below[j-b0], row[j-b0+1])
			}
		}
	}
	for i, j := a0, b0; i < a1 && j < b1; {
		switch {
		case al.a[i] == al.b[j]:
			al.to[i] = j
			i++
			j++
		case t[(i-a0+1)*w+j-b0] >= t[(i-a0)*w+j-b0+1]:
			i++
		default:
			j++
		}
	}
}

// divide aligns what is unique on both sides and in order, then what is between.
func (al *aligner) divide(a0, a1, b0, b1 int) {
	anchors := rising(al.unique(a0, a1, b0, b1))
	if len(anchors) == 0 {
		return
	}
	for _, p := range anchors {
		al.run(a0, p[0], b0, p[1])
		al.to[p[0]] = p[1]
		a0, b0 = p[0]+1, p[1]+1
	}
	al.run(a0, a1, b0, b1)
}

// unique pairs the elements that both ranges have exactly once, in the order of a.
func (al *aligner) unique(a0, a1, b0, b1 int) [][2]int {
	const many = -2
	inB := make(map[int32]int)
	for j := b0; j < b1; j++ {
		if _, ok := inB[al.b[j]]; ok {
			inB[al.b[j]] = many
		} else {
			inB[al.b[j]] = j
		}
	}
	count := make(map[int32]int)
	for i := a0; i < a1; i++ {
		count[al.a[i]]++
	}
	var pairs [][2]int
	for i := a0; i < a1; i++ {
		if j, ok := inB[al.a[i]]; ok && j != many && count[al.a[i]] == 1 {
			pairs = append(pairs, [2]int{i, j})
		}
	}
	return pairs
}

// rising keeps a longest subsequence of pairs that is in order in b, too.
func rising(pairs [][2]int) [][2]int {
	var tails []int // index of the last pair of the best subsequence of each length
	before := make([]int, len(pairs))
	for i, p := range pairs {
		n, _ := slices.BinarySearchFunc(tails, p[1], func(t, b int) int { return pairs[t][1] - b })
		before[i] = -1
		if n > 0 {
			before[i] = tails[n-1]
		}
		if n == len(tails) {
			tails = append(tails, i)
		} else {
			tails[n] = i
		}
	}
	if len(tails) == 0 {
		return nil
	}
	out := make([][2]int, len(tails))
	for i, at := len(tails)-1, tails[len(tails)-1]; i >= 0; i, at = i-1, before[at] {
		out[i] = pairs[at]
	}
	return out
}
