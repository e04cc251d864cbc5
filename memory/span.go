package memory

import "slices"

// foldSpan is the range of units that a fold hides.
type foldSpan struct{ first, last int }

// span is what a closed editing session left: from after the call that began
// its task, or after the user's last message, through the unit before the call
// that closed it, or through the last one that touched it. It is not ok if
// fewer messages than the threshold belong to it.
func (c *conversation) span(f FoldEdit) (foldSpan, bool) {
	counted := c.closing(f) // through this unit messages count
	if counted < 0 {
		return foldSpan{}, false
	}
	s := foldSpan{first: c.opening(f, counted), last: counted}
	if c.callUnit(f.CloseCall, counted) == counted {
		s.last--
	}
	// Only the last unit can be running. It is left alone, and does not count
	// unless it is the closing one.
	if c.open >= 0 && s.last >= c.open {
		s.last = c.open - 1
		counted = s.last
	}
	whole := c.withoutHalves(&s)
	threshold := f.Threshold
	if threshold <= 0 {
		threshold = DefaultThreshold
	}
	if !whole {
		counted = s.last
	}
	return s, s.first <= s.last && c.shown(s.first, counted) >= threshold
}

// closing is the unit with the agent's commit or revert, else the last one that
// touched the session, -1 if there is none.
func (c *conversation) closing(f FoldEdit) int {
	if i := c.callUnit(f.CloseCall, len(c.units)-1); i >= 0 {
		return i
	}
	last := -1
	for _, id := range f.Touched {
		last = max(last, c.callUnit(id, len(c.units)-1))
	}
	return last
}

// opening is the first unit behind the beginning of the session's task, or
// behind the last thing the user said before it closed.
func (c *conversation) opening(f FoldEdit, closing int) int {
	if i := c.callUnit(f.BeginCall, closing); i >= 0 {
		return i + 1
	}
	i := closing
	for i >= 0 && !c.units[i].prompt {
		i--
	}
	return i + 1
}

// callUnit is the last unit up to limit that made this call, -1 if none did.
func (c *conversation) callUnit(id string, limit int) int {
	if id == "" {
		return -1
	}
	for i := limit; i >= 0; i-- {
		if slices.ContainsFunc(c.units[i].msgs[0].ToolCalls, func(call ToolCall) bool { return call.ID == id }) {
			return i
		}
	}
	return -1
}

// withoutHalves shrinks s so that it contains earlier rewrites whole or not at
// all; it tells whether nothing had to be taken off its end.
func (c *conversation) withoutHalves(s *foldSpan) bool {
	last := s.last
	for _, t := range c.tops {
		switch {
		case t.first < s.first && t.last >= s.first:
			s.first = t.last + 1
		case t.first <= s.last && t.last > s.last:
			s.last = t.first - 1
		}
	}
	return s.last == last
}

// shown counts the messages of these units as they are shown now.
func (c *conversation) shown(first, last int) int {
	n := 0
	c.visible(first, last, func(u *unit) { n += len(u.msgs) }, func(*rewrite) { n++ })
	return n
}
