package editing

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/galley-ls/galley/editing/text"
)

// A waiter is woken by level: whoever comes late sees the newer state at once.
func TestWait(t *testing.T) {
	x := newTable(t, lines30())
	seq := x.w.Snapshot().Seq
	got := make(chan *Snapshot)
	for range 3 {
		go func() {
			s, err := x.w.Wait(context.Background(), seq)
			if err != nil {
				t.Error(err)
			}
			got <- s
		}()
	}
	x.stage("line 5", "five")
	for range 3 {
		if s := <-got; len(s.Changes()) != 1 {
			t.Errorf("%d changes", len(s.Changes()))
		}
	}
	late, err := x.w.Wait(context.Background(), seq)
	if err != nil || late.Seq <= seq {
		t.Errorf("late: %v %v", late.Seq, err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	if _, err := x.w.Wait(ctx, x.w.Snapshot().Seq); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("nothing came, and it answers %v", err)
	}
}

// A plan that rests on a text that moved is not accepted; one about another
// document is.
func TestStalePlan(t *testing.T) {
	x := newTable(t, lines30())
	x.w.OpenDocument("/w/other.txt", "other.txt", text.New("one\n"), 1, 1)
	stage := Replace(Replacement{Meta: Meta{Owner: "agent"}, Path: testPath, Old: "line 5", New: "five"})
	read := x.w.Reader("")
	p := x.w.Plan(stage)
	if _, err := x.w.Update("/w/other.txt", 2, []text.Edit{{Start: 0, End: 0, New: "x"}}); err != nil {
		t.Fatal(err)
	}
	if !x.w.Accept(p) {
		t.Error("typing in another document stops a plan")
	}
	seq := x.w.Snapshot().Seq
	if ts := read.Next(); len(ts) != 1 || ts[0].Letter != "A" || ts[0].Seq != seq {
		t.Errorf("at %d, the readers hear: %+v", seq, ts)
	}
	if c, _ := x.w.Snapshot().Change("A"); c.Since != seq {
		t.Errorf("whoever saw the typing takes A, of %d, for seen: it came at %d", c.Since, seq)
	}
	if o, _ := x.w.Snapshot().Document("/w/other.txt"); o.Base.String() != "xone\n" {
		t.Errorf("the typing is gone: %q", o.Base.String())
	}
	p = x.w.Plan(Replace(Replacement{Meta: Meta{Owner: "agent"}, Path: testPath, Old: "line 9", New: "nine"}))
	x.user("line 20", "line 20!")
	if x.w.Accept(p) {
		t.Error("a plan on a text that moved was accepted")
	}
	x.want("A staged", "")
}

func TestUpdateOutsideTheText(t *testing.T) {
	x := newTable(t, "one\n")
	if _, err := x.w.Update(testPath, 2, []text.Edit{{Start: 0, End: 99, New: "x"}}); err == nil {
		t.Error("an edit outside the text was taken")
	}
	if _, err := x.w.Update("/nowhere", 2, nil); !errors.Is(err, ErrUnknownDocument) {
		t.Errorf("%v", err)
	}
	x.want("", "one\n")
}
