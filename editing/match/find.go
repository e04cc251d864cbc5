package match

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing/text"
)

// Find looks up the place of q.Old in t and makes the edits that turn it into
// q.New. It answers Found only if there is exactly one such place, or if an
// anchor names the one.
func Find(t text.Text, q Query) Result {
	q.Old, q.New = unixEndings(q.Old), unixEndings(q.New)
	if r, bad := badArguments(t, q.Old, q.New); bad {
		return r
	}
	if t.Len() == 0 && allBlank(q.Old) {
		return Result{Kind: Found, Total: 1, Matches: []Match{{Edits: text.Edits{{New: q.New}}, WholeLines: true}}}
	}
	h := newHaystack(t, q.Hints)
	h.asked = q.Old
	return h.anchored(q.After, q.Before, func() Result { return h.find(q.Old, q.New) })
}

// Locate finds the places of a text by the tiers alone, without edits.
func Locate(t text.Text, old string) []Match { return locate(t, old, (*haystack).search) }

// Whole is Locate for whole lines.
func Whole(t text.Text, old string) []Match { return locate(t, old, (*haystack).whole) }

func locate(t text.Text, old string, search func(*haystack, string) hits) []Match {
	old = unixEndings(old)
	if allBlank(old) {
		return nil
	}
	h := newHaystack(t, Hints{Cursor: -1, Behind: -1})
	found := search(h, old)
	var ms []Match
	for i, p := range found.places {
		m := Match{Start: p.Start, End: p.End, Tier: found.tier}
		if i < MaxMatches { // nobody is shown more
			m = h.match(m)
		}
		ms = append(ms, m)
	}
	return ms
}

// find goes through all ways to find a place, in order.
func (h *haystack) find(old, new string) Result {
	if found := h.search(old); found.total > 0 {
		return h.answer(found, old, new, "")
	}
	if c, found := h.clean(old, new); found.total > 0 {
		return h.answer(found, c.old, c.new, c.artefact)
	}
	if m, ok := h.elided(old, new); ok {
		return h.one(m)
	}
	if h.sure {
		return Result{Kind: NoMatch, Code: "no_match"}
	}
	near := h.near(old, new)
	if r, ok := h.applied(old, new, &near); ok {
		return r
	}
	if len(near.matches) > 0 {
		return h.ask(near)
	}
	return h.miss(old, near)
}

// clean looks the texts up without an artefact. Of several ways to read them, the
// one with the strictest match counts.
func (h *haystack) clean(old, new string) (cleaned, hits) {
	var best cleaned
	var found hits
	for _, c := range artefacts(old, new) {
		if found.total > 0 && c.artefact != best.artefact {
			break
		}
		now := h.search(c.old)
		if c.artefact == LineNumbers || c.artefact == Fence {
			now = h.onlyLines(now)
		}
		if now.total > 0 && (found.total == 0 || now.tier < found.tier) {
			best, found = c, now
		}
	}
	return best, found
}

// onlyLines keeps the places that are whole lines.
func (h *haystack) onlyLines(found hits) hits {
	all := len(found.places)
	found.places = slices.DeleteFunc(found.places, func(p Span) bool { return !h.wholeLines(p.Start, p.End) })
	n := len(found.places)
	if n == 0 || found.total == all {
		found.total = n
	}
	if n > 0 {
		found.last = found.places[n-1]
	}
	return found
}

// answer makes the result of a search.
func (h *haystack) answer(found hits, old, new, artefact string) Result {
	switch h.pick {
	case first:
		found.places, found.total = found.places[:1], 1
	case last:
		found.places, found.total = []Span{found.last}, 1
	}
	var ms []Match
	for _, p := range found.places {
		ms = append(ms, Match{Start: p.Start, End: p.End, Tier: found.tier, Artefact: artefact})
	}
	if found.total > 1 {
		return h.ambiguous(ms, found.total, func(m *Match) {
			m.Start, m.End, m.Edits = h.change(Span{m.Start, m.End}, m.Tier, old, new)
		})
	}
	m := ms[0]
	m.Start, m.End, m.Edits = h.change(found.places[0], found.tier, old, new)
	return h.one(m)
}

// one is the result with a single place. If nothing is to be done there, the file
// has what new_text wants.
func (h *haystack) one(m Match) Result {
	m = h.match(m)
	if len(m.Edits) == 0 {
		return Result{
			Kind: AlreadyApplied, Code: "already_applied", Total: 1, Matches: []Match{m},
			Hint: fmt.Sprintf("line %d already reads as new_text wants it; nothing is left to do there", m.Line+1),
		}
	}
	return Result{Kind: Found, Total: 1, Matches: []Match{m}}
}

// ambiguous asks which of several places is meant. Only those that are listed get
// their edits.
func (h *haystack) ambiguous(ms []Match, total int, change func(*Match)) Result {
	r := Result{Kind: Ambiguous, Code: "ambiguous", Total: total}
	r.Matches, r.Recommended, r.Why = h.choose(ms)
	for i := range r.Matches {
		change(&r.Matches[i])
	}
	h.tellApart(r.Matches)
	r.Hint = fmt.Sprintf(`old_text stands in %d places; repeat the call with the match_id of the one you mean, or "all", or take more lines around it into old_text`, total)
	return r
}

// choose recommends one of several places and cuts the list, never cutting off
// the recommended one.
func (h *haystack) choose(ms []Match) (listed []Match, recommended int, why string) {
	slices.SortFunc(ms, func(a, b Match) int { return cmp.Or(a.Start-b.Start, a.End-b.End) })
	for i := range ms {
		ms[i].WholeLines = h.wholeLines(ms[i].Start, ms[i].End)
	}
	recommended, why = h.recommend(ms)
	if len(ms) > MaxMatches {
		kept := slices.Clone(ms[:MaxMatches])
		if recommended >= MaxMatches {
			kept[MaxMatches-1] = ms[recommended]
			recommended = MaxMatches - 1
		}
		ms = kept
	}
	for i := range ms {
		ms[i] = h.match(ms[i])
	}
	return ms, recommended, why
}

// match fills in what people and models see of a place.
func (h *haystack) match(m Match) Match {
	m.WholeLines = h.wholeLines(m.Start, m.End)
	at := h.firstVisible(m.Start, m.End)
	m.Line = h.t.LineOf(at)
	m.LineText = h.lineText(at)
	m.Context = h.context(at)
	return m
}

// wholeLines says whether a range holds whole lines, apart from blanks at its
// edges.
func (h *haystack) wholeLines(start, end int) bool {
	if !allBlank(h.s[h.line(start):start]) {
		return false
	}
	rest := trimLeft(h.s[end:])
	return rest == "" || rest[0] == '\n' || strings.HasPrefix(rest, "\r\n") || end > 0 && h.s[end-1] == '\n'
}
