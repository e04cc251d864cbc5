package editing

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/galley-ls/galley/editing/text"
)

// This file carries changes over what the user does to their lines without meeting them:
// blanks at line ends, indentation, and the far side of a very long line.

// carried finds lines of a block that differ in their indentation, or the blanks at their
// ends. The change goes on as the agent's edits do whose old text was written so.
func (l *looker) carried(g *lineBlock, r text.Stretch) (finding, bool) {
	is, other := l.was.Slice(g.start, g.end), l.turn(g.start, g.end, g)
	if g.point() || g.open {
		return finding{}, false
	}
	if lo, hi, ok := l.indented(g, r, is); ok && !g.applied { // what an applied one wrote is never worked out anew
		return l.rewritten(g, kept, lo, hi, is, other)
	}
	if lo, hi, ok := l.indented(g, r, other); ok {
		return l.rewritten(g, turned, lo, hi, other, is)
	}
	return finding{}, false
}

// rewritten makes of the way from one side of a block to the other the way from the lines
// [lo,hi) of the base, which are the one side but for blanks.
func (l *looker) rewritten(g *lineBlock, e evidence, lo, hi int, there, instead string) (finding, bool) {
	mine := l.now.Slice(lo, hi)
	if mine == there {
		return l.placed(g, e, lo), true
	}
	f := finding{evidence: e, at: lo, anew: true}
	if blanksToo(there, instead) {
		return f, false
	}
	for _, x := range text.Diff(mine, blankedAs(split(there), split(mine), split(instead))) {
		h := Hunk{Start: lo + x.Start, End: lo + x.End, Old: mine[x.Start:x.End], New: x.New, Rank: g.hunks[0].Rank, nth: g.hunks[0].nth}
		if (e == turned) != g.applied {
			h.Old, h.New = h.New, h.Old
		}
		f.hunks = append(f.hunks, h)
	}
	return f, len(f.hunks) > 0
}

// blankedAs gives lines that come for others the blanks that those have got since.
func blankedAs(was, now, come []string) string {
	with, last := text.Align(bare(come), bare(was)), -1
	var sb strings.Builder
	for i, line := range come {
		k := with[i]
		if k < 0 && last+1 < len(was) && !slices.Contains(with, last+1) {
			k = last + 1 // one for one
		}
		lead, word, tail := parted(line)
		from, to := nearestLead(was, now, lead)
		if k >= 0 {
			last = k
			if a, _, b := parted(was[k]); a == lead || b == tail {
				c, _, d := parted(now[k])
				if a == lead {
					from, to = a, c
				}
				if b == tail {
					tail = d
				}
			}
		}
		sb.WriteString(to + lead[len(from):] + word + tail)
	}
	return sb.String()
}

// nearestLead is the longest of the lines' indentations that another one begins with, and
// what it has become.
func nearestLead(was, now []string, lead string) (from, to string) {
	best := -1
	for i, line := range was {
		if a, word, _ := parted(line); word != "" && len(a) > best && strings.HasPrefix(lead, a) {
			from, best = a, len(a)
			to, _, _ = parted(now[i])
		}
	}
	return from, to
}

// parted are the indentation of a line, what is on it, and the blanks behind with its ending.
func parted(line string) (lead, word, tail string) {
	rest := strings.TrimLeft(line, " \t")
	word = strings.TrimSpace(rest)
	return line[:len(line)-len(rest)], word, rest[len(word):]
}

// bare are lines without the blanks at either end.
func bare(ls []string) []string {
	out := make([]string, len(ls))
	for i, s := range ls {
		out[i] = strings.TrimSpace(s)
	}
	return out
}

// indented finds lines, but for blanks at either end of each, among those that came: in the
// block's region, or where they are once, and were once in the text.
func (l *looker) indented(g *lineBlock, r text.Stretch, block string) (lo, hi int, ok bool) {
	lo, hi = l.region(g, r)
	words := strings.TrimSpace(block) != "" // blank lines say nothing
	if !words || sameButBlanks(l.now.Slice(lo, hi), block) {
		return lo, hi, words
	}
	var found [][2]int
	for _, r := range l.stretches {
		for _, p := range indentedIn(l.now.Slice(r.B0, r.B1), block) {
			found = append(found, [2]int{r.B0 + p[0], r.B0 + p[1]})
		}
	}
	if len(found) != 1 || len(indentedIn(l.was.String(), block)) > 1 {
		return 0, 0, false
	}
	return found[0][0], found[0][1], true
}

// indentedIn finds the ranges of up to two runs of whole lines in s that are the block but
// for blanks.
func indentedIn(s, block string) (out [][2]int) {
	first, _, _ := strings.Cut(block, "\n")
	first = strings.TrimSpace(first)
	n := strings.Count(block, "\n")
	for from := 0; first != "" && len(out) < 2; {
		i := strings.Index(s[from:], first)
		if i < 0 {
			break
		}
		start := strings.LastIndexByte(s[:from+i], '\n') + 1
		end := start
		for range n {
			k := strings.IndexByte(s[end:], '\n')
			if k < 0 {
				return out
			}
			end += k + 1
		}
		if sameButBlanks(s[start:end], block) {
			out = append(out, [2]int{start, end})
		}
		from += i + len(first)
	}
	return out
}

func sameButBlanks(a, b string) bool {
	for a != "" && b != "" {
		var x, y string
		x, a, _ = strings.Cut(a, "\n")
		y, b, _ = strings.Cut(b, "\n")
		if strings.TrimSpace(x) != strings.TrimSpace(y) {
			return false
		}
	}
	return a == b
}

// blanksToo reports whether the change from old to new is one of blanks, on some line at least.
func blanksToo(old, new string) bool {
	a, b := split(old), split(new)
	for i, k := range text.Align(bare(a), bare(b)) {
		if k >= 0 && a[i] != b[k] {
			return true
		}
	}
	return false
}

// grainChars is up to how many characters a line is one thing, and how far a sentence reaches
// from a place in it.
const grainChars = 200

// grain widens a range of s to what must be left alone around it: its lines, or of a very
// long line the sentences there.
func grain(s string, from, to int) (int, int) {
	start := strings.LastIndexByte(s[:from], '\n') + 1
	end := len(s)
	if i := strings.IndexByte(s[to:], '\n'); i >= 0 {
		end = to + i
	}
	if utf8.RuneCountInString(s[start:end]) <= grainChars || strings.Contains(s[from:to], "\n") {
		return start, end
	}
	start, end = max(start, charsBefore(s, from)), min(end, charsBehind(s, to))
	for at := start; at < end; {
		next := at + sentenceEnd(s[at:end])
		if next <= from {
			start = next
		}
		if next >= to && next < end {
			return start, next - 1 // what is put in there begins the next one
		}
		at = next
	}
	return start, end
}

func charsBefore(s string, at int) int {
	for range grainChars {
		_, n := utf8.DecodeLastRuneInString(s[:at])
		at -= n
	}
	return at
}

func charsBehind(s string, at int) int {
	for range grainChars {
		_, n := utf8.DecodeRuneInString(s[at:])
		at += n
	}
	return at
}

// sentenceEnd is the length of the first sentence of s, with the blanks behind it: what
// Unicode's default segmentation says, but for abbreviations.
func sentenceEnd(s string) int {
	ended, stop := false, false // behind the end of a sentence, and that is a full stop
	for i, c := range s {
		switch {
		case strings.ContainsRune("!?‼⁇⁈⁉。！？｡", c):
			ended, stop = true, false
		case strings.ContainsRune(".․﹒．", c):
			ended, stop = true, true
		case ended && (unicode.IsSpace(c) || unicode.In(c, unicode.Pe, unicode.Pf, unicode.Ps, unicode.Pi) || c == '"' || c == '\''):
		case ended && stop && (unicode.IsLower(c) || unicode.IsDigit(c) || strings.ContainsRune(",:;-–—", c)):
			ended = false
		case ended:
			return i
		}
	}
	return len(s)
}
