package settings

import (
	"maps"
	"math"
	"slices"
	"strings"
)

// guards say for people what a workspace may do with a setting before it is trusted. Without trust it may ask for more
// care, never for less.
var guards = map[string]string{
	"":      "",                   // it may set it
	"never": "needs trust",        // who is asked, with which key, what may be read, where files are written
	"auto":  "`auto` needs trust", // all but writing without a person
	"more":  "more needs trust",   // a smaller number, or an earlier word
	"adds":  "is added to yours",  // more, and nothing is taken away
	"less":  "less needs trust",   // nothing that people are shown goes away
}

// Trust says for people what the workspace may do with the setting before it is trusted.
func (r Row) Trust() string { return guards[r.trust] }

// judge takes the value that a setting has and the one that an untrusted workspace asks for. It answers the value from
// now on, or that the workspace must be trusted first.
func (r Row) judge(before, asked any) (now any, ok bool) {
	switch r.trust {
	case "":
		return asked, true
	case "auto":
		words, _ := asked.(ByFile)
		return asked, asked != "auto" && !slices.Contains(slices.Collect(maps.Values(words)), "auto")
	case "more":
		return asked, r.rank(asked) <= r.rank(before)
	case "less":
		return asked, shows(asked) >= shows(before)
	case "adds":
		return more(before, asked)
	}
	return before, false
}

// rank says how much a value allows: a number as much as it is, but 0 without end where it is no bound; a word as much
// as it stands behind others.
func (r Row) rank(v any) float64 {
	switch v := v.(type) {
	case int:
		if v > 0 {
			return float64(v)
		}
	case float64:
		if v > 0 {
			return v
		}
	case string:
		return float64(slices.Index(r.Words, v))
	}
	return math.Inf(1)
}

// shownMore are the words of what is shown, ever more of it.
var shownMore = []string{"stats", "compact", "full", "diff", "off", "hint", "auto", "information", "warning"}

// shows says how much people are shown with a value.
func shows(v any) int {
	switch v := v.(type) {
	case int:
		return v
	case string:
		return slices.Index(shownMore, v)
	case bool:
		if v {
			return 1
		}
	}
	return 0
}

// more puts what is asked for behind what is there.
func more(before, asked any) (now any, ok bool) {
	was, _ := before.([]string)
	wanted, _ := asked.([]string)
	out := slices.Clone(was)
	for _, p := range wanted {
		if strings.HasPrefix(strings.TrimSpace(p), "!") { // takes back what stands before it
			return before, false
		}
		if !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out, true
}
