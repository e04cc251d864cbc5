package match

import (
	"fmt"
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing/text"
)

// anchored runs a search in the part of the text that search_after and
// search_before leave. The match nearest to an anchor is the one that is meant.
func (h *haystack) anchored(after, before string, search func() Result) Result {
	after, before = unixEndings(after), unixEndings(before)
	return h.behind(h.bounded(searchAfter, after, func() Result {
		return h.bounded(searchBefore, before, search)
	}))
}

// behind tells a text that is nowhere from one that is only on the wrong side of
// an anchor.
func (h *haystack) behind(r Result) Result {
	if h.pick == ask || r.Kind != NoMatch && r.Kind != Near || h.asked == "" {
		return r
	}
	all := *h
	all.lo, all.hi, all.pick = 0, len(h.s), ask
	found := all.search(h.asked)
	if found.total == 0 {
		return r
	}
	line := h.t.LineOf(found.places[0].Start) + 1
	return Result{
		Kind: BehindAnchor, Code: "match_before_anchor", Total: found.total,
		Hint: fmt.Sprintf("old_text stands in the file (line %d), but not on the side of the anchor that you named; search_after looks only behind its text, search_before only before it. "+
			"Leave the anchor out, or name one next to the place you mean", line),
	}
}

const (
	anchorsMax   = 26
	searchAfter  = "search_after"
	searchBefore = "search_before"
)

// bounded searches behind an anchor, or before it. If it stands in several places,
// they are asked about, unless all lead to one.
func (h *haystack) bounded(name, anchor string, search func() Result) Result {
	if allBlank(anchor) {
		return search()
	}
	found := h.whole(anchor)
	if found.total == 0 {
		found = h.search(anchor)
	}
	if found.total == 0 {
		return Result{
			Kind: AnchorMissing, Code: "anchor_not_found",
			Hint: fmt.Sprintf("%s was not found: `%s`. Nothing was searched without it; copy it from the file, or leave it out", name, text.Visible(cut(anchor))),
		}
	}
	if name == searchBefore {
		slices.Reverse(found.places)
	}
	lo, hi, pick := h.lo, h.hi, h.pick
	defer func() { h.lo, h.hi = lo, hi }()
	var ms []Match
	var only Result
	for _, p := range found.places {
		h.lo, h.hi, h.pick = lo, hi, pick
		h.bound(name, anchor, p)
		if n := len(ms); n > 0 && ms[n-1].Start >= h.lo && ms[n-1].End <= h.hi {
			continue // it leads to the place that the anchor before it leads to
		}
		r := search()
		if len(ms) == 0 {
			only = r
		}
		if r.Kind != Found && r.Kind != AnchorAmbiguous || len(ms) >= anchorsMax {
			break // each has less of the text to search than the one before
		}
		line := h.t.LineOf(h.firstVisible(p.Start, p.End))
		for _, m := range r.Matches {
			m.Context = fmt.Sprintf("%s line %d: %s", strings.TrimPrefix(name, "search_"), line+1, shown(h.t.Line(line)))
			ms = append(ms, m)
		}
		h.sure = true
	}
	if len(ms) == 0 || len(ms) == 1 && found.total == len(found.places) {
		return only
	}
	ms = ms[:min(len(ms), anchorsMax)]
	slices.SortStableFunc(ms, func(a, b Match) int { return a.Start - b.Start })
	r := Result{Kind: AnchorAmbiguous, Code: "ambiguous_anchor", Matches: ms, Total: len(ms)}
	r.Recommended, r.Why = h.recommend(ms)
	r.Hint = fmt.Sprintf("%s stands in %d places; repeat the call with the match_id of the place it shall lead to, or with an anchor that is unique", name, found.total)
	return r
}

// bound leaves what is behind an anchor, or before it. An anchor that old_text has
// itself is part of what is looked for.
func (h *haystack) bound(name, anchor string, p Span) {
	above, below, has := holds(h.asked, anchor)
	if name == searchAfter {
		h.lo, h.pick = p.End, first
		if has {
			h.lo = h.line(p.Start)
			for ; above > 0 && h.lo > 0; above-- {
				h.lo = h.line(h.lo - 1)
			}
		}
		return
	}
	if h.hi = p.Start; has {
		h.hi = h.lineEnd(p.End)
		for ; below > 0 && ending(h.s, h.hi) > 0; below-- {
			h.hi = h.lineEnd(ending(h.s, h.hi))
		}
	}
	if h.pick == ask {
		h.pick = last
	}
}

// holds says whether a text has an anchor in its lines and more besides, and how
// many lines are above it and below.
func holds(s, anchor string) (above, below int, ok bool) {
	lines, want := keys(strings.Split(s, "\n"), seen), keys(strings.Split(strings.Trim(anchor, "\n"), "\n"), seen)
	if slices.Equal(seenLines(s), seenLines(anchor)) {
		return 0, 0, false
	}
	for i := 0; i+len(want) <= len(lines); i++ {
		if !slices.Equal(lines[i:i+len(want)], want) && (len(want) > 1 || !strings.Contains(lines[i], want[0])) {
			continue
		}
		if !ok {
			above = i
		}
		below, ok = len(lines)-i-len(want), true
	}
	return above, below, ok
}
