package editing

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/galley-ls/galley/editing/text"
)

// shelf is a disk in memory whose writes can fail.
type shelf struct {
	files map[string]string
	fail  map[string]int // path → which write to it fails, from 1
	count map[string]int
}

func (s *shelf) Check(path string, want text.Hash) error {
	if text.New(s.files[path]).Hash() != want {
		return errors.New("changed")
	}
	return nil
}

func (s *shelf) Write(path string, want text.Hash, t text.Text) error {
	if err := s.Check(path, want); err != nil {
		return err
	}
	if s.count == nil {
		s.count = map[string]int{}
	}
	s.count[path]++
	if s.count[path] == s.fail[path] {
		return errors.New("the disk is full")
	}
	s.files[path] = t.String()
	return nil
}

func targets(names ...string) []Target {
	var out []Target
	for _, n := range names {
		out = append(out, Target{Path: "/" + n, Name: n, Before: text.New("old " + n), After: text.New("new " + n)})
	}
	return out
}

func TestWriteAll(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string // instead of the old ones
		fail  map[string]int
		want  string // what the files begin with
		says  string
		lost  bool
	}{
		{name: "all", want: "new new new"},
		{name: "one changed meanwhile", files: map[string]string{"/b": "other"}, want: "old oth old", says: "b: changed"},
		{name: "the last write fails", fail: map[string]int{"/c": 1}, want: "old old old", says: "nothing was written; c: the disk is full"},
		{name: "the putting back fails too", fail: map[string]int{"/c": 1, "/a": 2}, want: "new old old", says: "a could not be put back", lost: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &shelf{files: map[string]string{"/a": "old a", "/b": "old b", "/c": "old c"}, fail: c.fail}
			for k, v := range c.files {
				s.files[k] = v
			}
			err := WriteAll(s, targets("a", "b", "c"))
			got := s.files["/a"][:3] + " " + s.files["/b"][:3] + " " + s.files["/c"][:3]
			if got != c.want {
				t.Errorf("files %q, want %q", got, c.want)
			}
			if c.says == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			var w *WriteError
			if !errors.As(err, &w) || !strings.Contains(err.Error(), c.says) {
				t.Fatalf("error %v, want %q", err, c.says)
			}
			if (len(w.Lost) > 0) != c.lost {
				t.Errorf("lost %v", w.Lost)
			}
		})
	}
}

func TestUnwrite(t *testing.T) {
	s := &shelf{files: map[string]string{"/a": "new a"}}
	if err := Unwrite(s, targets("a")); err != nil || s.files["/a"] != "old a" {
		t.Errorf("%v, %q", err, s.files["/a"])
	}
}

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
	x.w.OpenDocument("/w/other.txt", "other.txt", text.New("one\n"), 1, true)
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
