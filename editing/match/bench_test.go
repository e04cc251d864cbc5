package match

import (
	"fmt"
	"strings"
	"testing"

	"github.com/galley-ls/galley/editing/text"
)

// large is 20 MB of 400,000 lines of code-like text.
func large() string {
	var sb strings.Builder
	for i := range 400_000 {
		switch i % 5 {
		case 0:
			fmt.Fprintf(&sb, "func handle%06d(w io.Writer, n int) error { // %d\n", i, i*7919%1000)
		case 1, 2:
			fmt.Fprintf(&sb, "\tif n > %d && w != nil { return write%d(w, n) }\n", i*31, i)
		case 3:
			fmt.Fprintf(&sb, "\treturn fmt.Errorf(\"handle %d: %%w\", errBad)\n", i)
		default:
			sb.WriteString("}\n")
		}
	}
	s := sb.String()
	return s + strings.Repeat("// padding of the last lines up to twenty MB\n", max(0, 20<<20-len(s))/45)
}

// find asks the same again and again. The aim is in milliseconds.
func find(b *testing.B, t text.Text, old, new string, want Kind, aim float64) {
	b.Helper()
	q := Query{Old: old, New: new, Hints: Hints{Cursor: -1, Behind: -1}}
	b.ReportAllocs()
	for b.Loop() {
		if r := Find(t, q); r.Kind != want && !(want == NoMatch && r.Kind == Near) {
			b.Fatalf("%s, want %s", r.Kind, want)
		}
	}
	b.ReportMetric(aim, "aim-ms")
}

// The aims of the design for a text of 20 MB, and for equal lines.
const (
	aimFirst = 40
	aimAgain = 10
	aimSlow  = 90
)

const (
	lastFunc = "func handle399995(w io.Writer, n int) error { // 405\n\tif n > 12399876 && w != nil { return write399996(w, n) }\n"
	changed  = "func handle399995(w io.Writer, n int) error { // 406\n\tif n > 12399876 && w != nil { return write399996(w, n) }\n"
)

func BenchmarkExact20MB(b *testing.B) {
	s := large()
	b.Run("first", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if r := Find(text.New(s), Query{Old: lastFunc, New: changed}); r.Kind != Found {
				b.Fatal(r.Kind, r.Hint)
			}
		}
		b.ReportMetric(aimFirst, "aim-ms")
	})
	b.Run("again", func(b *testing.B) { find(b, text.New(s), lastFunc, changed, Found, aimAgain) })
	b.Run("crlf", func(b *testing.B) {
		find(b, text.New(strings.ReplaceAll(s, "\n", "\r\n")), lastFunc, changed, Found, aimAgain)
	})
}

func BenchmarkMiss20MB(b *testing.B) {
	t := text.New(large())
	b.Run("nothing like it", func(b *testing.B) {
		find(b, t, "zebra crossing at the quay\nwith no counterpart", "x", NoMatch, aimSlow)
	})
	b.Run("common words", func(b *testing.B) {
		find(b, t, "func handle(w io.Writer) error {\n\tif n > 5 && w != nil { return nothing }\n\treturn fmt.Errorf(\"nowhere to be seen at all\")", "x", NoMatch, aimSlow)
	})
}

func BenchmarkSlowestTier20MB(b *testing.B) {
	s := large()
	old := "func  handle399995(w io.Writer, n int) error { // 405\n  if n > 12399876 && w != nil { return write399996(w, n) }\n"
	b.Run("ascii", func(b *testing.B) { find(b, text.New(s), old, changed, Found, aimSlow) })
	b.Run("unicode", func(b *testing.B) {
		find(b, text.New(strings.ReplaceAll(s, "\"", "”")), old, changed, Found, aimSlow)
	})
	b.Run("cjk", func(b *testing.B) {
		find(b, text.New(strings.ReplaceAll(s, "return", "返回")), strings.ReplaceAll(old, "return", "返回"), changed, Found, aimSlow)
	})
}

func BenchmarkEqualLines5MB(b *testing.B) {
	line := "\tcounter = counter + 1\n"
	t := text.New(strings.Repeat(line, 5<<20/len(line)))
	some := strings.Repeat(line, 1000)
	for _, c := range []struct {
		name, old string
		want      Kind
	}{
		{"hit", some, Ambiguous},
		{"hit short", line, Ambiguous},
		{"hit blanks", strings.ReplaceAll(some, "\t", "  "), Ambiguous},
		{"hit runs", strings.ReplaceAll(some, " ", "  "), Ambiguous},
		{"miss", some + "\tend\n", NoMatch},
		{"miss blanks", strings.ReplaceAll(some, "\t", "  ") + "end\n", NoMatch},
		{"miss late", some + "\tcounter = counter +  1\n\tcounter\n", NoMatch},
	} {
		b.Run(c.name, func(b *testing.B) { find(b, t, c.old, "x", c.want, aimSlow) })
	}
	one := text.New(strings.Repeat("a", 5<<20))
	b.Run("one line", func(b *testing.B) { find(b, one, strings.Repeat("a", 1000), "x", Ambiguous, aimSlow) })
	b.Run("one line miss", func(b *testing.B) { find(b, one, strings.Repeat("a", 1000)+"b", "x", NoMatch, aimSlow) })
}
