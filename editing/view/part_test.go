package view

import (
	"strings"
	"testing"

	"github.com/galley-ls/galley/editing"
)

// numberedLines are lines 1 to n.
func numberedLines(n int) string {
	var sb strings.Builder
	for i := range n {
		sb.WriteString("line " + string(rune('a'+i%26)) + string(rune('a'+i/26)) + "\n")
	}
	return sb.String()
}

// A change is cut by the lines of the file that it stands on.
func TestPartOn(t *testing.T) {
	for _, test := range []struct {
		name          string
		was, old, now string
		from, to      int // lines of the file
		cut           string
	}{
		{"one of two lines", "a\nb\nc\nd\n", "b\nc\n", "B\nC\n", 2, 2, " a\n-b\n+B\n c\n d\n"},
		{"with lines around", "a\nb\nc\nd\n", "b\nc\n", "B\nC\n", 3, 9, " a\n b\n-c\n+C\n d\n"},
		{"what comes behind the last", "a\nb\nc\nd\n", "b\nc\n", "B\nC\nnew\n", 3, 3, " a\n b\n-c\n+C\n+new\n d\n"},
		{"but not behind the first", "a\nb\nc\nd\n", "b\nc\n", "B\nC\nnew\n", 2, 2, " a\n-b\n+B\n c\n d\n"},
		{"new lines behind a line", "a\nb\nc\nd\n", "b\nc\nd\n", "b\nnew\nc\nD\n", 2, 2, " a\n b\n+new\n c\n d\n"},
		{"new lines at the top", "a\nb\nc\nd\n", "a\nb\nc\n", "new\na\nb\nC\n", 1, 1, "+new\n a\n b\n c\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := newScene(t, "f.txt", test.was)
			d.swap("f.txt", test.old, test.now)
			c, _ := d.w.Snapshot().Change("A")
			if res := d.w.Do(editing.Split(editing.Choice{Letter: "A"}, Of(d.w.Snapshot(), c).Lines.On(test.from, test.to))); !res.OK() {
				t.Fatalf("%+v", res)
			}
			c, _ = d.w.Snapshot().Change("B")
			if got := Of(d.w.Snapshot(), c).Lines.String(); got != test.cut {
				t.Errorf("B is\n%s\nwant\n%s", got, test.cut)
			}
		})
	}
}

// A change is cut by its display lines, also where the text has moved since they were drawn.
func TestPart(t *testing.T) {
	long := numberedLines(60)
	for _, test := range []struct {
		name          string
		was, old, now string
		from, to      int    // display lines
		typed         string // at the top, meanwhile
		cut           string // the lines of B
	}{
		{"new lines", "a\nb\nc\n", "b\n", "b\n1\n2\n3\n", 4, 4, "", " a\n b\n+2\n c\n"},
		{"new lines, the text moved", "a\nb\nc\n", "b\n", "b\n1\n2\n3\n", 4, 4, "top\n", " top\n a\n b\n+2\n c\n"},
		{"context is named too", "a\nb\nc\n", "b\n", "b\n1\n2\n3\n", 1, 3, "", " a\n b\n+1\n c\n"},
		{"a pair, by what goes", "a\nb\nc\nd\n", "b\nc\n", "B\nC\n", 3, 3, "", " a\n b\n-c\n+C\n d\n"},
		{"a pair, by what comes", "a\nb\nc\nd\n", "b\nc\n", "B\nC\n", 4, 4, "", " a\n-b\n+B\n c\n d\n"},
		{"a fold", "top\n" + long, long, "", 5, 5, "", "!48 more lines deleted"},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := newScene(t, "f.txt", test.was)
			d.swap("f.txt", test.old, test.now)
			c, _ := d.w.Snapshot().Change("A")
			shown := Of(d.w.Snapshot(), c).Lines
			part := shown.Part(func(i int, _ Line) bool { return test.from <= i+1 && i+1 <= test.to })
			if test.typed != "" {
				d.types("f.txt", test.was, test.typed+test.was)
			}
			if res := d.w.Do(editing.Split(editing.Choice{Letter: "A", Revision: 1}, part)); !res.OK() {
				t.Fatalf("%+v of\n%s", res, shown)
			}
			c, _ = d.w.Snapshot().Change("B")
			if got := Of(d.w.Snapshot(), c).Lines.String(); got != test.cut && !strings.Contains(got, strings.TrimPrefix(test.cut, "!")) {
				t.Errorf("B is\n%s\nwant\n%s", got, test.cut)
			}
		})
	}
}
