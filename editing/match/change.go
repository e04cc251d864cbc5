package match

import (
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing/text"
)

// change is the edits that make old_text, found at p, new_text.
func (h *haystack) change(p Span, tier Tier, old, new string) (start, end int, es text.Edits) {
	if tier == Exact {
		return p.Start, p.End, h.replace(p, old, new)
	}
	return h.merged(h.fit(p, tier, old, new))
}

// merged is the edits that merge a change into the file's bytes.
func (h *haystack) merged(f fitted) (start, end int, es text.Edits) {
	es = h.diff(h.s[f.start:f.end], h.transplant(f))
	for i := range es {
		es[i].Start += f.start
		es[i].End += f.start
	}
	return f.outer.Start, f.outer.End, es
}

// replace is the literal change of a range that has old byte for byte, apart from
// the kind of line endings. Those that stay, stay what they are; new ones take
// the kind of their place.
func (h *haystack) replace(p Span, old, new string) text.Edits {
	es := h.diff(old, new)
	at, from := p.Start, 0
	to := func(offset int) int {
		for from < offset {
			n := strings.IndexByte(old[from:offset], '\n')
			if n < 0 {
				at, from = at+offset-from, offset
				break
			}
			at, from = at+n, from+n+1
			if h.s[at] == '\r' {
				at++
			}
			at++
		}
		return at
	}
	for i, e := range es {
		es[i].Start, es[i].End = to(e.Start), to(e.End)
		if strings.Contains(e.New, "\n") {
			es[i].New = strings.ReplaceAll(e.New, "\n", h.t.EOLAt(es[i].Start))
		}
	}
	return es
}

// diff is text.Diff, which is asked for the same texts once for each place.
func (h *haystack) diff(old, new string) text.Edits {
	if d := &h.diffed; d.edits == nil || d.old != old || d.new != new {
		*d = diffed{old, new, text.Diff(old, new)}
	}
	return slices.Clone(h.diffed.edits)
}

type diffed struct {
	old, new string
	edits    text.Edits
}
