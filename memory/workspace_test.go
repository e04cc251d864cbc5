package memory

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"
)

// openJournal is the workspace's journal, as another process would open it.
func (p place) openJournal(t testing.TB) *Workspace {
	t.Helper()
	w, err := OpenWorkspace(t.Context(), p.home, p.workspace, NewWriteLock(p.home).Lock)
	ok(t, err)
	return w
}

func (p place) decisions(t testing.TB) string {
	t.Helper()
	dir, err := WorkspaceDir(t.Context(), p.home, p.workspace)
	ok(t, err)
	return filepath.Join(dir, decisionsFile)
}

func someIntent(session string, files ...IntentFile) Intent {
	return Intent{Session: session, Op: "commit", Edit: 3, Letters: []string{"A", "B"}, Files: files, Entry: json.RawMessage(`{"op":"commit"}`)}
}

// openIDs are the intents of a session without an end.
func openIDs(t testing.TB, w *Workspace, session string) []string {
	t.Helper()
	open, err := w.Open(session)
	ok(t, err)
	ids := []string{}
	for _, i := range open {
		ids = append(ids, i.ID)
	}
	return ids
}

func begin(t testing.TB, w *Workspace, i Intent) string {
	t.Helper()
	id, err := w.Begin(t.Context(), i)
	ok(t, err)
	return id
}

func same(t testing.TB, what string, got, want any) {
	t.Helper()
	if g, w := fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", want); g != w {
		t.Errorf("%s: got %s, want %s", what, g, w)
	}
}

func TestIntents(t *testing.T) {
	p := newPlace(t)
	one, two := p.openJournal(t), p.openJournal(t)
	want := someIntent("s1",
		IntentFile{Path: "a.go", Op: FileReplace, Before: hashOf("a"), After: hashOf("b"), Open: true},
		IntentFile{Path: "x/y.go", Op: FileRename, To: "z\n.go", Before: hashOf("y")})
	first := begin(t, one, want)
	second := begin(t, two, someIntent("s2"))
	third := begin(t, one, someIntent("s1"))
	for name, w := range map[string]*Workspace{"one": one, "two": two, "opened after": p.openJournal(t)} {
		same(t, name, openIDs(t, w, "s1"), []string{first, third})
		same(t, name, openIDs(t, w, ""), []string{first, second, third})
		open, err := w.Open("s1")
		ok(t, err)
		got := open[0]
		if got.Time.IsZero() || got.Aborting {
			t.Errorf("%s: %+v", name, got)
		}
		want.ID, want.Time = first, got.Time
		same(t, name, got, want)
	}
	ok(t, two.Aborting(t.Context(), first))
	if open, err := one.Open("s1"); err != nil || !open[0].Aborting || open[1].Aborting {
		t.Errorf("not aborting: %+v, %v", open, err)
	}
	ok(t, one.End(t.Context(), first, Outcome{State: "aborted", Missing: []string{"a.go"}}))
	same(t, "after an end", openIDs(t, two, "s1"), []string{third})
	for name, err := range map[string]error{
		"ended twice":               two.End(t.Context(), first, Outcome{State: "done"}),
		"aborting one that is over": one.Aborting(t.Context(), first),
		"unknown":                   one.End(t.Context(), "x", Outcome{}),
	} {
		if !errors.Is(err, ErrNoIntent) {
			t.Errorf("%s: %v", name, err)
		}
	}
	fi, err := os.Stat(p.decisions(t))
	if err != nil || fi.Mode() != 0o600 {
		t.Errorf("%v, %v", fi.Mode(), err)
	}
}

func TestIntentsThatAreRefused(t *testing.T) {
	p := newPlace(t)
	w := p.openJournal(t)
	for name, i := range map[string]Intent{
		"no session":     {Op: "commit"},
		"no op":          {Session: "s"},
		"an odd id":      {ID: `a"b`, Session: "s", Op: "commit"},
		"an odd file op": someIntent("s", IntentFile{Path: "a", Op: "touch"}),
		"no path":        someIntent("s", IntentFile{Op: FileDelete}),
		"no UTF-8":       someIntent("s", IntentFile{Path: "a\xff", Op: FileDelete}),
		"no blob's name": someIntent("s", IntentFile{Path: "a", Op: FileDelete, Blob: "../x"}),
		"no such blob":   someIntent("s", IntentFile{Path: "a", Op: FileDelete, Blob: hashOf("x")}),
		"no JSON":        {Session: "s", Op: "commit", Entry: json.RawMessage(`{"a`)},
	} {
		if _, err := w.Begin(t.Context(), i); err == nil {
			t.Errorf("%s: journaled", name)
		}
	}
	begin(t, w, Intent{ID: "mine", Session: "s", Op: "commit"})
	if _, err := w.Begin(t.Context(), Intent{ID: "mine", Session: "s", Op: "commit"}); err == nil {
		t.Error("one id twice")
	}
	same(t, "what is there", openIDs(t, w, ""), []string{"mine"})
}

// TestTornDecision cuts the journal at every byte of its last line: the entry is
// there or not, and the next one is whole.
func TestTornDecision(t *testing.T) {
	p := newPlace(t)
	w := p.openJournal(t)
	first := begin(t, w, someIntent("s"))
	kept := len(readFile(t, p.decisions(t)))
	last := begin(t, w, someIntent("s"))
	whole := readFile(t, p.decisions(t))
	for cut := kept; cut < len(whole); cut++ {
		writeFile(t, whole[:cut], p.decisions(t))
		want := []string{first}
		if cut == len(whole)-1 {
			want = append(want, last) // only its newline is missing
		}
		after := p.openJournal(t)
		same(t, fmt.Sprint("opened, cut at ", cut), openIDs(t, after, ""), want)
		same(t, fmt.Sprint("read on, cut at ", cut), openIDs(t, w, ""), want)
		want = append(want, begin(t, after, someIntent("s")))
		same(t, fmt.Sprint("appended, cut at ", cut), openIDs(t, p.openJournal(t), ""), want)
		same(t, fmt.Sprint("read on after, cut at ", cut), openIDs(t, w, ""), want)
		if w := after.Warnings(); len(w) != 0 {
			t.Fatal(w)
		}
	}
}

func TestDamagedDecisions(t *testing.T) {
	p := newPlace(t)
	w := p.openJournal(t)
	first := begin(t, w, someIntent("s"))
	begin(t, w, someIntent("s"))
	third := begin(t, w, someIntent("s"))
	lines := strings.SplitAfter(readFile(t, p.decisions(t)), "\n")
	lines[1] = "no JSON\n"
	damaged := strings.Join(lines, "")
	writeFile(t, damaged, p.decisions(t))
	for name, w := range map[string]*Workspace{"opened": p.openJournal(t), "read on": w} {
		_, err := w.Begin(t.Context(), someIntent("s"))
		if name == "opened" {
			same(t, name, openIDs(t, w, ""), []string{first, third})
			if !errors.Is(err, ErrReadOnly) || !strings.Contains(err.Error(), "line 2") {
				t.Errorf("%s: %v", name, err)
			}
			if w := w.Warnings(); len(w) != 1 || !strings.Contains(w[0], "line 2 of "+decisionsFile) {
				t.Errorf("%s: %q", name, w)
			}
		}
	}
}

// TestDecisionsOfLater: what a later galley wrote is skipped, and kept when the
// journal is made anew.
func TestDecisionsOfLater(t *testing.T) {
	p := newPlace(t)
	var text strings.Builder
	for i, e := range []Entry{
		{Type: "undo", Payload: json.RawMessage(`{"id":"x","of":"y"}`)},
		{Type: typeIntent, Payload: json.RawMessage(`{"id":"later","session":"s","op":"commit","mood":"good","v":2}`)},
		{Type: typeEnd, Payload: json.RawMessage(`["another shape"]`)},
		{Type: typeIntent, Payload: json.RawMessage(`{"v":1,"id":"reordered","op":"commit","session":"s"}`)},
	} {
		e.Seq, e.Time = int64(i+1), time.Now()
		line, err := encodeLine(e)
		ok(t, err)
		text.Write(append(line, '\n'))
	}
	ok(t, os.MkdirAll(filepath.Dir(p.decisions(t)), 0o700))
	writeFile(t, text.String(), p.decisions(t))
	w := p.openJournal(t)
	same(t, "open", openIDs(t, w, ""), []string{"reordered"})
	manyOver(t, p, w, 400, 4<<10)
	now := readFile(t, p.decisions(t))
	if !strings.HasPrefix(now, text.String()) || len(now) > 2<<20 {
		t.Errorf("what was there is gone, or nothing is: %d bytes", len(now))
	}
	same(t, "open", openIDs(t, p.openJournal(t), ""), []string{"reordered"})
}

// manyOver appends intents that are over, size bytes each, written by hand but for
// the last.
func manyOver(t testing.TB, p place, w *Workspace, n, size int) {
	t.Helper()
	text := []byte(readFileOr(p.decisions(t)))
	for i := range n {
		id := fmt.Sprint("over", len(text), "-", i)
		in := someIntent("s")
		in.ID, in.Entry = id, json.RawMessage(strconv.Quote(strings.Repeat("x", size)))
		for k, e := range []struct {
			typ     string
			payload any
		}{{typeIntent, intentPayload{in, intentVersion}}, {typeEnd, endPayload{id, Outcome{State: "done"}}}} {
			data, err := Marshal(e.payload)
			ok(t, err)
			line, err := encodeLine(Entry{Seq: int64(1000 + len(text) + k), Time: time.Now(), Type: e.typ, Payload: data})
			ok(t, err)
			text = append(append(text, line...), '\n')
		}
	}
	writeFile(t, string(text), p.decisions(t))
	ok(t, w.End(t.Context(), begin(t, w, someIntent("s")), Outcome{State: "done"}))
}

func readFileOr(path string) string {
	data, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return string(data)
}

// TestCompaction: beyond the reach nothing is kept, within it all, and open intents
// always; who has the journal open meanwhile goes on.
func TestCompaction(t *testing.T) {
	p := newPlace(t)
	w, other := p.openJournal(t), p.openJournal(t)
	open := begin(t, w, someIntent("s"))
	same(t, "other", openIDs(t, other, "s"), []string{open})
	for round := range 4 {
		manyOver(t, p, w, 300, 8<<10)
		now := readFile(t, p.decisions(t))
		if n := strings.Count(now, `"type":"end"`); n < ReachDecisions || len(now) > 5<<20 {
			t.Fatalf("round %d: %d decisions, %d bytes", round, n, len(now))
		}
		for name, w := range map[string]*Workspace{"w": w, "other": other, "new": p.openJournal(t)} {
			same(t, name, openIDs(t, w, "s"), []string{open})
			if w := w.Warnings(); len(w) != 0 {
				t.Fatal(w)
			}
		}
	}
	w.now = func() time.Time { return time.Now().Add(8 * 24 * time.Hour) }
	ok(t, w.End(t.Context(), open, Outcome{State: "done"}))
	if n := strings.Count(readFile(t, p.decisions(t)), `"type":"end"`); n > 1 {
		t.Errorf("%d decisions are kept for more than a week", n)
	}
	same(t, "other", openIDs(t, other, "s"), []string{})
	again := begin(t, other, someIntent("s"))
	same(t, "w", openIDs(t, w, "s"), []string{again})
}

// TestFailedDecision: a decision that cannot be written is not there.
func TestFailedDecision(t *testing.T) {
	p := newPlace(t)
	w := p.openJournal(t)
	first := begin(t, w, someIntent("s"))
	was := openFile
	defer func() { openFile = was }()
	for room := range 500 {
		before := readFile(t, p.decisions(t))
		openFile = func(path string) (journalDisk, error) {
			f, err := was(path)
			return &fullDisk{f, room, room%2 == 0, false}, err
		}
		_, err := w.Begin(t.Context(), someIntent("s"))
		openFile = was
		if err == nil {
			if room < 200 {
				t.Fatalf("room %d: it did not fail", room)
			}
			break
		}
		if !errors.Is(err, errFull) || readFile(t, p.decisions(t)) != before {
			t.Fatalf("room %d: %v; left behind %q", room, err, strings.TrimPrefix(readFile(t, p.decisions(t)), before))
		}
		same(t, "open", openIDs(t, w, ""), []string{first})
	}
}

func TestBlobs(t *testing.T) {
	p := newPlace(t)
	w := p.openJournal(t)
	keep := func(text string) string {
		t.Helper()
		name, err := w.KeepBlob([]byte(text))
		ok(t, err)
		return name
	}
	there := func() (texts []string) {
		t.Helper()
		found, err := os.ReadDir(filepath.Join(w.Dir(), blobsDir))
		ok(t, err)
		for _, f := range found {
			data, err := w.Blob(f.Name())
			ok(t, err)
			texts = append(texts, string(data))
		}
		slices.Sort(texts)
		return texts
	}
	deleted, inPlace := keep("deleted\x00\xff"), keep("in place")
	keep("not begun")
	for _, d := range []string{"", blobsDir} {
		fi, err := os.Stat(filepath.Join(w.Dir(), d))
		ok(t, err)
		same(t, "mode of "+d, fi.Mode().Perm(), os.FileMode(0o700))
	}
	fi, err := os.Stat(w.blobPath(deleted))
	ok(t, err)
	same(t, "mode", fi.Mode(), os.FileMode(0o600))
	id := begin(t, w, someIntent("s",
		IntentFile{Path: "a", Op: FileDelete, Before: deleted, Blob: deleted},
		IntentFile{Path: "b", Op: FileReplace, InPlace: true, Blob: inPlace}))
	p.openJournal(t)
	same(t, "while it is open", there(), []string{"deleted\x00\xff", "in place", "not begun"})
	ok(t, w.End(t.Context(), id, Outcome{State: "done"}))
	same(t, "when it is over", there(), []string{"deleted\x00\xff", "not begun"})
	old := time.Now().Add(-2 * blobGrace)
	ok(t, os.Chtimes(w.blobPath(hashOf("not begun")), old, old))
	ok(t, os.Chtimes(w.blobPath(deleted), old, old))
	p.openJournal(t)
	same(t, "later", there(), []string{"deleted\x00\xff"})
	manyOver(t, p, w, ReachDecisions, 10)
	same(t, "beyond reach", there(), []string(nil))
	for _, name := range []string{"", "../workspace.json", hashOf("none")} {
		if _, err := w.Blob(name); err == nil {
			t.Errorf("blob %q", name)
		}
	}
	writeFile(t, "altered", w.blobPath(keep("text")))
	if _, err := w.Blob(hashOf("text")); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("an altered blob: %v", err)
	}
}

func TestDecisionsHideSecrets(t *testing.T) {
	const secret = "sk-a\"very\\secret"
	p := newPlace(t)
	w := p.openJournal(t)
	w.Hide(NewSecrets([]string{secret}))
	i := someIntent("s", IntentFile{Path: "dir/sk-path", Op: FileReplace, Before: hashOf("x")})
	i.Reason = "has " + secret
	var err error
	i.Entry, err = json.Marshal(map[string]string{"reason": "x " + secret, "inner": `{"text":"` + spelled(secret) + `"}`})
	ok(t, err)
	id := begin(t, w, i)
	open, err := w.Open("")
	ok(t, err)
	same(t, "path", open[0].Files[0].Path, "dir/sk-path")
	same(t, "reason", open[0].Reason, "has "+SecretMark)
	ok(t, w.End(t.Context(), id, Outcome{State: "done", Reason: secret}))
	if text := readFile(t, p.decisions(t)); strings.Contains(text, "secret") && NewSecrets([]string{secret}).In(text) || strings.Contains(text, "very") {
		t.Errorf("journaled: %s", text)
	}
}

// childEnv makes this test binary a second process that appends to a workspace's
// journal, or writes the memory of a session that there is: home, workspace, session, how many, and the point at which it dies, "" for
// nowhere.
const childEnv = "GALLEY_TEST_CHILD"

func child(args []string) {
	n, _ := strconv.Atoi(args[3])
	if at, err := strconv.Atoi(args[4]); err == nil {
		Point = func(string) {
			if at--; at < 0 {
				self, _ := os.FindProcess(os.Getpid()) // oneself is always found
				_ = self.Kill()
				select {}
			}
		}
	}
	work := childWork
	if id, err := ulid.ParseStrict(args[2]); err == nil {
		work, args[2] = childMemory, id.String()
	}
	if err := work(args[0], args[1], args[2], n); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	os.Exit(0)
}

// childWork begins and ends intents, and says so when each is told to be there.
func childWork(home, workspace, session string, n int) error {
	ctx := context.Background()
	w, err := OpenWorkspace(ctx, home, workspace, NewWriteLock(home).Lock)
	if err != nil {
		return err
	}
	for i := range n {
		blob, err := w.KeepBlob(fmt.Appendf(nil, "%s %d", session, i))
		if err != nil {
			return err
		}
		id, err := w.Begin(ctx, someIntent(session, IntentFile{Path: "a", Op: FileDelete, Blob: blob}))
		if err != nil {
			return err
		}
		fmt.Println("begun", id)
		if i%3 == 2 {
			continue // stays open
		}
		if err := w.End(ctx, id, Outcome{State: "done"}); err != nil {
			return err
		}
		fmt.Println("ended", id)
	}
	return nil
}

func (p place) child(t *testing.T, session string, n int, die string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"="+strings.Join([]string{p.home, p.workspace, session, strconv.Itoa(n), die}, "\n"))
	cmd.Stdout = &bytes.Buffer{}
	return cmd
}

// said is what a child said it had done.
func said(t *testing.T, cmd *exec.Cmd) (begun, ended []string) {
	t.Helper()
	for line := range strings.Lines(cmd.Stdout.(*bytes.Buffer).String()) {
		what, id, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch what {
		case "begun":
			begun = append(begun, id)
		case "ended":
			ended = append(ended, id)
		default:
			t.Fatal(line)
		}
	}
	return begun, ended
}

// TestManyWriters: processes and goroutines append at once; nothing is lost, and all
// agree on what is open.
func TestManyWriters(t *testing.T) {
	const rounds = 30
	p := newPlace(t)
	w := p.openJournal(t)
	var children []*exec.Cmd
	for i := range 2 {
		c := p.child(t, fmt.Sprint("process", i), rounds, "")
		ok(t, c.Start())
		children = append(children, c)
	}
	var all sync.WaitGroup
	for i := range 3 {
		all.Go(func() {
			for range rounds {
				id, err := w.Begin(t.Context(), someIntent(fmt.Sprint("goroutine", i)))
				if err == nil {
					err = w.End(t.Context(), id, Outcome{State: "done"})
				}
				if err != nil {
					t.Error(err)
				}
				if _, err := w.Open(""); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	want := map[string]bool{}
	for _, c := range children {
		if err := c.Wait(); err != nil {
			t.Fatal(err, c.Stdout)
		}
		begun, ended := said(t, c)
		same(t, "begun", len(begun), rounds)
		for _, id := range begun {
			want[id] = !slices.Contains(ended, id)
		}
	}
	for name, w := range map[string]*Workspace{"w": w, "new": p.openJournal(t)} {
		got := openIDs(t, w, "")
		same(t, name, len(got), 2*rounds/3)
		for _, id := range got {
			if !want[id] {
				t.Errorf("%s: %s is open", name, id)
			}
		}
	}
	c := parseJournal(decisionsFile, []byte(readFile(t, p.decisions(t))))
	if len(c.damages)+c.torn > 0 || len(c.entries) != 2*(rounds+2*rounds/3)+2*3*rounds {
		t.Errorf("%d entries, %v", len(c.entries), c.damages)
	}
}

// TestKilledAtEachPoint: what a killed process said it had done is there, and what it
// did not say is there whole or not at all; the next one goes on.
func TestKilledAtEachPoint(t *testing.T) {
	if testing.Short() {
		t.Skip("make test plays it: it is long under the race detector, and one goroutine does it all")
	}
	p := newPlace(t)
	open := []string{}
	for at := 0; ; at++ {
		session := fmt.Sprint("killed", at)
		c := p.child(t, session, 3, strconv.Itoa(at))
		err := c.Run()
		begun, ended := said(t, c)
		w := p.openJournal(t)
		got := openIDs(t, w, session)
		for _, id := range begun {
			if slices.Contains(ended, id) == slices.Contains(got, id) && id != begun[len(begun)-1] {
				t.Errorf("point %d: %s: begun %v, ended %v, open %v", at, id, begun, ended, got)
			}
		}
		for _, id := range ended {
			if slices.Contains(got, id) {
				t.Errorf("point %d: %s is open, but was ended", at, id)
			}
		}
		if len(got) > 1 {
			t.Errorf("point %d: open %v", at, got)
		}
		list, lerr := w.Open(session)
		ok(t, lerr)
		for _, i := range list {
			if _, err := w.Blob(i.Files[0].Blob); err != nil {
				t.Errorf("point %d: %v", at, err)
			}
		}
		open = append(open, got...)
		same(t, fmt.Sprint("all open at point ", at), openIDs(t, w, ""), open)
		if w := w.Warnings(); len(w) != 0 {
			t.Errorf("point %d: %q", at, w)
		}
		if err == nil {
			if at < 20 {
				t.Errorf("only %d points", at)
			}
			break
		}
	}
}

// lazyDisk never waits.
type lazyDisk struct{ journalDisk }

func (lazyDisk) Sync() error { return nil }

func FuzzDecisions(f *testing.F) {
	for _, payload := range []string{
		`{"id":"a","session":"s","op":"commit","files":[{"path":"x","op":"delete","blob":"b"}],"v":1}`, `{"id":"a"}`, `{"v":1,"id":"\u0061"}`, `[]`,
	} {
		var text []byte
		for i, typ := range []string{typeIntent, typeAborting, typeEnd} {
			line, err := encodeLine(Entry{Seq: int64(i + 1), Type: typ, Payload: json.RawMessage(payload)})
			ok(f, err)
			text = append(append(text, line...), '\n')
		}
		f.Add(text, 10)
	}
	was := openFile
	openFile = func(path string) (journalDisk, error) {
		f, err := was(path)
		return lazyDisk{f}, err
	}
	f.Cleanup(func() { openFile = was })
	dir := f.TempDir()
	open := func() *Workspace {
		return &Workspace{dir: dir, lock: func(context.Context) (func(), error) { return func() {}, nil }, now: time.Now}
	}
	f.Fuzz(func(t *testing.T, data []byte, cut int) {
		cut = max(0, min(cut, len(data)))
		writeFile(t, string(data[:cut]), dir, decisionsFile)
		w := open()
		before := openIDs(t, w, "")
		writeFile(t, string(data), dir, decisionsFile)
		// Read in two steps it is what it is read in one, unless its middle is damaged:
		// then the second step has the right to know less of the damage.
		got, fresh := openIDs(t, w, ""), open()
		if want := openIDs(t, fresh, ""); fresh.whyNot == "" && !slices.Equal(got, want) {
			t.Fatalf("in two steps %v (first %v), in one %v", got, before, want)
		}
		id, err := fresh.Begin(t.Context(), someIntent("s"))
		if (err == nil) != (fresh.whyNot == "") {
			t.Fatalf("begun %v, read-only %q", err, fresh.whyNot)
		}
		if now := openIDs(t, open(), ""); err == nil && !slices.Contains(now, id) {
			t.Fatalf("%s is not among %v", id, now)
		}
		for _, e := range parseJournal(decisionsFile, data).entries {
			headOf(e)
			blobsOf(e.Payload)
		}
	})
}

// BenchmarkOpenWorkspace: a start does not cost the history.
func BenchmarkOpenWorkspace(b *testing.B) {
	var took []float64
	for b.Loop() {
		took = nil
		for _, n := range []int{400, 4000, 40_000} {
			p := newPlace(b)
			w := p.openJournal(b)
			open := begin(b, w, someIntent("s"))
			for range n / 400 {
				manyOver(b, p, w, 400, 512)
			}
			start := time.Now()
			again := p.openJournal(b)
			same(b, "open", openIDs(b, again, "s"), []string{open})
			took = append(took, time.Since(start).Seconds())
		}
	}
	b.ReportMetric(exponent(took[0], took[2], 100), "exponent")
	b.ReportMetric(took[0]*1000, "ms/open")
	b.ReportMetric(took[2]*1000, "ms/open-100x")
}

// BenchmarkDecision: an intent and its end, fsync included.
func BenchmarkDecision(b *testing.B) {
	w := newPlace(b).openJournal(b)
	for b.Loop() {
		ok(b, w.End(b.Context(), begin(b, w, someIntent("s")), Outcome{State: "done"}))
	}
}

// The workspace's journal lies beside the sessions, where old ones are single files of such names.
func TestWorkspaceJournalIsNoSession(t *testing.T) {
	home, root := t.TempDir(), t.TempDir()
	dir, err := WorkspaceDir(t.Context(), home, root)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, decisionsFile), []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if all, err := List(home, root); err != nil || len(all) != 0 {
		t.Errorf("listed: %+v, %v", all, err)
	}
	if _, err := OpenReadOnly(home, root, "decisions"); !errors.Is(err, ErrNoSession) {
		t.Errorf("opened: %v", err)
	}
}
