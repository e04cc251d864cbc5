package editing

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/galley-ls/galley/editing/text"
)

// manyLines is a text of about size bytes; every line is different.
func manyLines(size int) string {
	var sb strings.Builder
	sb.Grow(size + 64)
	for i := 0; sb.Len() < size; i++ {
		fmt.Fprintf(&sb, "line %07d: the quick brown fox jumps over it\n", i)
	}
	return sb.String()
}

// loaded is a workspace with one open document and 26 staged changes in it.
func loaded(b *testing.B, size int) *Workspace {
	b.Helper()
	w := New(0)
	t := text.New(manyLines(size))
	w.OpenDocument(testPath, "f.txt", t, 1, 1)
	step := t.Lines() / 27
	for i := range 26 {
		at := t.LineStart((i+1)*step) + 5
		w.Do(func(tx *tx) Result {
			if _, r := tx.stage(testPath, Meta{Owner: "agent"}, text.Edits{{Start: at, End: at + 7, New: "changed"}}, fmt.Sprint(i)); r != nil {
				b.Fatal(r.Hint)
			}
			return Result{Status: StatusEditing}
		})
	}
	if n := len(w.Snapshot().Changes()); n != 26 {
		b.Fatalf("%d changes", n)
	}
	return w
}

func benchKeystroke(b *testing.B, size int, aim float64) { benchTyping(b, loaded(b, size), aim) }

// conflicted has six of the letters in conflict with what the user typed on their lines.
func conflicted(b *testing.B, size int) *Workspace {
	w := loaded(b, size)
	for _, c := range w.Snapshot().Changes()[:6] {
		c, _ = w.Snapshot().Change(c.Letter)
		if _, err := w.Update(testPath, 2, []text.Edit{{Start: c.Start(), End: c.Start() + 1, New: "my "}}); err != nil {
			b.Fatal(err)
		}
		if c, _ = w.Snapshot().Change(c.Letter); c.State != Conflict {
			b.Fatalf("%s is %s", c.Letter, c.State)
		}
	}
	return w
}

func benchTyping(b *testing.B, w *Workspace, aim float64) {
	d, _ := w.Snapshot().Document(testPath)
	at := d.Base.LineEnd(d.Base.Lines() / 2)
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		e := text.Edit{Start: at, End: at, New: "x"}
		if n%2 == 1 {
			e = text.Edit{Start: at, End: at + 1}
		}
		n++
		if _, err := w.Update(testPath, int32(n), []text.Edit{e}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(aim, "aim-ms")
}

func BenchmarkKeystroke26Changes1MB(b *testing.B)   { benchKeystroke(b, 1<<20, 0.05) }
func BenchmarkKeystroke26Changes20MB(b *testing.B)  { benchKeystroke(b, 20<<20, 0.05) }
func BenchmarkKeystroke6Conflicts1MB(b *testing.B)  { benchTyping(b, conflicted(b, 1<<20), 0.3) }
func BenchmarkKeystroke6Conflicts20MB(b *testing.B) { benchTyping(b, conflicted(b, 20<<20), 3) }

// A search on a snapshot runs beside the typing and does not hold it up.
func BenchmarkKeystrokeBesideSearch20MB(b *testing.B) {
	w := loaded(b, 20<<20)
	var stop atomic.Bool
	done := make(chan struct{})
	go func() {
		defer close(done)
		for !stop.Load() {
			w.Plan(Replace(Replacement{Meta: Meta{Owner: "agent"}, Path: testPath, Old: "no such line is in this text", New: "x"}))
		}
	}()
	d, _ := w.Snapshot().Document(testPath)
	at := d.Base.LineEnd(d.Base.Lines() / 2)
	n := 0
	for b.Loop() {
		e := text.Edit{Start: at, End: at, New: "x"}
		if n%2 == 1 {
			e = text.Edit{Start: at, End: at + 1}
		}
		n++
		if _, err := w.Update(testPath, int32(n), []text.Edit{e}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(0.05, "aim-ms")
	stop.Store(true)
	<-done
}
