package editing

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing/text"
)

// Place describes where a hunk belongs in words of the text itself: the lines it
// edits and three lines around. It finds the hunk again where offsets cannot.
type Place struct {
	Block      string // the lines, as they were
	Start, End int    // the hunk's own edit, in bytes of Block
	New        string
	Before     string // up to three lines, each with its ending
	After      string // what follows Block up to three line ends on
	Head, Tail bool   // what is known begins, or ends, within a line: a long one is not kept whole
	gone       bool   // Block is what is left after a deletion: it proves nothing by itself
}

// placeJSON is a place as a journal keeps it.
type placeJSON struct {
	Block  raw  `json:"block"`
	Start  int  `json:"start"`
	End    int  `json:"end"`
	New    raw  `json:"new"`
	Before raw  `json:"before,omitempty"`
	After  raw  `json:"after,omitempty"`
	Head   bool `json:"head,omitempty"`
	Tail   bool `json:"tail,omitempty"`
}

// MarshalJSON keeps stray bytes.
func (p Place) MarshalJSON() ([]byte, error) { return json.Marshal(p.json()) }

// UnmarshalJSON reads what MarshalJSON wrote.
func (p *Place) UnmarshalJSON(data []byte) error {
	var j placeJSON
	err := json.Unmarshal(data, &j)
	*p = *j.place()
	return err
}

func (p *Place) json() *placeJSON {
	if p == nil {
		return nil
	}
	return &placeJSON{raw(p.Block), p.Start, p.End, raw(p.New), raw(p.Before), raw(p.After), p.Head, p.Tail}
}

func (j *placeJSON) place() *Place {
	if j == nil {
		return nil
	}
	return &Place{Block: string(j.Block), Start: j.Start, End: j.End, New: string(j.New), Before: string(j.Before), After: string(j.After), Head: j.Head, Tail: j.Tail}
}

const (
	contextLines = 3
	contextBytes = 64 << 10 // before an edit and behind it, at most
)

// bounded reports whether the text went on behind what is known of it.
func (p *Place) bounded() bool {
	return p != nil && (p.Tail || strings.Count(p.After, "\n") >= contextLines)
}

// placeOf describes hunk h of t, for a hunk whose region holds its old text.
func placeOf(t text.Text, h Hunk) Place {
	e := h.edit()
	return placeAt(t, e.Start, e.End, h.New)
}

func placeAt(t text.Text, from, to int, new string) Place {
	start, end := lineStart(t, from), max(to, lineEnd(t, to))
	first, last := t.LineOf(start), t.LineOf(end)
	before := t.LineStart(max(0, first-contextLines))
	after := max(end, t.LineEnd(min(last+contextLines, max(t.Lines()-1, 0))))
	p := Place{New: new, Head: before < from-contextBytes, Tail: after > to+contextBytes}
	if p.Head {
		before = from - contextBytes
		start = max(start, before)
	}
	if p.Tail {
		after = to + contextBytes
		end = min(end, after)
	}
	p.Block, p.Start, p.End = t.Slice(start, end), from-start, to-start
	p.Before, p.After = t.Slice(before, start), t.Slice(end, after)
	return p
}

// tells reports whether the place says which text stands there, and which would
// come for it.
func (p *Place) tells(is, other string) bool {
	return p != nil && p.valid() && p.New == other && p.is() == is
}

func (p *Place) valid() bool { return 0 <= p.Start && p.Start <= p.End && p.End <= len(p.Block) }

// is what stands at the place.
func (p *Place) is() string { return p.Block[p.Start:p.End] }

// hunk is the place as a hunk of a text in which Block begins at offset.
func (p *Place) hunk(offset int) Hunk {
	return Hunk{Start: offset + p.Start, End: offset + p.End, Old: p.is(), New: p.New}
}

// plain is the place in a text without its line ends, see text.Plain.
func (p Place) plain() *Place {
	p.Start, p.End = len(text.Unix(p.Block[:p.Start])), len(text.Unix(p.Block[:p.End]))
	p.Block, p.Before, p.After = text.Unix(p.Block), text.Unix(p.Before), text.Unix(p.After)
	return &p
}

// locate finds what the hunk edits in t, whatever line ends that has.
func (p *Place) locate(t text.Text) (from, to int, ok bool) {
	if p == nil || !p.valid() {
		return 0, 0, false
	}
	q := p.plain()
	at, ok := q.block(t.Plain().String())
	if !ok {
		return 0, 0, false
	}
	return t.FromPlain(at + q.Start), t.FromPlain(at + q.End), true
}

// block finds the block in s: with all its context, with one side of it, or by
// itself where it is unique. Two places are no place. A blank block says nothing
// by itself: it needs both sides.
func (p *Place) block(s string) (int, bool) {
	if p.Before+p.After != "" {
		at := p.in(s, true, true)
		if len(at) > 0 {
			return at[0] + len(p.Before), len(at) == 1
		}
	}
	if p.gone || strings.TrimSpace(p.Block) == "" {
		return 0, p.Before+p.After == "" && s == p.Block
	}
	if p.Before != "" {
		if at := p.in(s, true, false); len(at) == 1 {
			return at[0] + len(p.Before), true
		}
	}
	if p.After != "" {
		if at := p.in(s, false, true); len(at) == 1 {
			return at[0], true
		}
	}
	at := p.in(s, false, false)
	return slices.Max(append(at, 0)), len(at) == 1
}

// put puts the hunk of a record to where one of its sides stands in t. What t has is
// as t has it; the other side takes the line ends of the place, where they are others now.
func (h *Hunk) put(t text.Text, from, to int) {
	p := h.Place
	was := text.New(p.Before + p.Block + p.After).EOLAt(len(p.Before) + p.Start)
	nl := endingAt(t, from, was)
	h.Start, h.End = from, to
	is := t.Slice(from, to)
	for _, side := range []*string{&h.Old, &h.New} {
		if plain := text.Unix(*side); plain == text.Unix(is) {
			*side = is
		} else {
			*side = asWas(plain, *side, nl, nl == was)
		}
	}
}

// in returns up to two offsets at which the block stands in s, with what is known
// before it and behind.
func (p *Place) in(s string, before, after bool) []int {
	block, head, tail := p.Block, p.Head && p.Before == "", p.Tail && p.After == ""
	if before {
		block, head = p.Before+block, p.Head
	}
	if after {
		block, tail = block+p.After, p.Tail
	}
	return partsIn(s, block, head, tail, 2)
}

// linesIn returns the first max offsets at which block stands in s as whole lines.
func linesIn(s, block string, max int) []int { return partsIn(s, block, false, false, max) }

// partsIn is linesIn for a block that may begin, or end, within a line.
func partsIn(s, block string, head, tail bool, max int) []int {
	var out []int
	for from := 0; len(out) < max; {
		i := strings.Index(s[from:], block)
		if i < 0 {
			break
		}
		at := from + i
		end := at + len(block)
		if (head || at == 0 || s[at-1] == '\n') && (tail || end == len(s) || startsLine(s[end:]) || endsLine(block)) {
			out = append(out, at)
		}
		from = at + 1
	}
	return out
}
