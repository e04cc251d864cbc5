package memory

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// closedEdits journals n editing sessions, each read, staged, committed and
// folded when that gains enough, without a word of the user between them.
func closedEdits(t testing.TB, p place, n int) *Store {
	t.Helper()
	s := p.create(t)
	play(t, s, "U")
	for i := range n {
		read, replace, commit := fmt.Sprint("read", i), fmt.Sprint("replace", i), fmt.Sprint("commit", i)
		for _, id := range []string{read, replace, commit} {
			play(t, s, bulky(fmt.Sprintf("A{%s} T%s:bulk", id, id)))
		}
		_, err := s.Fold(FoldEdit{Edit: i, CloseCall: commit, Touched: []string{replace, commit}, Block: fmt.Sprintf("edit #%d committed: %s", i, bulk[:200])})
		ok(t, err)
	}
	return s
}

// exponent is the growth between two sizes: 1 is linear.
func exponent(from, to, n float64) float64 { return math.Log(to/from) / math.Log(n) }

// TestClosedEditsGrowLinearly: a journal grows with each closed edit by the same. U79.
func TestClosedEditsGrowLinearly(t *testing.T) {
	if testing.Short() {
		t.Skip("make test plays it: it is long under the race detector, and one goroutine does it all")
	}
	p := newPlace(t)
	var sizes []float64
	for _, n := range []int{25, 100, 400} {
		s := closedEdits(t, p, n)
		fi, err := os.Stat(filepath.Join(s.Dir(), journalFile))
		ok(t, err)
		sizes = append(sizes, float64(fi.Size()))
		if got := strings.Count(s.Messages()[1].Content, "committed"); got < n/4 {
			t.Errorf("%d edits: %d blocks are shown", n, got)
		}
	}
	for i := 1; i < len(sizes); i++ {
		if e := exponent(sizes[i-1], sizes[i], 4); e > 1.05 {
			t.Errorf("sizes %v: exponent %.2f", sizes, e)
		}
	}
}

// The rows of growth that are about journals: what opening and listing cost.
func BenchmarkGrowth(b *testing.B) {
	for _, n := range []int{100, 400, 1600} {
		b.Run(fmt.Sprintf("closed-edits-folded-and-opened/%d", n), func(b *testing.B) {
			p := newPlace(b)
			s := closedEdits(b, p, n)
			ok(b, s.Close())
			for b.Loop() {
				again, err := Open(p.home, p.workspace, s.ID())
				ok(b, err)
				again.Messages()
				ok(b, again.Close())
			}
		})
	}
	for _, n := range []int{10, 100, 1000} {
		b.Run(fmt.Sprintf("sessions-listed/%d", n), func(b *testing.B) {
			p := newPlace(b)
			for range n {
				s := p.create(b)
				play(b, s, "U")
				ok(b, s.Close())
			}
			for b.Loop() {
				list, err := List(p.home, p.workspace)
				ok(b, err)
				if len(list) != n {
					b.Fatalf("%d sessions of %d", len(list), n)
				}
			}
		})
	}
}
