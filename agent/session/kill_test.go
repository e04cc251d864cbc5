//go:build unix

package session

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/disk"
	"github.com/galley-ls/galley/editing/text"
	"github.com/galley-ls/galley/memory"
)

// The files of the tests that kill. Each has one letter, in this order; three more
// make, delete and rename one.
var (
	killNames  = []string{"a.txt", "b.txt", "sub/c.txt", "hard.txt"}
	killAll    = []string{"A", "B", "C", "D", "E", "F", "G"}
	killBefore = map[string]string{
		"a.txt": "head\none\ntail\n", "b.txt": "head\r\ntwo\r\ntail\r\n", "sub/c.txt": "three\n" + strings.Repeat("filler\n", 50),
		"hard.txt": strings.Repeat("filler\n", 300) + "four\n" + strings.Repeat("filler\n", 300), "gone.txt": "gone \xff\n", "old.txt": "old\n",
	}
	killEdits = map[string][2]string{"a.txt": {"one", "ONE"}, "b.txt": {"two", "TWO and more"}, "sub/c.txt": {"three", "THIRD"}, "hard.txt": {"four", "FOURTH of them"}}
)

func killAfter() map[string]string {
	out := map[string]string{}
	for name, e := range killEdits {
		out[name] = strings.Replace(killBefore[name], e[0], e[1], 1)
	}
	out["made/n.txt"], out["made/there/new.txt"] = "made\n", killBefore["old.txt"]
	return out
}

// A deed is what is killed. It is a table: file operations and open documents add
// rows.
type deed struct {
	before func(s *Session) // not killed
	do     func(s *Session)
	fails  string // the point that fails, the last time that it comes
	// from and to are the texts before and after.
	from, to map[string]string
	heard    string // what the agent hears exactly once if it happened; "": nothing
	done     func(s *Session) bool
	two      bool // decisions: between them the texts are as after
}

func committed(s *Session) bool {
	e, ok := s.Snapshot().Session(s.me, 1)
	return ok && e.State == editing.Committed
}

func allIn(state editing.ChangeState) func(s *Session) bool {
	return func(s *Session) bool {
		for _, c := range s.Snapshot().Of(s.me, 1) {
			if c.State != state {
				return false
			}
		}
		return true
	}
}

func deeds() map[string]deed {
	commit := func(s *Session) { s.Decide(Commit(1, "all of it", nil)) }
	apply := func(s *Session) { s.Decide(Apply(editing.Letters(killAll...))) }
	return map[string]deed{
		"apply": {do: apply, from: killBefore, to: killAfter(), heard: "C applied\nD applied", done: allIn(editing.Applied)},
		"apply one, written in place": {
			do: func(s *Session) { s.Decide(Apply(editing.Letters("D"))) }, from: killBefore, heard: "D applied",
			to: with(killBefore, "hard.txt", killAfter()["hard.txt"]), done: func(s *Session) bool { c, _ := s.Snapshot().Change("D"); return c.State == editing.Applied },
		},
		"commit": {do: commit, from: killBefore, to: killAfter(), heard: "committed #1", done: committed},
		"commit by the agent": {
			do: func(s *Session) { s.Conclude(By{Call: "c1"}, EndCommitted, Ending{Edit: 1, Summary: "all"}) }, from: killBefore, to: killAfter(), done: committed,
		},
		"commit of the rest": {
			before: func(s *Session) { s.Decide(Apply(editing.Letters("A"))) }, do: commit,
			from: with(killBefore, "a.txt", killAfter()["a.txt"]), to: killAfter(), heard: "committed #1", done: committed,
		},
		"undo of what was applied": {
			before: apply, do: func(s *Session) { s.Decide(UndoApplied(1)) }, from: killAfter(), to: killBefore, done: allIn(editing.Staged),
		},
		"undo of a commit": {
			before: commit, do: func(s *Session) { s.Decide(UndoClosed(1)) }, from: killAfter(), to: killBefore, heard: "took #1 back",
			done: func(s *Session) bool { e, _ := s.Snapshot().Session(s.me, 1); return e.Undone },
		},
		"apply that is taken back by a decision": {
			before: apply, do: undoLast, from: killAfter(), to: killBefore, heard: "took back: A, B, C, D, E, F, G applied", done: allIn(editing.Staged),
		},
		"apply of one that is taken back by a decision": {
			before: func(s *Session) { apply(s); s.Decide(Undo(lastOf(s))); s.Decide(Apply(editing.Letters("D"))) }, do: undoLast,
			from: with(killBefore, "hard.txt", killAfter()["hard.txt"]), to: killBefore, heard: "took back: D applied", done: allIn(editing.Staged),
		},
		"commit that is taken back by a decision": {
			before: commit, do: undoLast, from: killAfter(), to: killBefore, heard: "took back: #1 committed", done: waitsAgain,
		},
		"commit of the rest that is taken back by a decision": {
			before: func(s *Session) { s.Decide(Apply(editing.Letters("A"))); commit(s) }, do: undoLast,
			from: killAfter(), to: with(killBefore, "a.txt", killAfter()["a.txt"]), heard: "took back: #1 committed",
			done: func(s *Session) bool { c, _ := s.Snapshot().Change("A"); return c != nil && c.State == editing.Applied },
		},
		"reject that is taken back by a decision": {
			before: func(s *Session) { s.Decide(Reject(editing.Letters("A", "C"), "no")) }, do: undoLast,
			from: killBefore, to: killBefore, heard: "took back: A, C rejected", done: allIn(editing.Staged),
		},
		"revert that is taken back by a decision": {
			before: func(s *Session) { s.Decide(Revert(1, "no")) }, do: undoLast, from: killBefore, to: killBefore, heard: "took back: #1 reverted", done: waitsAgain,
		},
		"un-reject": {
			before: func(s *Session) { s.Decide(Reject(editing.Letters("A", "C"), "no")) }, do: func(s *Session) { s.Decide(Unreject(editing.Letters("A", "C"))) },
			from: killBefore, to: killBefore, heard: "C brought back", done: allIn(editing.Staged),
		},
		"revert": {
			before: apply, do: func(s *Session) { s.Decide(UndoApplied(1)); s.Decide(Revert(1, "no")) }, from: killAfter(), to: killBefore, heard: "reverted #1", two: true,
			done: func(s *Session) bool { e, _ := s.Snapshot().Session(s.me, 1); return e.State == editing.Reverted },
		},
		"commit that is taken back": {
			do: commit, fails: "write in place", from: killBefore, to: killAfter(), done: committed,
		},
		"commit that is taken back at its end": {do: commit, fails: "move", from: killBefore, to: killAfter(), done: committed},
	}
}

// lastOf is the decision that was made last.
func lastOf(s *Session) memory.Decision {
	ds := s.road.decisions.Decisions()
	return ds[len(ds)-1]
}

func undoLast(s *Session) { s.Decide(Undo(lastOf(s))) }

// waitsAgain reports whether the editing session is open again, and all its letters wait.
func waitsAgain(s *Session) bool {
	e, ok := s.Snapshot().Session(s.me, 1)
	return ok && e.State.Open() && allIn(editing.Staged)(s)
}

func with(files map[string]string, name, content string) map[string]string {
	out := maps.Clone(files)
	out[name] = content
	return out
}

// killPlace is a workspace and a home, and the session in it.
type killPlace struct {
	t             testing.TB
	home, dir, id string
}

func newKillPlace(t testing.TB) *killPlace {
	p := &killPlace{t: t, home: t.TempDir(), dir: t.TempDir()}
	for name, content := range killBefore {
		at := filepath.Join(p.dir, name)
		must(t, os.MkdirAll(filepath.Dir(at), 0o700))
		must(t, os.WriteFile(at, []byte(content), 0o600))
	}
	must(t, os.Link(filepath.Join(p.dir, "hard.txt"), filepath.Join(t.TempDir(), "hard2")))
	s := p.open(nil)
	for _, name := range killNames {
		e := killEdits[name]
		staged(t, s, name, e[0], e[1])
	}
	stagedFiles(t, s)
	must(t, s.Close())
	return p
}

// stagedFiles stages a new file, a deletion and a renaming.
func stagedFiles(t testing.TB, s *Session) {
	t.Helper()
	to, _ := s.Look("made/there/new.txt", true)
	for _, f := range []struct {
		path, op string
		make     func(p Place) editing.Op
	}{
		{"made/n.txt", opWrite, func(p Place) editing.Op {
			return editing.Write(editing.Writing{Meta: p.Meta, Path: p.Path, Name: p.Name, Content: "made\n"})
		}},
		{"gone.txt", "delete_file", func(p Place) editing.Op {
			return editing.DeleteFile(editing.Deletion{Meta: p.Meta, Path: p.Path})
		}},
		{"old.txt", "rename_file", func(p Place) editing.Op {
			return editing.RenameFile(editing.Renaming{Meta: p.Meta, Path: p.Path, To: to.Path, ToName: to.Name})
		}},
	} {
		if e, err := s.Edit(By{Call: "c"}, f.path, f.op, "", f.make); err != nil || !e.OK() {
			t.Fatalf("%s %s: %+v, %v", f.op, f.path, e, err)
		}
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (p *killPlace) open(table *editing.Workspace) *Session {
	p.t.Helper()
	s, err := Open(Config{Home: p.home, Workspace: p.dir, ID: p.id, Table: table, Wait: patience})
	must(p.t, err)
	p.id = s.ID()
	return s
}

// tree is what the files hold; leftovers are temporary ones, and empty folders.
func (p *killPlace) tree() (files map[string]string, leftovers []string) {
	files = map[string]string{}
	must(p.t, filepath.WalkDir(p.dir, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(p.dir, path)
		if err == nil && d.IsDir() {
			in, err := os.ReadDir(path)
			if len(in) == 0 {
				leftovers = append(leftovers, rel)
			}
			return err
		}
		if err != nil {
			return err
		}
		if strings.HasPrefix(d.Name(), ".galley-tmp-") {
			leftovers = append(leftovers, rel)
			return nil
		}
		b, err := os.ReadFile(path)
		files[filepath.ToSlash(rel)] = string(b)
		return err
	}))
	return files, leftovers
}

// count calls at before every write, fsync, exchange, rename and unlink.
func count(at func(n int, name string) error) (points *int) {
	n := 0
	memory.Point = func(name string) { n++; _ = at(n, name) }
	disk.Point = func(name string) error { n++; return at(n, name) }
	return &n
}

// TestKillChild is the process that is killed; by itself it does nothing.
func TestKillChild(t *testing.T) {
	name := os.Getenv("GALLEY_TEST_DEED")
	if name == "" {
		return // started by hand, not by another test
	}
	last, _ := strconv.Atoi(os.Getenv("GALLEY_TEST_AT"))
	p := &killPlace{t: t, home: os.Getenv("GALLEY_TEST_HOME"), dir: os.Getenv("GALLEY_TEST_DIR"), id: os.Getenv("GALLEY_TEST_SESSION")}
	d, on := deeds()[name], false
	seen, nth := 0, map[string]int{"write in place": 1, "move": 2}[d.fails] // a renaming moves, then a deletion
	points := count(func(n int, what string) error {
		switch {
		case !on:
		case n == last:
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		case what == d.fails:
			if seen++; seen == nth {
				return syscall.EIO
			}
		}
		return nil
	})
	if name == "start" {
		on = true
		must(t, p.open(nil).Close())
	} else {
		s := p.open(nil)
		if d.before != nil {
			d.before(s)
		}
		on, *points = true, 0
		d.do(s)
		on = false
		must(t, s.Close())
	}
	fmt.Println("points:", *points)
}

// killed does a deed in another process, which is killed at a point. It answers
// whether it came to that.
func (p *killPlace) killed(name string, at int) bool {
	p.t.Helper()
	c := exec.CommandContext(p.t.Context(), os.Args[0], "-test.run=^TestKillChild$", "-test.count=1")
	c.Env = append(os.Environ(), "TMPDIR="+p.t.TempDir(), "GALLEY_TEST_DEED="+name, "GALLEY_TEST_AT="+strconv.Itoa(at), "GALLEY_TEST_HOME="+p.home, "GALLEY_TEST_DIR="+p.dir, "GALLEY_TEST_SESSION="+p.id)
	out, err := c.CombinedOutput()
	if err != nil && !strings.Contains(err.Error(), "killed") {
		p.t.Fatalf("%s, point %d: %v: %s", name, at, err, out)
	}
	return err != nil
}

// share is how many points one step of a test goes on, and where it begins.
func share(t *testing.T, n int) (first, step int) {
	t.Helper()
	if os.Getenv("GALLEY_LONG") != "" {
		return 1, 1
	}
	first = 1 + len(t.Name())%n
	t.Logf("every %dth point, from %d on, each in one way, in turn; all of them in all ways with GALLEY_LONG=1", n, first)
	return first, n
}

// TestSessionKilledAtEveryPoint kills decisions over closed files, and starts again. U8.
func TestSessionKilledAtEveryPoint(t *testing.T) {
	if testing.Short() {
		t.Skip("make test plays it: each point is a process, in which one goroutine does it all")
	}
	for _, name := range slices.Sorted(maps.Keys(deeds())) {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // most of it is waiting for disks and processes
			d := deeds()[name]
			n := 5
			if maps.Equal(d.from, d.to) { // no file is written: it has few points
				n = 1
			}
			first, step := share(t, n)
			ways := []string{"start", "typed elsewhere", "editor", "killed again"}
			kills := 0
			for at := first; ; at += step {
				thens := ways
				if os.Getenv("GALLEY_LONG") == "" {
					thens = ways[kills%len(ways):][:1]
				}
				for _, then := range thens {
					p := newKillPlace(t)
					if !p.killed(name, at) {
						if at < 4 {
							t.Fatalf("only %d points", at)
						}
						now, _ := p.tree()
						p.check(d, p.meant(d, "", now))
						t.Logf("%d kills, up to point %d", kills, at-1)
						return
					}
					kills++
					if p.startAgain(d, then, at); t.Failed() {
						t.Fatalf("killed at point %d of %q, then %s", at, name, then)
					}
				}
			}
		})
	}
}

// What was applied before a commit, and is taken out by hand after the kill, stays out: it is in no file of the commit.
func TestKilledCommitLeavesWhatIsUndone(t *testing.T) {
	if testing.Short() {
		t.Skip("make test plays it: it is long under the race detector, and one goroutine does it all")
	}
	d := deeds()["commit of the rest"]
	for at := 1; ; at++ {
		p := newKillPlace(t)
		if !p.killed("commit of the rest", at) {
			t.Fatal("no kill came in the midst of the files")
		}
		if was, _ := p.tree(); was["b.txt"] != d.to["b.txt"] || was["gone.txt"] == "" {
			continue
		}
		must(t, os.WriteFile(filepath.Join(p.dir, "a.txt"), []byte(killBefore["a.txt"]), 0o600))
		s := p.open(nil)
		e, _ := s.Snapshot().Session(s.me, 1)
		said := strings.Join(append(s.notices, s.Warnings()...), "\n")
		if got := strings.Join(stateOf(s), ", "); !e.State.Open() || !strings.HasPrefix(got, "A staged, B applied, C applied") || strings.Contains(said, "committed #1") || !strings.Contains(said, "A in a.txt is staged") {
			t.Errorf("#1 is %s, its letters are %s; it is said:\n%s", e.State, got, said)
		}
		if now, _ := p.tree(); !maps.Equal(now, with(d.to, "a.txt", killBefore["a.txt"])) {
			t.Errorf("now %v", short80(now))
		}
		must(t, s.Close())
		return
	}
}

// startAgain is what comes after a kill at a point.
func (p *killPlace) startAgain(d deed, then string, at int) {
	p.t.Helper()
	was, _ := p.tree()
	end := p.meant(d, map[bool]string{true: typed}[then == "typed elsewhere"], was)
	switch then {
	case "typed elsewhere":
		for _, n := range killNames[:3] { // a torn file to which somebody writes cannot be told from one of his
			f, err := os.OpenFile(filepath.Join(p.dir, n), os.O_APPEND|os.O_WRONLY, 0)
			must(p.t, err)
			_, err = f.WriteString(typed)
			must(p.t, err)
			must(p.t, f.Close())
		}
	case "killed again":
		r := rand.New(rand.NewPCG(1, uint64(at)))
		for n := 1 + r.IntN(7); p.killed("start", n); n += 1 + r.IntN(7) {
		}
	}
	if then != "editor" {
		p.check(d, end)
		return
	}
	table := editing.New(0)
	for _, n := range killNames[:2] {
		table.OpenDocument(p.real(n), n, text.New(was[n]), 1, 1)
	}
	s := p.open(table)
	now, _ := p.tree()
	for _, n := range killNames[:2] {
		now[n] = was[n]
	}
	p.honest(s, d, now)
	must(p.t, s.Close())
}

const typed = "typed by the user\n"

func (p *killPlace) real(name string) string {
	at, err := filepath.EvalSymlinks(filepath.Join(p.dir, name))
	must(p.t, err)
	return at
}

// outcome is what is there in the end.
type outcome struct {
	files  map[string]string
	done   bool
	either bool // it may be done or not: no file says
}

// meant is how a deed has to end, by what a kill left in the files and in the workspace's
// journal, and with what the user types meanwhile: what was begun is finished, unless it
// was being taken back.
func (p *killPlace) meant(d deed, more string, was map[string]string) outcome {
	p.t.Helper()
	dir, err := filepath.EvalSymlinks(p.dir)
	must(p.t, err)
	w, err := memory.OpenWorkspace(p.t.Context(), p.home, dir, func(context.Context) (func(), error) { return func() {}, nil })
	must(p.t, err)
	open, err := w.Open("")
	must(p.t, err)
	written := maps.Equal(was, d.to)
	for _, name := range slices.Concat(slices.Collect(maps.Keys(d.from)), slices.Collect(maps.Keys(d.to))) {
		now, is := was[name]
		from, before := d.from[name]
		to, after := d.to[name]
		written = written || is == after && now == to && (is != before || now != from)
	}
	switch {
	case maps.Equal(d.from, d.to):
		return outcome{files: addTo(d.from, more), either: true}
	case len(open) > 0 && open[0].Aborting:
		files := maps.Clone(d.from)
		if more != "" {
			for _, n := range killNames[:3] { // what was written and is not as it was left stays
				files[n] = was[n] + more
			}
		}
		return outcome{files: files}
	case written:
		return outcome{files: addTo(d.to, more), done: !d.two, either: d.two}
	}
	return outcome{files: addTo(d.from, more)}
}

// check starts again, twice, and looks at the files, the letters, and what is heard.
func (p *killPlace) check(d deed, end outcome) {
	p.t.Helper()
	var states []string
	for round := range 2 {
		s := p.open(nil)
		files, left := p.tree()
		for _, name := range left {
			if !strings.Contains(name, ".galley-tmp-") {
				p.t.Errorf("the folder %s is empty", name)
			}
		}
		if done := d.done(s); !maps.Equal(files, end.files) || done != end.done && !end.either {
			p.t.Errorf("round %d: done %v (%v), want %v; now %v, want %v", round, done, stateOf(s), end.done, short80(files), short80(end.files))
		}
		p.honest(s, d, files)
		open, err := s.decisions.Open("")
		must(p.t, err)
		if len(open) > 0 {
			p.t.Errorf("round %d: intents are open: %+v", round, open)
		}
		states = append(states, strings.Join(stateOf(s), " ")+strings.Join(s.notices, ";"))
		must(p.t, s.Close())
	}
	if states[0] != states[1] {
		p.t.Errorf("the second start finds another state:\n%s\n%s", states[0], states[1])
	}
	p.sweeps()
}

func addTo(files map[string]string, more string) map[string]string {
	out := map[string]string{}
	for n, c := range files {
		if out[n] = c; slices.Contains(killNames[:3], n) {
			out[n] += more
		}
	}
	return out
}

func short80(files map[string]string) map[string]string {
	out := map[string]string{}
	for n, c := range files {
		for line := range strings.Lines(c) {
			if !strings.HasPrefix(line, "filler") {
				out[n] += line
			}
		}
	}
	return out
}

func stateOf(s *Session) (out []string) {
	for _, c := range s.Snapshot().Of(s.me, 1) {
		out = append(out, c.Letter+" "+string(c.State))
	}
	return out
}

// honest checks that nothing is said to be there that is not.
func (p *killPlace) honest(s *Session, d deed, files map[string]string) {
	p.t.Helper()
	news := strings.Join(s.notices, "\n")
	if n := strings.Count(news, d.heard); d.heard != "" && (n > 1 || (n == 1) != d.done(s)) {
		p.t.Errorf("done %v, but the agent hears %q", d.done(s), news)
	}
	var undone []string // in a part of the files only, which is told
	if m := regexp.MustCompile(`for the undo of #1 \([A-Z, ]*\): done is ([A-Z, ]*); the rest is as before`).FindStringSubmatch(news); m != nil {
		undone = strings.Split(m[1], ", ")
	}
	after := killAfter()
	for _, c := range s.Snapshot().Of(s.me, 1) {
		is := p.is(c, files)
		e, _ := s.Snapshot().Session(s.me, 1)
		if said := c.WasApplied() && !e.Undone && !slices.Contains(undone, c.Letter); said != is {
			p.t.Errorf("%s is %s (%s), its text is there: %v; the edit is %s", c.Letter, c.State, c.Was, is, e.State)
		}
		if c.By != "" {
			p.t.Errorf("%s is applied by %q", c.Letter, c.By)
		}
		if got := strings.TrimSuffix(files[c.Name], typed); got != killBefore[c.Name] && got != after[c.Name] {
			p.t.Errorf("%s is torn: %.80q", c.Name, got)
		}
	}
}

// is reports whether a letter is in the files.
func (p *killPlace) is(c *editing.Change, files map[string]string) bool {
	_, gone := files["gone.txt"]
	_, old := files["old.txt"]
	_, made := files["made/n.txt"]
	switch c.Letter {
	case "E":
		return made
	case "F":
		return !gone
	case "G":
		return !old
	}
	return strings.Contains(files[c.Name], killEdits[c.Name][1])
}

// sweeps checks that what a killed process left goes at the latest with the next
// write in its folder.
func (p *killPlace) sweeps() {
	p.t.Helper()
	s := p.open(nil)
	var steps []disk.Step
	for _, n := range []string{"z.txt", "sub/z.txt"} {
		steps = append(steps, disk.Step{Op: disk.Create, Path: n, After: text.New("z")})
	}
	b, err := s.Files().Prepare("", steps)
	must(p.t, err)
	must(p.t, b.Commit(p.t.Context(), "", nil))
	must(p.t, s.Close())
	if _, left := p.tree(); len(left) > 0 {
		p.t.Errorf("left behind: %v", left)
	}
}

// TestDeciderChild is one of two processes that decide at once; by itself it does
// nothing.
func TestDeciderChild(t *testing.T) {
	me, rounds := os.Getenv("GALLEY_TEST_DECIDER"), 0
	if me == "" {
		return // started by hand, not by another test
	}
	_, _ = fmt.Sscan(os.Getenv("GALLEY_TEST_ROUNDS"), &rounds)
	p := &killPlace{t: t, home: os.Getenv("GALLEY_TEST_HOME"), dir: os.Getenv("GALLEY_TEST_DIR")}
	s := p.open(nil)
	for r := range rounds {
		staged(t, s, "both.txt", fmt.Sprintf("%s %d\n", me, r), fmt.Sprintf("%s %d\n", me, r+1))
		for {
			e := s.OpenEdits()[0]
			var letters []string
			for _, c := range s.Snapshot().Undecided(s.me, e.N) {
				letters = append(letters, c.Letter)
			}
			if len(letters) == 0 {
				break
			}
			if r, err := s.Decide(Apply(editing.Letters(letters...))); err != nil || !r.OK() && r.Code != "commit_failed" {
				t.Fatalf("%+v, %v", r, err)
			}
		}
		if res, err := s.Decide(Commit(0, "", nil)); err != nil || !res.OK() {
			t.Fatalf("%+v, %v", res, err)
		}
	}
	must(t, s.Close())
}

// TestTwoProcessesDecideLong: neither writes over what the other wrote, and all
// intents are over. U63.
func TestTwoProcessesDecideLong(t *testing.T) {
	rounds := 15
	if os.Getenv("GALLEY_LONG") != "" {
		rounds = 500
	}
	p := &killPlace{t: t, home: t.TempDir(), dir: t.TempDir()}
	at := filepath.Join(p.dir, "both.txt")
	must(t, os.WriteFile(at, []byte("one 0\nbetween\ntwo 0\n"), 0o600))
	var all []*exec.Cmd
	for _, name := range []string{"one", "two"} {
		c := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestDeciderChild$", "-test.count=1")
		c.Env = append(os.Environ(), "GALLEY_TEST_DECIDER="+name, "GALLEY_TEST_HOME="+p.home, "GALLEY_TEST_DIR="+p.dir, fmt.Sprint("GALLEY_TEST_ROUNDS=", rounds))
		c.Stdout, c.Stderr = os.Stderr, os.Stderr
		must(t, c.Start())
		all = append(all, c)
	}
	for _, c := range all {
		must(t, c.Wait())
	}
	b, err := os.ReadFile(at)
	if want := fmt.Sprintf("one %d\nbetween\ntwo %d\n", rounds, rounds); err != nil || string(b) != want {
		t.Errorf("got %q, want %q", b, want)
	}
	s := p.open(nil)
	if open, err := s.road.decisions.Open(""); err != nil || len(open) > 0 {
		t.Errorf("intents are open: %+v, %v", open, err)
	}
	must(t, s.Close())
}

// TestJournalFailsAfterTheFiles: the files are as decided, and the next start says so.
func TestJournalFailsAfterTheFiles(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(deeds())) {
		d := deeds()[name]
		if maps.Equal(d.from, d.to) || d.fails != "" { // no file is written
			continue
		}
		t.Run(name, func(t *testing.T) {
			p := newKillPlace(t)
			s := p.open(nil)
			if d.before != nil {
				d.before(s)
			}
			failed := false
			disk.Point = func(at string) error {
				if at == "done" && !failed {
					failed = true
					must(t, s.store.Close())
				}
				return nil
			}
			defer func() { disk.Point = func(string) error { return nil } }()
			d.do(s)
			if !failed {
				t.Fatal("the journal did not fail")
			}
			_ = s.Close() // it is
			disk.Point = func(string) error { return nil }
			was, _ := p.tree()
			p.check(d, p.meant(d, "", was))
		})
	}
}
