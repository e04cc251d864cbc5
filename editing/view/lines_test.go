package view

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
	"pgregory.net/rapid"
)

// drawn writes lines with their marks in ‹›.
func drawn(lines Lines) string {
	var sb strings.Builder
	for _, l := range lines {
		l = l.Spelled()
		s, last := "", 0
		for _, m := range l.Marks {
			s += l.Text[last:m[0]] + "‹" + l.Text[m[0]:m[1]] + "›"
			last = m[1]
		}
		fmt.Fprintf(&sb, "%d %d%c%s\n", l.Old, l.New, l.Sign, s+l.Text[last:])
	}
	return sb.String()
}

// onDisk are the lines of a change on the text as it is.
func onDisk(s *editing.Snapshot, c *editing.Change, context int) Lines {
	d, now := found(s, c)
	return alone(d, now).lines(around(context))
}

func TestLines(t *testing.T) {
	for _, tc := range []struct {
		name, file string
		swaps      []string
		letter     string
		want       string
	}{
		{"whole words", "a here b\n", []string{"here", "there"}, "A", "1 0-a ‹here› b\n0 1+a ‹there› b\n"},
		{"cuts in one word", "x foo_bar y\n", []string{"foo_bar", "fzo_bzr"}, "A", "1 0-x ‹foo_bar› y\n0 1+x ‹fzo_bzr› y\n"},
		{"nothing on one side", "f(a)\n", []string{"a", "a, b"}, "A", "1 0-f(a)\n0 1+f(a‹, b›)\n"},
		{"numbers of both texts", "1\n2\n3\n4\n5\n", []string{"1\n", "0\n1\n", "4", "four"}, "B", "3 3 3\n4 0-4\n0 4+four\n5 5 5\n"},
		{"two windows", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", []string{"2\n3\n4\n5\n6\n7\n8\n", "two\n3\n4\n5\n6\n7\neight\n"}, "A", "1 1 1\n2 0-2\n0 2+two\n3 3 3\n0 0!\n7 7 7\n8 0-8\n0 8+eight\n9 9 9\n"},
		{"marks behind stray bytes", "\xe9\xe9 here\n", []string{"here", "now"}, "A", "1 0-⟦E9⟧⟦E9⟧ ‹here›\n0 1+⟦E9⟧⟦E9⟧ ‹now›\n"},
		{"blanks at the end", "a  \nb\n", []string{"a  ", "a"}, "A", "1 0-a‹⟦SP⟧⟦SP⟧›\n0 1+a\n2 2 b\n"},
		{"tabs for spaces", "  a\n", []string{"  a", "\ta"}, "A", "1 0-‹  ›a\n0 1+‹⟦TAB⟧›a\n"},
		{"last line without ending", "a", []string{"a", "a\nb"}, "A", "1 1 a\n0 2+b\n"},
		{
			"U54 a block that goes, mostly", "f {\n1\n2\n3\n\n4\n5\n6\n\n7\n8\n9\n}\n",
			[]string{"1\n2\n3\n\n4\n5\n6\n\n7\n8\n9\n", "x\n\ny\n"},
			"A",
			"1 1 f {\n2 0-1\n3 0-2\n4 0-3\n5 0-\n6 0-4\n7 0-5\n8 0-6\n9 0-\n10 0-7\n11 0-8\n12 0-9\n0 2+x\n0 3+\n0 4+y\n13 5 }\n",
		},
		{"U54 a line in each of two paragraphs", "1\n\n2\n", []string{"1\n\n2\n", "one\n\ntwo\n"}, "A", "1 0-1\n0 1+one\n2 2 \n3 0-2\n0 3+two\n"},
		{"U69 one of several lines looks the same", "user\nb\n", []string{"user\nb\n", "us\u200Ber\nc\n"}, "A", "1 0-user\n2 0-b\n0 1+us⟦U+200B⟧er\n0 2+c\n"},
		{"U69 one of several lines ends in a blank", "user\nb\n", []string{"user\nb\n", "user \nc\n"}, "A", "1 0-user\n2 0-‹b›\n0 1+user‹⟦SP⟧›\n0 2+‹c›\n"},
		{"writing direction", "a = 1\n", []string{"1", "\u202e2"}, "A", "1 0-a = ‹1›\n0 1+a = ‹⟦U+202E⟧2›\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := newScene(t, "f.txt", tc.file)
			for i := 0; i < len(tc.swaps); i += 2 {
				d.swap("f.txt", tc.swaps[i], tc.swaps[i+1])
			}
			if got := drawn(onDisk(d.w.Snapshot(), d.change(tc.letter), 1)); got != tc.want {
				t.Errorf("got\n%swant\n%s", got, tc.want)
			}
		})
	}
}

func TestRegion(t *testing.T) {
	python := "import os\n\n\nclass A:\n    x = 1\n\n    def f(self):\n        if x:\n            return 1\n\n        return 2\n\n    def g(self):\n        pass\n"
	yaml := "a:\n  b: 1\n  c:\n    - x\n    - y\nd: 2\n"
	doc := "intro\n\n# One\n\ntext\n\n## Sub\n\nmore\n\n# Two\n\nend\n"
	for _, tc := range []struct {
		name, file, old, new string
		from, to             int // lines, 1-based
	}{
		{"a.py", python, "return 1", "return 3", 7, 11},
		{"a.py", python, "x = 1", "x = 2", 4, 14},
		{"a.py", python, "import os", "import io", 1, 1},
		{"a.yaml", yaml, "- y", "- z", 3, 5},
		{"a.yaml", yaml, "b: 1", "b: 2", 1, 5},
		{"a.md", doc, "text", "words", 3, 9},
		{"a.md", doc, "more", "less", 7, 9},
		{"a.md", doc, "intro", "start", 1, 2},
		{"a.md", doc, "end", "fin", 11, 13},
		{"a.go", mainGo, "func main() {", "func main2() {", 5, 12},
		{"a.go", mainGo, "\treturn 1\n", "", 14, 15},
		{"a.txt", "one\ntwo\n\nthree\n", "two", "2", 1, 2},
		{"a.txt", "", "", "x\n", 1, 1},
	} {
		d := newScene(t, tc.name, tc.file)
		if tc.old == "" {
			d.stage(tc.name, 0, text.Edits{{New: tc.new}})
		} else {
			d.swap(tc.name, tc.old, tc.new)
		}
		s := d.w.Snapshot()
		v, _ := compared(s, d.change("A"))
		from, to := enclosing(tc.name, 0)(v, v.runs()[0])
		if from+1 != tc.from || to != tc.to {
			t.Errorf("%s, %q: lines %d-%d, want %d-%d", tc.name, tc.old, from+1, to, tc.from, tc.to)
		}
	}
}

// lineOf is a line of a text with what changes on it.
func lineOf(sign rune, s string, places ...[2]int) Line {
	return Line{Sign: sign, source: source{raw: s, places: places, marked: true, width: wideLine}}.drawn()
}

// leftOut takes a line apart into what is shown and how many characters are counted.
func leftOut(t fataler, s string) (shown string, chars int) {
	t.Helper()
	for i, gap := range gaps.FindAllStringSubmatch(s, -1) {
		n, err := strconv.Atoi(gap[1])
		if err != nil {
			t.Fatalf("gap %d of %q: %v", i, s, err)
		}
		chars += n
	}
	return gaps.ReplaceAllString(s, ""), chars
}

type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

var gaps = regexp.MustCompile(`⟦… (\d+) chars?⟧`)

func TestNarrowed(t *testing.T) {
	s := strings.Repeat("é", 100) + "XX" + strings.Repeat("é", 100)
	got := lineOf(Old, s, [2]int{200, 202}).Narrowed(20)
	if want := "⟦… 96 chars⟧ééééXXéééé⟦… 96 chars⟧"; got.Text != want || len(got.Marks) != 1 || got.Text[got.Marks[0][0]:got.Marks[0][1]] != "XX" {
		t.Errorf("got %q %v, want %q", got.Text, got.Marks, want)
	}
	for _, places := range [][][2]int{nil, {{0, 400}}, {{0, 0}, {402, 402}}, {{10, 20}, {30, 400}}, {{0, 2}, {4, 6}, {100, 120}, {300, 380}}} {
		got := lineOf(New, s, places...).Narrowed(40)
		shown, out := leftOut(t, got.Text)
		if n := utf8.RuneCountInString(shown); n == 0 || n > 40 || n+out != 202 {
			t.Errorf("%v: %d code points, %d left out: %q", places, n, out, got.Text)
		}
		for _, m := range got.Marks {
			if m[0] >= m[1] || m[1] > len(got.Text) {
				t.Errorf("%v: mark %v in %q", places, m, got.Text)
			}
		}
	}
}

// drawLine draws a line with some places that change.
func drawLine(t *rapid.T, sign rune) Line {
	s := rapid.StringMatching(`([a-z 日]|us\x{200B}er|❤\x{FE0F}|\t){0,100}`).Draw(t, "text")
	offsets := []int{}
	for i := range s {
		offsets = append(offsets, i)
	}
	offsets = append(offsets, len(s))
	var places [][2]int
	at := 0
	for range rapid.IntRange(0, 3).Draw(t, "places") {
		from := rapid.IntRange(at, len(offsets)-1).Draw(t, "from")
		at = rapid.IntRange(from, len(offsets)-1).Draw(t, "to")
		places = append(places, [2]int{offsets[from], offsets[at]})
	}
	return lineOf(sign, s, places...)
}

// A line that is cut is whole characters, shows something of each place that changes,
// and says how much it leaves out, also of what comes.
func TestNarrowedShowsTheMarks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLine(t, New)
		got := l.Narrowed(100)
		shown, out := leftOut(t, got.Text)
		if n := utf8.RuneCountInString(unmarked(shown)); n > 100 || n+out != utf8.RuneCountInString(l.raw) || !utf8.ValidString(got.Text) {
			t.Fatalf("%d characters, %d left out: %q", n, out, got.Text)
		}
		comes, seen := 0, 0
		for _, m := range l.places {
			comes += utf8.RuneCountInString(l.raw[m[0]:m[1]])
		}
		for _, m := range got.Marks {
			seen += utf8.RuneCountInString(unmarked(got.Text[m[0]:m[1]]))
		}
		if seen+got.Hidden < comes {
			t.Fatalf("%d of %d characters are shown, %d said to be hidden: %q from %q", seen, comes, got.Hidden, got.Text, l.raw)
		}
	})
}

// U68: however long a line is, all that comes is shown whole where there is room for it.
func TestU68WholeShowsAllThatComes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLine(t, New)
		got := l.Whole(20)
		if got.Hidden != 0 || len(got.Marks) > len(l.places) {
			t.Fatalf("%d hidden: %q from %q", got.Hidden, got.Text, l.raw)
		}
	})
	l := lineOf(New, strings.Repeat("x", wideLine+7), [2]int{0, wideLine + 7}).Whole(20)
	if l.Hidden != 7 || !strings.HasSuffix(l.Text, "x⟦… 7 chars⟧") {
		t.Errorf("%d hidden, %.99q", l.Hidden, l.Text[len(l.Text)-99:])
	}
}

// unmarked takes back what was written out.
func unmarked(s string) string {
	s = strings.NewReplacer("⟦TAB⟧", "\t", "⟦SP⟧", " ", "⟦CR⟧", "\r").Replace(s)
	return marks.ReplaceAllStringFunc(s, func(m string) string {
		n, _ := strconv.ParseInt(m[len("⟦U+"):len(m)-len("⟧")], 16, 32)
		return string(rune(n))
	})
}

var marks = regexp.MustCompile(`⟦U\+[0-9A-F]{4,6}⟧`)

// TestPreviewOfALargeFile: only the places of changes are looked at, and lines of
// any length are cut.
func TestPreviewOfALargeFile(t *testing.T) {
	const size = 20 << 20
	d := newScene(t, "large.txt", strings.Repeat("some line of the large file\n", size/28), "line.txt", strings.Repeat("some words ", size/110)+"here")
	doc, _ := d.w.Snapshot().Document("/w/large.txt")
	for i := range 20 {
		at := doc.Base.LineStart(1000 + 7000*i)
		d.stage("large.txt", 0, text.Edits{{Start: at + 5, End: at + 9, New: "row"}})
	}
	d.swap("line.txt", "here", "there")
	s := d.w.Snapshot()
	Preview(s, agentName, 1, Options{}) // the texts are made once
	start := time.Now()
	got := Preview(s, agentName, 1, Options{MaxLength: -1, Format: FormatFull})
	patch := Diff(s, agentName, 1)
	pending := Pending(s, agentName)
	// Looking at all of the text for every change or line takes minutes; a loaded machine with the race detector six seconds.
	if took := time.Since(start); took > 30*time.Second {
		t.Errorf("took %v", took)
	}
	if len(pending) > 10_000 || !strings.Contains(got, "+⟦…") || strings.Count(patch, "\n@@") != 21 {
		t.Errorf("preview of %d bytes, patch of %d hunks, pending lines of %d bytes", len(got), strings.Count(patch, "\n@@"), len(pending))
	}
	for l := range strings.Lines(got) {
		if len([]rune(l)) > 300 {
			t.Fatalf("a line of %d bytes", len(l))
		}
	}
}

// TestFullOfATooLargeFile: it degrades and says so.
func TestFullOfATooLargeFile(t *testing.T) {
	d := newScene(t, "large.txt", "a\n  b\n  c\n"+strings.Repeat(" some line of the large file\n", previewedInFull/28))
	d.swap("large.txt", "b\n  c\n", "b\n  C\n")
	got := Preview(d.w.Snapshot(), agentName, 1, Options{Format: FormatFull, ContextLines: 1, MaxLength: -1})
	if !strings.Contains(got, "large.txt is larger than 20 MB") || strings.Count(got, "│") != 4 {
		t.Errorf("got\n%.2000s", got)
	}
}

func BenchmarkPreview(b *testing.B) {
	d := newScene(b, "large.txt", strings.Repeat("some line of the large file\n", (20<<20)/28))
	doc, _ := d.w.Snapshot().Document("/w/large.txt")
	for i := range editing.MaxLetters {
		at := doc.Base.LineStart(1000 + 7000*i)
		d.stage("large.txt", 0, text.Edits{{Start: at + 5, End: at + 9, New: "row"}})
	}
	s := d.w.Snapshot()
	for b.Loop() {
		Preview(s, agentName, 1, Options{MaxLength: -1})
	}
}

// A change of very many lines is shown in the time that its length takes: four times
// as much takes four times as long, and a little more on a loaded machine.
func TestShownGrowsWithItsLines(t *testing.T) {
	few, many := math.Inf(1), math.Inf(1)
	for range 40 { // the fastest of all rounds count
		few, many = min(few, shown(t, 10_000)), min(many, shown(t, 40_000))
		if many/few <= 9 {
			return
		}
	}
	t.Errorf("four times the lines take %.1f times as long", many/few)
}

// shown is how long all views of a change of n lines take, in seconds.
func shown(t *testing.T, n int) float64 {
	rows := func(word string) string {
		var sb strings.Builder
		for i := range n {
			fmt.Fprintf(&sb, "%s %d of the text\n", word, i)
		}
		return sb.String()
	}
	d := newScene(t, "f.txt", rows("line"))
	d.do(editing.Write(editing.Writing{Meta: editing.Meta{Owner: agentName}, Path: "/w/f.txt", Content: rows("row")}))
	start := time.Now()
	checkAllViews(d.w.Snapshot())
	return time.Since(start).Seconds()
}
