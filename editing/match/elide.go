package match

import "strings"

// elided finds old_text in pieces: lines of dots stand for text that both sides
// leave out. Each piece must be unique in the text, and they must come in order.
func (h *haystack) elided(old, new string) (Match, bool) {
	was, is := pieces(old), pieces(new)
	if len(was) < 2 || len(was) != len(is) {
		return Match{}, false
	}
	m := Match{Start: -1, Artefact: Elision}
	for i := range was {
		if allBlank(was[i]) {
			if !allBlank(is[i]) {
				return Match{}, false
			}
			continue
		}
		p, ok := h.piece(was[i], is[i], i > 0)
		if !ok || m.Start >= 0 && p.Start < m.End {
			return Match{}, false
		}
		if m.Start < 0 {
			m.Start = p.Start
		}
		m.End, m.Tier = p.End, max(m.Tier, p.Tier)
		m.Edits = append(m.Edits, p.Edits...)
	}
	return m, m.Start >= 0 && len(m.Edits) > 0
}

// pieces parts a text at its lines of dots. A piece keeps the line ending before
// such a line, so it ends where a line ends.
func pieces(s string) []string {
	var out []string
	at := 0
	for start := 0; start < len(s); {
		end := strings.IndexByte(s[start:], '\n') + start + 1
		if end == start {
			end = len(s)
		}
		if elision(trim(strings.TrimSuffix(s[start:end], "\n"))) {
			out = append(out, s[at:start])
			at = end
		}
		start = end
	}
	return append(out, s[at:])
}

// piece finds one piece, which must begin a line if there is something before it.
func (h *haystack) piece(old, new string, begins bool) (Match, bool) {
	found := h.search(old)
	if found.total != 1 {
		return Match{}, false
	}
	p := found.places[0]
	if begins && !allBlank(h.s[h.line(p.Start):p.Start]) {
		return Match{}, false
	}
	m := Match{Start: p.Start, End: p.End, Tier: found.tier}
	if old != new {
		m.Start, m.End, m.Edits = h.change(p, found.tier, old, new)
	}
	return m, true
}
