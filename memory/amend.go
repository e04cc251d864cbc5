package memory

import "strings"

// Amend has blocks that hold an element of the same name and first attribute hold this one in its
// place, since what it tells has changed. Nothing happens where none does.
func (s *Store) Amend(element string) error {
	defer s.write()()
	if err := s.writableLocked(); err != nil {
		return err
	}
	holds := false
	s.convLocked().blocks(func(r *rewrite) bool {
		_, _, found := elementIn(r.own, opening(element))
		holds = holds || found
		return false
	})
	if !holds {
		return nil
	}
	_, err := s.appendLocked(TypeCompact, compactPayload{State: stateCommitted, Reason: reasonAmended, Own: raw(element)}, 0)
	return err
}

// opening is how an element begins, through its first attribute.
func opening(element string) string {
	for i, quotes := 0, 0; i < len(element); i++ {
		if element[i] == '"' {
			quotes++
		}
		if quotes == 2 {
			return element[:i+1]
		}
	}
	return element
}

// elementIn is where an element stands in a text.
func elementIn(text, opening string) (start, end int, ok bool) {
	name, _, _ := strings.Cut(strings.TrimPrefix(opening, "<"), " ")
	closing := "\n</" + name + ">"
	if !strings.HasPrefix(text, opening) { // elsewhere than at the start of a line it is somebody's words
		start = strings.Index(text, "\n"+opening) + 1
		if start == 0 {
			return 0, 0, false
		}
	}
	n := strings.Index(text[start:], closing)
	return start, start + n + len(closing), n >= 0
}

func (c *conversation) amend(element string) {
	c.blocks(func(r *rewrite) bool {
		start, end, ok := elementIn(r.own, opening(element))
		if ok {
			r.own = r.own[:start] + element + r.own[end:]
		}
		return ok
	})
}

// blocks calls change with every block, also with those that stand in others, or came
// before them. What was counted of those that it changes, and of what they stand in, is
// counted anew.
func (c *conversation) blocks(change func(*rewrite) bool) {
	seen := map[*rewrite]bool{}
	var visit func(r *rewrite) bool
	visit = func(r *rewrite) bool {
		if was, known := seen[r]; known {
			return was
		}
		changed := change(r)
		for _, inner := range r.carried {
			changed = visit(inner) || changed
			r.end = inner.end
		}
		if len(r.carried) == 0 {
			r.end = r.own
		}
		for _, inner := range r.hidden {
			visit(inner)
		}
		if changed {
			r.tokens, r.text = 0, ""
		}
		seen[r] = changed
		return changed
	}
	for _, t := range c.tops {
		visit(t)
	}
}
