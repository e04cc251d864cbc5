package match

import (
	"regexp"
	"strings"

	"github.com/galley-ls/galley/editing/text"
)

// cleaned is old_text and new_text without an artefact of the way they came.
type cleaned struct {
	artefact string
	old, new string
}

// artefacts lists what may be taken off both texts as a whole, one at a time. It
// is only asked for when the texts as they are match nothing.
func artefacts(old, new string) []cleaned {
	var out []cleaned
	for _, c := range []cleaned{numbered(old, new, false), numbered(old, new, true), fenced(old, new), escaped(old, new), entities(old, new)} {
		if c.artefact != "" && c.old != c.new && !allBlank(c.old) {
			out = append(out, c)
		}
	}
	return out
}

// numberColumns are columns of line numbers, most special first: memo_read's own, then those of
// cat -n, grep -n and of the readers of many agents. The first group is the
// number.
var numberColumns = []*regexp.Regexp{
	regexp.MustCompile(`^[ \t]*(\d+):[0-9a-f]{4} ?[A-Z]? *│`),
	regexp.MustCompile(`^[ \t]*L?(\d+)[ \t]*[|│→]`),
	regexp.MustCompile(`^[ \t]*(\d+)\t`),
	regexp.MustCompile(`^[ \t]*(?:[Ll]ine |L)?(\d+):`),
}

// numbered takes off a column of line numbers that is on every line of old; with
// spaced set also one blank behind it, if it is on every line, too.
func numbered(old, new string, spaced bool) cleaned {
	for _, column := range numberColumns {
		lines, ok := unnumbered(old, column)
		if !ok {
			continue
		}
		if spaced {
			if column == numberColumns[0] || !allSpaced(lines) {
				return cleaned{}
			}
		}
		stripped := func(s string) string {
			all := strings.Split(s, "\n")
			for i, l := range all {
				if n := len(column.FindString(l)); n > 0 {
					all[i] = l[n:]
					if spaced {
						all[i] = strings.TrimPrefix(all[i], " ")
					}
				}
			}
			return strings.Join(all, "\n")
		}
		return cleaned{LineNumbers, stripped(old), stripped(new)}
	}
	return cleaned{}
}

// unnumbered is the lines behind the numbers, if every line of s has one and the
// numbers rise. Empty lines around do not count.
func unnumbered(s string, column *regexp.Regexp) (lines []string, ok bool) {
	before := ""
	for _, l := range strings.Split(strings.Trim(s, "\n"), "\n") {
		m := column.FindStringSubmatch(l)
		if m == nil {
			return nil, false
		}
		number := strings.TrimLeft(m[1], "0")
		if lines != nil && (len(number) < len(before) || len(number) == len(before) && number <= before) {
			return nil, false
		}
		before = number
		lines = append(lines, l[len(m[0]):])
	}
	return lines, true
}

func allSpaced(lines []string) bool {
	any := false
	for _, l := range lines {
		if l != "" && l[0] != ' ' {
			return false
		}
		any = any || l != ""
	}
	return any
}

var fence = text.Pattern("^[ \t]*(`{3,}|~{3,})[^`\n]*\n")

// fenced takes off a code fence around everything, from new_text if it has one.
func fenced(old, new string) cleaned {
	inner, ok := unfenced(old)
	if !ok {
		return cleaned{}
	}
	if n, ok := unfenced(new); ok {
		new = n
	}
	return cleaned{Fence, inner, new}
}

func unfenced(s string) (string, bool) {
	s = strings.Trim(s, "\n")
	m := fence().FindStringSubmatch(s)
	if m == nil {
		return s, false
	}
	s = s[len(m[0]):]
	i := strings.LastIndexByte(s, '\n') + 1
	if strings.Trim(s[i:], " \t") != m[1] {
		return s, false
	}
	return strings.TrimSuffix(s[:i], "\n"), true
}

// entities takes one level of HTML entities off.
func entities(old, new string) cleaned {
	r := strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&#34;", `"`, "&apos;", "'", "&#39;", "'", "&#x27;", "'", "&#x2F;", "/", "&amp;", "&")
	plainOld, plainNew := r.Replace(old), r.Replace(new)
	if plainOld == old || plainNew != new && mixed(old, new, r.Replace, `<>"`) {
		return cleaned{}
	}
	return cleaned{Entities, plainOld, plainNew}
}

// mixed says whether new has raw what old has only encoded, and encoded things as
// well: then nobody knows which of them are meant.
func mixed(old, new string, decode func(string) string, set string) bool {
	for _, c := range set {
		s := string(c)
		if !strings.Contains(old, s) && strings.Contains(decode(old), s) && strings.Contains(new, s) {
			return true
		}
	}
	return false
}
