package settings

import (
	"slices"
	"strings"
)

// guard says what an untrusted workspace makes of a setting. Without trust a workspace may ask for more care, never for
// less.
type guard int

// The guards.
const (
	open          guard = iota // it may set it
	never                      // who is asked, with which key, what may be read, where files are written
	notAuto                    // all but writing without a person
	fewerCommands              // be asked more often, or run none
	lower                      // a smaller number
	lowerLimit                 // a smaller number, where 0 is no limit
	adds                       // more, and nothing is taken away
)

// judge takes the value that a setting has and the one that is asked for. It answers the value from now on, or that the
// workspace must be trusted first.
func (g guard) judge(before, asked any) (now any, ok bool) {
	switch g {
	case never:
		return before, false
	case notAuto:
		return asked, asked != "auto"
	case fewerCommands:
		order := []any{CommandsOff, CommandsAsk, CommandsAllow}
		return asked, slices.Index(order, asked) <= slices.Index(order, before)
	case lower:
		return asked, number(asked) <= number(before)
	case lowerLimit:
		return asked, number(before) == 0 || number(asked) != 0 && number(asked) <= number(before)
	case adds:
		return more(before, asked)
	}
	return asked, true
}

func number(v any) int {
	n, _ := v.(int)
	return n
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

// Trust says for people what a workspace may do with the setting before it is trusted.
func (r Row) Trust() string {
	return map[guard]string{
		open: "", never: "needs trust", notAuto: "`auto` needs trust", fewerCommands: "more needs trust",
		lower: "more needs trust", lowerLimit: "more needs trust", adds: "is added to yours",
	}[r.guard]
}
