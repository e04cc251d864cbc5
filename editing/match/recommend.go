package match

import (
	"strings"
	"unicode"
)

// Why a place is recommended, in the order in which the reasons are asked.
const (
	whyLike   = "the most like old_text"
	whyWhole  = "it is a whole line, the others are parts of lines"
	whyCursor = "nearest to the cursor"
	whyBehind = "nearest behind the last change or read"
	whyBlock  = "in the block you are working on"
	whyGoal   = "fits the task's goal best"
	whyFirst  = "the first in the file"
	whyOnly   = "there is no other"
)

// recommend chooses one of several places. Each reason that tells some of them
// apart narrows the choice; the one that leaves a single place is given.
func (h *haystack) recommend(ms []Match) (int, string) {
	if len(ms) == 1 {
		return 0, whyOnly
	}
	left := make([]int, len(ms))
	for i := range left {
		left[i] = i
	}
	words := goalWords(h.hints.Goal)
	for _, r := range []struct {
		why   string
		score func(Match) int // higher is better
	}{
		{whyLike, func(m Match) int { return int(m.like * 1000) }},
		{whyWhole, func(m Match) int { return truth(m.WholeLines) }},
		{whyCursor, h.byCursorLine},
		{whyCursor, h.byCursor},
		{whyBehind, h.byBehind},
		{whyBlock, h.byBlock},
		{whyGoal, func(m Match) int { return h.byGoal(m, words) }},
	} {
		if left = best(left, ms, r.score); len(left) == 1 {
			return left[0], r.why
		}
		if r.why == whyBehind {
			left = left[:min(len(left), MaxMatches)] // the rest looks at what is around them
		}
	}
	return left[0], whyFirst
}

// best keeps the places with the highest score.
func best(left []int, ms []Match, score func(Match) int) []int {
	var out []int
	top := 0
	for _, i := range left {
		s := score(ms[i])
		if len(out) == 0 || s > top {
			out, top = out[:0], s
		}
		if s == top {
			out = append(out, i)
		}
	}
	return out
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// byCursorLine counts lines: what is nearest looks so.
func (h *haystack) byCursorLine(m Match) int {
	if h.hints.Cursor < 0 {
		return 0
	}
	first, last := h.t.LineOf(h.firstVisible(m.Start, m.End)), h.t.LineOf(m.End)
	return -max(first-h.t.LineOf(h.hints.selection().End), h.t.LineOf(h.hints.Cursor)-last, 0)
}

func (h *haystack) byCursor(m Match) int {
	if h.hints.Cursor < 0 {
		return 0
	}
	return -h.hints.far(m.Start, m.End)
}

// byBehind prefers what is behind the last change to all that is before it.
func (h *haystack) byBehind(m Match) int {
	if h.hints.Behind < 0 {
		return 0
	}
	if m.Start >= h.hints.Behind {
		return h.hints.Behind - m.Start
	}
	return -len(h.s) - 1
}

func (h *haystack) byBlock(m Match) int {
	if w := h.hints.Within; w.Start < w.End {
		return truth(m.Start >= w.Start && m.End <= w.End)
	}
	at := h.hints.Behind
	if at < 0 {
		return 0
	}
	_, of := h.heading(m.Start)
	_, worked := h.heading(min(at, len(h.s)))
	return truth(of == worked)
}

// byGoal counts the words of the goal that stand in the line or its context.
func (h *haystack) byGoal(m Match, goal map[string]bool) int {
	if len(goal) == 0 {
		return 0
	}
	at := h.firstVisible(m.Start, m.End)
	n := 0
	heading, _ := h.heading(at)
	for w := range goalWords(h.lineText(at) + " " + heading) {
		n += truth(goal[w])
	}
	return n
}

// goalWords is the set of words of a text, without the shortest.
func goalWords(s string) map[string]bool {
	words := make(map[string]bool)
	for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if len(w) > 2 || w[0] < 'a' || w[0] > 'z' {
			words[w] = true
		}
	}
	return words
}
