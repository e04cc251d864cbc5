package memory

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// What is kept of each write gives the text before from the text after, and the other way
// round, whatever was written, and whether it is kept in the journal or beside it.
func TestWritesAreKept(t *testing.T) {
	s := newStore(t)
	files := 0
	rapid.Check(t, func(rt *rapid.T) {
		files++
		name := fmt.Sprintf("archive/%d.md", files)
		line := rapid.OneOf(rapid.SampledFrom([]string{"", "a\n", "b\n", "no end", "\r\n", "\xff\n", strings.Repeat("x", keptFrom) + "\n"}), rapid.StringMatching(`[a-z]{0,3}\n`))
		now, hash := "", ""
		for range rapid.IntRange(1, 3).Draw(rt, "writes") {
			next := strings.Join(rapid.SliceOfN(line, 0, 6).Draw(rt, "lines"), "")
			w, err := s.WriteMemoryBy(ByAgent, name, next, hash)
			ok(t, err)
			d := s.change(t, w)
			old, new := kept(t, s, d.Old, d.OldKept), kept(t, s, d.New, d.NewKept)
			if d.Was != hash || now[:d.At]+new+now[d.At+len(old):] != next || next[:d.At]+old+next[d.At+len(new):] != now {
				rt.Fatalf("%q to %q is kept as %d: %q, %q", now, next, d.At, old, new)
			}
			now, hash = next, w.Hash
		}
	})
}

// change is what the journal keeps of a write.
func (s *Store) change(t *testing.T, w Written) *difference {
	t.Helper()
	for _, e := range slices.Backward(s.Entries()) {
		var p memoryPayload
		if e.Seq == w.Seq && json.Unmarshal(e.Payload, &p) == nil && p.Change != nil {
			if len(e.Payload) > 3*keptFrom {
				t.Fatalf("%d bytes in the journal", len(e.Payload))
			}
			return p.Change
		}
	}
	t.Fatalf("no entry %d with a change", w.Seq)
	return nil
}

func kept(t *testing.T, s *Store, short raw, name string) string {
	t.Helper()
	if name == "" {
		return string(short)
	}
	data, err := os.ReadFile(filepath.Join(s.Dir(), keptDir, name))
	ok(t, err)
	return string(data)
}

func TestSources(t *testing.T) {
	s := newStore(t)
	play(t, s, "U:we_deploy_on_fridays,_always A{read} N:we_test_on_mondays A{x} Tx:ok")
	for _, c := range []struct{ lines, want string }{
		{"- We deploy on Fridays, always!\n", "said by you"},
		{"we deploy\n", "from entry 6 of the journal"},                      // too few words to be anybody's
		{"we test on mondays\n", "from entry 6 of the journal"},             // a notice is nobody's words
		{"we deploy on fridays, alwaysly\n", "from entry 6 of the journal"}, // whole words
		{"", "from entry 6 of the journal"},
	} {
		if got := s.sourceOf(c.lines).String(); got != c.want {
			t.Errorf("%q is %s, want %s", c.lines, got, c.want)
		}
	}
}
