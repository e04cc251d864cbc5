package disk

import (
	"path"
	"regexp"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// rule is one line of a .gitignore. The library that reads such files whole gets "?", "!" and trailing blanks wrong,
// so the syntax is taken apart here and only the wildcards are left to doublestar.
type rule struct {
	pattern  string
	negate   bool
	dirOnly  bool
	baseOnly bool // no slash in it: matches a name at any depth
	literal  bool // no wildcard in it
}

// rules are the lines of one file, in its order.
type rules []rule

func parseRules(content string) rules {
	var rs rules
	for line := range strings.Lines(strings.TrimPrefix(content, "\uFEFF")) {
		line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		if r, ok := parseRule(line); ok {
			rs = append(rs, r)
		}
	}
	return rs
}

func parseRule(line string) (rule, bool) {
	if strings.HasPrefix(line, "#") {
		return rule{}, false
	}
	var r rule
	line = trimBlanks(line)
	line, r.negate = strings.CutPrefix(line, "!")
	line, r.dirOnly = strings.CutSuffix(line, "/")
	r.baseOnly = !strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	if line == "" {
		return rule{}, false
	}
	r.literal = !strings.ContainsAny(line, `*?[\`)
	if !r.literal {
		line = toDoublestar(line)
	}
	r.pattern = line
	return r, true
}

// trimBlanks cuts blanks at the end, but not one that a backslash protects.
func trimBlanks(line string) string {
	for strings.HasSuffix(line, " ") {
		body := strings.TrimSuffix(line, " ")
		if slashes := len(body) - len(strings.TrimRight(body, `\`)); slashes%2 == 1 {
			return line
		}
		line = body
	}
	return line
}

// token finds what has a meaning of its own between two slashes: an escape, a class ([a-z], [!]x], [[:digit:]x]), a run
// of stars, a brace.
var token = regexp.MustCompile(`\\.|\[[!^]?\]?(?:\[:[a-z]+:\]|\\.|[^\]\\])*\]|\*+|[{}]`)

// named are the POSIX classes, which doublestar does not know.
var named = strings.NewReplacer(
	"[:alnum:]", "0-9A-Za-z", "[:alpha:]", "A-Za-z", "[:digit:]", "0-9", "[:lower:]", "a-z", "[:upper:]", "A-Z",
	"[:xdigit:]", "0-9A-Fa-f", "[:space:]", " \t", "[:blank:]", " \t", "[:punct:]", `!-.:-@\[-`+"`"+`{-~`,
)

// toDoublestar rewrites what the two syntaxes read differently.
func toDoublestar(p string) string {
	parts := strings.Split(p, "/")
	for i, part := range parts {
		if len(part) > 1 && strings.Trim(part, "*") == "" {
			parts[i] = "**"
		} else {
			parts[i] = token.ReplaceAllStringFunc(part, toToken)
		}
	}
	if last := len(parts) - 1; last > 0 && parts[last] == "**" { // "a/**" is not "a"
		parts = append(parts, "*")
	}
	return strings.Join(parts, "/")
}

func toToken(s string) string {
	switch s[0] {
	case '*':
		return "*"
	case '{', '}': // mean nothing to git
		return `\` + s
	case '[':
		return toClass(s[1:])
	}
	return s
}

// toClass writes a class so that "]" may stand first in it, and that none but a slash itself matches a slash.
func toClass(body string) string {
	start := "["
	if body[0] == '!' || body[0] == '^' {
		start, body = "[^/", body[1:]
		if body[0] == '-' {
			body = `\` + body
		}
	}
	if body[0] == ']' && len(body) > 1 {
		start, body = start+`\]`, body[1:]
	}
	return start + named.Replace(body)
}

// match says whether the last rule that fits closes or opens the path; decided is false if none fits.
func (rs rules) match(rel string, dir bool) (closed, decided bool) {
	base := path.Base(rel)
	for i := len(rs) - 1; i >= 0; i-- {
		if rs[i].fits(rel, base, dir) {
			return !rs[i].negate, true
		}
	}
	return false, false
}

func (r rule) fits(rel, base string, dir bool) bool {
	if r.dirOnly && !dir {
		return false
	}
	name := rel
	if r.baseOnly {
		name = base
	}
	if r.literal {
		return name == r.pattern
	}
	ok, err := doublestar.Match(r.pattern, name)
	return ok && err == nil // git, too, matches nothing with a broken pattern
}

// covers says whether the rules close a file or a folder above it.
func (rs rules) covers(rel string) bool {
	closed, _ := rs.match(rel, false)
	return closed || rs.coversAbove(rel)
}

// coversAbove looks at the folders of rel only: all of it up to the last slash.
func (rs rules) coversAbove(rel string) bool {
	for i := range len(rel) {
		if rel[i] != '/' {
			continue
		}
		if closed, _ := rs.match(rel[:i], true); closed {
			return true
		}
	}
	return false
}
