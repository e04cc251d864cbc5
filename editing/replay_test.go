package editing

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/galley-ls/galley/editing/text"
)

// TestDeriveIsReplayLong: the same decisions and the same texts come to several workspaces, each text in another way: key by
// key, as one replacement, by deleting everything, by a save, by a truncating save, while nothing ran. Some die at any point,
// and are made anew of what was journaled. The states are the same, and so are the texts that decisions make.
func TestDeriveIsReplayLong(t *testing.T) {
	if testing.Short() {
		t.Skip("make test plays it: one goroutine does it all")
	}
	rounds, long := 20, os.Getenv("GALLEY_LONG") != ""
	if long {
		rounds = 300
	}
	seed := flag.Lookup("rapid.seed")
	first, err := strconv.Atoi(seed.Value.String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = seed.Value.Set(strconv.Itoa(first)) })
	for i := range rounds {
		if !long || first != 0 { // the share is the same each time
			_ = seed.Value.Set(strconv.Itoa(max(first, 1) + i))
		}
		rapid.Check(t, func(rt *rapid.T) { newTwins(t, rt).live() })
	}
}

// twins are workspaces to which the same happens in different ways.
type twins struct {
	t     *testing.T
	rt    *rapid.T
	all   []*twin
	equal bool // lines may be equal
	undid bool // the first of them took a letter's undo for a decision
	n     int
	steps []string
}

// twin is one of them, with what is journaled of it.
type twin struct {
	name string
	open bool
	w    *Workspace
	file *Document // as it was at first
	log  []Record
}

func newTwins(t *testing.T, rt *rapid.T) *twins {
	x := &twins{t: t, rt: rt, equal: rapid.Bool().Draw(rt, "equal lines")}
	var lines []string
	for range rapid.IntRange(1, 9).Draw(rt, "lines") {
		lines = append(lines, x.line("line"))
	}
	was := text.New(strings.Join(lines, ""))
	x.steps = append(x.steps, fmt.Sprintf("%q", was.String()))
	for _, name := range []string{"one replacement", "an editor", "a file"} {
		w := New(0)
		if name != "a file" {
			w.OpenDocument(testPath, "f.txt", was, 0, 1)
		}
		x.all = append(x.all, &twin{name: name, open: name != "a file", w: w, file: NewDocument(testPath, "f.txt", was)})
	}
	for range rapid.IntRange(1, 4).Draw(rt, "letters") {
		x.stage()
	}
	return x
}

// line is a line of somebody's; all are different unless lines may be equal.
func (x *twins) line(whose string) string {
	if x.equal && rapid.IntRange(0, 2).Draw(x.rt, "as others") > 0 {
		return rapid.SampledFrom([]string{"  \n", "end\n", "some words\n"}).Draw(x.rt, "equal")
	}
	x.n++
	return fmt.Sprintf("%s number %d\n", whose, x.n)
}

func (x *twins) say(format string, args ...any) {
	x.steps = append(x.steps, fmt.Sprintf(format, args...))
}

func (x *twins) fail(format string, args ...any) {
	x.rt.Fatalf("%s, after\n%s", fmt.Sprintf(format, args...), strings.Join(x.steps, "\n"))
}

// do decides, which is journaled before it counts, after what the texts decided.
func (w *twin) do(op Op) Result {
	w.caughtUp()
	p := w.w.Plan(op, w.file)
	if p.Changes() {
		w.log = append(w.log, p.Record)
	}
	w.w.Accept(p)
	return p.Result
}

func (w *twin) caughtUp() {
	var ls []string
	for _, c := range w.w.Snapshot().Changes() {
		ls = append(ls, c.Letter)
	}
	w.log = append(w.log, w.w.Snapshot().Record(ls...))
}

// again is the workspace as another process makes it of the journal.
func (w *twin) again(x *twins, now string) {
	im := NewImage()
	for _, rec := range w.log {
		raw, err := json.Marshal(rec)
		if err != nil {
			x.t.Fatal(err)
		}
		var read Record
		if err := json.Unmarshal(raw, &read); err != nil {
			x.t.Fatal(err)
		}
		read.Stood = rec.Stood // that is kept in files
		im.Add(read)
	}
	w.w = New(0)
	rec := w.w.Restore("agent", im, map[string]text.Text{testPath: text.New(now)})
	if rapid.Bool().Draw(x.rt, "journaled") {
		w.log = append(w.log, rec)
	}
	if _, ok := w.w.Snapshot().Document(testPath); !ok || w.open {
		w.w.OpenDocument(testPath, "f.txt", text.New(now), 0, 1)
	}
}

func (w *twin) doc() *Document { return mustDoc(w.w.Snapshot()) }

func (x *twins) live() {
	if len(x.all[0].w.Snapshot().Changes()) == 0 {
		return
	}
	for range rapid.IntRange(1, 14).Draw(x.rt, "steps") {
		switch rapid.IntRange(0, 8).Draw(x.rt, "step") {
		case 0, 1, 2, 3:
			if !x.text() {
				return
			}
		case 4, 5, 6:
			x.decide()
		case 7:
			x.stage()
		case 8:
			w := rapid.SampledFrom(x.all).Draw(x.rt, "who")
			x.say("%s is killed", w.name)
			w.again(x, w.doc().Base.String())
		}
		if len(x.all[0].w.Snapshot().Changes()) == 0 {
			return
		}
		x.compare()
	}
}

func (x *twins) compare() {
	first := x.all[0]
	for _, w := range x.all[1:] {
		if a, b := told(first.w), told(w.w); a != b {
			x.fail("%s says %s\n%s says %s", first.name, a, w.name, b)
		}
		if a, b := first.doc().Base.String(), w.doc().Base.String(); a != b {
			x.fail("%s has %q\n%s has %q", first.name, a, w.name, b)
		}
		if a, b := first.doc().Proposed("agent").String(), w.doc().Proposed("agent").String(); a != b {
			x.fail("%s proposes %q\n%s proposes %q", first.name, a, w.name, b)
		}
	}
}

// stage stages a letter, or amends one, of a line or two.
func (x *twins) stage() {
	p := x.all[0].doc().Proposed("agent")
	if p.Lines() == 0 {
		return
	}
	from := rapid.IntRange(0, p.Lines()-1).Draw(x.rt, "line")
	at, to := p.LineStart(from), p.LineStart(from+rapid.IntRange(1, 2).Draw(x.rt, "of"))
	old := p.Slice(at, to)
	now := rapid.SampledFrom([]string{"", x.line("agent"), old + x.line("agent"), x.line("agent") + x.line("agent")}).Draw(x.rt, "new")
	if now == old {
		return
	}
	x.n++
	for _, w := range x.all {
		res := w.do(func(tx *tx) Result {
			if c, r := tx.stage(testPath, Meta{Owner: "agent"}, text.Edits{{Start: at, End: to, New: now}}.Trim(p), fmt.Sprint(x.n)); r != nil || c == nil {
				return tx.undo(*r)
			}
			return Result{Status: StatusEditing}
		})
		if w == x.all[0] {
			x.say("staged %q → %q: %s", old, now, res.Status)
		}
	}
}

// text changes some lines. It reports whether the twins are the same after it.
func (x *twins) text() bool {
	now := x.all[0].doc().Base.String()
	if rapid.IntRange(0, 9).Draw(x.rt, "emptied") == 0 {
		now = ""
	} else {
		for range rapid.IntRange(1, 3).Draw(x.rt, "edits") {
			ls := append(split(now), "")
			at := rapid.IntRange(0, len(ls)-1).Draw(x.rt, "at")
			mine, cut := x.line("user"), strings.TrimSuffix(ls[at], "\n")
			ls[at] = rapid.SampledFrom([]string{"", mine, ls[at] + mine, mine + ls[at], cut + ", too\n", cut + " more", "my " + cut + "\n"}).Draw(x.rt, "as")
			if rapid.IntRange(0, 5).Draw(x.rt, "moved") == 0 {
				i := rapid.IntRange(0, len(ls)-1).Draw(x.rt, "with")
				ls[at], ls[i] = ls[i], ls[at]
			}
			now = strings.Join(ls, "")
		}
	}
	x.say("the text is %q", now)
	for i, w := range x.all {
		from := ways[3:]
		if w.open {
			from = ways[:3]
		}
		way := rapid.SampledFrom(from).Draw(x.rt, "way")
		if i == 0 {
			way = ways[1]
		}
		if strings.Contains(way.name, "restart") || strings.Contains(way.name, "nothing ran") {
			if way.name != "while nothing ran" {
				w.w.OpenDocument(testPath, "f.txt", text.New(""), 0, Disk)
			}
			w.again(x, now)
		} else {
			way.make(x.t, w.w, now)
		}
		x.say("  %s: %s: %s", w.name, way.name, told(w.w))
	}
	if x.all[0].over() > x.all[2].over() { // redone over the user's text: whether that is a decision is said by the way alone
		return false
	}
	x.compare()
	x.undone()
	return true
}

// over counts the letters that were taken over the user's text.
func (w *twin) over() (n int) {
	for _, c := range w.doc().changes {
		if c.over != nil {
			n++
		}
	}
	return n
}

// undone decides about letters that the text has taken out or put in: whether that was an
// editor's undo, which is a decision, or typed, is said by the way alone.
func (x *twins) undone() {
	var ls []string
	for _, w := range x.all {
		for _, c := range w.w.Snapshot().Changes() {
			if c.last.applied != (c.State == Applied) {
				ls = append(ls, c.Letter)
			}
		}
	}
	if len(ls) == 0 {
		for _, w := range x.all { // as soon as a text has decided
			w.caughtUp()
		}
		return
	}
	x.say("the text decides about %s", strings.Join(ls, ", "))
	for _, w := range x.all {
		w.do(func(tx *tx) Result {
			for _, l := range ls {
				if _, c := tx.change(l); c != nil {
					tx.note(c, c.State)
				}
			}
			return Result{}
		})
	}
}

// decide decides about a letter, or all.
func (x *twins) decide() {
	cs := x.all[0].w.Snapshot().Changes()
	c := rapid.SampledFrom(cs).Draw(x.rt, "letter")
	what := rapid.IntRange(0, 11).Draw(x.rt, "decision")
	part := Part{Old: someLines(x.rt, "old"), New: someLines(x.rt, "new")}
	mine := x.line("person")
	for _, w := range x.all {
		var res Result
		switch {
		case what == 0 && c.Session != 0:
			res = w.do(Revert("agent", c.Session, "", nil))
		case what == 1 && c.State == Staged:
			res = w.do(Commit("agent", c.Session, "", nil))
			x.answer(w)
			if res.Status == "committing" {
				res = w.do(FinishCommit("agent", c.Session))
			}
		case what == 10 && c.State == Staged:
			res = w.do(Split(Choice{Letter: c.Letter}, func(*Document, *Change) Part { return part }))
		case what == 11 && c.State == Staged:
			at, _ := w.doc().draft(c, true)
			res = w.do(Amend(Amendment{Choice{Letter: c.Letter}, at.shown() + mine, true}))
		case what <= 3 && c.State.Undecided():
			res = w.do(Reject(Letters(c.Letter), ""))
		case c.State == Staged:
			res = w.do(Apply(Letters(c.Letter)))
			x.answer(w)
		case c.State == Conflict:
			res = w.do(TakeAgents(Letters(c.Letter)))
			x.answer(w)
		case c.State == Rejected:
			res = w.do(Unreject(Letters(c.Letter)))
		case c.State == Applied:
			x.undo(w, c.Letter)
		}
		x.say("%s: decided %d about %s, which was %s: %s %s; %s", w.name, what, c.Letter, c.State, res.Status, res.Code, told(w.w))
	}
	x.undone() // an editor's undo of one letter may read as that of another
}

// answer lets the editor bring in what it was asked to.
func (x *twins) answer(w *twin) {
	for _, d := range w.w.Snapshot().Applying() {
		w.edit(x, d.Edits)
	}
}

// undo takes a letter out of its text, as an editor's undo does, or galley's in a closed file.
func (x *twins) undo(w *twin, letter string) {
	d := w.doc()
	i := slices.IndexFunc(d.changes, func(c *Change) bool { return c.Letter == letter })
	switch {
	case i < 0 || !d.changes[i].Intact(d.Base):
	case w.open || !x.undid: // then it is no more than a text
		w.edit(x, flipEdits(d.changes[i:i+1]))
		if c, _ := w.w.Snapshot().Change(letter); w == x.all[0] {
			x.undid = d.changes[i].last.applied && !c.last.applied
		}
	default:
		w.do(func(tx *tx) Result {
			d, c := tx.change(letter)
			c.effect().undo(tx, d, c)
			return Result{Status: StatusOK}
		})
	}
}

// edit edits the text, and journals what that decides.
func (w *twin) edit(x *twins, edits text.Edits) {
	var rec Record
	var err error
	if w.open {
		rec, err = w.w.Update(testPath, 0, backwards(edits))
	} else {
		rec = w.w.OpenDocument(testPath, "f.txt", mustApply(w.doc().Base, edits), 0, Disk)
	}
	if err != nil {
		x.t.Fatal(err)
	}
	w.log = append(w.log, rec)
}
