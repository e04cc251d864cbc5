package text

import "math"

// Transform moves a over b: both are edits of one text, the result is a made to the text after b. Whichever goes first, the text is the same
// in the end:
//
//	T.Apply(b).Apply(Transform(a, b, f)) == T.Apply(a).Apply(Transform(b, a, !f))
//
// What either deletes is gone, what either inserts is kept. An edit's new text stands where its range starts. At one point insertions come
// before the new text of a replacement that starts there; among two of a kind aFirst puts a's text before b's.
func Transform(a, b Edits, aFirst bool) Edits {
	m := mover{a: cursor{es: a}, b: cursor{es: b}, aFirst: aFirst, owner: -1}
	for at := 0; ; {
		m.a.leave(at)
		m.b.leave(at)
		m.place(m.a.insertion(at), m.b.insertion(at))
		m.place(m.a.replacement(at), m.b.replacement(at))
		if m.a.done() {
			return m.joined()
		}
		next := min(m.a.next(at), m.b.next(at))
		m.stretch(at, next-at)
		at = next
	}
}

// mover walks through the common text from one start or end of an edit to the next.
type mover struct {
	a, b   cursor
	aFirst bool
	pos    int // in the text after b
	out    Edits
	owner  int // which edit of a made the last of out
}

// placed is new text at a point and which edit has it.
type placed struct {
	text  string
	owner int
}

func (m *mover) place(a, b placed) {
	if !m.aFirst {
		m.pos += len(b.text)
	}
	if a.text != "" {
		m.put(Edit{Start: m.pos, End: m.pos, New: a.text}, a.owner)
	}
	if m.aFirst {
		m.pos += len(b.text)
	}
}

// stretch goes over n bytes of the common text, all of which an edit deletes or leaves.
func (m *mover) stretch(at, n int) {
	if m.b.deletes(at) {
		return
	}
	if m.a.deletes(at) {
		m.put(Edit{Start: m.pos, End: m.pos + n}, m.a.i)
	}
	m.pos += n
}

// put appends a piece. Pieces of one edit that lie side by side stay one edit.
func (m *mover) put(e Edit, owner int) {
	if n := len(m.out); n > 0 && m.owner == owner && m.out[n-1].End == e.Start {
		m.out[n-1].End = e.End
		return
	}
	m.out = append(m.out, e)
	m.owner = owner
}

// joined makes one insertion of those that came to stand at one point.
func (m *mover) joined() Edits {
	var out Edits
	for _, e := range m.out {
		out = out.add(e)
	}
	return out
}

// cursor is at the first of some edits that does not lie wholly before a point.
type cursor struct {
	es Edits
	i  int
}

func (c *cursor) done() bool { return c.i == len(c.es) }

// deletes says whether the byte behind the point is deleted.
func (c *cursor) deletes(at int) bool { return !c.done() && c.es[c.i].Start <= at }

// leave passes a replacement that ends at the point.
func (c *cursor) leave(at int) {
	if c.deletes(at) && !c.es[c.i].insertion() && c.es[c.i].End == at {
		c.i++
	}
}

// insertion passes the insertion at the point.
func (c *cursor) insertion(at int) placed {
	if !c.deletes(at) || !c.es[c.i].insertion() {
		return placed{}
	}
	c.i++
	return placed{c.es[c.i-1].New, c.i - 1}
}

// replacement is the new text of the replacement that starts at the point.
func (c *cursor) replacement(at int) placed {
	if c.done() || c.es[c.i].Start != at {
		return placed{}
	}
	return placed{c.es[c.i].New, c.i}
}

// next is the next start or end of an edit behind the point.
func (c *cursor) next(at int) int {
	switch {
	case c.done():
		return math.MaxInt
	case at < c.es[c.i].Start:
		return c.es[c.i].Start
	default:
		return c.es[c.i].End
	}
}
