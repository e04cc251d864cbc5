package match

import (
	"fmt"
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing/text"
)

// anchored runs a search in the part of the text that search_after and
// search_before leave. An anchor must be unique; the match nearest to it is the
// one that is meant.
func (h *haystack) anchored(after, before string, search func() Result) Result {
	after, before = unixEndings(after), unixEndings(before)
	if !allBlank(after) {
		found := h.search(after)
		if found.total != 1 {
			return h.anchors(searchAfter, after, found, search, func(p Span) { h.lo, h.pick = p.End, first })
		}
		h.lo, h.pick = found.places[0].End, first
	}
	if !allBlank(before) {
		found := h.search(before)
		if h.pick == ask {
			h.pick = last
		}
		if found.total != 1 {
			return h.anchors(searchBefore, before, found, search, func(p Span) { h.hi = p.Start })
		}
		h.hi = found.places[0].Start
	}
	return h.behind(search())
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

// anchors answers for an anchor that is missing, or asks which of several is
// meant: each candidate is the place that its anchor leads to.
func (h *haystack) anchors(name, anchor string, found hits, search func() Result, bound func(Span)) Result {
	if found.total == 0 {
		return Result{
			Kind: AnchorMissing, Code: "anchor_not_found",
			Hint: fmt.Sprintf("%s was not found: `%s`. Nothing was searched without it; copy it from the file, or leave it out", name, text.Visible(cut(anchor))),
		}
	}
	places := found.places[:min(len(found.places), anchorsMax)]
	if name == searchBefore {
		slices.Reverse(places)
	}
	var ms []Match
	for _, p := range places { // each has less of the text to search than the one before
		bound(p)
		r := search()
		if r.Kind != Found {
			if len(ms) == 0 {
				return h.behind(r)
			}
			break
		}
		m := r.Matches[0]
		line := h.t.LineOf(h.firstVisible(p.Start, p.End))
		m.Context = fmt.Sprintf("%s line %d: %s", strings.TrimPrefix(name, "search_"), line+1, shown(h.t.Line(line)))
		ms = append(ms, m)
		h.sure = true
	}
	slices.SortStableFunc(ms, func(a, b Match) int { return a.Start - b.Start })
	r := Result{Kind: AnchorAmbiguous, Code: "ambiguous_anchor", Matches: ms, Total: len(ms)}
	r.Recommended, r.Why = h.recommend(ms)
	r.Hint = fmt.Sprintf("%s stands in %d places; repeat the call with the match_id of the place it shall lead to, or with an anchor that is unique", name, found.total)
	return r
}
