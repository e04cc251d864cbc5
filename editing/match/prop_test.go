package match

import (
	"fmt"
	"strings"
	"testing"

	"github.com/galley-ls/galley/editing/text"
	"pgregory.net/rapid"
)

// drawnLine is a line as the file has it and as a model writes it.
type drawnLine struct {
	file, model, ending, unit string
	depth                     int
	blank                     bool
}

// noise is how a model's text may differ from the file.
type noise struct {
	trailing, typography, indent, runs, lines bool
}

// drawLines makes lines with unique words, and how the model sees them.
func drawLines(t *rapid.T, n noise) []drawnLine {
	unit := rapid.SampledFrom([]string{"\t", "  ", "    "}).Draw(t, "unit")
	crlf := rapid.IntRange(0, 2).Draw(t, "crlf")
	count := rapid.IntRange(3, 12).Draw(t, "lines")
	lines := make([]drawnLine, count)
	depth := 0
	for i := range lines {
		l := &lines[i]
		l.ending, l.unit = "\n", unit
		if crlf == 1 || crlf == 2 && rapid.Bool().Draw(t, "ending") {
			l.ending = "\r\n"
		}
		if i > 0 && i < count-1 && rapid.IntRange(0, 6).Draw(t, "blank") == 0 {
			l.blank = true
			continue
		}
		depth = max(0, min(4, depth+rapid.IntRange(-2, 1).Draw(t, "depth")))
		l.depth = depth
		l.file = strings.Repeat(unit, depth)
		l.model = l.file
		if n.indent {
			l.model = strings.Repeat("   ", depth+1)
		}
		l.both(fmt.Sprintf("word%02d", i))
		for range rapid.IntRange(0, 3).Draw(t, "pieces") {
			l.piece(t, n)
		}
		if n.trailing && rapid.Bool().Draw(t, "trailing") {
			l.file += rapid.SampledFrom([]string{" ", "  ", "\t"}).Draw(t, "blanks")
		}
	}
	return lines
}

// stepShown says whether some lines are one level apart, so that what a level is
// can be learned from them.
func stepShown(lines []drawnLine) bool {
	for _, a := range lines {
		for _, b := range lines {
			if !a.blank && !b.blank && a.depth+1 == b.depth {
				return true
			}
		}
	}
	return false
}

func (l *drawnLine) both(s string) {
	l.file += s
	l.model += s
}

// piece adds something that the model may write in another way.
func (l *drawnLine) piece(t *rapid.T, n noise) {
	if n.runs && rapid.Bool().Draw(t, "run") {
		l.file += "   = \t"
		l.model += " = "
		return
	}
	if !n.typography {
		l.both(rapid.SampledFrom([]string{" = 1", "(x)", "; é", " \"q\""}).Draw(t, "plain"))
		return
	}
	p := rapid.SampledFrom([][2]string{
		{" “q”", " \"q\""}, {"’s", "'s"}, {" – x", " - x"}, {"\u00a0x", " x"}, {"\u200b,", ","}, {"…", "..."}, {"e\u0301", "é"}, {"\u2212", "-"},
	}).Draw(t, "typography")
	l.file += p[0]
	l.model += p[1]
}

func checkNoise(t *rapid.T, n noise) {
	lines := drawLines(t, n)
	from := rapid.IntRange(0, len(lines)-1).Draw(t, "from")
	to := rapid.IntRange(from, len(lines)-1).Draw(t, "to")
	if lines[from].blank || lines[to].blank {
		return
	}
	at := rapid.IntRange(from, to).Draw(t, "changed")
	insert := rapid.Bool().Draw(t, "insert")
	if lines[at].blank {
		return
	}
	unit, modelUnit := "", ""
	if insert && n.indent && stepShown(lines[from:to+1]) && rapid.Bool().Draw(t, "deeper") {
		unit, modelUnit = lines[0].unit, "   "
	}
	var file, want strings.Builder
	var old, new []string
	word, other := fmt.Sprintf("word%02d", at), fmt.Sprintf("other%d", at)
	for i, l := range lines {
		file.WriteString(l.file + l.ending)
		isNew := l.file
		model := l.model
		if i == at {
			isNew = strings.Replace(isNew, word, other, 1)
			model = strings.Replace(model, word, other, 1)
		}
		want.WriteString(isNew + l.ending)
		if i == at && insert {
			want.WriteString(isNew[:len(isNew)-len(strings.TrimLeft(isNew, " \t"))] + unit + "added(" + l.ending)
		}
		if i < from || i > to || l.blank && n.lines && rapid.Bool().Draw(t, "blank line left out") {
			continue
		}
		if n.lines && len(old) > 0 && rapid.IntRange(0, 4).Draw(t, "blank line of the model") == 0 {
			old, new = append(old, ""), append(new, "")
		}
		old = append(old, l.model)
		new = append(new, model)
		if i == at && insert {
			new = append(new, model[:len(model)-len(strings.TrimLeft(model, " \t"))]+modelUnit+"added(")
		}
	}
	f := text.New(file.String())
	q := Query{Old: strings.Join(old, "\n"), New: strings.Join(new, "\n"), Hints: Hints{Cursor: -1, Behind: -1}}
	if rapid.Bool().Draw(t, "final newline") {
		q.Old, q.New = q.Old+"\n", q.New+"\n"
	}
	r := Find(f, q)
	if r.Kind != Found {
		t.Fatalf("%s: %s\nfile %q\nold %q", r.Kind, r.Hint, f.String(), q.Old)
	}
	checkResult(t, f, q.Old, q.New, r)
	got, err := f.Apply(r.Matches[0].Edits)
	if err != nil {
		t.Fatal(err)
	}
	if r.Matches[0].Tier == Exact && insert {
		return // literal: the model's own indentation
	}
	if got.String() != want.String() {
		t.Fatalf("tier %s\nfile %q\nold  %q\nnew  %q\ngot  %q\nwant %q", r.Matches[0].Tier, f.String(), q.Old, q.New, got.String(), want.String())
	}
}

// TestNoise: whatever a tier forgives is found at its place, and everything that
// the model did not change keeps its bytes.
func TestNoise(t *testing.T) {
	for _, c := range []struct {
		name string
		n    noise
	}{
		{"none", noise{}},
		{"trailing", noise{trailing: true}},
		{"unicode", noise{trailing: true, typography: true}},
		{"indent", noise{trailing: true, typography: true, indent: true}},
		{"blanks", noise{trailing: true, typography: true, indent: true, runs: true}},
		{"blank lines", noise{trailing: true, typography: true, indent: true, runs: true, lines: true}},
		{"only blank lines", noise{lines: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { checkNoise(t, c.n) })
		})
	}
}

// TestSteady: the search that is linear in any case finds what the fast one does.
func TestSteady(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "aa", " ", "\t", "\n", "\r\n", "\r", " \n"}), 0, 60).Draw(t, "text"), "")
		p := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "aa", " ", "\n", " \n", "\r"}), 1, 8).Draw(t, "pattern"), "")
		if allBlank(p) {
			return
		}
		for _, exact := range []bool{true, false} {
			n := newNeedle(p, s, exact)
			var fast, slow []Span
			keep := func(to *[]Span) func(a, b int) {
				return func(a, b int) {
					if whole(s, a) && whole(s, b) {
						*to = append(*to, Span{a, b})
					}
				}
			}
			n.each(s, 0, len(s), keep(&fast))
			n.steady(s, 0, len(s), keep(&slow))
			if fmt.Sprint(fast) != fmt.Sprint(slow) {
				t.Fatalf("%q in %q, exact %v: %v, %v", n.body, s, exact, fast, slow)
			}
		}
	})
}

// TestFoldMap: the way back from a folded text leads to what was folded.
func TestFoldMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{"a", "é", "e\u0301", "“", "…", "\u200b", "\u00a0", "\n", "東", "\u1112\u1161", "❤\ufe0f", "\u212b"})).Draw(t, "text"), "")
		v := fold(s)
		if v.s != folded(v.s) && !strings.Contains(s, "\u200b") && !strings.Contains(s, "\ufe0f") {
			t.Fatalf("folding %q twice changes it: %q, %q", s, v.s, folded(v.s))
		}
		for i := range v.s {
			for j := i + 1; j <= len(v.s); j++ {
				a, b := v.start(i), v.end(j)
				if a < 0 || b < a {
					continue
				}
				if got := fold(s[a:b]).s; got != v.s[i:j] && strings.Trim(got, "\u0301") != strings.Trim(v.s[i:j], "\u0301") {
					t.Fatalf("%q: %q[%d:%d] is %q, but %q[%d:%d] folds to %q", s, v.s, i, j, v.s[i:j], s, a, b, got)
				}
			}
		}
	})
}

// TestAnswers checks what must hold of every answer with texts that are hard to
// keep apart.
func TestAnswers(t *testing.T) {
	tokens := []string{
		"a", "b", "ab", " ", "  ", "\t", "\n", "\n\n", "\r\n", "\r", "“", "\"", "…", "...", "\u00a0", "\u200b", "é", "e\u0301", "\u0301",
		"\xe9", "1 | ", "2 | ", "```", "\\n", "\\\"", "&lt;", "<", "a = 1\n", "\ta = 1\n", "    a = 1", "...\n", "x:", "❤", "\ufe0f",
	}
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string, least, most int) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom(tokens), least, most).Draw(t, name), "")
		}
		file := text.New(draw("file", 0, 14))
		old, new := draw("old", 1, 6), draw("new", 0, 6)
		if rapid.Bool().Draw(t, "from the file") && file.Len() > 0 {
			at := rapid.IntRange(0, file.Len()-1).Draw(t, "at")
			old = file.String()[at:rapid.IntRange(at+1, file.Len()).Draw(t, "to")]
		}
		q := Query{Old: old, New: new, Hints: Hints{Cursor: rapid.IntRange(-1, file.Len()).Draw(t, "cursor"), Behind: -1}}
		if rapid.IntRange(0, 3).Draw(t, "anchored") == 0 {
			q.After = draw("after", 0, 2)
		}
		checkResult(t, file, old, new, Find(file, q))
		FindSpan(file, SpanQuery{Start: old, End: new, New: old + new})
	})
}
