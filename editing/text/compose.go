package text

import (
	"math"
	"strings"
)

// Compose makes one set of edits of two: a on some text, then b on the result. Pieces that touch are joined.
func Compose(a, b Edits) Edits {
	out := make(Edits, 0, len(a)+len(b))
	shift := 0 // from the first text to the one between, for what is before the group
	for len(a) > 0 || len(b) > 0 {
		g := group(a, b, shift)
		e := Edit{Start: g.start - shift, New: g.text(a[:g.a], b[:g.b], shift)}
		shift += a[:g.a].Delta()
		e.End = g.end - shift
		out = out.add(e)
		a, b = a[g.a:], b[g.b:]
	}
	return out
}

// Sequence makes one set of edits of steps that follow one another: the first is made to a text of n bytes, each other to what the one
// before left. They are composed in pairs, then the pairs, so that many steps cost little more than their length.
func Sequence(n int, steps []Edit) (Edits, error) {
	for _, e := range steps {
		one := Edits{e}
		if err := one.Validate(n); err != nil {
			return nil, err
		}
		n += one.Delta()
	}
	return composed(steps), nil
}

func composed(steps []Edit) Edits {
	if len(steps) < 2 {
		return Compose(nil, steps)
	}
	half := len(steps) / 2
	return Compose(composed(steps[:half]), composed(steps[half:]))
}

// touching is a group: a run of edits of two steps that touch or overlap in the text between the steps, so nothing of the first text is left
// between them.
type touching struct {
	start, end int // in the text between
	a, b       int // how many edits of each step
}

func group(a, b Edits, shift int) touching {
	g := touching{start: math.MaxInt}
	if len(a) > 0 {
		g.start = a[0].Start + shift
	}
	if len(b) > 0 {
		g.start = min(g.start, b[0].Start)
	}
	for g.end = g.start; ; {
		switch {
		case g.a < len(a) && a[g.a].Start+shift <= g.end:
			e := a[g.a]
			g.end = max(g.end, e.Start+shift+len(e.New))
			shift += len(e.New) - (e.End - e.Start)
			g.a++
		case g.b < len(b) && b[g.b].Start <= g.end:
			g.end = max(g.end, b[g.b].End)
			g.b++
		default:
			return g
		}
	}
}

// text is what both steps leave of a group: the new text of a, where b does not delete it, and that of b.
func (g touching) text(a, b Edits, shift int) string {
	switch { // most are alone
	case len(b) == 0 && len(a) == 1:
		return a[0].New
	case len(a) == 0 && len(b) == 1:
		return b[0].New
	}
	var sb strings.Builder
	at := g.start
	for _, e := range b {
		a, shift = writeNew(&sb, a, shift, at, e.Start)
		sb.WriteString(e.New)
		at = e.End
	}
	writeNew(&sb, a, shift, at, g.end)
	return sb.String()
}

// writeNew writes what edits inserted into the range from start to end of the text they made. It answers the edits that reach behind it.
func writeNew(sb *strings.Builder, es Edits, shift, start, end int) (Edits, int) {
	for len(es) > 0 {
		e, from := es[0], es[0].Start+shift
		lo, hi := max(start, from), min(end, from+len(e.New))
		if lo < hi {
			sb.WriteString(e.New[lo-from : hi-from])
		}
		if from+len(e.New) > end {
			break
		}
		shift += len(e.New) - (e.End - e.Start)
		es = es[1:]
	}
	return es, shift
}
