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
		d := distance(h.hints.Cursor, start, end)
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

// distance is how far an offset is from a range.
func distance(at, start, end int) int {
	switch {
	case at < start:
		return start - at
	case at > end:
		return at - end
	}
	return 0
}
