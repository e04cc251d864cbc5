package editing

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var (
	randomNames = []string{"a", "b", "c", "d/e", "d/f", "a/g", "d"}
	randomTexts = []string{"1,2,3", "1,2", "4", "x,y", ""}
)

// randomStep draws a step as a row of the table has it.
func randomStep(rt *rapid.T, g *grove) string {
	name := func() string { return rapid.SampledFrom(randomNames).Draw(rt, "name") }
	body := func() string { return rapid.SampledFrom(randomTexts).Draw(rt, "text") }
	letter := func(verb string, states ...ChangeState) string {
		var ls []string
		for _, c := range g.w.Snapshot().Changes() {
			if slices.Contains(states, c.State) {
				ls = append(ls, c.Letter)
			}
		}
		if len(ls) == 0 {
			return "restart"
		}
		return verb + " " + rapid.SampledFrom(ls).Draw(rt, "letter")
	}
	switch verb := rapid.SampledFrom([]string{
		"write", "write", "edit", "delete", "delete", "rename", "rename",
		"user", "rm", "mv", "apply", "apply", "take", "reject", "unreject", "undo", "commit", "revert", "restart",
	}).Draw(rt, "verb"); verb {
	case "write":
		return "write " + name() + " " + body()
	case "edit":
		return "edit " + name() + " " + rapid.SampledFrom([]string{"1", "2", "4", "x"}).Draw(rt, "old") + " " + rapid.SampledFrom([]string{"5", "6"}).Draw(rt, "new")
	case "delete":
		return "delete " + name()
	case "rename":
		return "rename " + name() + " " + name()
	case "user":
		if n := name(); roomOnDisk(g.files, n) {
			return "user " + n + " " + body()
		}
	case "rm":
		return "rm " + name()
	case "mv":
		from, to := name(), name()
		rest := maps.Clone(g.files)
		delete(rest, from)
		if _, ok := g.files[from]; ok && from != to && roomOnDisk(rest, to) {
			return "mv " + from + " " + to
		}
	case "apply":
		return letter("apply", Staged)
	case "take":
		return letter("take", Conflict)
	case "reject":
		return letter("reject", Staged, Conflict)
	case "unreject":
		return letter("unreject", Rejected)
	default:
		return verb
	}
	return "restart"
}

// roomOnDisk reports whether a file can be at name beside the others.
func roomOnDisk(files map[string]string, name string) bool {
	for other := range files {
		if strings.HasPrefix(other, name+"/") || strings.HasPrefix(name, other+"/") {
			return false
		}
	}
	return true
}

// Whatever agent and user do with files: the table knows what the disk has, nothing
// that the user has is written over unseen, a decision that takes nothing in leaves
// the disk alone, the letters are independent, and a restart changes nothing.
func TestRandomFiles(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g := newGrove(rt, "a", "1\n2\n3\n", "b", "4\n")
		var log []string
		defer func() {
			if r := recover(); r != nil {
				rt.Logf("steps: %s", strings.Join(log, "; "))
				panic(r)
			}
		}()
		for range rapid.IntRange(1, 25).Draw(rt, "steps") {
			step := randomStep(rt, g)
			log = append(log, step)
			steps := strings.Join(log, "; ")
			was, disk := g.w.Snapshot(), maps.Clone(g.files)
			states, seen := g.states(), g.proposed()
			res := g.step(step)
			verb, _, _ := strings.Cut(step, " ")
			if !res.OK() && g.w.Snapshot() != was {
				rt.Fatalf("%s\nrefused, and changed something: %+v", steps, res)
			}
			switch verb {
			case "restart":
				if g.states() != states || g.proposed() != seen {
					rt.Fatalf("%s\nwas %s (%s), after the restart %s (%s)", steps, states, seen, g.states(), g.proposed())
				}
			case "apply", "take", "undo", "commit", "user", "rm", "mv":
			default:
				if !maps.Equal(disk, g.files) {
					rt.Fatalf("%s\nnobody took anything in, and the disk was %s, is %s", steps, tree(disk), tree(g.files))
				}
			}
			if res.OK() && (verb == "apply" || verb == "commit") {
				checkSeen(rt, steps, was, disk, g.files)
			}
			g.check(rt, steps)
		}
	})
}

// checkSeen: what is gone from the disk is what a letter showed.
func checkSeen(rt *rapid.T, steps string, was *Snapshot, disk, now map[string]string) {
	for name, s := range disk {
		d, ok := was.Document(at(name))
		if _, still := now[name]; still || !ok {
			continue
		}
		if !slices.ContainsFunc(d.changes, func(c *Change) bool {
			return c.State == Staged && (c.Kind == KindRename || c.Kind == KindDeleteFile && c.deleted().String() == s)
		}) {
			rt.Fatalf("%s\n%s is gone, which held %q, and no letter said so", steps, name, s)
		}
	}
}

// check compares the table with the disk, and the letters among each other.
func (g *grove) check(rt *rapid.T, steps string) {
	s := g.w.Snapshot()
	for _, d := range s.Documents() {
		now, ok := g.files[d.Name]
		if ok == d.Missing || d.Base.String() != now {
			rt.Fatalf("%s\nthe table has %s as %q (missing: %v), the disk as %q (%v)", steps, d.Name, d.Base.String(), d.Missing, now, ok)
		}
		for _, c := range d.changes {
			if c.Path != d.Path {
				rt.Fatalf("%s\n%s lies in %s and says %s", steps, c.Letter, d.Path, c.Path)
			}
			for _, h := range c.Hunks {
				if h.Start < 0 || h.Start > h.End || h.End > d.Base.Len() {
					rt.Fatalf("%s\n%s lies outside its text: %+v", steps, c.Letter, h)
				}
			}
		}
	}
	var staged []string
	for _, c := range s.Changes() {
		if c.State == Staged {
			staged = append(staged, c.Letter)
		}
	}
	if len(staged) > 1 {
		g.checkOrders(rt, steps, rapid.Permutation(staged).Draw(rt, "order"))
	}
}

// checkOrders: the letters one by one, in any order, make what they make at once.
func (g *grove) checkOrders(rt *rapid.T, steps string, order []string) {
	order = order[:rapid.IntRange(1, len(order)).Draw(rt, "subset")]
	run := func(calls ...[]string) (string, bool) {
		h := &grove{t: rt, w: New(0), files: maps.Clone(g.files), image: NewImage()}
		h.w.cur = g.w.Snapshot()
		for _, ls := range calls {
			if res := h.do(Apply(Letters(ls...))); !res.OK() {
				return res.Hint, strings.Contains(res.Hint, "needs a folder")
			}
		}
		out := tree(h.files)
		for _, l := range order { // another one may meet its own text on the way
			c, _ := h.w.Snapshot().Change(l)
			out += fmt.Sprintf(" %s:%s", l, c.State)
		}
		return out, true
	}
	once, ok := run(order)
	if !ok {
		rt.Fatalf("%s\n%v cannot be applied: %s", steps, order, once)
	}
	var one [][]string
	for _, l := range order {
		one = append(one, []string{l})
	}
	byOne, ok := run(one...)
	if !ok || byOne != once && !strings.Contains(byOne+once, "needs a folder") {
		rt.Fatalf("%s\n%v at once: %s\none by one: %s", steps, order, once, byOne)
	}
}
