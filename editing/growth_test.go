package editing

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/galley-ls/galley/editing/text"
)

// growing is work that must grow with its size and not with the square of it.
type growing struct {
	name  string
	sizes [3]int
	aim   float64                              // ms for the largest size
	make  func(tb testing.TB, size int) func() // answers what is measured; it may be repeated
}

const agentName = "agent"

var growings = []growing{
	{"changes-of-an-update", [3]int{3000, 6000, 12000}, 150, func(tb testing.TB, n int) func() {
		w := rewritable(tb, n, 0)
		return again(tb, w, func() { sendEdits(tb, w, backwards(renamed(n))) })
	}},
	{"changes-of-an-update-from-the-top", [3]int{3000, 6000, 12000}, 150, func(tb testing.TB, n int) func() {
		w := rewritable(tb, n, 0)
		return again(tb, w, func() { sendEdits(tb, w, inSequence(renamed(n))) })
	}},
	{"lines-of-a-whole-text-24-letters", [3]int{12_000, 40_000, 120_000}, 2000, func(tb testing.TB, n int) func() {
		w := rewritable(tb, n, 24)
		whole := []text.Edit{{End: theDocument(tb, w).Base.Len(), New: rows("row", n)}}
		return again(tb, w, func() { sendEdits(tb, w, whole) })
	}},
	{"lines-of-a-change/staged", [3]int{25_000, 50_000, 100_000}, 1000, func(tb testing.TB, n int) func() {
		w, op := rewritable(tb, n, 0), rewriting(n)
		return func() { w.Plan(op) }
	}},
	{"lines-of-a-change/applied", [3]int{25_000, 50_000, 100_000}, 1000, func(tb testing.TB, n int) func() {
		w := rewritten(tb, n)
		return again(tb, w, func() {
			accept(tb, w, Apply(Letters("A")))
			sendEdits(tb, w, backwards(w.Snapshot().Applying()[0].Edits))
		})
	}},
	{"lines-of-a-change/keystroke-beside", [3]int{25_000, 50_000, 100_000}, 20, func(tb testing.TB, n int) func() {
		w := rewritten(tb, n)
		return again(tb, w, func() {
			end := theDocument(tb, w).Base.Len()
			sendEdits(tb, w, []text.Edit{{Start: end, End: end, New: "x"}})
		})
	}},
	{"length-of-a-line/staged", [3]int{50_000, 100_000, 200_000}, 1000, func(_ testing.TB, n int) func() {
		side := strings.Repeat("words of it, ", n)
		w, d := New(0), NewDocument(testPath, "f.txt", text.New("first\n"+side+"the needle"+side+"\nlast\n"))
		return func() {
			w.Plan(Replace(Replacement{Meta: Meta{Owner: agentName}, Path: testPath, Old: "needle", New: "pin"}), d)
		}
	}},
	{"changes-of-an-update-26-letters", [3]int{3000, 6000, 12_000}, 300, func(tb testing.TB, n int) func() {
		w := rewritable(tb, n, 26)
		return again(tb, w, func() { sendEdits(tb, w, backwards(renamed(n))) })
	}},
	{"hunks-of-a-file", [3]int{12_500, 25_000, 50_000}, 1000, func(tb testing.TB, n int) func() {
		w := rewritable(tb, 2*n, 0)
		var sb strings.Builder
		for i := range 2 * n {
			fmt.Fprintf(&sb, "%s %d of the text\n", []string{"line", "row"}[i%2], i)
		}
		op := Write(Writing{Meta: Meta{Owner: agentName}, Path: testPath, Content: sb.String()})
		return func() { w.Plan(op) }
	}},
	{"letters", [3]int{1, 8, 26}, 0.05, func(tb testing.TB, n int) func() {
		return typist(tb, rewritable(tb, 20_000, n))
	}},
	{"files-read", [3]int{1, 100, 10_000}, 0.05, func(tb testing.TB, n int) func() {
		w := rewritable(tb, 20_000, 26)
		for i := range n - 1 {
			path := fmt.Sprintf("/w/other%d.txt", i)
			w.Do(Replace(Replacement{Meta: Meta{Owner: agentName}, Path: path, Old: "none", New: "x"}), NewDocument(path, "other", text.New("text\n")))
		}
		return typist(tb, w)
	}},
	{"documents-open", [3]int{1, 100, 1000}, 0.05, func(tb testing.TB, n int) func() {
		w := rewritable(tb, 20_000, 26)
		for i := range n - 1 {
			w.OpenDocument(fmt.Sprintf("/w/other%d.txt", i), "other", text.New("text\n"), 0, 1)
		}
		return typist(tb, w)
	}},
}

// rows is a text of n lines that all differ.
func rows(word string, n int) string {
	var sb strings.Builder
	for i := range n {
		fmt.Fprintf(&sb, "%s %d of the text\n", word, i)
	}
	return sb.String()
}

// rewritable is a workspace with one open document of n lines and some letters.
func rewritable(tb testing.TB, n, letters int) *Workspace {
	tb.Helper()
	w := New(0)
	w.OpenDocument(testPath, "f.txt", text.New(rows("line", n)), 1, 1)
	for i := range letters {
		d := theDocument(tb, w)
		at := d.Proposed(agentName).LineStart((2*i + 1) * n / (2 * letters))
		if r := w.Do(func(tx *tx) Result {
			_, r := tx.stage(testPath, Meta{Owner: agentName}, text.Edits{{Start: at, End: at + 4, New: "changed"}}, fmt.Sprint(i))
			if r != nil {
				return *r
			}
			return Result{Status: StatusEditing}
		}); !r.OK() {
			tb.Fatal(r.Hint)
		}
	}
	return w
}

func theDocument(tb testing.TB, w *Workspace) *Document {
	tb.Helper()
	d, ok := w.Snapshot().Document(testPath)
	if !ok {
		tb.Fatal("the document is gone")
	}
	return d
}

func rewriting(n int) Op {
	return Write(Writing{Meta: Meta{Owner: agentName}, Path: testPath, Content: rows("row", n)})
}

// rewritten is a workspace in which one letter changes every line.
func rewritten(tb testing.TB, n int) *Workspace {
	tb.Helper()
	w := rewritable(tb, n, 0)
	accept(tb, w, rewriting(n))
	return w
}

func accept(tb testing.TB, w *Workspace, op Op) {
	tb.Helper()
	if p := w.Plan(op); !p.Result.OK() || !w.Accept(p) {
		tb.Fatal(p.Result.Code, p.Result.Hint)
	}
}

// again puts the workspace back as it was before f.
func again(tb testing.TB, w *Workspace, f func()) func() {
	tb.Helper()
	was := w.Snapshot()
	return func() {
		w.cur = was
		f()
	}
}

func sendEdits(tb testing.TB, w *Workspace, es []text.Edit) {
	tb.Helper()
	if _, err := w.Update(testPath, 2, es); err != nil {
		tb.Fatal(err)
	}
}

// renamed edits the first word of each of n lines.
func renamed(n int) text.Edits {
	es, at := make(text.Edits, n), 0
	for i := range es {
		es[i] = text.Edit{Start: at, End: at + 4, New: "row"}
		at += len(fmt.Sprintf("line %d of the text\n", i))
	}
	return es
}

// backwards are edits as an editor sends them that begins with the last.
func backwards(es text.Edits) []text.Edit {
	out := slices.Clone(es)
	slices.Reverse(out)
	return out
}

// inSequence are edits as an editor sends them that begins with the first.
func inSequence(es text.Edits) []text.Edit {
	out, shift := slices.Clone(es), 0
	for i, e := range es {
		out[i].Start, out[i].End = e.Start+shift, e.End+shift
		shift += es[i : i+1].Delta()
	}
	return out
}

// typist types a character and takes it back.
func typist(tb testing.TB, w *Workspace) func() {
	d := theDocument(tb, w)
	at := d.Base.LineEnd(d.Base.Lines()/2 + 3)
	n := 0
	return func() {
		e := text.Edit{Start: at, End: at, New: "x"}
		if n%2 == 1 {
			e = text.Edit{Start: at, End: at + 1}
		}
		n++
		sendEdits(tb, w, []text.Edit{e})
	}
}

// The table of growth: `make bench` fits the exponent over the sizes.
func BenchmarkGrowth(b *testing.B) {
	for _, g := range growings {
		for _, size := range g.sizes {
			b.Run(fmt.Sprintf("%s/%d", g.name, size), func(b *testing.B) {
				f := g.make(b, size)
				for b.Loop() {
					f()
				}
				if size == g.sizes[2] {
					b.ReportMetric(g.aim, "aim-ms")
				}
			})
		}
	}
}

// Four times as much takes as long as one part four times, and a little longer; with
// the square it would be four times as long. Both take about the same time, so that others
// that load the machine are in the way of both. What should not grow at all
// is measured between one and many, where growth by length shows. U28 are the changes of
// an update and the lines of a whole text, U29 the files read, U31 the length of a line,
// U80 the lines of a change.
func TestGrowth(t *testing.T) {
	if testing.Short() {
		t.Skip("it measures times, which say nothing with -race; make test runs it without -short")
	}
	for _, g := range growings {
		parts, most := 4, 2.25
		more := min(g.sizes[0], 8000)
		less := more / parts
		if less == 0 { // from one on: what does not grow with its size at all
			parts, most, less, more = 1, 9, g.sizes[0], g.sizes[2]
		}
		t.Run(g.name, func(t *testing.T) {
			small, large := g.make(t, less), g.make(t, more)
			few, many, ratio := math.Inf(1), math.Inf(1), 0.0
			for range 40 { // the fastest of all rounds count, since others may load the machine
				few, many = min(few, fastest(func() {
					for range parts {
						small()
					}
				})), min(many, fastest(large))
				if ratio = many / few; ratio <= most {
					return
				}
			}
			t.Errorf("%d takes %.1f times as long as %d times %d", more, ratio, parts, less)
		})
	}
}

// fastest is the least of several times, in seconds.
func fastest(f func()) float64 {
	best := time.Duration(1 << 62)
	for range 3 {
		start := time.Now()
		f()
		best = min(best, time.Since(start))
	}
	return best.Seconds()
}
