package match

import (
	"fmt"
	"strings"
	"testing"

	"github.com/galley-ls/galley/editing/text"
)

const services = `# server
server:
  host: a
  timeout: 30

database:
  host: b
  timeout: 30

cache:
  timeout: 30
`

func TestRecommend(t *testing.T) {
	after := func(s string) int { return strings.Index(services, s) }
	for _, c := range []struct {
		name, file, old string
		hints           Hints
		want            int
		why             string
	}{
		{"first", services, "timeout: 30", unhinted(), 0, whyFirst},
		{"cursor", services, "timeout: 30", Hints{Cursor: after("host: b"), Behind: -1}, 1, whyCursor},
		{"U27 cursor in the line before", "x = 1 // first\n\n\nfunction with a long name() {\nx = 1\n", "x = 1", Hints{Cursor: 17, Behind: -1}, 1, whyWhole},
		{"U27 nearest by lines", "a\nx = 1\n}\n\nfunction with a long name() {\nx = 1\n", "x = 1", Hints{Cursor: 11, Behind: -1}, 1, whyCursor},
		{"U27 inside of a selection", "x = 1\n\nx = 1\n\nx = 1\n", "x = 1", Hints{Cursor: 6, CursorEnd: 13, Behind: -1}, 1, whyCursor},
		{"U27 before a selection", "x = 1\n\n\nx = 1\n", "x = 1", Hints{Cursor: 7, CursorEnd: 8, Behind: -1}, 1, whyCursor},
		{"behind", services, "timeout: 30", Hints{Cursor: -1, Behind: after("host: b")}, 1, whyBehind},
		{"cursor before behind", services, "timeout: 30", Hints{Cursor: len(services), Behind: 0}, 2, whyCursor},
		{"goal", services, "timeout: 30", Hints{Cursor: -1, Behind: -1, Goal: "Raise the timeout of the cache"}, 2, whyGoal},
		{"goal fits all", services, "timeout: 30", Hints{Cursor: -1, Behind: -1, Goal: "Raise the timeout"}, 0, whyFirst},
		{"block", services, "timeout: 30", Hints{Cursor: -1, Behind: -1, Within: Span{after("database"), after("cache")}}, 1, whyBlock},
		{"block of the last change", "a {\n  x\n  y\n}\nb {\n  x\n  z\n}\n", "x", Hints{Cursor: -1, Behind: 24}, 1, whyBlock},
		{"whole line", "max = 1\nx = 1\n", "x = 1", Hints{Cursor: 0, Behind: 0}, 1, whyWhole},
		{"whole lines only, then the cursor", "max = 1\nx = 1\nx = 1\n", "x = 1", Hints{Cursor: 0, Behind: -1}, 1, whyCursor},
	} {
		r := Find(text.New(c.file), Query{Old: c.old, New: "new", Hints: c.hints})
		if r.Kind != Ambiguous || r.Recommended != c.want || r.Why != c.why {
			t.Errorf("%s: got %s, %d %q, want %d %q", c.name, r.Kind, r.Recommended, r.Why, c.want, c.why)
		}
	}
}

// TestU27NearestOfNearMatches: the one that is most like old_text is recommended,
// then the one nearest to the cursor.
func TestU27NearestOfNearMatches(t *testing.T) {
	rows := ""
	for i := range 40 {
		rows += fmt.Sprintf("row %02d = 0\n", i)
	}
	same := "alpha = make(one)\nbeta\nalpha = make(one)\ngamma\nalpha = make(one)\n"
	for _, c := range []struct {
		name, file, old string
		hints           Hints
		line            int
		why             string
	}{
		{"a row", rows, "row 05 == 0", unhinted(), 5, whyLike},
		{"the last row", rows, "row 39 == 0", unhinted(), 39, whyLike},
		{"not the one at the cursor", rows, "row 05 == 0", Hints{Cursor: 0, Behind: -1}, 5, whyLike},
		{"a block", "def get_a(x):\n    return x.a\n\ndef get_b(x):\n    return x.b\n\ndef get_c(x):\n    return x.c\n", "def get_b(y):\n    return y.b", unhinted(), 3, whyLike},
		{"the same in several places", same, "alpha = make(two)", Hints{Cursor: len(same) / 2, Behind: -1}, 2, whyCursor},
		{"the same behind the last change", same, "alpha = make(two)", Hints{Cursor: -1, Behind: 40}, 4, whyBehind},
		{"only case differs", "TIMEOUT = 30\ntimeouts = 30\n", "timeout = 30", unhinted(), 0, whyLike},
	} {
		r := Find(text.New(c.file), Query{Old: c.old, New: "new", Hints: c.hints})
		if r.Kind != Near || r.Matches[r.Recommended].Line != c.line || r.Why != c.why {
			t.Errorf("%s: got %s, line %d %q, want line %d %q", c.name, r.Kind, r.Matches[r.Recommended].Line, r.Why, c.line, c.why)
		}
	}
}

// TestManyPlaces: the recommended place is listed, however many are before it.
func TestManyPlaces(t *testing.T) {
	line := "counter = 0\n"
	file := text.New(strings.Repeat(line, 5000))
	for _, h := range []Hints{{Cursor: 4000*len(line) + 3, Behind: -1}, {Cursor: -1, Behind: 4000 * len(line)}} {
		r := Find(file, Query{Old: "counter = 0", New: "counter = 1", Hints: h})
		if r.Total != 5000 || len(r.Matches) != MaxMatches || r.Matches[r.Recommended].Line != 4000 {
			t.Errorf("total %d, %d listed, recommended line %d", r.Total, len(r.Matches), r.Matches[r.Recommended].Line)
		}
	}
}

func TestContext(t *testing.T) {
	for _, c := range []struct{ name, file, at, want string }{
		{"yaml", services, "  timeout: 30\n\ndata", "server:"},
		{"comment above", "a\n# database\n  timeout: 30\n", "timeout", "# database"},
		{"comment further up", "# database\n  host: a\n  timeout: 30\n", "timeout", "# database"},
		{"go", "package a\n\nfunc F() {\n\tif x {\n\t\treturn\n\t}\n}\n", "return", "func F() {"},
		{"go method", "func (t *T) G() error {\n\tx()\n}\n", "x()", "func (t *T) G() error {"},
		{"python", "class A:\n    def f(self):\n        x = 1\n", "x = 1", "def f(self):"},
		{"python class", "class A:\n    x = 1\n", "x = 1", "class A:"},
		{"javascript", "export function f() {\n  return 1;\n}\n", "return", "export function f() {"},
		{"javascript method", "class A {\n  get(x) {\n    y();\n  }\n}\n", "y()", "get(x) {"},
		{"c", "static int f(int a)\n{\n  return a;\n}\n", "return", "{"},
		{"java", "public class A {\n  public int f(int a) {\n    return a;\n  }\n}\n", "return", "public int f(int a) {"},
		{"markdown", "# A\n\n## B\n\ntext\nmore\n", "more", "## B"},
		{"toml", "[a]\nx = 1\n[[b]]\ny = 1\nz = 1\n", "z = 1", "[[b]]"},
		{"ini, first", "[a]\nx = 1\n", "x = 1", "[a]"},
		{"json", "{\n  \"a\": {\n    \"t\": 1\n  }\n}\n", "\"t\"", "\"a\": {"},
		{"nothing but neighbours", "one\ntwo\nthree\n", "two", "one"},
		{"the first line", "one\ntwo\n", "one", "two"},
		{"alone", "one\n", "one", ""},
		{"crlf", "[a]\r\nx = 1\r\n", "x = 1", "[a]"},
	} {
		h := newHaystack(text.New(c.file), unhinted())
		if got := h.context(strings.Index(c.file, c.at)); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestTellApart(t *testing.T) {
	r := Find(text.New("class A:\n  def f():\n    x = 1\n\nclass B:\n  def f():\n    x = 1\n"), Query{Old: "x = 1", New: "x = 2", Hints: unhinted()})
	if a, b := r.Matches[0].Context, r.Matches[1].Context; a == b || !strings.Contains(b, "class B") {
		t.Errorf("contexts %q and %q", a, b)
	}
}

func TestLongLine(t *testing.T) {
	file := text.New(strings.Repeat("é", 40000) + "needle" + strings.Repeat("“x”", 40000))
	r := Find(file, Query{Old: "needle", New: "pin", Hints: unhinted()})
	if r.Kind != Found || len(r.Matches[0].LineText) > 2*shownMax || !strings.Contains(r.Matches[0].LineText, "needle") {
		t.Errorf("%s, line %q", r.Kind, r.Matches[0].LineText)
	}
}
