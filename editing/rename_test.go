package editing

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/galley-ls/galley/editing/text"
)

// renamed stages letters of two agent sessions on tables of their own, and opens the
// second beside the first.
func TestRename(t *testing.T) {
	for _, c := range []struct {
		name        string
		first       int // letters
		second      int
		decide      func(w *Workspace) // in the second, before
		want        string             // letters of the second after, with their states
		told        string
		noneForBoth bool
	}{
		{"none of them clashes", 0, 2, nil, "A staged, B staged", "", false},
		{"each gets the next free one", 2, 2, nil, "C staged, D staged", "A→C B→D", false},
		{"one keeps its own", 1, 2, nil, "B staged, C staged", "A→C", false},
		{"a decided one too", 1, 2, func(w *Workspace) { w.Do(Reject(Letters("A"), "no")) }, "B staged, C rejected", "A→C", false},
		{"those that wait come first", 24, 2, func(w *Workspace) { w.Do(Reject(Letters("A"), "no")) }, "Y staged, Z rejected", "B→Y A→Z", false},
		{"a decided one gives its letter up", 25, 2, func(w *Workspace) { w.Do(Reject(Letters("A"), "no")) }, "Z staged", "B→Z", false},
		{"not letters enough", 25, 2, nil, "", "", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, _ := staged(t, "first", c.first)
			other, im := staged(t, "second", c.second)
			if c.decide != nil {
				c.decide(other)
				im.Add(other.Snapshot().Record(lettersOf(other)...))
			}
			names, r, ok := im.Rename(w.Snapshot())
			if ok == c.noneForBoth {
				t.Fatalf("ok is %v", ok)
			}
			if !ok {
				if got := called(im); got != "A staged, B staged" {
					t.Errorf("refused, and yet it has %s", got)
				}
				return
			}
			var told []string
			for _, n := range names {
				told = append(told, n.From+"→"+n.To)
			}
			if got := strings.Join(told, " "); got != c.told {
				t.Errorf("told %q, want %q", got, c.told)
			}
			if got := called(im); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
			again := NewImage() // as the next start reads it
			_, before := staged(t, "second", c.second)
			again.sessions, again.changes = before.sessions, before.changes
			again.Add(read(t, r))
			if c.decide == nil && called(again) != c.want {
				t.Errorf("the journal says %s, want %s", called(again), c.want)
			}
			w.Restore("second", im, map[string]text.Text{"/second": text.New(linesFor(c.second))})
			seen := map[string]bool{}
			for _, ch := range w.Snapshot().Changes() {
				if seen[ch.Letter] {
					t.Errorf("there are two %s", ch.Letter)
				}
				seen[ch.Letter] = true
			}
		})
	}
}

func linesFor(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line %02d\n-\n-\n-\n", i)
	}
	return b.String()
}

// staged is a table with so many letters of one session, and what its journal says.
func staged(t *testing.T, owner string, n int) (*Workspace, *Image) {
	t.Helper()
	w, im := New(0), NewImage()
	d := NewDocument("/"+owner, owner, text.New(linesFor(n)))
	for i := range n {
		p := w.Plan(Replace(Replacement{Meta: Meta{Owner: owner}, Path: d.Path, Old: fmt.Sprintf("line %02d", i), New: fmt.Sprintf("LINE %02d", i)}), d)
		if !p.Result.OK() || !w.Accept(p) {
			t.Fatalf("%+v", p.Result)
		}
		im.Add(read(t, p.Record))
	}
	return w, im
}

func read(t *testing.T, r Record) (out Record) {
	t.Helper()
	data, err := json.Marshal(r)
	if err == nil {
		err = json.Unmarshal(data, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// lettersOf are all letters of a table.
func lettersOf(w *Workspace) (out []string) {
	for _, c := range w.Snapshot().Changes() {
		out = append(out, c.Letter)
	}
	return out
}

func called(im *Image) string {
	var out []string
	for _, c := range im.Open() {
		out = append(out, c.Letter+" "+string(c.State))
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}
