package text

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Which edits made a text of another one says nothing about the lines in which they differ.
func TestStretchesDependOnTheTexts(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		line := func() string {
			return rapid.OneOf(rapid.SampledFrom([]string{"\n", "}\n", "x\n"}), rapid.Custom(func(rt *rapid.T) string {
				return fmt.Sprintf("line %d\n", rapid.IntRange(0, 30).Draw(rt, "n"))
			})).Draw(rt, "line")
		}
		var sb strings.Builder
		for range rapid.IntRange(0, 30).Draw(rt, "lines") {
			sb.WriteString(line())
		}
		was := New(sb.String() + rapid.SampledFrom([]string{"", "end"}).Draw(rt, "end"))
		now, es := was, Edits(nil)
		for range rapid.IntRange(1, 6).Draw(rt, "edits") {
			from := rapid.IntRange(0, now.Len()).Draw(rt, "from")
			to := min(now.Len(), from+rapid.IntRange(0, 12).Draw(rt, "length"))
			put := rapid.SampledFrom([]string{"", "!", "\n", line() + line(), now.Slice(from, to)}).Draw(rt, "new")
			if rapid.Bool().Draw(rt, "whole lines") {
				from, to = now.LineStart(now.LineOf(from)), now.LineStart(now.LineOf(to))
				put = rapid.SampledFrom([]string{"", line(), was.Slice(0, was.LineStart(rapid.IntRange(0, 3).Draw(rt, "copied")))}).Draw(rt, "new lines")
			}
			e := Edits{{Start: from, End: to, New: put}}
			after, err := now.Apply(e)
			if err != nil {
				rt.Fatal(err)
			}
			now, es = after, Compose(es, e)
		}
		got := Stretches(was, now, es)
		whole := Stretches(was, now, Edits{{Start: 0, End: was.Len(), New: now.String()}})
		if !slices.Equal(got, whole) {
			rt.Fatalf("%q\n%q\nby %+v\n%v, by one edit\n%v", was.String(), now.String(), es, got, whole)
		}
		a, b := 0, 0
		for _, r := range append(got, Stretch{was.Len(), was.Len(), now.Len(), now.Len()}) {
			if was.Slice(a, r.A0) != now.Slice(b, r.B0) {
				rt.Fatalf("%q and %q differ beside %v", was.String(), now.String(), got)
			}
			a, b = r.A1, r.B1
		}
	})
}
