package openai

import (
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/galley-ls/galley/memory"
)

// perMinute is a limit of tokens in a minute that one request alone is above: no wait helps, only a shorter one. It
// bounds a request as the window does, but belongs to the account, so the profile does not keep it.
var perMinute = memory.Pattern(`limit:? (\d+),.{0,40}requested:? (\d+)`)

// length is what is said about the length of a request and of a reply.
var length = sync.OnceValue(func() (l struct{ says, but, limits, output []*regexp.Regexp }) {
	long := sentenceNamed("too long")
	l.says, l.but, l.limits = patterns(long.texts("says")), patterns(long.texts("but")), patterns(long.texts("limit"))
	l.output = patterns(sentenceNamed("too long a reply").texts("limit"))
	return l
})

// tooLong tells whether a refusal is about the length of the request, and the limit in tokens, 0 if it was not said.
func tooLong(f *failure, said string) (limit int, is bool) {
	if m := perMinute().FindStringSubmatch(said); m != nil && (f.status == 429 || f.status == 413) {
		most, wanted := atoi(m[1]), atoi(m[2])
		return most, wanted > most
	}
	asksForLess := strings.Contains(said, "max_tokens") || strings.Contains(said, "max_completion_tokens")
	switch {
	case f.status == 413:
	case f.status == 429 || f.status == 503 || anyOf(length().but, said):
		return 0, false
	case !anyOf(length().says, said):
		return 0, false
	case asksForLess && outputLimit(said) > 0: // that is about the reply; see learn.go
		return 0, false
	}
	text := digitGroups().ReplaceAllString(said+"\n"+strings.ToLower(f.body()), "$1$2")
	return numberIn(text, length().limits), true
}

// digitGroups joins numbers that are written with commas.
var digitGroups = memory.Pattern(`(\d),(\d{3})\b`)

func atoi(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0
	}
	return n
}

// outputLimit is the largest limit of a reply that a refusal names; 0: it names none.
func outputLimit(said string) int { return numberIn(said, length().output) }

// numberIn is the number that the first of some patterns finds, 0 if none does.
func numberIn(text string, patterns []*regexp.Regexp) int {
	for _, r := range patterns {
		if m := r.FindStringSubmatch(text); m != nil {
			return atoi(m[1])
		}
	}
	return 0
}
