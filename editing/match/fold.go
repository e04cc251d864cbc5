package match

import (
	"sort"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// view is a text as tier Unicode sees it, with the way back to its bytes.
type view struct {
	s       string
	changed []patch // what was folded, in order; all else is the same byte for byte
}

// patch is a cluster that folding changed. One without width is empty in the view.
type patch struct {
	from, to       int32 // in the view
	source, behind int32 // in the text
}

// fold makes Unicode look-alikes equal: NFC, ASCII quotes and dashes, plain
// spaces, nothing for characters without width, three dots for an ellipsis.
// Stray bytes stay what they are.
func fold(s string) *view {
	f := folder{s: s}
	f.run()
	if f.copied == 0 {
		return &view{s: s}
	}
	f.sb.WriteString(s[f.copied:])
	return &view{s: f.sb.String(), changed: f.changed}
}

func folded(s string) string {
	if ascii(s) {
		return s
	}
	return fold(s).s
}

// start is where the text has what begins at an offset of the view, -1 if that
// is inside a folded cluster. What has no width lies before it.
func (v *view) start(at int) int {
	i := sort.Search(len(v.changed), func(i int) bool { return int(v.changed[i].from) > at })
	if i == 0 {
		return at
	}
	switch p := v.changed[i-1]; {
	case at >= int(p.to):
		return int(p.behind) + at - int(p.to)
	case at == int(p.from):
		return int(p.source)
	}
	return -1
}

// end is where the text ends what ends at an offset of the view, -1 if that is
// inside a folded cluster. What has no width lies behind it.
func (v *view) end(at int) int {
	i := sort.Search(len(v.changed), func(i int) bool { return int(v.changed[i].to) >= at })
	if i == len(v.changed) {
		return v.start(at)
	}
	switch p := v.changed[i]; {
	case at <= int(p.from):
		return int(p.source) - (int(p.from) - at)
	case at == int(p.to):
		return int(p.behind)
	}
	return -1
}

type folder struct {
	s       string
	sb      strings.Builder
	copied  int // how much of s is in sb, folded
	changed []patch
}

// run looks at every character that is not ASCII, together with the marks on it.
func (f *folder) run() {
	for i := 0; i < len(f.s); {
		i += asciiPrefix(f.s[i:])
		if i == len(f.s) {
			return
		}
		r, size := utf8.DecodeRuneInString(f.s[i:])
		start, end := i, i+size
		if joins(r) && i > f.copied {
			_, before := utf8.DecodeLastRuneInString(f.s[f.copied:i])
			start -= before
		}
		for end < len(f.s) && f.s[end] >= utf8.RuneSelf {
			next, size := utf8.DecodeRuneInString(f.s[end:])
			if !joins(next) {
				break
			}
			end += size
		}
		f.cluster(start, end, r)
		i = end
	}
}

// cluster folds s[start:end], a character with its marks, of which r is the
// first that is not ASCII.
func (f *folder) cluster(start, end int, r rune) {
	src := f.s[start:end]
	if r == utf8.RuneError || zeroWidth(r) && f.strayBefore(start) {
		return
	}
	out := src
	if end-start > utf8.RuneLen(r) || !stable(r) {
		out = norm.NFC.String(src)
	}
	out = lookAlikes(out)
	if out == src {
		return
	}
	if f.changed == nil {
		f.sb.Grow(len(f.s))
	}
	f.sb.WriteString(f.s[f.copied:start])
	from := f.sb.Len()
	f.sb.WriteString(out)
	f.changed = append(f.changed, patch{int32(from), int32(f.sb.Len()), int32(start), int32(end)})
	f.copied = end
}

// strayBefore keeps two stray bytes apart that would become a character.
func (f *folder) strayBefore(at int) bool {
	r, size := utf8.DecodeLastRuneInString(f.s[:at])
	return r == utf8.RuneError && size == 1
}

// lookAlikes folds every character of a cluster.
func lookAlikes(s string) string {
	for i, r := range s {
		if as, ok := lookAlike(r); ok {
			return s[:i] + as + lookAlikes(s[i+utf8.RuneLen(r):])
		}
	}
	return s
}

func lookAlike(r rune) (string, bool) {
	switch {
	case r < 0x80:
		return "", false
	case r >= 0x2018 && r <= 0x201B:
		return "'", true
	case r >= 0x201C && r <= 0x201F:
		return `"`, true
	case r >= 0x2010 && r <= 0x2015, r == 0x2212:
		return "-", true
	case r == 0x2026:
		return "...", true
	case r >= 0xFF01 && r <= 0xFF5E: // the fullwidth forms
		return string(r - 0xFF01 + '!'), true
	case oddSpace(r):
		return " ", true
	case zeroWidth(r):
		return "", true
	}
	return "", false
}

// joins says whether r may become one character with what is before it.
func joins(r rune) bool {
	if r < 0x300 || r >= 0x2010 && r < 0x20D0 || r >= 0x4E00 && r <= 0x9FFF || r >= 0xAC00 && r <= 0xD7A3 || r >= 0xFF01 && r <= 0xFF5E || r == utf8.RuneError {
		return false
	}
	var b [utf8.UTFMax]byte
	return !norm.NFC.Properties(b[:utf8.EncodeRune(b[:], r)]).BoundaryBefore()
}

// stable says whether r alone is surely in NFC.
func stable(r rune) bool {
	return r < 0x300 || r >= 0x2002 && r < 0x20D0 || r >= 0x3001 && r < 0x3099 || r >= 0x4E00 && r <= 0x9FFF || r >= 0xAC00 && r <= 0xD7A3 || r >= 0xFF01 && r <= 0xFF5E
}

// ascii says whether s has no byte above 0x7F.
func ascii(s string) bool { return asciiPrefix(s) == len(s) }

// asciiPrefix is how many bytes of s come before the first one that is not ASCII.
func asciiPrefix(s string) int {
	const high = 0x8080808080808080
	i := 0
	for ; i+8 <= len(s); i += 8 {
		if word(s[i:])&high != 0 {
			break
		}
	}
	for i < len(s) && s[i] < utf8.RuneSelf {
		i++
	}
	return i
}

// find is the offset in the view of an offset in the text, or the next one
// outside of folded clusters: behind it or, if asked so, before it.
func (v *view) find(at int, behind bool) int {
	i := sort.Search(len(v.changed), func(i int) bool { return int(v.changed[i].source) > at })
	if i == 0 {
		return at
	}
	p := v.changed[i-1]
	if at >= int(p.behind) {
		return int(p.to) + at - int(p.behind)
	}
	if behind {
		return int(p.to)
	}
	return int(p.from)
}

// word is the first eight bytes of s.
func word(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}
