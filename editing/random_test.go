package editing

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/galley-ls/galley/editing/text"
)

// world is a buffer as an editor keeps it, with its undo stack, beside the
// workspace that is told about it.
type world struct {
	t    *testing.T
	r    *rand.Rand
	w    *Workspace
	buf  string
	undo []step
	redo []step
	seen map[string]ChangeState // letter@order → state, kept from transitions only
	read *Reader
	n    int             // to make the agent's texts unique
	took map[string]bool // the agent's texts that were ever applied
	odd  map[int64]bool  // changes whose texts may be there otherwise, see checkOnce
	log  []string
}

// step is one undoable step of the editor.
type step struct{ fwd, back text.Edits }

// token is a text of the agent's; the user never types one.
var token = regexp.MustCompile(`<\d+>`)

// onlySeed runs one of the random sessions, to look into a failure.
var onlySeed = flag.Int("seed", -1, "run only this random session")

const testPath = "/w/f.txt"

func (w *world) say(format string, args ...any) {
	w.log = append(w.log, fmt.Sprintf(format, args...))
}

func (w *world) fail(format string, args ...any) {
	w.t.Helper()
	w.t.Fatalf("%s\n%s\nlast steps:\n%s\nbuffer: %q", fmt.Sprintf(format, args...), w.log[0], strings.Join(w.log[max(0, len(w.log)-12):], "\n"), w.buf)
}

func (w *world) doc() *Document {
	d, _ := w.w.Snapshot().Document(testPath)
	return d
}

// edit changes the buffer and tells the workspace, cut as some editor would.
func (w *world) edit(es text.Edits) step {
	before := text.New(w.buf)
	st := step{fwd: es, back: es.Invert(before)}
	after, err := before.Apply(es)
	if err != nil {
		w.fail("bad edit in the test: %v", err)
	}
	w.buf = after.String()
	var cut []text.Edit
	if w.r.IntN(4) == 0 { // the whole document
		cut = []text.Edit{{Start: 0, End: before.Len(), New: w.buf}}
	} else {
		for _, e := range slices.Backward(es) {
			cut = append(cut, e)
		}
	}
	if _, err := w.w.Update(testPath, 0, cut); err != nil {
		w.fail("update: %v", err)
	}
	return st
}

func (w *world) lineAt(s string) (int, int) {
	if s == "" {
		return 0, 0
	}
	at := w.r.IntN(len(s) + 1)
	start := strings.LastIndexByte(s[:at], '\n') + 1
	end := len(s)
	if i := strings.IndexByte(s[at:], '\n'); i >= 0 {
		end = at + i
	}
	return start, end
}

// anEdit makes an edit somewhere in s: a word, a line, a join, lines put in.
func (w *world) anEdit(s, word string) text.Edit {
	start, end := w.lineAt(s)
	at := start + w.r.IntN(end-start+1)
	switch w.r.IntN(6) {
	case 0:
		return text.Edit{Start: at, End: at, New: word}
	case 1:
		return text.Edit{Start: at, End: min(len(s), at+w.r.IntN(4)), New: word}
	case 2:
		return text.Edit{Start: start, End: end, New: word}
	case 3:
		return text.Edit{Start: end, End: end, New: "\n" + word}
	case 4:
		return text.Edit{Start: start, End: start, New: word + "\n"}
	}
	return text.Edit{Start: start, End: min(len(s), end+1), New: ""}
}

func (w *world) agentStages() {
	p := w.doc().Proposed("agent")
	s := p.String()
	w.n++
	e := w.anEdit(s, fmt.Sprintf("<%d>", w.n))
	es := text.Edits{e}.Trim(p)
	if w.r.IntN(3) == 0 {
		w.n++
		f := w.anEdit(s, fmt.Sprintf("<%d>", w.n))
		two := text.Edits{e, f}
		slices.SortFunc(two, func(a, b text.Edit) int { return a.Start - b.Start })
		if two.Validate(len(s)) == nil && two[0].End < two[1].Start {
			es = two.Trim(p)
		}
	}
	if len(es) == 0 {
		return
	}
	before, read := w.w.Snapshot(), w.w.Reader("")
	defer read.Close()
	res := w.w.Do(func(t *tx) Result {
		c, refusal := t.stage(testPath, Meta{Owner: "agent"}, es, fmt.Sprint(w.n))
		if refusal != nil {
			return t.undo(*refusal)
		}
		return Result{Status: StatusEditing, Touched: []string{c.Letter}}
	})
	w.say("agent %v in %q → %s %s %v", es, s, res.Status, res.Code, res.Touched)
	if res.Status != StatusEditing {
		if w.w.Snapshot() != before {
			w.fail("a refusal changed the state")
		}
		return
	}
	again := false
	for _, tr := range read.Next() {
		again = again || tr.From == Conflict
	}
	if again {
		return // its other hunks are proposed again too
	}
	want, err := p.Apply(es)
	if err != nil {
		w.fail("apply: %v", err)
	}
	got := w.doc().Proposed("agent")
	if w.doc().Base.MixedEOL() || want.MixedEOL() { // what is staged takes the line ends of its place
		got, want = got.Plain(), want.Plain()
	}
	if got.String() != want.String() {
		w.fail("proposed text after staging %v\n got %q\nwant %q", es, got.String(), want.String())
	}
}

func (w *world) pickLetter(states ...ChangeState) (string, bool) {
	var ls []string
	for _, c := range w.w.Snapshot().Changes() {
		if slices.Contains(states, c.State) {
			ls = append(ls, c.Letter)
		}
	}
	if len(ls) == 0 {
		return "", false
	}
	return ls[w.r.IntN(len(ls))], true
}

// apply takes a letter in as an editor does: the command, then the text.
func (w *world) apply(op Op, l string) {
	if res := w.w.Do(op); !res.OK() {
		w.fail("apply %s: %+v", l, res)
	}
	for _, e := range w.w.Snapshot().Applying(l) {
		switch w.r.IntN(5) {
		case 0: // the editor refuses
			w.say("editor refuses %s", l)
			w.w.Do(Expire([]string{l}))
		case 1: // the user types first, the edit comes stale and is refused
			w.userTypes()
			w.w.Do(Expire([]string{l}))
		default:
			w.say("editor applies %s %v", l, e.Edits)
			before := w.w.Snapshot()
			w.undo = append(w.undo, w.edit(e.Edits))
			w.othersStand(before, l)
			for _, m := range token.FindAllString(w.buf, -1) {
				w.took[m] = true
			}
			w.redo = nil
			if c, ok := w.w.Snapshot().Change(l); !ok || c.State != Applied {
				w.fail("%s is %v after its text came", l, c)
			}
		}
	}
}

// othersStand: what was in the text before a letter came is there still, and known to be.
func (w *world) othersStand(before *Snapshot, letter string) {
	d := w.doc()
	flipped, _ := before.Change(letter)
	for _, was := range before.Changes() {
		now, ok := w.w.Snapshot().Change(was.Letter)
		if was.Letter == letter || was.State != Applied || !was.Intact(mustDoc(before).Base) || overlap(was.Hunks, flipped.Hunks) {
			continue
		}
		if !ok || now.State != Applied || !now.Intact(d.Base) {
			w.fail("%s stood at %+v before %s came, now at %+v", was.Letter, was.Hunks, letter, now.Hunks)
		}
	}
}

// commit takes what is left of an editing session in, as an editor lets it.
func (w *world) commit(n int) {
	res := w.w.Do(Commit("agent", n, "s", nil))
	w.say("commit #%d: %s %s", n, res.Status, res.Code)
	if res.Status != "committing" {
		return
	}
	if w.r.IntN(4) == 0 {
		w.say("the editor refuses")
		w.w.Do(AbortCommit("agent", n))
		return
	}
	for _, e := range w.w.Snapshot().Applying() {
		w.undo = append(w.undo, w.edit(e.Edits))
		w.redo = nil
	}
	for _, m := range token.FindAllString(w.buf, -1) {
		w.took[m] = true
	}
	if res := w.w.Do(FinishCommit("agent", n)); res.Status != StatusCommitted {
		w.fail("all texts are there, and #%d is not committed: %+v", n, res)
	}
}

func (w *world) userTypes() {
	e := w.anEdit(w.buf, string(rune('a'+w.r.IntN(26))))
	w.say("user %v", e)
	w.undo = append(w.undo, w.edit(text.Edits{e}))
	w.redo = nil
}

// some draws lines, each on its own.
func (w *world) some(n int) (out [][2]int) {
	for i := range n {
		if w.r.IntN(3) == 0 {
			out = append(out, [2]int{i, i + 1})
		}
	}
	return out
}

// split cuts a letter: nothing that is proposed changes.
func (w *world) split() {
	l, ok := w.pickLetter(Staged)
	if !ok {
		return
	}
	before := w.w.Snapshot()
	part := Part{w.some(12), w.some(12)}
	res := w.w.Do(Split(Choice{Letter: l}, func(*Document, *Change) Part { return part }))
	w.say("cut %v of %s → %s %s %v", part, l, res.Status, res.Code, res.Touched)
	if !res.OK() {
		if w.w.Snapshot() != before {
			w.fail("a refusal changed the state")
		}
		return
	}
	if a, b := mustDoc(before).Proposed("agent"), w.doc().Proposed("agent"); !a.Equal(b) {
		w.fail("cut, %q is proposed; it was %q", b.String(), a.String())
	}
	for _, l := range res.Touched {
		if c, ok := w.w.Snapshot().Change(l); !ok || c.State != Staged {
			w.fail("%s is %v after the cut", l, c)
		} else {
			w.odd[c.Order] = true
		}
	}
}

// amend gives a letter the text of the person.
func (w *world) amend() {
	l, ok := w.pickLetter(Staged)
	if !ok {
		return
	}
	was, _ := w.w.Snapshot().Change(l)
	before, lines := w.doc().Base, w.r.IntN(2) == 0
	at, _ := w.doc().draft(was, lines)
	w.n++
	now := text.New(at.shown())
	e := w.anEdit(now.String(), fmt.Sprintf("<%d>", w.n))
	now = mustApply(now, text.Edits{e})
	res := w.w.Do(Amend(Amendment{Choice{Letter: l}, now.String(), lines}))
	w.say("the person makes %q of %q in %s → %s %s", now.String(), at.shown(), l, res.Status, res.Code)
	if !w.doc().Base.Equal(before) {
		w.fail("editing %s touched the text", l)
	}
	c, _ := w.w.Snapshot().Change(l)
	if res.OK() && c.State == Staged && c != was {
		if got, _ := w.doc().draft(c, true); !strings.Contains(text.Unix(got.shown()), text.Unix(strings.Trim(e.New, "\r\n"))) {
			w.fail("%s makes %q, not %q", l, got.shown(), now.String())
		}
	}
}

func (w *world) step() {
	snap := w.w.Snapshot()
	switch w.r.IntN(15) {
	case 13:
		w.split()
	case 14:
		w.amend()
	case 12:
		if w.r.IntN(4) == 0 {
			w.restart()
		}
	case 0, 1, 2:
		w.agentStages()
	case 3, 4:
		w.userTypes()
	case 5:
		if l, ok := w.pickLetter(Staged); ok {
			w.apply(Apply(Letters(l)), l)
		}
	case 6:
		if l, ok := w.pickLetter(Conflict); ok {
			w.say("take agent's %s", l)
			w.apply(TakeAgents(Letters(l)), l)
		}
	case 7:
		if l, ok := w.pickLetter(Staged, Conflict); ok {
			w.say("reject %s", l)
			w.w.Do(Reject(Letters(l), "no"))
			if !w.doc().Base.Equal(mustDoc(snap).Base) {
				w.fail("rejecting %s touched the text", l)
			}
		}
	case 8:
		if l, ok := w.pickLetter(Rejected); ok {
			w.say("un-reject %s", l)
			c, _ := snap.Change(l)
			w.odd[c.Order] = true
			w.w.Do(Unreject(Letters(l)))
		}
	case 9:
		if n := len(w.undo); n > 0 {
			s := w.undo[n-1]
			w.say("undo %v", s.back)
			w.edit(s.back)
			w.undo, w.redo = w.undo[:n-1], append(w.redo, s)
		}
	case 10:
		if n := len(w.redo); n > 0 {
			s := w.redo[n-1]
			w.say("redo %v", s.fwd)
			w.edit(s.fwd)
			w.redo, w.undo = w.redo[:n-1], append(w.undo, s)
		}
	case 11:
		if w.r.IntN(6) == 0 {
			if s, ok := snap.Current("agent", 0); ok {
				w.say("revert #%d", s.N)
				w.w.Do(Revert("agent", s.N, "no", nil))
			}
		} else if s, ok := snap.Current("agent", 0); ok && w.r.IntN(4) == 0 {
			w.commit(s.N)
		}
	}
	w.check()
}

// restart rebuilds the workspace from its records, as another process would.
func (w *world) restart() {
	w.say("restart")
	before := w.w.Snapshot()
	rec := Record{Sessions: before.Sessions("")}
	var letters []string
	for _, c := range before.Changes() {
		letters = append(letters, c.Letter)
	}
	rec.Changes, rec.Stood = before.Record(letters...).Changes, before.Record(letters...).Stood
	raw, err := json.Marshal(rec)
	if err != nil {
		w.fail("record: %v", err)
	}
	var read Record
	if err := json.Unmarshal(raw, &read); err != nil {
		w.fail("record: %v", err)
	}
	im := NewImage()
	read.Stood = rec.Stood // that is kept in files
	im.Add(read)
	w.w = New(0)
	w.w.Restore("agent", im, map[string]text.Text{testPath: text.New(w.buf)})
	w.w.OpenDocument(testPath, "f.txt", text.New(w.buf), 0, 1)
	after := w.w.Snapshot()
	for _, c := range before.Changes() {
		d, ok := after.Change(c.Letter)
		if !ok || d.State != c.State || d.Revision != c.Revision || d.Reason != c.Reason {
			w.fail("%s was %s, after the restart %+v", c.Letter, c.State, d)
		}
	}
	if a, b := mustDoc(before).Proposed("agent"), mustDoc(after).Proposed("agent"); !a.Equal(b) {
		w.fail("the proposed text was\n%q, after the restart\n%q", a.String(), b.String())
	}
	w.seen = map[string]ChangeState{}
	for _, c := range after.Changes() {
		w.seen[c.Letter] = c.State
	}
	w.read = w.w.Reader("")
}

func mustDoc(s *Snapshot) *Document {
	d, _ := s.Document(testPath)
	return d
}

func (w *world) check() {
	snap := w.w.Snapshot()
	d := mustDoc(snap)
	if got := d.Base.String(); got != w.buf {
		w.fail("the workspace believes %q", got)
	}
	for _, tr := range w.read.Next() {
		key := tr.Letter
		if tr.From == "" {
			w.seen[key] = ""
		}
		if w.seen[key] != tr.From {
			w.fail("a transition was missed: %s is %q, now %q → %q", key, w.seen[key], tr.From, tr.To)
		}
		w.seen[key] = tr.To
	}
	for _, m := range token.FindAllString(w.buf, -1) {
		if !w.took[m] {
			w.fail("%s was never applied, but stands in the text", m)
		}
	}
	for _, c := range snap.Changes() {
		if w.seen[c.Letter] != c.State {
			w.fail("%s is %s, its transitions say %s", c.Letter, c.State, w.seen[c.Letter])
		}
		w.checkChange(d, c)
	}
	w.checkSubsets(snap, d)
}

func (w *world) checkChange(d *Document, c *Change) {
	for _, h := range c.Hunks {
		if h.Start < 0 || h.End > d.Base.Len() || h.Start > h.End {
			w.fail("%s has its hunk outside the text: %+v", c.Letter, h)
		}
	}
	if !inOrder(c.Hunks) {
		w.fail("the hunks of %s overlap: %+v", c.Letter, c.Hunks)
	}
	if c.State == Staged {
		if !c.reads(d.Base) {
			w.fail("%s is staged, but its old text is not there: %+v", c.Letter, c.Hunks)
		}
		w.checkOnce(d, c)
	}
}

// checkOnce: what a letter would put into the text is not there. It may be after the redo of what the letter was before it was
// amended, cut or rejected, or with lines of the user's at the very place, which say too little.
func (w *world) checkOnce(d *Document, c *Change) {
	typed := func(h Hunk) bool { return h.Old == "" && h.Start < h.End }
	w.odd[c.Order] = w.odd[c.Order] || slices.ContainsFunc(c.Hunks, typed)
	if c.Revision > 1 || w.odd[c.Order] {
		return
	}
	taken := mustApply(d.Base, flipEdits([]*Change{c})).String()
	for _, m := range token.FindAllString(w.buf, -1) {
		if strings.Count(taken, m) > strings.Count(w.buf, m) {
			w.fail("%s would put %s into the text, where it is: %+v", c.Letter, m, c.Hunks)
		}
	}
}

// checkSubsets: any subset of the staged letters, in any order, gives the text
// that the same subset gives at once.
func (w *world) checkSubsets(snap *Snapshot, d *Document) {
	var ls []string
	for _, c := range d.changes {
		if c.State == Staged && w.r.IntN(2) == 0 {
			ls = append(ls, c.Letter)
		}
	}
	if len(ls) < 2 {
		return
	}
	run := func(order []string) string {
		u := New(0)
		s := *snap
		s.docs = map[string]*Document{testPath: d.clone()}
		s.docs[testPath].Keeper = Disk
		u.cur = &s
		for _, l := range order {
			if res := u.Do(Apply(Letters(l))); !res.OK() {
				w.fail("apply %s of %v: %+v", l, order, res)
			}
		}
		return mustDoc(u.Snapshot()).Base.String()
	}
	want := run(ls)
	w.r.Shuffle(len(ls), func(i, j int) { ls[i], ls[j] = ls[j], ls[i] })
	if got := run(ls); got != want {
		w.fail("the order %v gives\n%q, the other\n%q", ls, got, want)
	}
	set := slices.DeleteFunc(slices.Clone(d.changes), func(c *Change) bool { return !slices.Contains(ls, c.Letter) })
	if once := mustApply(d.Base, flipEdits(set)).String(); once != want {
		w.fail("one by one %q, at once %q", want, once)
	}
}

func (w *world) run(steps int) {
	defer func() {
		if r := recover(); r != nil {
			w.fail("panic: %v\n%s", r, debug.Stack())
		}
	}()
	for range steps {
		w.step()
	}
}

// TestRandomSessionsLong does about 100,000 steps, a share of them by default.
func TestRandomSessionsLong(t *testing.T) {
	if testing.Short() {
		t.Skip("make test plays it: one goroutine does it all")
	}
	first, runs, steps := 0, 200, 120
	if os.Getenv("GALLEY_LONG") != "" {
		runs = 850
	}
	if *onlySeed >= 0 {
		first, runs = *onlySeed, 1
	}
	for seed := first; seed < first+runs; seed++ {
		table := New(0)
		w := &world{t: t, r: rand.New(rand.NewPCG(uint64(seed), 7)), w: table, read: table.Reader(""), seen: map[string]ChangeState{}, took: map[string]bool{}, odd: map[int64]bool{}}
		w.buf = "one two three\nfour five\n\nsix\nseven eight nine\nten\n"
		if seed%3 == 1 {
			w.buf = strings.ReplaceAll(w.buf, "\n", "\r\n")
		}
		if seed%5 == 2 {
			w.buf = strings.TrimSuffix(w.buf, "\n")
		}
		w.w.OpenDocument(testPath, "f.txt", text.New(w.buf), 0, 1)
		w.say("seed %d", seed)
		w.run(steps)
	}
}
