package disk

import (
	"path"
	"slices"
	"strings"
)

// rule is one line of a .gitignore. The library that reads such files (go-gitignore) gets "?", "!" and trailing blanks
// wrong, and that for globs (doublestar) matches characters where git matches bytes; so both are done here, as git does.
type rule struct {
	named
	negate bool
	form   form
}

// named is what a rule closes or opens.
type named struct {
	pattern  string
	dirOnly  bool
	baseOnly bool // no slash in it: matches a name at any depth
}

// form is how much there is to a pattern.
type form int

const (
	tried  form = iota // against each name
	plain              // it is a name
	ending             // "*.o": names that end so
)

// rules are the lines of one file, in its order. Of those that must be tried one by one the last mostWild count; git takes
// minutes for a file with 60,000 of them.
type rules struct {
	all   []rule
	index map[named]int // of plain rules and endings: the last one counts
	wild  []trial
}

// trial is a rule that must be tried.
type trial struct {
	rule
	at   int // in its file
	head int // length of what stands before the first sign
}

const mostWild = 300

// newRules keeps the last of equal rules.
func newRules(all []rule) rules {
	rs := rules{all: all, index: map[named]int{}}
	for i, r := range all {
		rs.index[r.named] = i
	}
	for i, r := range all {
		if r.form == tried && rs.index[r.named] == i {
			rs.wild = append(rs.wild, trial{r, i, strings.IndexAny(r.pattern, wildcards)})
		}
	}
	return rs.atMost(mostWild)
}

// atMost keeps the last rules of those that must be tried.
func (rs rules) atMost(n int) rules {
	rs.wild = rs.wild[max(0, len(rs.wild)-n):]
	return rs
}

func parseRules(content string) rules {
	var all []rule
	for line := range strings.Lines(strings.TrimPrefix(content, "\uFEFF")) {
		line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		if r, ok := parseRule(line); ok {
			all = append(all, r)
		}
	}
	return newRules(all)
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
	switch rest, star := strings.CutPrefix(line, "*."); {
	case !strings.ContainsAny(line, wildcards):
		r.form = plain
	case star && r.baseOnly && !strings.ContainsAny(rest, wildcards):
		r.form = ending
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

// match says whether the last rule that fits closes or opens the path; decided is false if none fits.
func (rs rules) match(rel string, dir bool) (closed, decided bool) {
	last := rs.lookup(rel, dir)
	for _, r := range slices.Backward(rs.wild) {
		if r.at < last {
			break
		}
		if r.fits(rel, dir) {
			last = r.at
			break
		}
	}
	if last < 0 {
		return false, false
	}
	return !rs.all[last].negate, true
}

// lookup finds the last rule that fits among those that need not be tried, -1 if there is none.
func (rs rules) lookup(rel string, dir bool) int {
	last, base := -1, path.Base(rel)
	find := func(pattern string, baseOnly bool) {
		for _, dirOnly := range []bool{false, true} {
			if i, ok := rs.index[named{pattern, dirOnly, baseOnly}]; ok && i > last && (dir || !dirOnly) && rs.all[i].form != tried {
				last = i
			}
		}
	}
	find(rel, false)
	find(base, true)
	for i := range len(base) {
		if base[i] == '.' {
			find("*"+base[i:], true)
		}
	}
	return last
}

func (t trial) fits(rel string, dir bool) bool {
	if t.dirOnly && !dir {
		return false
	}
	if t.baseOnly {
		rel = path.Base(rel)
	}
	rest, ok := strings.CutPrefix(rel, t.pattern[:t.head]) // git, too, starts anew behind it
	return ok && wildMatch(t.pattern[t.head:], rest)
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
