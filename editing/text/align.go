package text

import "github.com/sergi/go-diff/diffmatchpatch"

// Work is counted in compared tokens, never in time: the same texts always have the same diff.
const (
	allWork  = 1 << 27
	smallSum = 2000 // tokens that are given to go-diff at once, old and new together: its work grows with the square
	fewMost  = 500  // differences that fewEdits looks for
)

// work is what may still be spent on one diff.
type work struct {
	left int
	seen []seen
}

// spend says whether there was so much left.
func (w *work) spend(n int) bool {
	if n > w.left {
		return false
	}
	w.left -= n
	return true
}

// hunk says that tokens [a0,a1) of one sequence stand where the other has [b0,b1). All between hunks are equal.
type hunk struct{ a0, a1, b0, b1 int }

func (h hunk) shifted(a, b int) hunk { return hunk{h.a0 + a, h.a1 + a, h.b0 + b, h.b1 + b} }

// align finds the hunks between two sequences.
func (w *work) align(a, b []rune) []hunk {
	p := 0
	for p < min(len(a), len(b)) && a[p] == b[p] {
		p++
	}
	a, b = a[p:], b[p:]
	s := 0
	for s < min(len(a), len(b)) && a[len(a)-s-1] == b[len(b)-s-1] {
		s++
	}
	hunks := w.alignTrimmed(a[:len(a)-s], b[:len(b)-s])
	for i, h := range hunks {
		hunks[i] = h.shifted(p, p)
	}
	return hunks
}

// alignTrimmed aligns sequences that neither start nor end alike. Small ones go to go-diff. Large ones are searched for few differences,
// then parted at what is unique in both; if neither helps, all of one is replaced by all of the other.
func (w *work) alignTrimmed(a, b []rune) []hunk {
	all := []hunk{{0, len(a), 0, len(b)}}
	sum := len(a) + len(b)
	switch {
	case sum == 0:
		return nil
	case len(a) == 0 || len(b) == 0:
		return all
	case sum <= smallSum:
		if !w.spend(sum * sum / 2) {
			return all
		}
		return goDiff(a, b)
	}
	if hunks, ok := w.fewEdits(a, b); ok {
		return hunks
	}
	if hunks, ok := w.anchored(a, b); ok {
		return hunks
	}
	return all
}

// goDiff aligns by Myers' algorithm. go-diff is given numbers in the shape of characters, never text: it would turn stray bytes into U+FFFD.
// Of its answer only the lengths are used. Without a time-out its answer does not depend on the clock.
func goDiff(a, b []rune) []hunk {
	chars := characters{}
	dmp := diffmatchpatch.New()
	dmp.DiffTimeout = 0
	var hunks []hunk
	h := hunk{}
	for _, d := range dmp.DiffMainRunes(chars.of(a), chars.of(b), false) {
		n := len([]rune(d.Text))
		switch d.Type {
		case diffmatchpatch.DiffDelete:
			h.a1 += n
		case diffmatchpatch.DiffInsert:
			h.b1 += n
		case diffmatchpatch.DiffEqual:
			hunks = h.appendTo(hunks)
			h = hunk{h.a1 + n, h.a1 + n, h.b1 + n, h.b1 + n}
		}
	}
	return h.appendTo(hunks)
}

func (h hunk) appendTo(hunks []hunk) []hunk {
	if h.a0 == h.a1 && h.b0 == h.b1 {
		return hunks
	}
	return append(hunks, h)
}

// characters numbers tokens anew with valid code points, small ones first.
type characters map[rune]rune

func (c characters) of(ids []rune) []rune {
	const surrogates, behind = 0xD800, 0xE000
	out := make([]rune, len(ids))
	for i, id := range ids {
		r, ok := c[id]
		if !ok {
			r = rune(len(c) + 1)
			if r >= surrogates {
				r += behind - surrogates
			}
			c[id] = r
		}
		out[i] = r
	}
	return out
}

// Align finds what two sequences have in common, in order: for each element of a its index in b, or -1.
func Align(a, b []string) []int {
	w, ids, to := &work{left: allWork}, names{}, make([]int, len(a))
	for i := range to {
		to[i] = -1
	}
	x, y := 0, 0
	for _, h := range append(w.align(ids.of(a), ids.of(b)), hunk{len(a), len(a), len(b), len(b)}) {
		for ; x < h.a0; x, y = x+1, y+1 {
			to[x] = y
		}
		x, y = h.a1, h.b1
	}
	return to
}
