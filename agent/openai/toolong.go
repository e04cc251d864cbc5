package openai

import (
	"regexp"
	"strconv"
	"strings"
)

// saysTooLong are the words in which servers say that a request does not fit into the context window.
var saysTooLong = regexp.MustCompile(strings.Join([]string{
	`context_length_exceeded|exceed_context_size|context_window_exceeded|string_above_max_context|tokens_limit_reached|context_too_large`,
	`(maximum|max|model'?s) (context|prompt|input) (length|size|window)`,
	`prompt (is )?too long|prompt exceeds max length|input is too long|input too long|input length .{0,40}exceeds?|exceeds? .{0,30}input length`,
	`exceeds? .{0,40}(context|token|max_seq_len|max_model_len)|exceeded .{0,30}token limit`,
	`(context|window|size) .{0,20}(exceed|overflow)`,
	`(longer|larger|greater|more) than .{0,60}(context|max_seq_len|max_model_len)`,
	`keep the first \d+ tokens|tokens to keep from the initial prompt`,
	`reduce the length of|too large for model with \d+|tokens? > \d+ maximum|prompt token count`,
	`range of input length should be|cannot exceed \d+|max_new_tokens.? must be <=`,
	`too many (input )?tokens|request entity too large|payload too large|body too large`,
}, "|"))

// saysBusy are words of a server that wants fewer requests, not shorter ones. Some of them sound like the above.
var saysBusy = regexp.MustCompile(`please wait|throttl|too many requests|slow down|try again (in|later)|retry after`)

// perMinute is a limit of tokens in a minute that one request alone is above: no wait helps, only a shorter one. It
// bounds a request as the window does, but belongs to the account, so the profile does not keep it.
var perMinute = regexp.MustCompile(`limit:? (\d+),.{0,40}requested:? (\d+)`)

// isOrOf is what stands between a measure and its number.
const isOrOf = `(?: (?:of|is|allowed|tokens?|only)|:|=|\s|\()*(\d{3,})`

// limits find the size of the window in a server's words, the surest first.
var limits = []*regexp.Regexp{
	regexp.MustCompile(`n_ctx"? ?[:=] ?(\d+)`),
	regexp.MustCompile(`\(requested:? \d+.{0,20}limit:? (\d+)`),
	regexp.MustCompile(`tokens? > (\d+)`),
	regexp.MustCompile(`\d+ \+ \d+ > (\d+)`),
	regexp.MustCompile(`(?:maximum|max|model'?s|available) (?:allowed )?(?:context|prompt|input|sequence)[ _-]?(?:length|size|window)?` + isOrOf),
	regexp.MustCompile(`(?:context|window)[ _-]?(?:length|size|window|limit)?s?` + isOrOf),
	regexp.MustCompile(`(?:tokens? allowed|maximum|limit|max_seq_len|max_model_len)` + isOrOf),
	regexp.MustCompile(`must be <= (\d+)`),
	regexp.MustCompile(`\[\d+, ?(\d+)\]`),
	regexp.MustCompile(`(?:model with|only|exceed) (\d{3,})`),
}

// tooLong tells whether a refusal is about the length of the request, and the limit in tokens, 0 if it was not said.
func tooLong(f *failure, said string) (limit int, is bool) {
	if m := perMinute.FindStringSubmatch(said); m != nil && (f.status == 429 || f.status == 413) {
		most, wanted := atoi(m[1]), atoi(m[2])
		return most, wanted > most
	}
	asksForLess := strings.Contains(said, "max_tokens") || strings.Contains(said, "max_completion_tokens")
	switch {
	case f.status == 413:
	case f.status == 429 || f.status == 503 || saysBusy.MatchString(said):
		return 0, false
	case !saysTooLong.MatchString(said):
		return 0, false
	case asksForLess && outputLimit(said) > 0: // that is about the reply; see learn.go
		return 0, false
	}
	text := digitGroups.ReplaceAllString(said+"\n"+strings.ToLower(f.body()), "$1$2")
	for _, r := range limits {
		if m := r.FindStringSubmatch(text); m != nil {
			return atoi(m[1]), true
		}
	}
	return 0, true
}

// digitGroups joins numbers that are written with commas.
var digitGroups = regexp.MustCompile(`(\d),(\d{3})\b`)

func atoi(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0
	}
	return n
}

// saysOutput are the words about a reply that was asked to be longer than the model can.
var saysOutput = []*regexp.Regexp{
	regexp.MustCompile(`supports at most (\d+) completion tokens`),
	regexp.MustCompile(`max_(?:completion_)?tokens\W{0,3} (?:must|should) be (?:less than or equal to|at most|<=|no more than|smaller than or equal to)\W{0,3}(\d+)`),
	regexp.MustCompile(`valid range of max_(?:completion_)?tokens is \[\d+, ?(\d+)\]`),
	regexp.MustCompile(`max_(?:completion_)?tokens: \d+ > (\d+)`),
}

// outputLimit is the largest limit of a reply that a refusal names; 0: it names none.
func outputLimit(said string) int {
	for _, r := range saysOutput {
		if m := r.FindStringSubmatch(said); m != nil {
			return atoi(m[1])
		}
	}
	return 0
}
