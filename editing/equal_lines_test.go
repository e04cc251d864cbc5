package editing

import (
	"strings"
	"testing"

	"github.com/galley-ls/galley/editing/text"
)

// A restart finds both sides of a letter beside equal lines, of which its record knows
// only the nearest.
func TestRestartBesideEqualLines(t *testing.T) {
	filler := strings.Repeat("filler\n", 30)
	for _, c := range []struct{ name, was string }{
		{"before them", "three\n" + filler},
		{"behind them", filler + "three\n"},
		{"among them", filler + "three\n" + filler},
	} {
		taken := strings.Replace(c.was, "three", "3", 1)
		for _, decided := range []struct {
			apply     bool
			now, want string
		}{
			{true, taken, "A applied"},
			{true, taken + "typed\n", "A applied"},
			{true, c.was, "A staged"},
			{true, c.was + "typed\n", "A staged"},
			{false, c.was + "typed\n", "A staged"},
			{false, taken, "A applied"},
			{false, taken + "typed\n", "A applied"},
		} {
			w := New(0)
			w.Do(Replace(Replacement{Meta: Meta{Owner: "agent"}, Path: testPath, Old: "three", New: "3"}), NewDocument(testPath, "f.txt", text.New(c.was)))
			if decided.apply {
				w.Do(Apply(Letters("A")))
			}
			u := restored(t, w, decided.now)
			if got := told(u); got != decided.want {
				t.Errorf("%s, applied before: %v, now %.12q…%q: %s, want %s", c.name, decided.apply, decided.now, decided.now[len(decided.now)-8:], got, decided.want)
				continue
			}
			for _, h := range u.Snapshot().Changes()[0].Hunks {
				want := h.Old
				if decided.want == "A applied" {
					want = h.New
				}
				if got := mustDoc(u.Snapshot()).Base.Slice(h.Start, h.End); got != want {
					t.Errorf("%s: the letter lies on %q, want %q", c.name, got, want)
				}
			}
		}
	}
}
