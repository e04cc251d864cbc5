package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// blank are code points that count as printable and yet show nothing, besides those that Unicode calls ignorable.
const blank = "\u2800\U00016FE4\U0001D159"

// unseen reports whether a reader sees nothing of a code point, or not what it is: controls and what directs the writing, what has no width,
// all blanks but the space, fillers and tags, variation selectors, private and unassigned ones, and what is drawn over another character.
func unseen(r rune) bool {
	const overlay = 1 // the combining class
	switch {
	case r >= ' ' && r < 0x7F:
		return false
	case !unicode.IsPrint(r), unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point, unicode.Me):
		return true
	}
	return strings.ContainsRune(blank, r) || norm.NFC.PropertiesString(string(r)).CCC() == overlay
}

// Seen reports whether a reader sees a character, as Character cuts it off, for what it is. A line ending is seen.
func Seen(c string) bool {
	r, size := utf8.DecodeRuneInString(c)
	return r == '\n' || size < len(c) || !unseen(r) && (r != utf8.RuneError || size > 1)
}

// Character is how many bytes the first character of s takes: one code point or stray byte, or an emoji with all that belongs to it, which a
// reader sees as one picture.
func Character(s string) int {
	r, n := utf8.DecodeRuneInString(s)
	if r < utf8.RuneSelf && !strings.HasPrefix(s[n:], selector) {
		return n
	}
	if after, ok := strings.CutPrefix(s[n:], selector+keycap); ok && strings.ContainsRune("0123456789#*", r) {
		return len(s) - len(after)
	}
	if !unicode.Is(pictures, r) {
		return n
	}
	n = picture(s)
	for {
		next, ok := strings.CutPrefix(s[n:], joiner)
		if r, _ := utf8.DecodeRuneInString(next); !ok || !unicode.Is(pictures, r) {
			return n
		}
		n += len(joiner) + picture(next)
	}
}

const (
	selector = "\uFE0F" // asks for a picture
	keycap   = "\u20E3"
	joiner   = "\u200D"
	flag     = "\U0001F3F4"
	tag      = 0xE0000 // of the first ASCII character
	endOfTag = "\U000E007F"
)

// picture is the length of one emoji: with the colour of the skin, the selector, or of a flag with the name of its region.
func picture(s string) int {
	_, n := utf8.DecodeRuneInString(s)
	if r, size := utf8.DecodeRuneInString(s[n:]); r >= 0x1F3FB && r <= 0x1F3FF {
		return n + size
	}
	if rest, ok := strings.CutPrefix(s, flag); ok {
		n += region(rest)
	}
	if strings.HasPrefix(s[n:], selector) {
		n += len(selector)
	}
	return n
}

// region is the length of the name of a region in tags: a country of two letters, and one to three letters and digits.
func region(s string) int {
	name, _, ok := strings.Cut(s, endOfTag)
	if !ok {
		return 0
	}
	for i, r := range []rune(name) {
		letter := r >= tag+'a' && r <= tag+'z'
		if i > 4 || !letter && (i < 2 || r < tag+'0' || r > tag+'9') {
			return 0
		}
	}
	if utf8.RuneCountInString(name) < 3 {
		return 0
	}
	return len(name) + len(endOfTag)
}

// pictures are the characters that emoji are made of, and some beside them.
var pictures = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0xA9, 0xAE, 5}, {0x203C, 0x2049, 13}, {0x2122, 0x2139, 23}, {0x2194, 0x2199, 1}, {0x21A9, 0x21AA, 1}, {0x231A, 0x231B, 1},
		{0x2328, 0x23CF, 167}, {0x23E9, 0x23FA, 1}, {0x24C2, 0x24C2, 1}, {0x25AA, 0x25AB, 1}, {0x25B6, 0x25C0, 10}, {0x25FB, 0x25FE, 1},
		{0x2600, 0x27BF, 1}, {0x2934, 0x2935, 1}, {0x2B05, 0x2B07, 1}, {0x2B1B, 0x2B1C, 1}, {0x2B50, 0x2B55, 5}, {0x3030, 0x303D, 13},
		{0x3297, 0x3299, 2},
	},
	R32:         []unicode.Range32{{0x1F000, 0x1FAFF, 1}},
	LatinOffset: 1,
}
