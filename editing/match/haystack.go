package match

import (
	"strings"

	"github.com/galley-ls/galley/editing/text"
)

// haystack is the text that is searched, and the part of it that counts.
type haystack struct {
	t      text.Text
	s      string
	lo, hi int
	pick   pick
	sure   bool   // answer only with places that are sure
	lined  bool   // find whole lines only
	asked  string // what is looked for in the end, behind all anchors
	hints  Hints
	folded *view  // made when first needed
	diffed diffed // what was compared last
	moved  moved  // what was transplanted last
	known  Span   // from the start of a line to an offset in it
	ends   Span   // from an offset in a line to its end
}

// pick is which of several matches an anchor means.
type pick int

const (
	ask pick = iota
	first
	last
)

func newHaystack(t text.Text, hints Hints) *haystack {
	s := t.String()
	return &haystack{t: t, s: s, hi: len(s), hints: hints}
}

func (h *haystack) view() *view {
	if h.folded == nil {
		h.folded = fold(h.s)
	}
	return h.folded
}

// search looks a text up, tier by tier. The first one with a hit decides.
func (h *haystack) search(old string) hits {
	found, n := h.within(old)
	if found.total > 0 {
		return found
	}
	if n.body == "" {
		return found // nothing but characters without width
	}
	blanks := h.lines(&n, Blanks)
	if blanks.total == 0 {
		return blanks
	}
	return orElse(h.lines(&n, Indent), blanks)
}

// within looks a text up by the tiers that find it also inside of lines. It
// returns the folded needle, too.
func (h *haystack) within(old string) (hits, needle) {
	if found := h.exactly(old); found.total > 0 {
		return found, needle{}
	}
	if found := h.parts(&view{s: h.s}, newNeedle(old, h.s, false), Trailing); found.total > 0 {
		return found, needle{}
	}
	was := folded(old)
	n := newNeedle(was, h.view().s, false)
	if was == old && len(h.view().changed) == 0 {
		return hits{}, n
	}
	return h.parts(h.view(), n, Unicode), n
}

func orElse(a, b hits) hits {
	if a.total > 0 {
		return a
	}
	return b
}

func (h *haystack) hits(tier Tier) hits {
	found := hits{tier: tier, hints: h.hints}
	if h.lined {
		found.only = h.wholeLines
	}
	return found
}

// whole looks a text up as whole lines.
func (h *haystack) whole(old string) hits {
	h.lined = true
	defer func() { h.lined = false }()
	return h.search(old)
}

// exactly finds a text byte for byte, edges and all, up to the kind of line
// endings.
func (h *haystack) exactly(old string) hits {
	found := h.hits(Exact)
	n := newNeedle(old, h.s, true)
	n.each(h.s, h.lo, h.hi, func(start, end int) {
		if n.lead != "" || n.trail != "" {
			start, end = n.backward(h.s, start, n.lead), n.forward(h.s, end, n.trail)
		}
		if start >= h.lo && end >= 0 && end <= h.hi && whole(h.s, start) && whole(h.s, end) {
			found.add(start, end)
		}
	})
	return found
}

// parts finds a text, also inside of lines, with other blanks at line ends and
// around it. Places with the very indentation that the text begins with go first.
func (h *haystack) parts(v *view, n needle, tier Tier) hits {
	same, other := h.hits(tier), h.hits(tier)
	from, to := h.bounds(v)
	n.each(v.s, from, to, func(start, end int) {
		led, indented := n.opens(v.s, start)
		if !led && !indented || !n.closes(v.s, end) {
			return
		}
		a, b := v.start(start), v.end(end)
		if a < h.lo || b < 0 || b > h.hi {
			return
		}
		if tier == Unicode {
			b = selected(h.s, b)
		}
		if !whole(h.s, a) || !whole(h.s, b) {
			return
		}
		if led {
			same.add(a, b)
		} else {
			other.add(a, b)
		}
	})
	return orElse(same, other)
}

// bounds are lo and hi in a view, rather too wide than too narrow.
func (h *haystack) bounds(v *view) (from, to int) {
	if len(v.changed) == 0 {
		return h.lo, h.hi
	}
	return v.find(h.lo, false), v.find(h.hi, true)
}

// selected takes variation selectors to the character before them.
func selected(s string, at int) int {
	for strings.HasPrefix(s[at:], "\uFE0E") || strings.HasPrefix(s[at:], "\uFE0F") {
		at += len("\uFE0F")
	}
	return at
}

// opens compares the blanks that the text begins with: led if they stand before
// the body, indented if others may stand for them.
func (n *needle) opens(v string, start int) (led, indented bool) {
	if n.lead == "" {
		return true, true
	}
	i := strings.LastIndexByte(n.lead, '\n')
	indent := n.lead[i+1:]
	at := start
	for at > 0 && isBlank(v[at-1]) {
		at--
	}
	first := at == 0 || v[at-1] == '\n'
	if i >= 0 {
		return first && v[at:start] == indent, first
	}
	return strings.HasSuffix(v[:start], indent), first || indent == " " && at < start
}

// closes says whether the blanks that the text ends with can stand behind the
// body: for a line ending there must be one, for blanks a blank or a line's end.
func (n *needle) closes(v string, end int) bool {
	if n.trail == "" {
		return true
	}
	at := end
	for at < len(v) && isBlank(v[at]) {
		at++
	}
	last := at == len(v) || newline(v, at) >= 0
	return last || at > end && !strings.Contains(n.trail, "\n")
}

// line is where the line that holds an offset begins. In a very long line the
// answer is remembered, as that of lineEnd.
func (h *haystack) line(at int) int {
	switch k := &h.known; {
	case at >= k.Start && at <= k.End:
	case at > k.End && strings.IndexByte(h.s[k.End:at], '\n') < 0:
		k.End = at
	default:
		k.Start, k.End = lineStart(h.s, at), at
	}
	return h.known.Start
}

// lineEnd is where the line that holds an offset ends, without its ending.
func (h *haystack) lineEnd(at int) int {
	if at < h.ends.Start || at >= h.ends.End {
		h.ends = Span{at, lineEnd(h.s, at)}
	}
	return h.ends.End
}
