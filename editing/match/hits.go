package match

// hits are the places that one tier found.
type hits struct {
	tier   Tier
	total  int
	places []Span // bodies, without the blank edges; the first ones, and then the best of the rest
	hints  Hints
	last   Span
	near   int // distance to the cursor of the one kept beyond the first
	behind bool
	only   func(start, end int) bool // nil: any place
}

// keepPlaces is how many places are kept to choose a recommendation from. The
// rest is counted.
const keepPlaces = 1000

func (h *hits) add(start, end int) {
	if h.only != nil && !h.only(start, end) {
		return
	}
	h.total++
	h.last = Span{start, end}
	if len(h.places) < keepPlaces {
		h.places = append(h.places, Span{start, end})
		return
	}
	h.late(start, end)
}

// late keeps a place that is nearest to the cursor, or the first behind the last
// edit, though many places are before it.
func (h *hits) late(start, end int) {
	if h.hints.Cursor >= 0 {
		d := h.hints.far(start, end)
		if first := len(h.places) == keepPlaces; first || d < h.near {
			h.places = append(h.places[:keepPlaces], Span{start, end})
			h.near = d
		}
		return
	}
	if h.hints.Behind >= 0 && start >= h.hints.Behind && !h.behind {
		h.places = append(h.places, Span{start, end})
		h.behind = true
	}
}

// selection is what the user has selected, or the cursor.
func (h Hints) selection() Span { return Span{h.Cursor, max(h.Cursor, h.CursorEnd)} }

// far is how far the cursor or the selection is from a range.
func (h Hints) far(start, end int) int {
	s := h.selection()
	return max(start-s.End, s.Start-end, 0)
}
