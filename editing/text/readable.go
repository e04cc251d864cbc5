package text

import (
	"strings"
	"unicode/utf8"
)

// piece is a part of an old and a new text that differs; at is where it starts in the old one.
type piece struct {
	at       int
	old, new string
}

func (p piece) edit() Edit { return Edit{Start: p.at, End: p.at + len(p.old), New: p.new} }

// pieces compares whole lines. An insertion or deletion of lines that could as well stand a line higher or lower goes where people see
// blocks.
func (w *work) pieces(old, new string) []piece {
	r := differing(old, new)
	a, b := linesOf(r.old, r.new)
	hunks := slideAll(joinBlocks(w.align(a.id, b.id), a, b), a, b, lineEdge)
	out := make([]piece, len(hunks))
	for i, h := range hunks {
		out[i] = piece{r.at + a.at[h.a0], a.join(h.a0, h.a1), b.join(h.b0, h.b1)}
	}
	return out
}

// differing is what is left of two texts without the lines they share at the start and at the end.
func differing(old, new string) piece {
	at := commonPrefix(old, new)
	at = strings.LastIndexByte(old[:at], '\n') + 1
	old, new = old[at:], new[at:]
	end := commonSuffix(old, new)
	if !lineStart(old, len(old)-end) || !lineStart(new, len(new)-end) {
		i := strings.IndexByte(old[len(old)-end:], '\n')
		if i < 0 {
			i = end - 1
		}
		end -= i + 1
	}
	return piece{at, old[:len(old)-end], new[:len(new)-end]}
}

// lineStart says whether a line starts at an offset; the start of s is one.
func lineStart(s string, at int) bool { return at == 0 || s[at-1] == '\n' }

// mostWords is up to how many bytes words are compared at all.
const mostWords = 16 << 20

// words compares the words of a piece.
func (w *work) words(p piece) Edits {
	if len(p.old)+len(p.new) > mostWords {
		return Edits{p.trimmed()}
	}
	a, b := wordsOf(p.old, p.new)
	return p.edits(slideAll(joinTrivial(w.align(a.id, b.id), a, b), a, b, wordEdge), a, b)
}

func (p piece) edits(hunks []hunk, a, b tokens) Edits {
	var es Edits
	for _, h := range hunks {
		es = append(es, Edit{Start: p.at + a.at[h.a0], End: p.at + a.at[h.a1], New: b.join(h.b0, h.b1)})
	}
	return es
}

// trimmed is one edit without what both texts of the piece have in common at their ends.
func (p piece) trimmed() Edit {
	start, end := common("", p.old, p.new, "")
	return Edit{Start: p.at + start, End: p.at + len(p.old) - end, New: p.new[start : len(p.new)-end]}
}

// joinTrivial joins hunks where what is equal between them is too little to be seen as unchanged.
func joinTrivial(hunks []hunk, a, b tokens) []hunk {
	var out []hunk
	for _, h := range hunks {
		for n := len(out); n > 0 && trivialBetween(out[n-1], h, a, b); n-- {
			h = hunk{out[n-1].a0, h.a1, out[n-1].b0, h.b1}
			out = out[:n-1]
		}
		out = append(out, h)
	}
	return out
}

// side is one of two neighbouring changes.
type side struct{ old, new string }

func (s side) replaces() bool { return s.old != "" && s.new != "" }
func (s side) lines() bool    { return strings.Contains(s.old+s.new, "\n") }
func (s side) size() int {
	return max(utf8.RuneCountInString(s.old), utf8.RuneCountInString(s.new))
}

// trivialBetween: up to three blanks and signs between two replaced words, or between changes as large; any text that is small beside the
// changes. A line ending counts for more: it parts what is changed, except within changes of several lines.
func trivialBetween(h, k hunk, a, b tokens) bool {
	const signs, small = 3, 3
	equal := a.join(h.a1, k.a0)
	left := side{a.join(h.a0, h.a1), b.join(h.b0, h.b1)}
	right := side{a.join(k.a0, k.a1), b.join(k.b0, k.b1)}
	if strings.Contains(equal, "\n") && !(left.lines() && right.lines()) {
		return false
	}
	n, least := utf8.RuneCountInString(equal), min(left.size(), right.size())
	if hasWord(equal) || strings.Contains(equal, "\n") {
		return small*n <= least
	}
	return n <= least || n <= signs && left.replaces() && right.replaces()
}

// joinBlocks joins deletions, and insertions, with blank lines between that could as well stand behind them: the block is one.
func joinBlocks(hunks []hunk, a, b tokens) []hunk {
	var out []hunk
	for _, h := range hunks {
		for n := len(out); n > 0 && block(&h, out[n-1], a, b); n-- {
			out = out[:n-1]
		}
		out = append(out, h)
	}
	return out
}

// block makes h the block that it is together with the hunk before, if they are one.
func block(h *hunk, before hunk, a, b tokens) bool {
	n := h.a0 - before.a1
	switch {
	case before.b0 == before.b1 && h.b0 == h.b1 && a.repeatsBlank(h.a0-n, h.a1-n, n):
		*h = hunk{before.a0, h.a1 - n, before.b0, before.b1}
	case before.a0 == before.a1 && h.a0 == h.a1 && b.repeatsBlank(h.b0-n, h.b1-n, n):
		*h = hunk{before.a0, before.a1, before.b0, h.b1 - n}
	default:
		return false
	}
	return true
}

// repeatsBlank says whether n blank tokens stand at both places.
func (t tokens) repeatsBlank(at, again, n int) bool {
	for i := range n {
		if !isBlank(t.piece(at+i)) || t.id[at+i] != t.id[again+i] {
			return false
		}
	}
	return true
}

// slideAll moves insertions and deletions that could as well stand elsewhere, in "a, b" that of ", b" or "b, ", to where their edges read
// best. edge says how badly a text is parted before token i. Hunks keep their order and stay apart.
func slideAll(hunks []hunk, a, b tokens, edge func(t tokens, i int) int) []hunk {
	for i := range hunks {
		h := hunks[i]
		lo, hi := 0, len(a.id)
		if i > 0 {
			lo = hunks[i-1].a1 + 1
		}
		if i+1 < len(hunks) {
			hi = hunks[i+1].a0 - 1
		}
		switch {
		case h.a0 == h.a1:
			d := bestShift(b, h.b0, h.b1, h.a0-lo, hi-h.a1, edge)
			hunks[i] = h.shifted(d, d)
		case h.b0 == h.b1:
			d := bestShift(a, h.a0, h.a1, h.a0-lo, hi-h.a1, edge)
			hunks[i] = h.shifted(d, d)
		}
	}
	return hunks
}

// bestShift is by how many tokens to move the range [from,to), which stays the same change, with at most so much room before and behind.
func bestShift(t tokens, from, to, before, behind int, edge func(t tokens, i int) int) int {
	const far = 1000 // enough for people, and equal tokens without end stay cheap
	up, down := 0, 0
	for up < min(before, far) && t.id[from-up-1] == t.id[to-up-1] {
		up++
	}
	for down < min(behind, far) && t.id[from+down] == t.id[to+down] {
		down++
	}
	best, cost := 0, edge(t, from)+edge(t, to)
	for d := -up; d <= down; d++ {
		if c := edge(t, from+d) + edge(t, to+d); c < cost || c == cost && d > best {
			best, cost = d, c
		}
	}
	return best
}

// lineEdge: best behind a blank line, then before one, then before the least indented line, last before what closes a block.
func lineEdge(t tokens, i int) int {
	if i == 0 || i == len(t.id) || isBlank(t.piece(i-1)) {
		return 0
	}
	if isBlank(t.piece(i)) {
		return 1
	}
	const most, closes = 40, 100
	before, behind := indent(t.piece(i-1)), indent(t.piece(i))
	cost := 2 + min(behind, most)
	if before > behind {
		cost += closes
	}
	return cost
}

func indent(s string) int { return len(s) - len(strings.TrimLeft(s, " \t")) }

// wordEdge: best at the ends and at line endings, then behind blanks, before blanks, between signs, last at a word.
func wordEdge(t tokens, i int) int {
	if i == 0 || i == len(t.id) {
		return 0
	}
	before, behind := t.piece(i-1), t.piece(i)
	switch {
	case strings.HasSuffix(before, "\n"), strings.HasSuffix(behind, "\n"):
		return 1
	case isBlank(before):
		return 2
	case isBlank(behind):
		return 3
	case !hasWord(before) && !hasWord(behind):
		return 4
	}
	return 5
}
