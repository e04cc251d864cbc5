package offline

import (
	"slices"
	"strings"

	"github.com/galley-ls/galley/memory"
)

// galleyPrefix begins the user messages that galley writes itself: what the person decided since the last step.
const galleyPrefix = "[galley]"

// rejection matches one rejected letter at the start of an item of a decisions message, with its reason in quotes.
var rejection = memory.Pattern(`(?s)(?:^|; |\n)([A-Z]) rejected(?:: (?:'(.*?)'|"(.*?)"|([^;\n]*)))?\.?(?:$|;|\n)`)

// decided matches a letter that is no longer undecided.
var decided = memory.Pattern(`(?:^|; |\n)([A-Z]) (?:applied|rejected|closed|merged)`)

// closedEdit matches an editing session that the person closed.
var closedEdit = memory.Pattern(`#(\d+) (?:is|was) (?:committed|reverted|closed)`)

// items is a decisions message without its head.
func items(message string) string {
	return strings.TrimSpace(strings.TrimPrefix(message, galleyPrefix))
}

// rejections reads the rejected letters of a decisions message.
func rejections(message string) []decision {
	text, found := items(message), []decision(nil)
	for {
		at := rejection().FindStringSubmatchIndex(text)
		if at == nil {
			return found
		}
		d := decision{Letter: text[at[2]:at[3]], State: "rejected"}
		for g := 4; g < len(at); g += 2 {
			if at[g] >= 0 {
				d.Reason = text[at[g]:at[g+1]]
			}
		}
		found = append(found, d)
		text = strings.TrimSpace(text[at[1]:])
	}
}

// answerTo answers each rejection in words.
func answerTo(ds []decision) []string {
	var lines []string
	for _, d := range ds {
		if d.State != "rejected" {
			continue
		}
		reason := strings.TrimRight(strings.TrimSpace(d.Reason), ".")
		if reason == "" {
			reason = "no reason was given"
		}
		line := d.Letter + " was rejected: " + reason + " — I leave it as it is."
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return lines
}

// decidedIn reads the letters that a decisions message takes off the list of what waits.
func decidedIn(message string, after int) []closing {
	var found []closing
	for _, m := range decided().FindAllStringSubmatch(items(message), -1) {
		found = append(found, closing{what: m[1], after: after})
	}
	return found
}
