package view

import (
	"strings"
	"unicode/utf8"

	"github.com/galley-ls/galley/editing/text"
)

// Edits are as small as can be, also inside a word. What is marked for people is
// the whole word, on both sides.

const wordReach = 64 // bytes that a mark is widened by at most

// finer takes cuts that replace text apart, word by word: their edits are larger,
// so that they can be told apart.
func (v comparison) finer(cuts []cut) []cut {
	const most = 1 << 14 // bytes of a side
	var out []cut
	for _, c := range cuts {
		if c.start == c.end || c.at == c.to || c.end-c.start > most || c.to-c.at > most {
			out = append(out, c)
			continue
		}
		shift := 0
		for _, e := range text.Words(v.old.Slice(c.start, c.end), v.new.Slice(c.at, c.to)) {
			at := c.at + e.Start + shift
			out = append(out, cut{c.start + e.Start, c.start + e.End, at, at + len(e.New)})
			shift += e.Delta()
		}
	}
	return out
}

// words widens the cuts of a run to whole words. Cuts in one word become one.
func (v comparison) words(cuts []cut) []cut {
	var out []cut
	for i, c := range cuts {
		from, to := 0, v.old.Len()
		if i > 0 {
			from = cuts[i-1].end
		}
		if i+1 < len(cuts) {
			to = cuts[i+1].start
		}
		c = v.word(c, from, to)
		if n := len(out) - 1; n >= 0 && c.start <= out[n].end {
			out[n].end, out[n].to = c.end, c.to
			continue
		}
		out = append(out, c)
	}
	return out
}

// word widens one cut inside the bytes [from,to) of the old text, which both
// texts share but for the cut.
func (v comparison) word(c cut, from, to int) cut {
	wide := c
	if wordStart(first(v.old, c.start, c.end)) || wordStart(first(v.new, c.at, c.to)) {
		s := v.old.Slice(max(from, c.start-wordReach), c.start)
		n := len(s) - len(strings.TrimRightFunc(s, isWord))
		wide.start, wide.at = c.start-n, c.at-n
	}
	if wordEnd(last(v.old, c.start, c.end)) || wordEnd(last(v.new, c.at, c.to)) {
		s := v.old.Slice(c.end, min(to, c.end+wordReach))
		n := len(s) - len(strings.TrimLeftFunc(s, isWord))
		wide.end, wide.to = c.end+n, c.to+n
	}
	return wide
}

// first and last are the outer code points of a range, without reading all of it.
func first(t text.Text, from, to int) string { return t.Slice(from, min(to, from+utf8.UTFMax)) }
func last(t text.Text, from, to int) string  { return t.Slice(max(from, to-utf8.UTFMax), to) }
