package match

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// applied says whether the text already is what the model wants: new_text stands
// there and old_text does not, or resembles only places that it would not change.
func (h *haystack) applied(old, new string, near *nearby) (Result, bool) {
	if evident(old, new) {
		found, _ := h.within(new)
		if found.total > 0 {
			p := found.places[0]
			whole := h.wholeLines(p.Start, p.End)
			long := utf8.RuneCountInString(strings.TrimSpace(new)) >= nearMin
			if long && (whole || found.total == 1 && h.wholeWords(p)) || whole && found.total == 1 {
				return h.already(h.match(Match{Start: p.Start, End: p.End, Tier: found.tier})), true
			}
		}
	}
	if near.applied != nil && len(near.matches) == 0 {
		return h.already(*near.applied), true
	}
	return Result{}, false
}

// wholeWords says whether no word goes on beyond a place.
func (h *haystack) wholeWords(p Span) bool {
	p = h.shrink(p)
	before, _ := utf8.DecodeLastRuneInString(h.s[:p.Start])
	last, _ := utf8.DecodeLastRuneInString(h.s[p.Start:p.End])
	return !(wordRune(before) && wordRune(firstRune(h.s[p.Start:]))) && !(wordRune(last) && wordRune(firstRune(h.s[p.End:])))
}

func (h *haystack) already(m Match) Result {
	return Result{
		Kind: AlreadyApplied, Code: "already_applied", Total: 1, Matches: []Match{m},
		Hint: fmt.Sprintf("old_text is not in the file, but new_text is, at line %d: this edit is already applied, so go on. "+
			"If you mean another place, read it again and copy old_text from there", m.Line+1),
	}
}

// evident says whether finding new_text says anything about the edit: it must
// bring something that old_text has not, or close the gap that it leaves.
func evident(old, new string) bool {
	if !strings.ContainsFunc(new, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		return false
	}
	was := make(map[string]bool)
	before, after := seenLines(old), seenLines(new)
	for _, l := range before {
		was[l] = true
	}
	for _, l := range after {
		if !was[l] {
			return true
		}
	}
	return len(after) > 1 && len(after) < len(before) && after[0] == before[0] && after[len(after)-1] == before[len(before)-1]
}

// seenLines are the lines of a text that are not blank.
func seenLines(s string) []string {
	var out []string
	for _, l := range strings.Split(s, "\n") {
		if l = seen(l); l != "" {
			out = append(out, l)
		}
	}
	return out
}

// seen is a line as all tiers see it.
func seen(line string) string { return loose(trim(line)) }
