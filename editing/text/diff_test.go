package text

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// marked shows edits in their text: [-old-]{+new+}.
func marked(old string, es Edits) string {
	var sb strings.Builder
	at := 0
	for _, e := range es {
		sb.WriteString(old[at:e.Start])
		if e.End > e.Start {
			sb.WriteString("[-" + old[e.Start:e.End] + "-]")
		}
		if e.New != "" {
			sb.WriteString("{+" + e.New + "+}")
		}
		at = e.End
	}
	return sb.String() + old[at:]
}

func TestDiffReadsWell(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{"equal", "a\n", "a\n", "a\n"},
		{"insert into brackets", `"experimental": []`, `"experimental": ["X"]`, `"experimental": [{+"X"+}]`},
		{"whole word", "timeout: 30\n", "timeout: 60\n", "timeout: [-30-]{+60+}\n"},
		{"whole name", "fooBar(x)", "fooBaz(x)", "[-fooBar-]{+fooBaz+}(x)"},
		{"number with a point", "v = 1.25", "v = 1.5", "v = [-1.25-]{+1.5+}"},
		{"operator", "if a == b {", "if a != b {", "if a [-==-]{+!=+} b {"},
		{"blank between changed words", "the quick fox", "the slow dog", "the [-quick fox-]{+slow dog+}"},
		{"comma between changed words", "f(a, b)", "f(x, y)", "f([-a, b-]{+x, y+})"},
		{"unchanged word between", "the quick brown fox", "the slow brown dog", "the [-quick-]{+slow+} brown [-fox-]{+dog+}"},
		{"wrapped", "foo", "bar(foo)", "{+bar(+}foo{+)+}"},
		{"element in a list", `["A", "B"]`, `["A", "X", "B"]`, `["A", {+"X", +}"B"]`},
		{"last element of a list", `["A"]`, `["A", "X"]`, `["A"{+, "X"+}]`},
		{"word inserted", "a b", "a x b", "a {+x +}b"},
		{"ideographs", "設定を変更", "設定を保存", "設定を[-変更-]{+保存+}"},
		{"accent is no edit of its own", "cafe\u0301 noir", "cafe noir", "[-cafe\u0301-]{+cafe+} noir"},
		{"stray byte", "caf\xe9 x\n", "caf\xe9 y\n", "caf\xe9 [-x-]{+y+}\n"},
		{"stray byte changed", "caf\xe9\n", "caf\xe8\n", "caf[-\xe9-]{+\xe8+}\n"},
		{"two changed lines", "a 1\nkeep\nb 2\n", "a 3\nkeep\nb 4\n", "a [-1-]{+3+}\nkeep\nb [-2-]{+4+}\n"},
		{"blank line between", "one\n\ntwo\n", "uno\n\ndos\n", "[-one-]{+uno+}\n\n[-two-]{+dos+}\n"},
		{"neighbouring lines", "aa bb\ncc dd\n", "aa xx\ncc yy\n", "aa [-bb-]{+xx+}\ncc [-dd-]{+yy+}\n"},
		{"line inserted", "a\nb\nc\n", "a\nb\nX\nc\n", "a\nb{+\nX+}\nc\n"},
		{"line inserted, crlf", "a\r\nb\r\n", "a\r\nX\r\nb\r\n", "a{+\r\nX+}\r\nb\r\n"},
		{"line at the start", "a\nb\n", "X\na\nb\n", "{+X\n+}a\nb\n"},
		{"line at the end", "a\nb\n", "a\nb\nX\n", "a\nb{+\nX+}\n"},
		{"line behind one without ending", "a\nb", "a\nb\nX", "a\nb{+\nX+}"},
		{"changed and added", "a\nb\nc\n", "a\nB\nX\nc\n", "a\n[-b-]{+B\nX+}\nc\n"},
		{"changed, added, changed", "b\nc d\n", "B\nX\nc e\n", "[-b-]{+B\nX+}\nc [-d-]{+e+}\n"},
		{"blank lines closed up", "}\n\n\nf {\n", "}\nf {\n", "}\n[-\n\n-]f {\n"},
		{"thai has no blanks", "กข", "กฃ", "ก[-ข-]{+ฃ+}"},
		{"line deleted", "a\nb\nc\n", "a\nc\n", "a\n[-b\n-]c\n"},
		{"last line deleted", "a\nb", "a", "a[-\nb-]"},
		{"final newline added", "a", "a\n", "a{+\n+}"},
		{"crlf to lf", "a\r\nb\r\n", "a\nb\r\n", "a[-\r\n-]{+\n+}b\r\n"},
		{"lone cr is data", "10%\r50%\n", "10%\r60%\n", "10%\r[-50-]{+60+}%\n"},
		{
			"a function goes between functions", "f {\n\tx\n}\n\ng {\n\tx\n}\n", "f {\n\tx\n}\n\nnew {\n\tx\n}\n\ng {\n\tx\n}\n",
			"f {\n\tx\n}\n{+\nnew {\n\tx\n}\n+}\ng {\n\tx\n}\n",
		},
		{"blank line between a deletion and an insertion", "a\nb\n\nc\n", "a\n\nX\nc\n", "a\n[-b\n-]\n{+X\n+}c\n"},
		{"line behind a blank first one", "\nb\n", "\nX\nb\n", "{+\nX+}\nb\n"},
		{
			"a block goes between blocks", "f {\n\tx\n}\ng {\n\tx\n}\n", "f {\n\tx\n}\nn {\n\tx\n}\ng {\n\tx\n}\n",
			"f {\n\tx\n}{+\nn {\n\tx\n}+}\ng {\n\tx\n}\n",
		},
		{
			"U54 a block that goes is one", "h {\n\ta\n}\n\nf {\n\tb\n\n\tc\n}\n\ng {\n\td\n}\n", "h {\n\ta\n}\n\ng {\n\td\n}\n",
			"h {\n\ta\n}\n\n[-f {\n\tb\n\n\tc\n}\n\n-]g {\n\td\n}\n",
		},
		{"U54 paragraphs that go are one", "a\nb\n\nc\nd\n\ne\n", "e0\n\ne\n", "[-a\nb\n\nc\nd-]{+e0+}\n\ne\n"},
		{"U54 at the start of a function", "f {\n\tx\n\ty\n\n\tx\n\tz\n\n\tend\n}\n", "f {\n\n\tend\n}\n", "f {\n[-\tx\n\ty\n\n\tx\n\tz\n-]\n\tend\n}\n"},
		{"U54 what stays between stays", "a\n\nb\nc\n", "\nc\n", "[-a\n-]\n[-b\n-]c\n"},
		{"odd space", "a\u00A0b c", "a b c", "a[-\u00A0-]{+ +}b c"},
		{"all gone", "a\nb\n", "", "[-a\nb\n-]"},
		{"all new", "", "a\nb\n", "{+a\nb\n+}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := marked(c.old, Diff(c.old, c.new)); got != c.want {
				t.Errorf("got\n%q, want\n%q", got, c.want)
			}
		})
	}
}

func TestLineDiff(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{"equal", "a\n", "a\n", "a\n"},
		{"changed", "a 1\nb\n", "a 2\nb\n", "[-a 1\n-]{+a 2\n+}b\n"},
		{"two hunks", "a\nb\nc\n", "A\nb\nC\n", "[-a\n-]{+A\n+}b\n[-c\n-]{+C\n+}"},
		{"inserted", "a\nb\n", "a\nX\nb\n", "a{+\nX+}\nb\n"},
		{"inserted at the start", "a\n", "X\na\n", "{+X\n+}a\n"},
		{"appended without ending", "a", "a\nb", "a{+\nb+}"},
		{"last gone without ending", "a\nb", "a", "a[-\nb-]"},
		{"cr becomes crlf", "a\r", "a\r\nb", "[-a\r-]{+a\r\nb+}"},
		{"crlf becomes cr", "a\r\nb", "a\r", "[-a\r\nb-]{+a\r+}"},
		{"around a blank line", "\n", "X\n\nY\n", "{+X\n+}\n{+Y\n+}"},
		{"ending changed", "a\r\n", "a\n", "[-a\r\n-]{+a\n+}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := marked(c.old, LineDiff(c.old, c.new)); got != c.want {
				t.Errorf("got\n%q, want\n%q", got, c.want)
			}
		})
	}
}

func TestSlide(t *testing.T) {
	for _, c := range []struct {
		name, old string
		e, want   Edit
	}{
		{"line", "a\nb\n", Edit{2, 2, "X\n"}, Edit{1, 1, "\nX"}},
		{"crlf", "a\r\nb\r\n", Edit{3, 3, "X\r\n"}, Edit{1, 1, "\r\nX"}},
		{"at the end", "a\n", Edit{2, 2, "X\nY\n"}, Edit{1, 1, "\nX\nY"}},
		{"at the start", "a\n", Edit{0, 0, "X\n"}, Edit{0, 0, "X\n"}},
		{"already", "a\nb\n", Edit{1, 1, "\nX"}, Edit{1, 1, "\nX"}},
		{"other ending", "a\nb\n", Edit{2, 2, "X\r\n"}, Edit{2, 2, "X\r\n"}},
		{"inside a line", "ab\n", Edit{1, 1, "X\n"}, Edit{1, 1, "X\n"}},
		{"no insertion", "a\nb\n", Edit{2, 4, "X\n"}, Edit{2, 4, "X\n"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Slide(c.old, c.e)
			if got != c.want || naive(c.old, Edits{got}) != naive(c.old, Edits{c.e}) {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

// checkDiff checks what every diff promises.
func checkDiff(t tester, old, new string, diff func(old, new string) Edits) {
	t.Helper()
	es := diff(old, new)
	if err := es.Validate(len(old)); err != nil {
		t.Fatalf("%q to %q: %v", old, new, err)
	}
	if got := naive(old, es); got != new {
		t.Fatalf("%q to %q: %+v makes %q", old, new, es, got)
	}
	shift := 0
	for _, e := range es {
		if !clean(old, e.Start) || !clean(old, e.End) || !clean(new, e.Start+shift) || !clean(new, e.Start+shift+len(e.New)) {
			t.Fatalf("%q to %q: %+v is cut inside a character or line ending", old, new, e)
		}
		if e.nothing() || old[e.Start:e.End] == e.New {
			t.Fatalf("%q to %q: %+v changes nothing", old, new, e)
		}
		shift += len(e.New) - (e.End - e.Start)
	}
}

func TestDiffIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		old := genText().Draw(t, "old")
		new := naive(old, genEdits(len(old)).Draw(t, "edits"))
		// Not Diff and LineDiff: their safety net must never be needed.
		checkDiff(t, old, new, wordDiff)
		checkDiff(t, old, new, lineDiff)
		checkDiff(t, old, new, Words)
	})
}

func FuzzDiff(f *testing.F) {
	f.Add("one\r\ntwo\n", "one\ntwo\r\n")
	f.Add("caf\xe9 \xc3\xa9", "caf\xc3\xa9 \xe9")
	f.Add("f(a, b)\n\ng()\n", "f(x, y)\n\nh()\n\ng()\n")
	f.Fuzz(func(t *testing.T, old, new string) {
		// Not Diff and LineDiff: their safety net must never be needed.
		checkDiff(t, old, new, wordDiff)
		checkDiff(t, old, new, lineDiff)
	})
}

func TestDraftJoinsWhatTouches(t *testing.T) {
	const old = "b\nc\n"
	changed, line := Edit{0, 1, "B"}, Edit{2, 2, "X\n"}
	for from, want := range map[int]Edits{
		0: {{0, 1, "B\nX"}},         // one piece of the text
		2: {changed, {2, 2, "X\n"}}, // two, with an unchanged line between
	} {
		var d draft
		d.add(changed)
		d.add(d.slide(old, line, from))
		checkEdits(t, d.es, want)
	}
}

func TestSafetyNet(t *testing.T) {
	const old, new = "a é\n", "a è\n"
	for _, wrong := range []Edits{nil, {{0, 1, "x"}}, {{4, 9, ""}}, {{2, 4, "e"}, {0, 1, "a"}}, {{2, 4, "e"}}} {
		checkEdits(t, checked(wrong, old, new), Edits{{2, 4, "è"}})
	}
}

// Whatever finds it, an alignment leaves equal what is outside of its hunks.
func TestAlignments(t *testing.T) {
	for name, find := range map[string]func(a, b []rune) ([]hunk, bool){
		"goDiff":   func(a, b []rune) ([]hunk, bool) { return goDiff(a, b), true },
		"few":      func(a, b []rune) ([]hunk, bool) { return (&work{left: allWork}).fewEdits(a, b) },
		"anchored": func(a, b []rune) ([]hunk, bool) { return (&work{left: allWork}).anchored(a, b) },
		"broke":    func(a, b []rune) ([]hunk, bool) { return new(work).align(a, b), true },
		"align":    func(a, b []rune) ([]hunk, bool) { return (&work{left: allWork}).align(a, b), true },
	} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				ids := rapid.SliceOfN(rapid.Int32Range(0, 12), 0, 40)
				a, b := ids.Draw(t, "a"), ids.Draw(t, "b")
				if hunks, ok := find(a, b); ok {
					checkHunks(t, hunks, a, b)
				}
			})
		})
	}
}

func checkHunks(t tester, hunks []hunk, a, b []rune) {
	t.Helper()
	x, y := 0, 0
	for _, h := range append(hunks, hunk{len(a), len(a), len(b), len(b)}) {
		if h.a0 < x || h.a0-x != h.b0-y || string(a[x:h.a0]) != string(b[y:h.b0]) {
			t.Fatalf("%v and %v: not equal between %+v", a, b, hunks)
		}
		x, y = h.a1, h.b1
	}
}

func TestFewEditsIsShortest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.SliceOfN(rapid.Int32Range(0, 3), 0, 20)
		a, b := ids.Draw(t, "a"), ids.Draw(t, "b")
		hunks, _ := (&work{left: allWork}).fewEdits(a, b)
		if got, want := differences(hunks), len(a)+len(b)-2*lcs(a, b); got != want {
			t.Fatalf("%v and %v: %d differences in %+v, want %d", a, b, got, hunks, want)
		}
	})
}

func differences(hunks []hunk) int {
	n := 0
	for _, h := range hunks {
		n += h.a1 - h.a0 + h.b1 - h.b0
	}
	return n
}

func lcs(a, b []rune) int {
	row := make([]int, len(b)+1)
	for _, x := range a {
		diagonal := 0
		for j, y := range b {
			next := max(row[j+1], row[j])
			if x == y {
				next = diagonal + 1
			}
			diagonal, row[j+1] = row[j+1], next
		}
	}
	return row[len(b)]
}

// Token numbers may be anything, also what no character may be, and more than there are characters below the surrogates.
func TestGoDiffOfManyTokens(t *testing.T) {
	a, b := make([]rune, 60000), make([]rune, 60000)
	for i := range a {
		a[i], b[i] = rune(i), rune(i)
	}
	b[30], b[59000] = -1, 0xD800
	hunks := goDiff(a, b)
	if len(hunks) != 2 || differences(hunks) != 4 {
		t.Errorf("got %+v", hunks)
	}
}

func TestDiffOfLargeTexts(t *testing.T) {
	if testing.Short() {
		t.Skip("make test plays it: it is long under the race detector, and one goroutine does it all")
	}
	for _, c := range largeDiffs(200 << 10) {
		t.Run(c.name, func(t *testing.T) {
			es := wordDiff(c.old, c.new)
			checkDiff(t, c.old, c.new, func(string, string) Edits { return es })
			if len(es) < c.least {
				t.Errorf("%d edits, want at least %d", len(es), c.least)
			}
			if c.least == 2 && len(es) > 2 {
				t.Errorf("%d edits, want 2", len(es))
			}
		})
	}
}

// largeDiffs are pairs of texts of about n bytes, and how many edits lead from one to the other, or more if there are many.
func largeDiffs(n int) []largeDiff {
	code, equal := benchText(n), strings.Repeat("a\n", n/2)
	half, oneLine := len(equal)/2, strings.ReplaceAll(code, "\n", " ")
	lines := strings.Count(code, "\n")
	far := strings.NewReplacer("value3 ", "other3 ", fmt.Sprintf("value%d ", lines-9), "other ")
	return []largeDiff{
		{"two words far apart", code, far.Replace(code), 2},
		{"one line", oneLine, far.Replace(oneLine), 2},
		{"a word in every line", code, strings.ReplaceAll(code, "compute", "calculate"), lines},
		{"every line ending", code, strings.ReplaceAll(code, "\n", "\r\n"), lines},
		{"every tenth line", code, strings.ReplaceAll(code, "0\n", "0 changed\n"), lines / 10},
		{"little alike", code, strings.ToUpper(code), 1},
		{"equal lines, two more", equal, equal[:half] + "b\n" + equal[half:] + "c\n", 2},
		{"equal lines, two fewer", "b\n" + equal[:half] + "c\n" + equal[half:], equal, 2},
		{"equal lines, half of them", equal, strings.ReplaceAll(equal, "a\na\n", "a\nb\n"), 1},
		{"noise", noise(1, n), noise(2, n), 1},
	}
}

type largeDiff struct {
	name, old, new string
	least          int
}

func noise(seed int64, n int) string {
	r := rand.New(rand.NewSource(seed))
	var sb strings.Builder
	for sb.Len() < n {
		fmt.Fprintf(&sb, "%d %c", r.Intn(1000), " \n.,"[r.Intn(4)])
	}
	return sb.String()
}
