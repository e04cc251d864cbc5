package editing

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/galley-ls/galley/editing/text"
)

// grove is a workspace over a disk in memory that takes whole steps or none.
type grove struct {
	t     failer
	w     *Workspace
	files map[string]string // by name
	image *Image
	said  string // the last answer
}

// failer is a test, also one of rapid's.
type failer interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

func newGrove(t failer, files ...string) *grove {
	g := &grove{t: t, w: New(0), files: map[string]string{}, image: NewImage()}
	for i := 0; i < len(files); i += 2 {
		g.files[files[i]] = files[i+1]
	}
	g.look()
	return g
}

func at(name string) string { return "/w/" + name }

func nameOf(path string) string { return strings.TrimPrefix(path, "/w/") }

// look feeds in what the disk has, as a watcher does.
func (g *grove) look() {
	for _, name := range slices.Sorted(maps.Keys(g.files)) {
		g.image.Add(g.w.OpenDocument(at(name), name, text.New(g.files[name]), 0, Disk))
	}
	for _, d := range g.w.Snapshot().Documents() {
		_, ok := g.files[d.Name]
		switch {
		case g.folder(d.Name):
			g.image.Add(g.w.LoseText(d.Path))
		case !ok:
			g.image.Add(g.w.Lose(d.Path))
		}
	}
}

func (g *grove) folder(name string) bool {
	for other := range g.files {
		if strings.HasPrefix(other, name+"/") {
			return true
		}
	}
	return false
}

// plan plans an operation that has looked at the whole disk.
func (g *grove) plan(op Op) *Plan {
	var read []*Document
	for name, s := range g.files {
		read = append(read, NewDocument(at(name), name, text.New(s)))
	}
	return g.w.Plan(op, read...)
}

// do plans, writes and accepts.
func (g *grove) do(op Op) Result {
	g.t.Helper()
	p := g.plan(op)
	if err := g.write(p.Targets); err != nil {
		return Result{Status: StatusRefused, Code: "commit_failed", Hint: err.Error()}
	}
	if !g.w.Accept(p) {
		g.t.Fatal("nobody else was there, and the plan is stale")
	}
	g.image.Add(p.Record)
	if len(p.Targets) > 0 {
		g.look()
	}
	g.said = p.Result.Hint
	return p.Result
}

// write does all targets or none.
func (g *grove) write(targets []Target) error {
	next := maps.Clone(g.files)
	for _, o := range targets {
		now, ok := next[o.Name]
		if o.Action != ActCreate && (!ok || now != string(o.Before.Bytes())) {
			return fmt.Errorf("%s of %s: it holds %q, not %q", o.Action, o.Name, now, o.Before.Bytes())
		}
		dst := o.Name
		if o.Action == ActRename {
			dst = nameOf(o.To)
		}
		if _, ok := next[dst]; ok && (o.Action == ActCreate || o.Action == ActRename) {
			return fmt.Errorf("%s of %s: there is a %s", o.Action, o.Name, dst)
		}
		delete(next, o.Name)
		if o.Action != ActDelete {
			next[dst] = string(o.After.Bytes())
		}
		for name := range next {
			if (strings.HasPrefix(dst, name+"/") || strings.HasPrefix(name, dst+"/")) && o.Action != ActDelete {
				return fmt.Errorf("%s of %s: %s is no folder", o.Action, o.Name, name)
			}
		}
	}
	g.files = next
	return nil
}

// restart rebuilds the workspace from its records and the disk.
func (g *grove) restart() {
	raw, err := json.Marshal(Record{
		Sessions: slices.Collect(maps.Values(g.image.sessions)), Changes: slices.Collect(maps.Values(g.image.changes)),
	})
	if err != nil {
		g.t.Fatal(err)
	}
	var rec Record
	if err := json.Unmarshal(raw, &rec); err != nil {
		g.t.Fatal(err)
	}
	stood := g.image.stood // that is kept in files
	g.image = NewImage()
	g.image.Add(rec)
	g.image.stood = stood
	texts := map[string]text.Text{}
	var opaque []string
	for path := range g.image.Files() {
		if g.folder(nameOf(path)) {
			opaque = append(opaque, path)
		}
		if s, ok := g.files[nameOf(path)]; ok {
			texts[path] = text.New(s)
		}
	}
	g.w = New(0)
	g.image.Add(g.w.Restore("agent", g.image, texts, opaque...))
	g.look()
}

// states lists the letters as "A staged".
func (g *grove) states() string {
	var out []string
	for _, c := range g.w.Snapshot().Changes() {
		s := c.Letter + " " + string(c.State)
		if c.By != "" {
			s += " by you"
		}
		out = append(out, s)
	}
	return strings.Join(out, ", ")
}

// tree is the disk as "a=1 b/c=2".
func tree(files map[string]string) string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		out = append(out, name+"="+strings.ReplaceAll(strings.TrimSuffix(files[name], "\n"), "\n", ","))
	}
	return strings.Join(out, " ")
}

// proposed is the tree as the agent sees it.
func (g *grove) proposed() string {
	s := g.w.Snapshot()
	files := maps.Clone(g.files)
	for name := range files {
		if sight := s.Resolve("agent", at(name)); sight.Path != "" && !sight.There {
			delete(files, name)
		}
	}
	more, less := s.Tree("agent")
	for _, e := range less {
		delete(files, e.Name)
	}
	for name := range files {
		if d, ok := s.Document(at(name)); ok {
			files[name] = d.Proposed("agent").String()
		}
	}
	for _, e := range more {
		d, _ := s.Document(e.Document)
		files[e.Name] = d.Proposed("agent").String()
	}
	return tree(files)
}

// step plays one step of a row: see TestFilesThatComeAndGo.
func (g *grove) step(s string) Result {
	g.t.Helper()
	f := strings.Fields(s)
	arg := func(i int) string { return f[i] }
	body := func(i int) string {
		if len(f) <= i {
			return ""
		}
		return strings.ReplaceAll(f[i], ",", "\n") + "\n"
	}
	m := Meta{Owner: "agent"}
	switch f[0] {
	case "write":
		return g.do(Write(Writing{Meta: m, Path: at(arg(1)), Name: arg(1), Content: body(2)}))
	case "edit":
		return g.do(Replace(Replacement{Meta: m, Path: at(arg(1)), Old: arg(2), New: arg(3)}))
	case "delete":
		return g.do(DeleteFile(Deletion{Meta: m, Path: at(arg(1))}))
	case "rename":
		return g.do(RenameFile(Renaming{Meta: m, Path: at(arg(1)), To: at(arg(2)), ToName: arg(2)}))
	case "user":
		g.files[arg(1)] = body(2)
		g.look()
	case "rm":
		delete(g.files, arg(1))
		g.look()
	case "mv":
		g.files[arg(2)] = g.files[arg(1)]
		delete(g.files, arg(1))
		g.look()
	case "restart":
		g.restart()
	case "apply":
		return g.do(Apply(Letters(f[1:]...)))
	case "take":
		return g.do(TakeAgents(Letters(f[1:]...)))
	case "reject":
		return g.do(Reject(Letters(f[1:]...), "no"))
	case "unreject":
		return g.do(Unreject(Letters(f[1:]...)))
	case "commit":
		return g.do(Commit("agent", 1, "s", nil))
	case "revert":
		return g.do(Revert("agent", 1, "no", nil))
	case "undo":
		return g.do(UndoApplied("agent", 1))
	case "undo-closed":
		return g.do(UndoClosed("agent", 1))
	case "back":
		return g.do(TakeBack("agent", 1, g.decided(f[1:])))
	case "commit2":
		return g.do(Commit("agent", 2, "s", nil))
	default:
		g.t.Fatalf("no step %q", s)
	}
	return Result{Status: StatusOK}
}

// play plays steps apart by ";". One that begins with "!" is refused.
func (g *grove) play(steps string, each func()) {
	g.t.Helper()
	for s := range strings.SplitSeq(steps, ";") {
		if s = strings.TrimSpace(s); s == "" {
			continue
		}
		refused := strings.HasPrefix(s, "!")
		was := g.w.Snapshot()
		res := g.step(strings.TrimPrefix(s, "!"))
		if res.OK() == refused {
			g.t.Fatalf("%s: %+v", s, res)
		}
		if refused && g.w.Snapshot() != was {
			g.t.Fatalf("%s was refused, and changed something", s)
		}
		each()
	}
}

// Each row is a rule: what the agent, the user and the files do, what becomes of the
// letters, and what is on the disk. A row holds all the same where galley is started
// anew after each step.
func TestFilesThatComeAndGo(t *testing.T) {
	const files = "a 1,2,3"
	for _, c := range []struct{ steps, states, disk string }{
		// a new file
		{"write n x", "A staged", "a=1,2,3"},
		{"write d/e/n x; apply A", "A applied", "a=1,2,3 d/e/n=x"},
		{"write n x; reject A", "A rejected", "a=1,2,3"},
		{"write n x; reject A; unreject A; apply A", "A applied", "a=1,2,3 n=x"},
		{"write n x; commit", "", "a=1,2,3 n=x"},
		{"write n x; revert", "", "a=1,2,3"},
		{"write n x; write n y; apply A", "A applied", "a=1,2,3 n=y"},
		{"write n x,y; edit n x z; apply A", "A applied", "a=1,2,3 n=z,y"},
		{"write n; apply A", "A applied", "a=1,2,3 n="},
		{"write n x; delete n", "", "a=1,2,3"},
		{"write n x; rename n m; apply A", "A applied", "a=1,2,3 m=x"},
		{"write n x; rename n d/m; edit d/m x y; apply A", "A applied", "a=1,2,3 d/m=y"},
		{"write n x; !rename n a", "A staged", "a=1,2,3"},
		{"write n x; !write n/m y", "A staged", "a=1,2,3"},
		{"write n/m x; !write n y", "A staged", "a=1,2,3"},
		{"!write a/n x", "", "a=1,2,3"},
		// … while the user makes the file
		{"write n x; user n y", "A conflict", "a=1,2,3 n=y"},
		{"write n x; user n y; !apply A; !commit", "A conflict", "a=1,2,3 n=y"},
		{"write n x; user n y; reject A", "A rejected", "a=1,2,3 n=y"},
		{"write n x; user n y; take A", "A applied", "a=1,2,3 n=x"},
		{"write n x; user n y; take A; undo", "A staged", "a=1,2,3 n=y"},
		{"write n x; user n y; rm n", "A staged", "a=1,2,3"},
		{"write n x; user n y; edit n y z", "A staged", "a=1,2,3 n=y"},
		{"write n x; user n y; edit n y z; apply A", "A applied", "a=1,2,3 n=z"},
		{"write n x; user n x", "A applied by you", "a=1,2,3 n=x"},
		{"write n x; user n x; rm n", "A staged", "a=1,2,3"},
		{"write n x; reject A; user n y; unreject A", "A conflict", "a=1,2,3 n=y"},
		{"write n x; reject A; write n y; !unreject A", "A rejected, B staged", "a=1,2,3"},
		{"write d/n x; user d y", "A conflict", "a=1,2,3 d=y"},
		{"write d/n x; user d y; !take A", "A conflict", "a=1,2,3 d=y"},
		{"write d/n x; user d y; rm d; apply A", "A applied", "a=1,2,3 d/n=x"},
		// … and after it was taken in
		{"write n x; apply A; undo", "A staged", "a=1,2,3"},
		{"write n x; apply A; rm n", "A staged", "a=1,2,3"},
		{"write n x; apply A; user n y", "A applied", "a=1,2,3 n=y"},
		{"write n x; apply A; user n y; undo", "A applied", "a=1,2,3 n=y"},
		{"write n x; apply A; write n y; apply B; undo", "A staged, B conflict", "a=1,2,3"},
		{"write n x; apply A; write n y; apply B; undo; apply A", "A applied, B staged", "a=1,2,3 n=x"},
		{"write n x; commit; undo-closed", "", "a=1,2,3"},
		{"write n x; commit; user n y; undo-closed", "", "a=1,2,3 n=y"},

		// a file goes
		{"delete a", "A staged", "a=1,2,3"},
		{"delete a; apply A", "A applied", ""},
		{"delete a; reject A", "A rejected", "a=1,2,3"},
		{"delete a; reject A; unreject A; apply A", "A applied", ""},
		{"delete a; commit", "", ""},
		{"delete a; !delete a", "A staged", "a=1,2,3"},
		{"delete a; !edit a 1 x", "A staged", "a=1,2,3"},
		{"edit a 1 x; delete a", "A staged", "a=1,2,3"},
		{"edit a 1 x; edit a 3 y; delete a; apply A", "A applied", ""},
		{"delete a; write a x; apply A", "A applied", "a=x"},
		{"delete a; write a 1,2,4; reject A", "A rejected", "a=1,2,3"},
		{"delete a; write a 1,2,3", "", "a=1,2,3"},
		{"!delete n", "", "a=1,2,3"},
		{"edit a 1 x; reject A; delete a; !unreject A", "A rejected, B staged", "a=1,2,3"},
		{"edit a 1 x; reject A; delete a; apply B; unreject A", "A conflict, B applied", ""},
		// … while the user changes it
		{"delete a; user a 1,2", "A conflict", "a=1,2"},
		{"delete a; user a 1,2; !apply A", "A conflict", "a=1,2"},
		{"delete a; user a 1,2; user a 1,2,3", "A staged", "a=1,2,3"},
		{"delete a; user a 1,2; take A", "A applied", ""},
		{"delete a; user a 1,2; take A; undo", "A staged", "a=1,2"},
		{"delete a; user a 1,2; reject A", "A rejected", "a=1,2"},
		{"delete a; user a 1,2; edit a 1 x; apply A", "A applied", "a=x,2"},
		{"delete a; rm a", "A applied by you", ""},
		{"delete a; mv a b", "A applied by you", "b=1,2,3"},
		{"delete a; rm a; user a 1,2,3", "A staged", "a=1,2,3"},
		{"delete a; rm a; user a 4", "A applied by you", "a=4"},
		// … and after it was taken in
		{"delete a; apply A; undo", "A staged", "a=1,2,3"},
		{"delete a; apply A; user a 1,2,3", "A staged", "a=1,2,3"},
		{"delete a; apply A; user a 4; undo", "A applied", "a=4"},
		{"delete a; commit; undo-closed", "", "a=1,2,3"},
		{"delete a; commit; user a 4; undo-closed", "", "a=4"},
		{"delete a; apply A; write a x; apply B", "A applied, B applied", "a=x"},
		{"delete a; apply A; write a 1,2,3; apply B", "A applied, B applied", "a=1,2,3"},
		{"write n x; apply A; delete n; apply B", "A applied, B applied", "a=1,2,3"},
		// letters in a file that goes
		{"edit a 1 x; rm a", "A conflict", ""},
		{"edit a 1 x; rm a; !take A; !commit", "A conflict", ""},
		{"edit a 1 x; rm a; user a 1,2,3", "A staged", "a=1,2,3"},
		{"edit a 1 x; rm a; write a y", "A staged", ""},
		{"edit a 1 x; rm a; write a y; apply A", "A applied", "a=y"},
		{"edit a 1 x; rm a; reject A", "A rejected", ""},
		{"write a; apply A; rm a", "A applied", ""},
		{"edit a 1 x; apply A; rm a; user a x,2,3; undo", "A staged", "a=1,2,3"},

		// another name
		{"rename a b", "A staged", "a=1,2,3"},
		{"rename a b; apply A", "A applied", "b=1,2,3"},
		{"rename a d/e/b; apply A", "A applied", "d/e/b=1,2,3"},
		{"rename a a/b; apply A", "A applied", "a/b=1,2,3"},
		{"rename a b; reject A", "A rejected", "a=1,2,3"},
		{"rename a b; reject A; unreject A; apply A", "A applied", "b=1,2,3"},
		{"rename a b; commit", "", "b=1,2,3"},
		{"rename a b; rename b c; apply A", "A applied", "c=1,2,3"},
		{"rename a b; rename b a", "", "a=1,2,3"},
		{"!rename a a", "", "a=1,2,3"},
		{"rename a b; !edit a 1 x", "A staged", "a=1,2,3"},
		{"rename a b; !write a x", "A staged", "a=1,2,3"},
		{"rename a b; delete b; apply A", "A applied", ""},
		{"user b 4; !rename a b", "", "a=1,2,3 b=4"},
		{"user b 4; delete b; !rename a b", "A staged", "a=1,2,3 b=4"},
		{"user b 4; rename a c; !rename b a", "A staged", "a=1,2,3 b=4"},
		// … with edits: each by itself
		{"rename a b; edit b 1 x; apply B", "A staged, B applied", "a=x,2,3"},
		{"rename a b; edit b 1 x; apply A", "A applied, B staged", "b=1,2,3"},
		{"rename a b; edit b 1 x; apply A; apply B", "A applied, B applied", "b=x,2,3"},
		{"rename a b; edit b 1 x; apply B; apply A", "A applied, B applied", "b=x,2,3"},
		{"edit a 1 x; rename a b; apply A B", "A applied, B applied", "b=x,2,3"},
		{"edit a 1 x; rename a b; reject B; apply A", "A applied, B rejected", "a=x,2,3"},
		{"edit a 1 x; rename a b; commit", "", "b=x,2,3"},
		{"edit a 1 x; rename a b; commit; undo-closed", "", "a=1,2,3"},
		{"edit a 1 x; rename a b; apply A B; undo", "A staged, B staged", "a=1,2,3"},
		// … while the user is at work
		{"rename a b; user b 4", "A conflict", "a=1,2,3 b=4"},
		{"rename a b; user b 4; !apply A; !take A", "A conflict", "a=1,2,3 b=4"},
		{"rename a b; user b 4; rm b; apply A", "A applied", "b=1,2,3"},
		{"rename a b; user b 4; rename a c; apply A", "A applied", "b=4 c=1,2,3"},
		{"rename a b; user a 1,2; apply A", "A applied", "b=1,2"},
		{"rename a b; rm a", "A conflict", ""},
		{"rename a b; rm a; !take A", "A conflict", ""},
		{"rename a b; rm a; user a 4", "A staged", "a=4"},
		{"rename a b; mv a b", "A applied by you", "b=1,2,3"},
		{"rename a b; mv a c", "A conflict", "c=1,2,3"},
		{"rename a b; rm a; user b 4", "A conflict", "b=4"},
		{"rename a b; edit b 1 x; mv a b", "A applied by you, B staged", "b=1,2,3"},
		{"rename a b; edit b 1 x; mv a b; mv b a", "A staged, B staged", "a=1,2,3"},
		{"rename a b; reject A; mv a b; unreject A", "A applied by you", "b=1,2,3"},
		// … and after it was taken in
		{"rename a b; apply A; undo", "A staged", "a=1,2,3"},
		{"rename a b; apply A; mv b a", "A staged", "a=1,2,3"},
		{"rename a b; apply A; user b 4; undo", "A staged", "a=4"},
		{"rename a b; apply A; user a 4; undo", "A applied", "a=4 b=1,2,3"},
		{"rename a b; apply A; rm b", "A applied", ""},
		{"rename a b; apply A; rename b c; apply B; undo", "A staged, B conflict", "a=1,2,3"},
		{"rename a b; commit; undo-closed", "", "a=1,2,3"},
		{"rename a b; commit; rm b; undo-closed", "", ""},
		{"write n x; apply A; rename n m; apply B", "A applied, B applied", "a=1,2,3 m=x"},

		// a folder in place of a file: the one letter that needs another
		{"delete a; write a/b x", "A staged, B staged", "a=1,2,3"},
		{"delete a; write a/b x; !apply B", "A staged, B staged", "a=1,2,3"},
		{"delete a; write a/b x; apply B A", "A applied, B applied", "a/b=x"},
		{"delete a; write a/b x; apply A; apply B", "A applied, B applied", "a/b=x"},
		{"delete a; write a/b x; commit", "", "a/b=x"},
		{"delete a; write a/b x; reject A", "A rejected, B conflict", "a=1,2,3"},
		{"delete a; write a/b x; reject A; unreject A", "A staged, B staged", "a=1,2,3"},
		{"delete a; write a/b x; user a 4", "A conflict, B conflict", "a=4"},
		{"rename a a/b; write a/c x; apply A B", "A applied, B applied", "a/b=1,2,3 a/c=x"},
	} {
		t.Run(c.steps, func(t *testing.T) {
			for _, anew := range []bool{false, true} {
				name, body, _ := strings.Cut(files, " ")
				g := newGrove(t, name, strings.ReplaceAll(body, ",", "\n")+"\n")
				g.play(c.steps, func() {
					if was := g.states(); anew {
						tree := g.proposed()
						g.restart()
						if now := g.states(); now != was || g.proposed() != tree {
							t.Fatalf("was %s, after a restart %s; proposed %s, now %s", was, now, tree, g.proposed())
						}
					}
				})
				if got := g.states(); got != c.states {
					t.Errorf("letters %q, want %q (%s)", got, c.states, g.said)
				}
				if got := tree(g.files); got != c.disk {
					t.Errorf("disk %q, want %q (%s)", got, c.disk, g.said)
				}
			}
		})
	}
}

// The proposed tree has what is staged and has not what is to go.
func TestProposedTree(t *testing.T) {
	for _, c := range []struct{ steps, want string }{
		{"write n x", "a=1 b=2 n=x"},
		{"delete a", "b=2"},
		{"rename a c/d", "b=2 c/d=1"},
		{"rename a c; edit c 1 x", "b=2 c=x"},
		{"delete a; write a x", "a=x b=2"},
		{"delete a; write a/c x", "a/c=x b=2"},
		{"write n x; reject A", "a=1 b=2"},
		{"delete a; user a 4", "a=4 b=2"},
		{"write n x; user n y", "a=1 b=2 n=y"},
		{"rename a c; user c y", "a=1 b=2 c=y"},
	} {
		g := newGrove(t, "a", "1\n", "b", "2\n")
		g.play(c.steps, func() {})
		if got := g.proposed(); got != c.want {
			t.Errorf("%s: the agent sees %q, want %q", c.steps, got, c.want)
		}
	}
}

func TestAbove(t *testing.T) {
	if got := above(filepath.Join("/", "w", "a", "b")); !slices.Equal(got, []string{"/w/a", "/w", "/"}) {
		t.Error(got)
	}
}
