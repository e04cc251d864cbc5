package match

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/galley-ls/galley/editing/text"
	"pgregory.net/rapid"
)

// TestU22NearMerge: whatever the file has otherwise than old_text, also right beside
// the change, the model's change is made once, and nothing else.
func TestU22NearMerge(t *testing.T) {
	asked, all := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(5, 9).Draw(t, "lines")
		indent := rapid.SampledFrom([]string{"", "\t", "    "}).Draw(t, "indent")
		var base, file []string
		for i := range n {
			base = append(base, fmt.Sprintf("%ssome_function_%c(alpha_%d, beta_%d);", indent, 'a'+i, i, i))
		}
		at := rapid.IntRange(0, n-2).Draw(t, "what the file has otherwise")
		hit := rapid.IntRange(0, n-1).Filter(func(k int) bool { return k != at && k != at+1 }).Draw(t, "changed")
		changes := rapid.SampledFrom([]string{"word", "insert", "delete"}).Draw(t, "change")
		drift := rapid.SampledFrom([]string{"more", "less", "word", "wrapped", "joined", "blank", "two more"}).Draw(t, "drift")
		if drift == "less" && (at == 0 || hit == at-1 && changes == "insert") {
			return // where it goes is open
		}
		if changes == "insert" && (hit == at-1 || hit == n-1) {
			changes = "word"
		}
		theirs := slices.Clone(base)
		changed := func(lines []string, k int) []string {
			switch changes {
			case "word":
				lines[k] = strings.Replace(lines[k], "alpha", "gamma", 1)
			case "insert":
				lines = slices.Insert(lines, k+1, indent+"added_line();")
			case "delete":
				lines = slices.Delete(lines, k, k+1)
			}
			return lines
		}
		theirs = changed(theirs, hit)
		place := hit
		file = slices.Clone(base)
		switch drift {
		case "more":
			file = slices.Insert(file, at+1, indent+"log();")
		case "two more":
			file = slices.Insert(file, at+1, indent+"log();", indent+"trace();")
		case "blank":
			file = slices.Insert(file, at+1, "")
		case "less":
			file = slices.Delete(file, at, at+1)
		case "word":
			file[at] = strings.Replace(file[at], "beta", "delta", 1)
		case "wrapped":
			a, b, _ := strings.Cut(file[at], ", ")
			file = slices.Replace(file, at, at+1, a+",", indent+"\t"+b)
		case "joined":
			file = slices.Replace(file, at, at+2, file[at]+" "+strings.TrimSpace(file[at+1]))
		}
		if hit > at {
			place += len(file) - n
		}
		want := changed(slices.Clone(file), place)
		around := func(lines []string) string {
			return "head of it\n" + strings.Join(lines, "\n") + "\ntail of it\n"
		}
		f := text.New(around(file))
		r := Find(f, Query{Old: strings.Join(base, "\n"), New: strings.Join(theirs, "\n"), Hints: unhinted()})
		all++
		if r.Kind == NoMatch {
			return // it has too little in common
		}
		asked++
		if r.Kind != Near && !(r.Kind == Found && drift == "blank") || len(r.Matches) != 1 {
			t.Fatalf("%s, %d places: %s", r.Kind, len(r.Matches), r.Hint)
		}
		got, err := f.Apply(r.Matches[0].Edits)
		if err != nil || got.String() != around(want) {
			t.Fatalf("%s, %s: %v\nfile %q\nnew %q\n got %q\nwant %q", drift, changes, err, f.String(), strings.Join(theirs, "\n"), got.String(), around(want))
		}
	})
	if asked < all*9/10 {
		t.Errorf("only %d of %d were found", asked, all)
	}
}
