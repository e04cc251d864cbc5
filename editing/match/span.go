package match

import (
	"fmt"
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing/text"
)

// FindSpan looks up everything from q.Start through q.End, which are whole lines.
// The end is looked for behind the start, by the same ladder.
func FindSpan(t text.Text, q SpanQuery) Result {
	q.Start, q.End, q.New = unixEndings(q.Start), unixEndings(q.End), unixEndings(q.New)
	if allBlank(q.Start) || allBlank(q.End) {
		return refused("empty_old_text", "old_span_start and old_span_end must both have something to see; copy the first and the last text of the span from the file")
	}
	if r, bad := leavesOut(q.Start+"\n"+q.End, q.New); bad {
		return r
	}
	h := newHaystack(t, q.Hints)
	h.asked = q.Start
	return h.anchored(q.After, q.Before, func() Result { return h.findSpan(q) })
}

// findSpan tries the texts as they are, then without an artefact of both.
func (h *haystack) findSpan(q SpanQuery) Result {
	r := h.span(q, "")
	if r.Kind != NoMatch {
		return r
	}
	for _, start := range artefacts(q.Start, q.New) {
		for _, end := range artefacts(q.End, q.New) {
			if start.artefact != end.artefact || start.new != end.new {
				continue
			}
			if now := h.span(SpanQuery{Start: start.old, End: end.old, New: start.new}, start.artefact); now.Kind != NoMatch {
				return now
			}
		}
	}
	return r
}

// ends is where a span begins and where it ends.
type ends struct {
	start, end Span
	tiers      [2]Tier
}

func (h *haystack) span(q SpanQuery, artefact string) Result {
	starts := h.whole(q.Start)
	if starts.total == 0 {
		return h.missEnd("old_span_start", q.Start, "in the file")
	}
	if h.pick == first {
		starts.places, starts.total = starts.places[:1], 1
	}
	found, total := h.pairEnds(starts, q)
	if len(found) == 0 {
		behind := *h
		behind.lo = starts.places[0].End
		return behind.missEnd("old_span_end", q.End, fmt.Sprintf("behind old_span_start (line %d)", h.t.LineOf(starts.places[0].Start)+1))
	}
	ms := make([]Match, len(found))
	for i, e := range found {
		ms[i] = h.spanMatch(e, q, artefact)
	}
	if len(ms) > 1 {
		r := h.ambiguous(ms, total, func(*Match) {})
		r.Hint = fmt.Sprintf("there are %d such spans; repeat the call with the match_id of the one you mean, or name its first and last text more exactly", total)
		return r
	}
	if len(ms[0].Edits) == 0 {
		return refused("no_change", "the span already reads as new_text wants it, so nothing would change")
	}
	return h.one(ms[0])
}

// pairEnds pairs the only start with every end behind it, or each of several
// starts with the first end behind it.
func (h *haystack) pairEnds(starts hits, q SpanQuery) (found []ends, total int) {
	for _, s := range starts.places[:min(len(starts.places), anchorsMax)] {
		behind := *h
		behind.lo = s.End
		es := behind.whole(q.End)
		if start, end := seenLines(q.Start), seenLines(q.End); es.total == 0 && len(end) <= len(start) && slices.Equal(start[len(start)-len(end):], end) {
			es.places, es.total = []Span{{s.End, s.End}}, 1
		}
		if es.total > 1 && (h.pick != ask || starts.total > 1) {
			es.places, es.total = es.places[:1], 1
		}
		for _, e := range es.places[:min(len(es.places), MaxMatches)] {
			found = append(found, ends{s, e, [2]Tier{starts.tier, es.tier}})
		}
		total += es.total
	}
	return found, total
}

// spanMatch makes the edits of one span. What is between its ends is the file's.
func (h *haystack) spanMatch(e ends, q SpanQuery, artefact string) Match {
	m := Match{Tier: max(e.tiers[0], e.tiers[1]), Artefact: artefact}
	whole := Span{e.start.Start, e.end.End}
	if m.Tier == Exact {
		m.Start, m.End = whole.Start, whole.End
		m.Edits = h.replace(whole, unixEndings(h.s[whole.Start:whole.End]), q.New)
		return m
	}
	lead, head, _ := edges(q.Start, m.Tier)
	_, tail, trail := edges(q.End, m.Tier)
	e.start, e.end = h.shrink(e.start), h.shrink(e.end)
	whole = Span{e.start.Start, e.end.End}
	middle := unixEndings(h.s[e.start.End:e.end.Start])
	f := h.fit(whole, m.Tier, lead+head+middle+tail+trail, q.New)
	n := strings.Count(f.base[:len(f.base)-len(strings.TrimLeft(f.base, "\n"))]+head, "\n") + 1
	f.given = Span{n, n + strings.Count(middle, "\n") - 1}
	m.Start, m.End, m.Edits = h.merged(f)
	return m
}

// shrink takes the blank edges off a place that was found exactly.
func (h *haystack) shrink(p Span) Span {
	blank := func(r rune) bool { return r == '\n' || r == '\r' || blankRune(r) }
	rest := strings.TrimLeftFunc(h.s[p.Start:p.End], blank)
	start := p.End - len(rest)
	return Span{start, start + len(strings.TrimRightFunc(rest, blank))}
}

// missEnd answers for an end of a span that is nowhere, or only a part of lines.
func (h *haystack) missEnd(name, s, where string) Result {
	r := Result{
		Kind: NoMatch, Code: "no_match",
		Hint: fmt.Sprintf("%s was not found %s: `%s`; copy it from the file as it is now", name, where, text.Visible(cut(s))),
	}
	if part := h.search(s); part.total > 0 {
		at := part.places[0].Start
		r.Hint = fmt.Sprintf("%s, `%s`, is only a part of lines %s, like line %d: `%s`; the ends of a span are whole lines, so give the whole one",
			name, text.Visible(cut(s)), where, h.t.LineOf(at)+1, text.Visible(h.lineText(at)))
	}
	return r
}
