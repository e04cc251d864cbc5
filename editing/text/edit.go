package text

import (
	"fmt"
	"sort"
)

// Edit replaces the bytes [Start,End) of a text by New. With Start == End it is an insertion.
type Edit struct {
	Start int    `json:"start"`
	End   int    `json:"end"`
	New   string `json:"new"`
}

// Edits are made to one text at once: all offsets are in the text before. They are sorted and disjoint. At one point there is at most one
// insertion; it stands behind a replacement that ends there and before one that starts there.
type Edits []Edit

func (e Edit) insertion() bool { return e.Start == e.End }
func (e Edit) nothing() bool   { return e.Start == e.End && e.New == "" }

// Validate says what is wrong with edits of a text of n bytes.
func (es Edits) Validate(n int) error {
	for i, e := range es {
		if e.Start < 0 || e.Start > e.End || e.End > n {
			return fmt.Errorf("edit %d of bytes %d-%d is outside the text of %d bytes; compute it again from the present text", i, e.Start, e.End, n)
		}
		if i == 0 {
			continue
		}
		before := es[i-1]
		if before.End > e.Start || before.insertion() && e.insertion() && before.End == e.Start {
			return fmt.Errorf("edit %d of bytes %d-%d overlaps the one before of %d-%d; sort and join edits first", i, e.Start, e.End, before.Start, before.End)
		}
	}
	return nil
}

// Delta is by how many bytes the edits lengthen a text.
func (es Edits) Delta() int {
	n := 0
	for _, e := range es {
		n += len(e.New) - (e.End - e.Start)
	}
	return n
}

// add appends an edit that lies behind all others. Two insertions at one point become one, an edit that does nothing is left out.
func (es Edits) add(e Edit) Edits {
	if e.nothing() {
		return es
	}
	if n := len(es); n > 0 && e.insertion() && es[n-1].insertion() && es[n-1].End == e.Start {
		es[n-1].New += e.New
		return es
	}
	return append(es, e)
}

// Invert makes the edits that take t.Apply(es) back to t.
func (es Edits) Invert(t Text) Edits {
	var out Edits
	shift := 0
	for _, e := range es {
		start := e.Start + shift
		out = out.add(Edit{Start: start, End: start + len(e.New), New: t.Slice(e.Start, e.End)})
		shift += len(e.New) - (e.End - e.Start)
	}
	return out
}

// Map is where an offset goes. An insertion at the very offset lands before it if after is set, else behind it. Inside replaced text it goes
// to the end of the new text or to its start.
func (es Edits) Map(offset int, after bool) int { return es.from(0, 0, offset, after) }

// Mapper is Map for many offsets: it looks only at the edits near each.
func (es Edits) Mapper() func(offset int, after bool) int {
	shifts := make([]int, len(es)+1)
	for i := range es {
		shifts[i+1] = shifts[i] + es[i:i+1].Delta()
	}
	return func(offset int, after bool) int {
		i := sort.Search(len(es), func(i int) bool { return es[i].End >= offset })
		return es.from(i, shifts[i], offset, after)
	}
}

// from maps an offset that lies behind the first i edits, which shift it.
func (es Edits) from(i, shift, offset int, after bool) int {
	for _, e := range es[i:] {
		if e.Start > offset || e.Start == offset && !e.insertion() {
			break
		}
		switch {
		case e.End <= offset && (e.Start < offset || after):
			shift += len(e.New) - (e.End - e.Start)
		case e.End <= offset: // an insertion here, and it lands behind
		case after:
			return e.Start + shift + len(e.New)
		default:
			return e.Start + shift
		}
	}
	return offset + shift
}

// Delta is how many bytes the edit adds.
func (e Edit) Delta() int { return len(e.New) - (e.End - e.Start) }

// Moved is the edit by so many bytes further on.
func (e Edit) Moved(by int) Edit { return Edit{Start: e.Start + by, End: e.End + by, New: e.New} }

// JoinPoints joins insertions that deletions between them have moved to one point.
func (es Edits) JoinPoints() Edits {
	out := es[:0:0]
	for _, e := range es {
		if n := len(out) - 1; n >= 0 && e.insertion() && out[n].Start == e.Start && out[n].End == e.Start {
			out[n].New += e.New
			continue
		}
		out = append(out, e)
	}
	return out
}

// MustApply is Apply for edits that their caller keeps valid itself: anything else
// is a fault there.
func (t Text) MustApply(es Edits) Text {
	if len(es) == 0 {
		return t
	}
	u, err := t.Apply(es)
	if err != nil {
		panic("text: edits do not fit their text: " + err.Error())
	}
	return u
}
