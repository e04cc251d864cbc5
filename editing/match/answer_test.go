package match

import (
	"fmt"
	"strings"
	"testing"

	"github.com/galley-ls/galley/editing/text"
)

func TestSpan(t *testing.T) {
	code := "func a() {\n\tx()\n\ty()\n}\n\nfunc b() {\n\tz()\n}\n"
	for _, c := range []struct {
		name, file, start, end, new string
		kind                        Kind
		want                        string // the text after the first match
	}{
		{"exact", code, "\tx()", "\ty()\n", "\tw()\n", Found, "func a() {\n\tw()\n}\n\nfunc b() {\n\tz()\n}\n"},
		{"U19 parts of one line", "a(1, 2, 3)\n", "1", "3", "0", NoMatch, ""},
		{"U19 the end in a longer line", "begin\nstart2\nx\n", "begin", "start", "NEW", NoMatch, ""},
		{"U19 the end in a longer line, and behind it whole", "begin\nstart2\nx\nstart\ny\n", "begin", "start", "NEW", Found, "NEW\ny\n"},
		{"U19 the start in a longer line", "rebegin\na\nbegin\nb\nend\n", "begin", "end", "NEW", Found, "rebegin\na\nNEW\n"},
		{"U19 the start only in a longer line", "beginning\nb\nend\n", "begin", "end", "NEW", NoMatch, ""},
		{"U19 an end of two lines, the second half", "a\nb\nc\nd2\n", "a", "c\nd", "NEW", NoMatch, ""},
		{"U19 with other blanks around it", "  begin  \nx\n\tend\ny\n", "begin", "end", "NEW", Found, "  NEW\ny\n"},
		{"U19 the last one has no line end", "begin\nending\nend", "begin", "end", "NEW", Found, "NEW"},
		{"U19 the end is part of the start", "begin start\nx\n", "begin start", "start", "NEW", NoMatch, ""},
		{"U19 a brace in other lines", "f {\n  g(}) }\n}\nh\n", "f {", "}", "F", Found, "F\nh\n"},
		{"several ends", code, "func a() {", "}", "func a() {}", Ambiguous, "func a() {}\n\nfunc b() {\n\tz()\n}\n"},
		{"several starts", "a\nb\nc\na\nd\nc\n", "a", "c", "e", Ambiguous, "e\na\nd\nc\n"},
		{"end only before", code, "z()", "x()", "", NoMatch, ""},
		{"no start", code, "nowhere", "}", "", NoMatch, ""},
		{"same text", "a\nb\nc\n", "b", "b", "B", Found, "a\nB\nc\n"},
		{"looser", code, "    x() ", "    y()", "    w()\n    if a {\n        v()\n    }", Found, "func a() {\n\tw()\n\tif a {\n\t\tv()\n\t}\n}\n\nfunc b() {\n\tz()\n}\n"},
		{"numbers", code, "2 | \tx()", "3 | \ty()", "2 | \tw()", Found, "func a() {\n\tw()\n}\n\nfunc b() {\n\tz()\n}\n"},
		{"crlf", "a\r\nb\r\nc\r\nd\r\n", "b\n", "c\n", "x\ny\n", Found, "a\r\nx\r\ny\r\nd\r\n"},
		{"middle goes", "a\nb\nc\n", "a\n", "c\n", "a\nc\n", Found, "a\nc\n"},
		{"as it is", "a\nb\n", "a", "b", "a\nb", Refused, ""},
		{"placeholder", "a\nb\n", "a", "b", "a\n// ...\n", Refused, ""},
		{"blank", "a\nb\n", "a", " ", "x", Refused, ""},
	} {
		file := text.New(c.file)
		r := FindSpan(file, SpanQuery{Start: c.start, End: c.end, New: c.new, Hints: unhinted()})
		if r.Kind != c.kind {
			t.Errorf("%s: got %s, want %s; hint %s", c.name, r.Kind, c.kind, r.Hint)
			continue
		}
		if c.want == "" {
			continue
		}
		got, err := file.Apply(r.Matches[0].Edits)
		if err != nil || got.String() != c.want {
			t.Errorf("%s: got %q, want %q, error %v", c.name, got.String(), c.want, err)
		}
	}
}

func TestSpanAnchored(t *testing.T) {
	file := text.New("a {\n x\n}\nb {\n x\n}\n")
	r := FindSpan(file, SpanQuery{Start: " x", End: "}", New: " y\n}", After: "b {", Hints: unhinted()})
	if r.Kind != Found || r.Matches[0].Line != 4 {
		t.Errorf("%s: %+v", r.Kind, r.Matches)
	}
}

func TestAnchors(t *testing.T) {
	file := "def a():\n    return 0\n\ndef b():\n    return 0\n\ndef c():\n    return 0\n"
	for _, c := range []struct {
		name, after, before string
		kind                Kind
		lines               string // of the matches, from 1
	}{
		{"after", "def b():", "", Found, "[5]"},
		{"before", "", "def c():", Found, "[5]"},
		{"between", "def a():", "def c():", Found, "[2]"},
		{"tolerant", "def  b():", "", Found, "[5]"},
		{"missing", "def z():", "", AnchorMissing, "[]"},
		{"missing before", "", "def z():", AnchorMissing, "[]"},
		{"none behind", "def c():\n    return 0", "", BehindAnchor, "[]"},
		{"none before", "", "def a():", BehindAnchor, "[]"},
		{"nothing between", "def b():", "    return 0\n\ndef c", BehindAnchor, "[]"},
		{"ambiguous", "def ", "", AnchorAmbiguous, "[2 5 8]"},
		{"ambiguous before", "", "\ndef ", AnchorAmbiguous, "[2 5]"},
		{"unique behind the first", "def b():", "def ", Found, "[5]"},
	} {
		r := Find(text.New(file), Query{Old: "    return 0", New: "    return 1", After: c.after, Before: c.before, Hints: unhinted()})
		lines := []int{}
		for _, m := range r.Matches {
			lines = append(lines, m.Line+1)
		}
		if r.Kind != c.kind || fmt.Sprint(lines) != c.lines {
			t.Errorf("%s: got %s %v, want %s %s; hint %s", c.name, r.Kind, lines, c.kind, c.lines, r.Hint)
		}
		if r.Kind != Found && r.Hint == "" {
			t.Errorf("%s: no hint", c.name)
		}
	}
}

func TestNearMerge(t *testing.T) {
	for _, c := range []struct{ name, file, old, new, want string }{
		{
			"the file's newer line stays", "[net]\nretries = 5\ntimeout = 10\nproxy = none\n[log]\n",
			"[net]\nretries = 3\ntimeout = 10\nproxy = none", "[net]\nretries = 3\ntimeout = 20\nproxy = none",
			"[net]\nretries = 5\ntimeout = 20\nproxy = none\n[log]\n",
		},
		{
			"the file's new line stays", "steps:\n  - build\n  - lint\n  - ship\nend\n", "steps:\n  - build\n  - ship", "steps:\n  - build\n  - ship fast",
			"steps:\n  - build\n  - lint\n  - ship fast\nend\n",
		},
		{
			"a line gone from the file stays away", "steps:\n  - build\n  - ship\nend: yes\n", "steps:\n  - build\n  - test\n  - ship", "steps:\n  - build\n  - test\n  - ship fast",
			"steps:\n  - build\n  - ship fast\nend: yes\n",
		},
		{"words of one line", "int area = width * height; // in m2\n", "int area = width * height; // in cm2", "long area = width * height; // in cm2", "long area = width * height; // in m2\n"},
		{"indentation of the file", "\tif ready {\n\t\tstart(now, 1)\n\t}\n", "    if ready {\n        start(now)\n    }", "    if ready {\n        log()\n        start(now)\n    }", "\tif ready {\n\t\tlog()\n\t\tstart(now, 1)\n\t}\n"},
	} {
		file := text.New(c.file)
		r := Find(file, Query{Old: c.old, New: c.new, Hints: unhinted()})
		if r.Kind != Near || len(r.Matches) != 1 || len(r.Diffs) != 1 || !r.Near {
			t.Errorf("%s: %s with %d matches: %s", c.name, r.Kind, len(r.Matches), r.Hint)
			continue
		}
		got, err := file.Apply(r.Matches[0].Edits)
		if err != nil || got.String() != c.want {
			t.Errorf("%s: got %q, want %q, error %v", c.name, got.String(), c.want, err)
		}
	}
}

func TestMissHint(t *testing.T) {
	var long strings.Builder
	for i := range 40 {
		fmt.Fprintf(&long, "value %d of the table\n", i)
	}
	for _, c := range []struct{ name, file, old, want string }{
		{"the line that differs", "alpha\nbravo charlie delta\necho\n", "bravo charlie foxtrot golf\necho india", "line 2: the file has `bravo charlie delta`, old_text has `bravo charlie foxtrot golf`"},
		{"invisible characters", "alpha\nbravo\u00a0charlie delta\necho\n", "bravo charlie foxtrot golf\necho india", "bravo⟦U+00A0⟧charlie"},
		{"its lines", "alpha\nbravo charlie delta\necho\n", "bravo charlie foxtrot golf\necho india", "    2│ bravo charlie delta\n"},
		{"stray bytes", "caf\xe9\n", "caf⟦E9⟧ something else", "stands for a byte that is no text"},
		{"nothing", "alpha\n", "zulu yankee", "nothing in it is like it"},
	} {
		r := Find(text.New(c.file), Query{Old: c.old, New: "x", Hints: unhinted()})
		if r.Kind != NoMatch || !strings.Contains(r.Hint, c.want) {
			t.Errorf("%s: %s, hint %q", c.name, r.Kind, r.Hint)
		}
	}
	old := strings.ReplaceAll(long.String(), "table", "something quite different here")
	r := Find(text.New(long.String()), Query{Old: old, New: "x", Hints: unhinted()})
	if n := strings.Count(r.Hint, "│"); r.Kind != NoMatch || n == 0 || n > hintLines {
		t.Errorf("%s, %d lines", r.Kind, n)
	}
}

func TestLocate(t *testing.T) {
	file := text.New("## One\n\ntext\n\n## Two  \n")
	if ms := Locate(file, "## Two\n"); len(ms) != 1 || ms[0].Line != 4 || ms[0].Tier != Trailing || ms[0].Edits != nil {
		t.Errorf("%+v", ms)
	}
	if ms := Locate(file, " \n"); ms != nil {
		t.Errorf("blank text is at %+v", ms)
	}
}

// TestAlike compares the bit-parallel table with the textbook one.
func TestAlike(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"abc", "", 0},
		{"abcbdab", "bdcaba", 4},
		{"héllo", "hello", 4},
		{strings.Repeat("ab", 100), strings.Repeat("ba", 100), 199},
		{strings.Repeat("x", 64) + "y", "y" + strings.Repeat("x", 64), 64},
	} {
		if got := common(c.a, c.b); got != c.want {
			t.Errorf("%.20q and %.20q have %d in common, want %d", c.a, c.b, got, c.want)
		}
	}
}
