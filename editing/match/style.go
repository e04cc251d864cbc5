package match

import (
	"strings"
	"unicode/utf8"
)

// straighten undoes what the model's typography did to ASCII: a quote, dash or
// space that it wrote as another character wherever the file has the plain one is
// read as the plain one in all that it wrote. Else new lines would bring curly
// quotes into source code. The other way is never guessed.
func (m *merger) straighten(ours []string) {
	plain := make(map[string]string)
	for i, b := range m.base {
		if o := m.toOurs[i]; o >= 0 && !ascii(b) {
			compareStyle(words(trim(b)), words(trim(ours[o])), plain)
		}
	}
	var pairs []string
	for curly, as := range plain {
		if ascii(as) {
			pairs = append(pairs, curly, as)
		}
	}
	if pairs == nil {
		return
	}
	r := strings.NewReplacer(pairs...)
	for i := range m.base {
		m.base[i] = r.Replace(m.base[i])
	}
	for i := range m.theirs {
		m.theirs[i] = r.Replace(m.theirs[i])
	}
}

// compareStyle notes what the file has for each look-alike, itself if it has
// different things.
func compareStyle(base, ours []string, plain map[string]string) {
	if len(base) != len(ours) {
		return
	}
	for i, w := range base {
		r, size := utf8.DecodeRuneInString(w)
		if _, ok := lookAlike(r); !ok || size != len(w) || zeroWidth(r) || loose(w) != loose(ours[i]) {
			continue
		}
		if as, ok := plain[w]; ok && as != ours[i] {
			plain[w] = w
		} else {
			plain[w] = ours[i]
		}
	}
}

// learnIndents collects the indentation of the aligned lines.
func (m *merger) learnIndents() {
	var model []string
	for i, b := range m.base {
		lead, rest := m.lead(b, i)
		if rest == "" || !m.full(i) || i >= m.f.given.Start && i < m.f.given.End {
			continue
		}
		model = append(model, lead)
		if o := m.toOurs[i]; o >= 0 && m.full(o) {
			file, _ := m.lead(m.ours[o].text, o)
			m.in.pairs = append(m.in.pairs, indentPair{lead, file, i})
		}
	}
	for i, t := range m.theirs {
		if lead, rest := m.lead(t, i); rest != "" && m.full(i) {
			model = append(model, lead)
		}
	}
	m.in.learn(model, func() string { return indentUnit(m.h.s, m.f.start) })
}

const unitLines = 100

// indentUnit is what lines around an offset are indented by most often: a tab, or
// the step of those with spaces, "" if none are indented.
func indentUnit(s string, at int) string {
	from := at
	for i := 0; i < unitLines && from > 0; i++ {
		from = lineStart(s, from-1)
	}
	steps := make(map[string]int)
	before := 0
	for i := 0; i < 2*unitLines && from < len(s); i++ {
		end, next := lineAt(s, from)
		line := s[from:end]
		from = next
		content := strings.TrimLeft(line, " ")
		if content == "" {
			continue
		}
		if content[0] == '\t' {
			steps["\t"] += truth(len(content) == len(line))
			continue
		}
		if d := abs(len(line) - len(content) - before); d > 1 {
			steps[strings.Repeat(" ", d)]++
		}
		before = len(line) - len(content)
	}
	best := ""
	for unit, n := range steps {
		if m := steps[best]; n > m || n == m && (len(unit) < len(best)) {
			best = unit
		}
	}
	return best
}
