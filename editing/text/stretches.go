package text

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Stretch says that bytes [A0,A1) of one text, whole lines, stand where another one has [B0,B1).
type Stretch struct{ A0, A1, B0, B1 int }

// Stretches are the lines in which now differs from was. All between them is equal, line by line. The answer depends on the two texts alone:
// lines that stand once in both are kept first, as many as stand in the same order, and what is between them is aligned in the same way, at
// last in the ordinary one. es, by which was became now, say where there is anything to compare, so that this costs what they cost, and not
// what the texts do.
func Stretches(was, now Text, es Edits) []Stretch {
	if len(es) == 0 {
		return nil
	}
	s := &stretcher{was: was, now: now, index: was.index(), gone: map[uint64]int{}, came: map[uint64]int{}}
	s.widen(es)
	for _, r := range s.edited {
		count(s.gone, was.Slice(r.A0, r.A1))
		count(s.came, now.Slice(r.B0, r.B1))
	}
	for h := range s.gone {
		if s.came[h] > 0 {
			s.across++
		}
	}
	var out []Stretch
	for _, r := range s.parts() {
		out = append(out, s.align(r)...)
	}
	return out
}

type stretcher struct {
	was, now   Text
	index      lineIndex
	edited     []Stretch      // the lines that edits have touched
	gone, came map[uint64]int // those lines, by hash
	across     int            // lines that may have moved over others
}

// widen makes whole lines of edits.
func (s *stretcher) widen(es Edits) {
	shift := 0
	for _, e := range es {
		r := Stretch{A0: s.was.LineStart(s.was.LineOf(e.Start)), A1: e.End}
		if !s.was.startsLine(e.End) || !s.now.startsLine(e.Start+shift+len(e.New)) {
			r.A1 = s.was.LineStart(s.was.LineOf(e.End) + 1)
		}
		r.B0 = r.A0 + shift
		shift += len(e.New) - (e.End - e.Start)
		r.B1 = r.A1 + shift
		if n := len(s.edited) - 1; n >= 0 && r.A0 <= s.edited[n].A1 {
			s.edited[n].A1 = max(s.edited[n].A1, r.A1)
			s.edited[n].B1 = s.edited[n].A1 + shift
			continue
		}
		s.edited = append(s.edited, r)
	}
}

func (t Text) startsLine(offset int) bool { return offset == 0 || t.body().byteAt(offset-1) == '\n' }

// parts are what can be aligned for itself: edited lines up to lines that stand once in both texts and keep their order whatever is chosen.
// Those between two edits do so if they are more than the lines that may have moved over them.
func (s *stretcher) parts() []Stretch {
	var out []Stretch
	end := 0 // of the last part in was
	for i, r := range s.edited {
		if n := len(out) - 1; n >= 0 && s.tied(s.edited[i-1].A1, r.A0) {
			out[n].A1, out[n].B1 = r.A1, r.B1
		} else {
			for r.A0 > end && !s.once(s.was.Slice(s.lineBefore(r.A0), r.A0)) {
				n := r.A0 - s.lineBefore(r.A0)
				r.A0, r.B0 = r.A0-n, r.B0-n
			}
			out = append(out, r)
		}
		next := s.was.Len()
		if i+1 < len(s.edited) {
			next = s.edited[i+1].A0
		}
		p := &out[len(out)-1]
		for p.A1 < next {
			line := s.was.Slice(p.A1, s.was.LineStart(s.was.LineOf(p.A1)+1))
			if s.once(line) {
				break
			}
			p.A1, p.B1 = p.A1+len(line), p.B1+len(line)
		}
		end = p.A1
	}
	return out
}

func (s *stretcher) lineBefore(at int) int { return s.was.LineStart(s.was.LineOf(at - 1)) }

// tied reports whether too few lines between two edits hold their place.
func (s *stretcher) tied(from, to int) bool {
	for n := 0; from < to; {
		end := s.was.LineStart(s.was.LineOf(from) + 1)
		if s.once(s.was.Slice(from, end)) {
			if n++; n > s.across {
				return false
			}
		}
		from = end
	}
	return true
}

// once reports whether a line stands once in both texts.
func (s *stretcher) once(line string) bool {
	h := LineHash(line)
	n := s.index.count(h)
	return n == 1 && n-s.gone[h]+s.came[h] == 1
}

// align compares the lines of one part.
func (s *stretcher) align(r Stretch) []Stretch {
	ids := map[uint64]rune{}
	a, b := hashedLines(ids, s.was.Slice(r.A0, r.A1)), hashedLines(ids, s.now.Slice(r.B0, r.B1))
	w := &work{left: allWork}
	pairs := slices.DeleteFunc(w.unique(a.id, b.id), func(p pair) bool { return !s.once(a.piece(p.a)) })
	var out []Stretch
	for _, h := range w.between(a.id, b.id, ascending(pairs)) {
		out = append(out, Stretch{r.A0 + a.at[h.a0], r.A0 + a.at[h.a1], r.B0 + b.at[h.b0], r.B0 + b.at[h.b1]})
	}
	return out
}

// hashedLines cuts a text into lines, which are the same if their hashes are.
func hashedLines(ids map[uint64]rune, s string) tokens {
	t := tokens{s: s, at: []int{0}}
	for line := range strings.Lines(s) {
		h := LineHash(line)
		id, ok := ids[h]
		if !ok {
			id = rune(len(ids))
			ids[h] = id
		}
		t.id, t.at = append(t.id, id), append(t.at, t.at[len(t.at)-1]+len(line))
	}
	return t
}

// Unknown is a line, without its ending, of which no more than its hash is known. It is compared as that line is.
func Unknown(hash uint64) string { return fmt.Sprintf("%c%016x", nul, hash) }

const nul = 0 // no text has one

// LineHash is the FNV-1a of a line.
func LineHash(line string) uint64 {
	const start, prime, unknown = 14695981039346656037, 1099511628211, 17
	h := uint64(start)
	if len(line) >= unknown && line[0] == nul {
		h, _ = strconv.ParseUint(line[1:unknown], 16, 64)
		line = line[unknown:]
	}
	for i := range len(line) {
		h = (h ^ uint64(line[i])) * prime
	}
	return h
}

func count(in map[uint64]int, s string) {
	for line := range strings.Lines(s) {
		in[LineHash(line)]++
	}
}

// lineIndex are the hashes of all lines of a text, in order of size.
type lineIndex []uint64

// count is how often a line stands there, two for several.
func (x lineIndex) count(h uint64) int {
	i, ok := slices.BinarySearch(x, h)
	switch {
	case !ok:
		return 0
	case i+1 < len(x) && x[i+1] == h:
		return 2
	}
	return 1
}

// index is made once for a text: whoever compares it again and again with what it becomes asks for it.
func (t Text) index() lineIndex {
	b := t.body()
	if x := b.index.Load(); x != nil {
		return *x
	}
	x := make(lineIndex, 0, t.Lines())
	rest := ""
	for _, c := range b.chunks {
		s := rest + c.s
		if rest == "" {
			s = c.s
		}
		whole := strings.LastIndexByte(s, '\n') + 1
		for line := range strings.Lines(s[:whole]) {
			x = append(x, LineHash(line))
		}
		rest = s[whole:]
	}
	if rest != "" {
		x = append(x, LineHash(rest))
	}
	slices.Sort(x)
	b.index.Store(&x)
	return x
}
