package disk

import "strings"

// wildcards are what begins a sign of a pattern.
const wildcards = `*?[\`

// verdict is how a pattern and a name go together; where they do not, how far up it is worth to try again.
type verdict int

const (
	no       verdict = iota
	noFolder         // not before the next slash
	never            // the name is at its end
	yes
)

// wildMatch matches byte by byte, as git does: no sign but ** matches a slash.
func wildMatch(pattern, name string) bool { return dowild(pattern, name, true) == yes }

// dowild matches from a place on; start says that a folder begins there for the pattern.
func dowild(p, s string, start bool) verdict {
	for len(p) > 0 {
		c := p[0]
		switch {
		case c == '*':
			return star(p, s, start)
		case s == "":
			return never
		case c == '[':
			in, size := class(p, s[0])
			switch {
			case size == 0:
				return never // git, too, matches nothing with a broken pattern
			case !in || s[0] == '/':
				return no
			}
			p = p[size-1:]
		case c == '?':
			if s[0] == '/' {
				return no
			}
		default:
			if c == '\\' {
				if p = p[1:]; p == "" {
					return no
				}
			}
			if p[0] != s[0] {
				return no
			}
		}
		start = c == '/'
		p, s = p[1:], s[1:]
	}
	if s != "" {
		return no
	}
	return yes
}

// star matches from a run of stars on.
func star(p, s string, start bool) verdict {
	rest := strings.TrimLeft(p, "*")
	folders := len(p)-len(rest) > 1 && start && (rest == "" || rest[0] == '/' || strings.HasPrefix(rest, `\/`))
	if folders && strings.HasPrefix(rest, "/") && dowild(rest[1:], s, true) == yes {
		return yes // ** between slashes may be nothing
	}
	switch slash := strings.IndexByte(s, '/'); {
	case rest == "" && (folders || slash < 0):
		return yes
	case rest == "":
		return noFolder
	case !folders && rest[0] == '/' && slash < 0:
		return never
	case !folders && rest[0] == '/':
		return dowild(rest, s[slash:], false)
	}
	for ; s != ""; s = s[1:] {
		v := dowild(rest, s, false)
		switch {
		case v != no && (!folders || v != noFolder):
			return v
		case v == no && !folders && s[0] == '/':
			return noFolder
		}
	}
	return never
}

// class matches a byte with the class that a pattern begins with. Its size is 0 if the class does not end.
func class(p string, b byte) (in bool, size int) {
	i := 1
	negated := i < len(p) && (p[i] == '!' || p[i] == '^')
	if negated {
		i++
	}
	from := byte(0) // of a range that may go on
	for first := true; i < len(p) && (first || p[i] != ']'); first = false {
		if name, ok := strings.CutPrefix(p[i:], "[:"); ok {
			if end := strings.IndexByte(name, ']'); end < 0 {
				return false, 0
			} else if end > 0 && name[end-1] == ':' {
				of, known := posix[name[:end-1]]
				if !known {
					return false, 0
				}
				in, from, i = in || of(b), 0, i+len("[:")+end+1
				continue
			}
		}
		ranged := p[i] == '-' && from != 0 && i+1 < len(p) && p[i+1] != ']'
		if ranged {
			i++
		}
		if p[i] == '\\' {
			i++
		}
		switch {
		case i == len(p):
			return false, 0
		case ranged:
			in, from = in || from <= b && b <= p[i], 0
		default:
			in, from = in || b == p[i], p[i]
		}
		i++
	}
	if i >= len(p) {
		return false, 0
	}
	return in != negated, i + 1
}

// posix are the classes that have a name.
var posix = map[string]func(byte) bool{
	"alpha": isAlpha, "digit": isDigit, "alnum": func(b byte) bool { return isAlpha(b) || isDigit(b) },
	"lower": isLower, "upper": func(b byte) bool { return isLower(b|0x20) && !isLower(b) },
	"space": func(b byte) bool { return b == ' ' || '\t' <= b && b <= '\r' }, "blank": func(b byte) bool { return b == ' ' || b == '\t' },
	"cntrl": func(b byte) bool { return b < ' ' || b == 0x7f }, "print": func(b byte) bool { return ' ' <= b && b < 0x7f },
	"graph": isGraph, "punct": func(b byte) bool { return isGraph(b) && !isAlpha(b) && !isDigit(b) },
	"xdigit": func(b byte) bool { return isDigit(b) || 'a' <= b|0x20 && b|0x20 <= 'f' },
}

func isLower(b byte) bool { return 'a' <= b && b <= 'z' }
func isAlpha(b byte) bool { return isLower(b | 0x20) }
func isDigit(b byte) bool { return '0' <= b && b <= '9' }
func isGraph(b byte) bool { return ' ' < b && b < 0x7f }
