package settings

import (
	"slices"
	"strconv"
	"strings"

	"github.com/galley-ls/galley/editing/text"
)

// suggest is the name that was meant, "" if none is near: one that is spelled nearly so, or the only one with this key.
func suggest(name string, names []string) string {
	plain := strings.ToLower(strings.ReplaceAll(name, "-", "_"))
	if near := Nearest(plain, names); near != "" {
		return near
	}
	key := plain[strings.LastIndexByte(plain, '.')+1:]
	var same []string
	for _, n := range names {
		if n[strings.LastIndexByte(n, '.')+1:] == key {
			same = append(same, n)
		}
	}
	if len(same) > 0 && (len(same) == 1 || !strings.HasPrefix(same[0], profileGroup)) {
		return same[0]
	}
	return ""
}

// Nearest is the word that differs least, "" if all differ by a third or more.
func Nearest(word string, words []string) string {
	best, most := "", max(1, len(word)/3)+1
	for _, w := range words {
		if d := text.Distance(word, w); d < most {
			best, most = w, d
		}
	}
	return best
}

// unknown is the problem with a name that is none. What it was set to is not told: it may be a key.
func unknown(o Origin, name string) Problem {
	known := slices.Concat(Names(), Groups(), planned())
	next := "galley config show lists them"
	if near := suggest(name[:min(len(name), mostName)], known); near != "" {
		next = "did you mean " + near + "?"
	}
	if key := name[strings.LastIndexByte(name, '.')+1:]; strings.Contains(strings.ToLower(key), "key") && !strings.Contains(key, "env") {
		next = "a key stands in an environment variable, and model.api_key_env names that variable"
	}
	return o.say(next, "there is no setting %s", shownName(name))
}

// mostName is how much of a name from outside is looked at and shown.
const mostName = 80

func shownName(name string) string {
	plain := func(r rune) bool { return r > ' ' && r < 0x7f }
	if name != "" && len(name) <= mostName && strings.IndexFunc(name, func(r rune) bool { return !plain(r) }) < 0 {
		return name
	}
	return strconv.Quote(oneLine(name[:min(len(name), mostName)]))
}
