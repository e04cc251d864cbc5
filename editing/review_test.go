package editing

import (
	"fmt"
	"strings"
	"testing"

	"github.com/galley-ls/galley/editing/text"
)

// table is a workspace with one document that an editor has open.
type table struct {
	t   *testing.T
	w   *Workspace
	buf string
	n   int
}

func newTable(t *testing.T, buf string) *table {
	w := New(0)
	w.OpenDocument(testPath, "f.txt", text.New(buf), 1, 1)
	return &table{t: t, w: w, buf: buf}
}

func lines30() string {
	var sb strings.Builder
	for i := 1; i <= 30; i++ {
		fmt.Fprintf(&sb, "line %d\n", i)
	}
	return sb.String()
}

func (x *table) doc() *Document {
	d, _ := x.w.Snapshot().Document(testPath)
	return d
}

// stage replaces a text that is unique in the proposed text.
func (x *table) stage(old, new string) *table { return x.stageAs("agent", old, new) }

func (x *table) stageAs(owner, old, new string) *table {
	x.t.Helper()
	x.n++
	res := x.w.Do(Replace(Replacement{Meta: Meta{Owner: owner}, Path: testPath, Old: old, New: new}))
	if res.Status != StatusEditing {
		x.t.Fatalf("stage %q: %+v", old, res)
	}
	return x
}

// user replaces a text that is unique in the buffer, as typed.
func (x *table) user(old, new string) *table {
	x.t.Helper()
	at := strings.Index(x.buf, old)
	if at < 0 || strings.Count(x.buf, old) > 1 && old != "" {
		x.t.Fatalf("the user cannot find %q once in %q", old, x.buf)
	}
	return x.edit(text.Edit{Start: at, End: at + len(old), New: new})
}

func (x *table) edit(e text.Edit) *table {
	x.t.Helper()
	x.buf = x.buf[:e.Start] + e.New + x.buf[e.End:]
	if _, err := x.w.Update(testPath, 2, []text.Edit{e}); err != nil {
		x.t.Fatal(err)
	}
	return x
}

// apply takes letters in as an editor does.
func (x *table) apply(letters ...string) *table {
	x.t.Helper()
	if res := x.w.Do(Apply(Letters(letters...))); !res.OK() {
		x.t.Fatalf("apply %v: %+v", letters, res)
	}
	for _, d := range x.w.Snapshot().Applying(letters...) {
		for i := len(d.Edits) - 1; i >= 0; i-- {
			e := d.Edits[i]
			x.buf = x.buf[:e.Start] + e.New + x.buf[e.End:]
		}
		es := make([]text.Edit, 0, len(d.Edits))
		for i := len(d.Edits) - 1; i >= 0; i-- {
			es = append(es, d.Edits[i])
		}
		if _, err := x.w.Update(testPath, 3, es); err != nil {
			x.t.Fatal(err)
		}
	}
	return x
}

func (x *table) do(op Op) Result {
	x.t.Helper()
	return x.w.Do(op)
}

func (x *table) want(states, buf string) *table {
	x.t.Helper()
	var got []string
	for _, c := range x.w.Snapshot().Changes() {
		got = append(got, c.Letter+" "+string(c.State))
	}
	if s := strings.Join(got, ", "); s != states {
		x.t.Errorf("states %q, want %q", s, states)
	}
	if base := x.doc().Base.String(); base != x.buf || buf != "" && base != buf {
		x.t.Errorf("text\n got %q\nwant %q", base, buf)
	}
	return x
}

// The cases are named after their numbers in the list of review cases.

func TestShiftAfterAccept(t *testing.T) { // 1
	newTable(t, lines30()).stage("line 5\n", "five\nfive and a half\nfive and three quarters\n").stage("line 20\n", "twenty\n").
		apply("A").apply("B").
		want("A applied, B applied", strings.NewReplacer("line 5\n", "five\nfive and a half\nfive and three quarters\n", "line 20\n", "twenty\n").Replace(lines30()))
}

func TestShiftAfterReject(t *testing.T) { // 2
	x := newTable(t, lines30()).stage("line 5\n", "five\nand\nmore\n").stage("line 20\n", "twenty\n")
	x.do(Reject(Letters("A"), "no"))
	x.apply("B").want("A rejected, B applied", strings.Replace(lines30(), "line 20\n", "twenty\n", 1))
}

func TestTypingAbove(t *testing.T) { // 4
	newTable(t, lines30()).stage("line 20", "twenty").user("line 2\n", "line 2\na\nb\nc\nd\n").want("A staged", "").apply("A").
		want("A applied", strings.NewReplacer("line 2\n", "line 2\na\nb\nc\nd\n", "line 20", "twenty").Replace(lines30()))
}

func TestTypingInside(t *testing.T) { // 5
	x := newTable(t, lines30()).stage("line 10\nline 11\nline 12", "ten\neleven\ntwelve").user("line 11", "my line 11")
	x.want("A conflict", "")
	if res := x.do(Apply(Letters("A"))); res.OK() || !strings.Contains(res.Hint, "conflict") {
		t.Errorf("a conflict was applied: %+v", res)
	}
	x.do(Reject(Letters("A"), ""))
	x.want("A rejected", strings.Replace(lines30(), "line 11", "my line 11", 1))
}

func TestTypingAtTheEdge(t *testing.T) { // 6
	x := newTable(t, lines30()).stage("line 10", "ten").user("line 9\n", "line 9 and more\n").user("line 10\n", "line 10\na new line\n")
	x.want("A staged", "").apply("A").
		want("A applied", strings.NewReplacer("line 9\n", "line 9 and more\n", "line 10\n", "ten\na new line\n").Replace(lines30()))
}

func TestEqualLines(t *testing.T) { // 8
	buf := "a\nb\nc\nend\ne\nf\ng\nh\nend\nj\nk\nl\nm\nend\n"
	x := newTable(t, buf).stage("h\nend\nj", "h\nEND\nj")
	x.edit(text.Edit{Start: strings.Index(buf, "end\n"), End: strings.Index(buf, "end\n") + 4})
	x.apply("A").want("A applied", "a\nb\nc\ne\nf\ng\nh\nEND\nj\nk\nl\nm\nend\n")
}

func TestEditInsideStagedEdit(t *testing.T) { // 9
	x := newTable(t, "package p\n").stage("package p", "package p\n\nfunc f() int {\n\treturn 1\n}").stage("return 1", "return 2")
	x.want("A staged", "package p\n")
	if c, _ := x.w.Snapshot().Change("A"); c.Revision != 2 {
		t.Errorf("revision %d", c.Revision)
	}
	x.apply("A").want("A applied", "package p\n\nfunc f() int {\n\treturn 2\n}\n")
}

func TestSuperseded(t *testing.T) { // 10
	newTable(t, lines30()).stage("line 7\n", "seven\n").stage("seven\n", "SEVEN\n").want("A staged", "").apply("A").
		want("A applied", strings.Replace(lines30(), "line 7\n", "SEVEN\n", 1))
}

func TestRejectLeavesNoTrace(t *testing.T) { // 12, 13
	x := newTable(t, lines30()).stage("line 1\n", "one\n").stage("line 2\n", "two\n").stage("line 3\n", "three\n")
	x.do(Reject(Letters("A", "B", "C"), "no"))
	x.want("A rejected, B rejected, C rejected", lines30())
	x.do(Unreject(Letters("B")))
	x.apply("B").want("A rejected, B applied, C rejected", strings.Replace(lines30(), "line 2\n", "two\n", 1))
}

func TestFormatter(t *testing.T) { // 18: A applied, then 40 lines are re-indented, B and C wait; that is no conflict
	x := newTable(t, lines30()).stage("line 5\n", "five\n").stage("line 29\n", "twenty-nine\n").stage("line 15\n", "fifteen\n").apply("A")
	var sb strings.Builder
	for i, l := range strings.SplitAfter(x.buf, "\n") {
		if i >= 10 && i < 20 && l != "" {
			l = "\t" + l
		}
		sb.WriteString(l)
	}
	x.edit(text.Edit{Start: 0, End: len(x.buf), New: sb.String()})
	x.want("A applied, B staged, C staged", sb.String())
	x.apply("B", "C")
	x.want("A applied, B applied, C applied", strings.NewReplacer("line 29", "twenty-nine", "line 15", "fifteen").Replace(sb.String()))
}

func TestWholeDocumentReplaced(t *testing.T) { // a branch switch and back
	x := newTable(t, lines30()).stage("line 15\n", "fifteen\n")
	other := strings.Replace(lines30(), "line 14\nline 15\nline 16\n", "", 1)
	x.edit(text.Edit{Start: 0, End: len(x.buf), New: other}).want("A conflict", other)
	x.edit(text.Edit{Start: 0, End: len(x.buf), New: lines30()}).want("A staged", lines30())
}

func TestCRLF(t *testing.T) { // 20
	buf := strings.ReplaceAll(lines30(), "\n", "\r\n")
	newTable(t, buf).stage("line 5\nline 6\n", "five\nline 6\n").apply("A").want("A applied", strings.Replace(buf, "line 5\r\n", "five\r\n", 1))
}

func TestDollars(t *testing.T) { // 27
	newTable(t, "x\n").stage("x", `$& $1 \1 \n`).apply("A").want("A applied", "$& $1 \\1 \\n\n")
}

func TestEmptying(t *testing.T) { // 29
	x := newTable(t, "a\nb\nc\n").stage("a\nb\nc\n", "").apply("A").want("A applied", "")
	if x.doc().Base.Len() != 0 {
		t.Errorf("left %q", x.buf)
	}
	res := x.do(Replace(Replacement{Meta: Meta{Owner: "agent"}, Path: testPath, Old: "", New: "first\n"}))
	if res.Status != StatusEditing {
		t.Fatalf("filling an empty text: %+v", res)
	}
}

func TestUserDoesItHimself(t *testing.T) { // 39
	x := newTable(t, lines30()).stage("line 5", "T")
	x.user("line 5", "").want("A conflict", "").edit(text.Edit{Start: strings.Index(x.buf, "line 4\n") + 7, End: strings.Index(x.buf, "line 4\n") + 7, New: "T"})
	x.want("A applied", "")
	c, _ := x.w.Snapshot().Change("A")
	if c.By != "you" {
		t.Errorf("by %q", c.By)
	}
	x.user("T\n", "line 5\n").want("A staged", lines30())
}

func TestUserTypesAnInsertionHimself(t *testing.T) {
	x := newTable(t, "a\nb\n").stage("a\n", "a\nX\n")
	for _, s := range []string{"\n", "X"} {
		at := strings.Index(x.buf, "\nb")
		x.edit(text.Edit{Start: at, End: at, New: s})
	}
	x.want("A applied", "a\nX\nb\n")
}

func TestTwoAgentsOneFile(t *testing.T) { // 43
	x := newTable(t, lines30()).stageAs("one", "line 5\n", "five\n")
	res := x.do(Replace(Replacement{Meta: Meta{Owner: "two"}, Path: testPath, Old: "line 5\n", New: "FIVE\n"}))
	if res.Code != "owned" || !strings.Contains(res.Hint, "change A") || !strings.Contains(res.Hint, "one") {
		t.Fatalf("%+v", res)
	}
	x.stageAs("two", "line 25\n", "twenty-five\n").want("A staged, B staged", lines30())
	if c, _ := x.w.Snapshot().Change("B"); c.Owner != "two" || c.Session != 1 {
		t.Errorf("%+v", c)
	}
	if p := x.doc().Proposed("two").String(); strings.Contains(p, "five\n") && !strings.Contains(p, "line 5\n") {
		t.Errorf("agent two sees the change of agent one")
	}
}

func TestUndoRedo(t *testing.T) {
	x := newTable(t, lines30()).stage("line 5", "five").stage("line 6", "six").apply("A", "B").want("A applied, B applied", "")
	x.edit(text.Edit{Start: 0, End: len(x.buf), New: lines30()}).want("A staged, B staged", lines30()) // one undo step
	x.user("line 5", "five").want("A applied, B staged", "")                                           // redo of a part
	if c, _ := x.w.Snapshot().Change("A"); c.By != "" {
		t.Errorf("a redo counts as typed: by %q", c.By)
	}
}

// An editor that lies, or is late: the text decides, not the answer.
func TestApplyingIsDecidedByTheText(t *testing.T) {
	x := newTable(t, lines30()).stage("line 5", "five").stage("line 9", "nine")
	x.do(Apply(Letters("A")))
	x.want("A applying, B staged", lines30())
	for _, op := range []Op{Apply(Letters("A")), Reject(Letters("A"), ""), Commit("agent", 1, "", nil), Revert("agent", 1, "", nil)} {
		if res := x.do(op); res.Code != "applying" {
			t.Errorf("%+v", res)
		}
	}
	if res := x.do(Replace(Replacement{Meta: Meta{Owner: "agent"}, Path: testPath, Old: "five", New: "FIVE"})); res.Code != "applying" {
		t.Errorf("%+v", res)
	}
	x.do(Expire([]string{"A"}))
	x.want("A staged, B staged", lines30())
	x.user("line 5", "five").want("A applied, B staged", "") // it came after all
}

func TestCommitWithOpenDocuments(t *testing.T) {
	x := newTable(t, lines30()).stage("line 5", "five")
	x.w.Do(Replace(Replacement{Meta: Meta{Owner: "agent"}, Path: "/w/closed.txt", Old: "one", New: "1"}), NewDocument("/w/closed.txt", "closed.txt", text.New("one\n")))
	p := x.w.Plan(Commit("agent", 1, "s", nil))
	if p.Result.Status != "committing" || len(p.Targets) != 0 {
		t.Fatalf("%+v %v", p.Result, p.Targets)
	}
	x.w.Accept(p)
	if res := x.do(FinishCommit("agent", 1)); res.Code != "applying" {
		t.Fatalf("it finished before the text confirmed: %+v", res)
	}
	x.user("line 5", "five")
	p = x.w.Plan(FinishCommit("agent", 1))
	if p.Result.Status != StatusCommitted || len(p.Targets) != 1 || p.Targets[0].After.String() != "1\n" {
		t.Fatalf("%+v %v", p.Result, p.Targets)
	}
}

func TestAbortedCommit(t *testing.T) {
	x := newTable(t, lines30()).stage("line 5", "five")
	x.do(Propose("agent", 1, "s", nil))
	x.do(Commit("agent", 1, "", nil))
	x.do(AbortCommit("agent", 1))
	x.want("A staged", lines30())
	if s, _ := x.w.Snapshot().Session("agent", 1); s.State != Proposed {
		t.Errorf("session is %s", s.State)
	}
}

// The state table: every pair that is not in it panics, every pair that is moves.
func TestStateTable(t *testing.T) {
	all := []ChangeState{Staged, Applying, Applied, Rejected, Conflict, Merged, Closed}
	for _, from := range all {
		for _, to := range all {
			ok := func() (ok bool) {
				defer func() { ok = recover() == nil }()
				tx := begin(New(0).Snapshot())
				tx.move(&Change{State: from, Letter: "A"}, to, "")
				return
			}()
			if ok != from.CanBecome(to) {
				t.Errorf("%s → %s: moved %v, table says %v", from, to, ok, from.CanBecome(to))
			}
		}
	}
	for _, s := range []ChangeState{Merged, Closed} {
		if len(moves[s]) != 0 {
			t.Errorf("%s is final", s)
		}
	}
}

// While a commit waits for the open documents, neither a second one nor a revert
// gets in between.
func TestCommitOnce(t *testing.T) {
	x := newTable(t, lines30()).stage("line 5", "five")
	x.do(Commit("agent", 1, "s", nil))
	for _, op := range []Op{Commit("agent", 1, "", nil), Revert("agent", 1, "", nil), Propose("agent", 1, "", nil), Close("agent", 1)} {
		if res := x.do(op); res.Code != "applying" {
			t.Errorf("%+v", res)
		}
	}
	x.user("line 5", "five")
	for _, op := range []Op{Commit("agent", 1, "", nil), Revert("agent", 1, "", nil)} {
		if res := x.do(op); res.Code != "applying" {
			t.Errorf("its text is there, but it is not finished: %+v", res)
		}
	}
	if res := x.do(FinishCommit("agent", 1)); res.Status != StatusCommitted {
		t.Errorf("%+v", res)
	}
}

// The line before an applied insertion is deleted: the insertion is still there.
func TestDeletingTheLineBeforeAnAppliedInsertion(t *testing.T) {
	x := newTable(t, "a\nb\n").stage("b\n", "b\nX\n").apply("A")
	x.user("b\n", "").want("A applied", "a\nX\n")
}

// A program writes the file in two steps: for a moment it is empty. What comes
// back is the user's side of the conflict, not text beside it.
func TestEmptiedForAMoment(t *testing.T) {
	x := newTable(t, "a\nb\nc\n").stage("b", "B")
	x.edit(text.Edit{Start: 0, End: len(x.buf)}).want("A conflict", "")
	x.edit(text.Edit{New: "a\nmy b\nc\n"}).want("A conflict", "a\nmy b\nc\n")
	if res := x.do(TakeAgents(Letters("A"))); !res.OK() {
		t.Fatal(res)
	}
	for _, d := range x.w.Snapshot().Applying("A") {
		if got := mustApply(x.doc().Base, d.Edits).String(); got != "a\nB\nc\n" {
			t.Errorf("it would read %q", got)
		}
	}
}

// The user types behind the old text of a change that is being applied: his word
// is never part of what the edit replaces.
func TestTypingBehindAnApplyingChange(t *testing.T) {
	x := newTable(t, "a\nfour\nb\n").stage("four", "")
	x.do(Apply(Letters("A")))
	x.user("four\n", "four<14>\n")
	for _, d := range x.w.Snapshot().Applying() {
		if got := mustApply(x.doc().Base, d.Edits).String(); got != "a\n<14>\nb\n" {
			t.Errorf("the user's word is gone: %q", got)
		}
	}
}
