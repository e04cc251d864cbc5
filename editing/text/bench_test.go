package text

import (
	"fmt"
	"strings"
	"testing"
)

// benchText is n bytes of lines that look like code.
func benchText(n int) string {
	var sb strings.Builder
	sb.Grow(n + 100)
	for i := 0; sb.Len() < n; i++ {
		fmt.Fprintf(&sb, "\tvalue%d := compute(%d, \"é\")  // line %d\n", i, i*7, i)
	}
	return sb.String()
}

// BenchmarkKeystroke is what a server does for one typed character: find the place, apply, look at the line.
func BenchmarkKeystroke(b *testing.B) {
	for _, size := range []struct {
		name  string
		bytes int
	}{{"1MB", 1 << 20}, {"20MB", 20 << 20}} {
		b.Run(size.name, func(b *testing.B) {
			text := New(benchText(size.bytes))
			line := text.Lines() / 2
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				at := text.LineStart(line + i%1000)
				next, err := text.Apply(Edits{{Start: at, End: at + i%2, New: "x"}})
				if err != nil {
					b.Fatal(err)
				}
				l := next.LineOf(at)
				if s := next.Slice(next.LineStart(l), next.LineEnd(l)); s == "" {
					b.Fatal("no line")
				}
				text = next
			}
		})
	}
}

func BenchmarkNew20MB(b *testing.B) {
	s := benchText(20 << 20)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		New(s)
	}
}

func BenchmarkFromBytes20MB(b *testing.B) {
	raw := []byte(benchText(20 << 20))
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		if _, err := FromBytes(raw); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkString20MBAfterKeystroke(b *testing.B) {
	text := New(benchText(20 << 20))
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		next, err := text.Apply(Edits{{Start: 10 << 20, End: 10 << 20, New: "x"}})
		if err != nil {
			b.Fatal(err)
		}
		if s := next.String(); s == "" {
			b.Fatal("empty")
		}
	}
}

func BenchmarkHash20MB(b *testing.B) {
	s := benchText(20 << 20)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		New(s).Hash()
	}
}

func BenchmarkChars20MB(b *testing.B) {
	s := benchText(20 << 20)
	for b.Loop() {
		New(s).Chars()
	}
}

func BenchmarkLineStart20MB(b *testing.B) {
	text := New(benchText(20 << 20))
	n := text.Lines()
	for i := 0; b.Loop(); i++ {
		text.LineStart(i * 7919 % n)
	}
}

// BenchmarkDiff5MB shows that the time of a diff is bounded, whatever the texts.
func BenchmarkDiff5MB(b *testing.B) {
	for _, c := range largeDiffs(5 << 20) {
		b.Run(strings.ReplaceAll(c.name, " ", "_"), func(b *testing.B) {
			for b.Loop() {
				b.ReportMetric(float64(len(Diff(c.old, c.new))), "edits")
			}
		})
	}
}

func BenchmarkDiffSmall(b *testing.B) {
	old := benchText(2000)
	new := strings.Replace(old, "compute(49", "compute(50", 1)
	for b.Loop() {
		Diff(old, new)
	}
}
