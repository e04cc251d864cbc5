package match

import "github.com/galley-ls/galley/editing/text"

// pairLines aligns two lists of lines: first those with equal keys, then, between
// them, those that are alike, and where just as many are left on both sides, each
// with its counterpart. Blank lines come last: they are no landmarks.
func pairLines(a, b []string, key func(string) string) []int {
	inA, inB := notBlank(a), notBlank(b)
	la, lb := pickLines(a, inA), pickLines(b, inB)
	seen := text.Align(keys(la, key), keys(lb, key))
	eachGap(seen, len(lb), func(i, k, j, end int) { pairAlike(la[i:k], lb[j:end], seen[i:k], j) })
	to := make([]int, len(a))
	for i := range to {
		to[i] = -1
	}
	for i, j := range seen {
		if j >= 0 {
			to[inA[i]] = inB[j]
		}
	}
	eachGap(to, len(b), func(i, k, j, end int) { pairBlank(a[i:k], b[j:end], to[i:k], j) })
	return to
}

// eachGap calls f for what lies between pairs: [i,k) on one side, [j,end) on the
// other.
func eachGap(to []int, n int, f func(i, k, j, end int)) {
	i, j := 0, 0
	for k := 0; k <= len(to); k++ {
		end := n
		if k < len(to) {
			if end = to[k]; end < 0 {
				continue
			}
		}
		f(i, k, j, end)
		i, j = k+1, end+1
	}
}

// pairBlank pairs blank lines in order.
func pairBlank(a, b []string, to []int, offset int) {
	j := 0
	for i := range a {
		if trim(a[i]) != "" {
			continue
		}
		for j < len(b) && trim(b[j]) != "" {
			j++
		}
		if j == len(b) {
			return
		}
		to[i] = offset + j
		j++
	}
}

func notBlank(lines []string) []int {
	var at []int
	for i, l := range lines {
		if trim(l) != "" {
			at = append(at, i)
		}
	}
	return at
}

func pickLines(lines []string, at []int) []string {
	out := make([]string, len(at))
	for i, j := range at {
		out[i] = lines[j]
	}
	return out
}

func keys(all []string, key func(string) string) []string {
	out := make([]string, len(all))
	for i, s := range all {
		out[i] = key(s)
	}
	return out
}

const (
	pairMax  = 32 * 32 // pairs of lines that are compared
	alikeMin = 0.5     // how much lines are alike that may be the same
	alikeMax = 1 << 22 // product of lengths from which on only their beginnings are compared
)

// pairAlike chooses the pairs that are most alike in all, in order.
func pairAlike(a, b []string, to []int, offset int) {
	if len(a) == 0 || len(b) == 0 {
		return
	}
	if len(a)*len(b) > pairMax {
		pairEach(a, b, to, offset)
		return
	}
	w := len(b) + 1
	sim, best := make([]float64, len(a)*w), make([]float64, (len(a)+1)*w)
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			s := likeness(a[i], b[j])
			sim[i*w+j] = s
			best[i*w+j] = max(best[(i+1)*w+j], best[i*w+j+1], s+best[(i+1)*w+j+1])
		}
	}
	i, j := 0, 0
	i0, j0 := 0, 0
	for i < len(a) && j < len(b) {
		switch here := best[i*w+j]; {
		case sim[i*w+j] > 0 && here == sim[i*w+j]+best[(i+1)*w+j+1]:
			pairEach(a[i0:i], b[j0:j], to[i0:i], offset+j0)
			to[i] = offset + j
			i, j = i+1, j+1
			i0, j0 = i, j
		case here == best[(i+1)*w+j]:
			i++
		default:
			j++
		}
	}
	pairEach(a[i0:], b[j0:], to[i0:], offset+j0)
}

// likeness is how much two lines are alike, 0 if not enough.
func likeness(a, b string) float64 {
	a, b = trim(a), trim(b)
	if len(a)*len(b) > alikeMax {
		a, b = a[:min(len(a), 1<<10)], b[:min(len(b), 1<<10)]
	}
	if s := alike(a, b); s >= alikeMin {
		return s
	}
	return 0
}

// pairEach pairs the lines one by one if there are as many of both.
func pairEach(a, b []string, to []int, offset int) {
	if len(a) != len(b) {
		return
	}
	for i := range a {
		to[i] = offset + i
	}
}
