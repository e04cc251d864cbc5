package match

import (
	"cmp"
	"slices"
)

// Near matching looks at windows of as many lines as old_text has that share
// three-letter pieces with it, letter case aside, and compares only the best.
const (
	windowsMax = 24       // windows that are compared
	gramsShare = 0.2      // what a window must share with old_text
	sparseSize = 4 << 20  // from this size on only every second piece is looked at
	scanMax    = 24 << 20 // bytes that are looked at
)

// window is some lines of a view.
type window struct {
	start, end int // without the last line's ending
	score      float64
}

// grams is a set of pieces, a little too large: they are hashed.
type grams struct {
	set    [1 << 10]uint64
	count  int
	stride int
}

func gramAt(s string, i int) uint32 {
	return hashGram(uint32(s[i]) | uint32(s[i+1])<<8 | uint32(s[i+2])<<16)
}

func hashGram(g uint32) uint32 { return (g&0xFFFFFF | 0x202020) * 0x9E3779B1 >> 16 }

func (g *grams) has(h uint32) int { return int(g.set[h>>6] >> (h & 63) & 1) }

func newGrams(lines []string, stride int) *grams {
	g := &grams{stride: stride}
	for _, l := range lines {
		for i := 0; i+3 <= len(l); i++ {
			h := gramAt(l, i)
			g.set[h>>6] |= 1 << (h & 63)
			g.count++
		}
	}
	g.count = (g.count + stride - 1) / stride
	return g
}

// in counts the pieces of a line, and those that are in the set.
func (g *grams) in(line string) (shared, all int) {
	at := 0
	for at < len(line) && isBlank(line[at]) {
		at++
	}
	for ; g.stride == 2 && at+8 <= len(line); at += 6 {
		w := word(line[at:])
		shared += g.has(hashGram(uint32(w))) + g.has(hashGram(uint32(w>>16))) + g.has(hashGram(uint32(w>>32)))
		all += 3
	}
	for ; at+3 <= len(line); at += g.stride {
		shared += g.has(gramAt(line, at))
		all++
	}
	return shared, all
}

// sums is the state of the scan behind a line.
type sums struct{ start, shared, all int }

// scanWindows finds the windows of n lines in s[from:to] that share most with the
// set, at most one of several that overlap. late says that there was more to look at.
func (g *grams) scanWindows(s string, from, to, n int) (best []window, late bool) {
	ring := make([]sums, n+1)
	shared, all, line := 0, 0, 0
	var last window
	for at := from; at < to; line++ {
		if at-from > scanMax {
			late = true
			break
		}
		ring[line%(n+1)] = sums{at, shared, all}
		end, next := lineAt(s, at)
		a, b := g.in(s[at:end])
		at = next
		if shared, all = shared+a, all+b; a == 0 {
			continue
		}
		first := ring[max(0, line-n+1)%(n+1)]
		w := window{first.start, end, g.score(shared-first.shared, all-first.all)}
		switch {
		case w.score < gramsShare:
		case w.start >= last.end || last.score == 0:
			best = keepBest(best, last)
			last = w
		case w.score > last.score:
			last = w
		}
	}
	return keepBest(best, last), late
}

func (g *grams) score(shared, all int) float64 {
	return 2 * float64(min(shared, g.count)) / float64(g.count+all)
}

// keepBest inserts a window into the list of the best ones, highest score first.
func keepBest(best []window, w window) []window {
	if w.score == 0 || len(best) == windowsMax && w.score <= best[windowsMax-1].score {
		return best
	}
	i, _ := slices.BinarySearchFunc(best, w, func(a, b window) int { return cmp.Or(cmp.Compare(b.score, a.score), -1) })
	best = slices.Insert(best, i, w)
	return best[:min(len(best), windowsMax)]
}
