package text

import "slices"

// fewEdits finds a shortest alignment if there are few differences, in a number of steps that grows with the length of the sequences and not
// with its square. It is Myers' greedy algorithm: furthest[k] is how far in a one gets on the diagonal k = x-y with d differences.
func (w *work) fewEdits(a, b []rune) ([]hunk, bool) {
	const zero = fewMost + 1
	furthest := make([]int, 2*zero+1)
	var trail [][]int
	for d := 0; d <= fewMost; d++ {
		for k := -d; k <= d; k += 2 {
			x := furthest[zero+k-1] + 1
			if k == -d || k != d && furthest[zero+k-1] < furthest[zero+k+1] {
				x = furthest[zero+k+1]
			}
			n := snake(a, b, x, x-k)
			if !w.spend(n + 1) {
				return nil, false
			}
			x += n
			furthest[zero+k] = x
			if k == len(a)-len(b) && x >= len(a) {
				return retrace(trail, len(a), len(b)), true
			}
		}
		trail = append(trail, slices.Clone(furthest[zero-d:zero+d+1]))
	}
	return nil, false
}

// snake is how many tokens are equal from a[x] and b[y] on.
func snake(a, b []rune, x, y int) int {
	n := 0
	for x+n < len(a) && y+n < len(b) && a[x+n] == b[y+n] {
		n++
	}
	return n
}

// retrace goes the way back from the end of both sequences, one difference a step.
func retrace(trail [][]int, x, y int) []hunk {
	var back []hunk
	for d := len(trail); d > 0; d-- {
		before, k := trail[d-1], x-y
		at := func(k int) int { return before[k+d-1] }
		// The difference deletes, coming from diagonal k-1, or inserts, coming from k+1.
		var h hunk
		if k == -d || k != d && at(k-1) < at(k+1) {
			x = at(k + 1)
			y = x - k - 1
			h = hunk{x, x, y, y + 1}
		} else {
			x = at(k - 1)
			y = x - k + 1
			h = hunk{x, x + 1, y, y}
		}
		if n := len(back); n > 0 && back[n-1].a0 == h.a1 && back[n-1].b0 == h.b1 {
			back[n-1].a0, back[n-1].b0 = h.a0, h.b0
			continue
		}
		back = append(back, h)
	}
	slices.Reverse(back)
	return back
}
