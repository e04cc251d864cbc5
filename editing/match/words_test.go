package match

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestU23MergeLine: whatever the three texts are, a line that only one side changed
// is that side's, and runs of blanks are one of the three's, never added up.
func TestU23MergeLine(t *testing.T) {
	word := rapid.SampledFrom([]string{"a", "bb", "=", "-", "—", "(", ")", ",", "，", "…", "...", "\"", "“", "é", "e\u0301", "x\u200by"})
	blank := rapid.SampledFrom([]string{"", "", " ", "  ", "    ", "\t", "\u00a0"})
	draw := func(t *rapid.T, name string) string {
		var sb strings.Builder
		for range rapid.IntRange(0, 8).Draw(t, name) {
			sb.WriteString(word.Draw(t, "word") + blank.Draw(t, "blank"))
		}
		return trim(sb.String())
	}
	rapid.Check(t, func(t *rapid.T) {
		base, theirs, ours := draw(t, "base"), draw(t, "theirs"), draw(t, "ours")
		if got := mergeLine(base, base, ours); got != ours {
			t.Fatalf("nothing changed %q in %q, and it is %q", base, ours, got)
		}
		if got := mergeLine(base, theirs, base); got != theirs {
			t.Fatalf("%q to %q is %q", base, theirs, got)
		}
		widest := func(s string) int {
			n, most := 0, 0
			for _, r := range s {
				if n++; !blankRune(r) || zeroWidth(r) {
					n = 0
				}
				most = max(most, n)
			}
			return most
		}
		got := mergeLine(base, theirs, ours)
		if n := widest(got); n > max(widest(theirs), widest(ours)) {
			t.Fatalf("%q to %q makes of %q the text %q", base, theirs, ours, got)
		}
	})
}
