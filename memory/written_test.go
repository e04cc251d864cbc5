package memory

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
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
			old, err := s.kept(d.Old, d.OldKept)
			ok(t, err)
			new, err := s.kept(d.New, d.NewKept)
			ok(t, err)
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

// What the agent wrote is taken back where it stands, whatever was written beside it since; else nothing is.
func TestUnwrite(t *testing.T) {
	const was = "# Deploy\n\nOn Fridays.\n"
	for name, c := range map[string]struct {
		write, since string // the whole file, "": as it is
		want         string
		why          error
	}{
		"lines":                          {write: was + "By hand.\n", want: was},
		"lines that were others":         {write: "# Deploy\n\nOn Mondays.\n", want: was},
		"lines that are gone":            {write: "# Deploy\n", want: was},
		"others came above":              {write: was + "By hand.\n", since: "new\n" + was + "By hand.\n", want: "new\n" + was},
		"the lines were changed":         {write: was + "By hand.\n", since: was + "By foot.\n", want: was + "By foot.\n", why: ErrWrittenOver},
		"they stand twice, elsewhere":    {write: was + "By hand.\n", since: "By hand.\nBy hand.\n" + was, want: "By hand.\nBy hand.\n" + was, why: ErrWrittenOver},
		"of what is gone no place shows": {write: "# Deploy\n", since: "# Deploy!\n", want: "# Deploy!\n", why: ErrWrittenOver},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStore(t)
			w, err := s.WriteMemoryBy(ByAgent, "detail/deploy.md", was, "")
			ok(t, err)
			first := w.Seq
			w, err = s.WriteMemoryBy(ByAgent, "detail/deploy.md", c.write, w.Hash)
			ok(t, err)
			if c.since != "" {
				ok(t, os.WriteFile(filepath.Join(s.Dir(), memoryDir, "detail", "deploy.md"), []byte(c.since), 0o600))
			}
			path, err := s.Unwrite(w.Seq)
			now, _, fault := s.ReadMemory("detail/deploy.md")
			if !errors.Is(err, c.why) || path != "detail/deploy.md" || now != c.want || fault != nil {
				t.Errorf("%s: %v; the file holds %q, %v", path, err, now, fault)
			}
			last, _ := s.LastWrite()
			if c.why == nil && (last.By != ByUser || last.Path != path) {
				t.Errorf("the journal has %+v", last)
			}
			if _, err := s.Unwrite(last.Seq); c.why == nil && !errors.Is(err, ErrNoWrite) {
				t.Errorf("what was taken back is taken back: %v", err)
			}
			if c.why == nil && c.since == "" { // so it can go on
				if _, err := s.Unwrite(first); err != nil {
					t.Error(err)
				}
				if _, _, err := s.ReadMemory("detail/deploy.md"); !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("of the file that was made is left: %v", err)
				}
			}
		})
	}
	if _, err := newStore(t).Unwrite(99); !errors.Is(err, ErrNoWrite) {
		t.Error(err)
	}
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
