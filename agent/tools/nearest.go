package tools

import (
	"strings"

	"github.com/galley-ls/galley/editing/text"
)

// suggest names the nearest word, or all of them if none is near.
func suggest(word string, all []string, otherwise string) string {
	if near := nearest(word, all); near != "" {
		return "did you mean " + quote(near) + "?"
	}
	return otherwise + strings.Join(all, ", ")
}

// nearest is the word with the smallest edit distance, the first of equals; none, if even that one is about half
// another word and neither contains the other.
func nearest(word string, all []string) string {
	const (
		longest = 100 // no name is longer; what a model sends may be
		slack   = 2   // so that old_string is near old_text
	)
	a := plain(word)
	if a == "" || len(a) > longest {
		return ""
	}
	best, least := "", longest
	for _, candidate := range all {
		b := plain(candidate)
		d := text.Distance(a, b)
		near := d < min(len(a), len(b)) && 2*d <= max(len(a), len(b))+slack || len(b) > 2 && strings.Contains(a, b) || len(a) > 2 && strings.Contains(b, a)
		if near && d < least {
			best, least = candidate, d
		}
	}
	return best
}

// plain makes oldText, old-text and OLD_TEXT one word.
func plain(s string) string {
	return strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(s))
}
