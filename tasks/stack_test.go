package tasks

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// must begins a task in a test that is about something else.
func must(t *testing.T, s *Stack, b Begin) Task {
	t.Helper()
	task, _, err := s.Begin(b)
	if err != nil {
		t.Fatalf("begin %+v: %v", b, err)
	}
	return task
}

func refused(t *testing.T, err error, code, hint string) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want a refusal %q", err, code)
	}
	if e.Code != code || !strings.Contains(e.Hint, hint) {
		t.Fatalf("got %q %q, want code %q and a hint with %q", e.Code, e.Hint, code, hint)
	}
}

func TestBeginStacksAndPlans(t *testing.T) {
	s := New(3)
	first, changed, err := s.Begin(Begin{Goal: " add  module\nY ", Plan: []string{"check", "configure", "document"}})
	if err != nil {
		t.Fatal(err)
	}
	if first.Goal != "add module Y" || first.ID != 1 || len(changed) != 4 || changed[3].State != Waiting || changed[3].Parent != 1 {
		t.Fatalf("begin: %+v, changed %+v", first, changed)
	}
	byGoal, changed, err := s.Begin(Begin{Goal: "Check"})
	if err != nil || byGoal.ID != 2 || len(changed) != 1 || byGoal.State != Active {
		t.Fatalf("a waiting child's goal must start it: %+v %+v %v", byGoal, changed, err)
	}
	if got, _, err := s.Pop(Completed, "up to date"); err != nil || got.ID != 2 || got.Summary != "up to date" || got.Depth != 0 {
		t.Fatalf("pop: %+v %v", got, err)
	}
	refined := must(t, s, Begin{Task: 3, Goal: "configure twice"})
	if refined.ID != 3 || refined.Goal != "configure twice" || refined.Parent != 1 {
		t.Fatalf("task_id must start that child: %+v", refined)
	}
	sibling := must(t, s, Begin{Goal: "an interruption", Parent: 1})
	if sibling.Parent != 1 || s.Depth() != 3 {
		t.Fatalf("a named parent: %+v, depth %d", sibling, s.Depth())
	}
	if cur, ok := s.Current(); !ok || cur.ID != sibling.ID {
		t.Fatalf("current is %+v", cur)
	}
}

func TestRefusals(t *testing.T) {
	s := New(3)
	must(t, s, Begin{Goal: "one", Plan: []string{"child"}})
	must(t, s, Begin{Goal: "two"})
	must(t, s, Begin{Goal: "three"})
	before := s.Tree()
	for _, c := range []struct {
		name string
		do   func() error
		code string
		hint string
	}{
		{"too deep", begin(s, Begin{Goal: "four"}), CodeDepth, "start a top-level task"},
		{"too deep for a plan item", begin(s, Begin{Task: 2}), CodeDepth, "memo_update_task(task_id: 2"},
		{"no goal", begin(s, Begin{Goal: " \n"}), CodeBadArguments, "needs a goal"},
		{"blank plan item", begin(s, Begin{Goal: "x", Plan: []string{"a", " "}}), CodeBadArguments, "plan item 2"},
		{"unknown parent", begin(s, Begin{Goal: "x", Parent: 9}), CodeBadArguments, "no task #9"},
		{"waiting parent", begin(s, Begin{Goal: "x", Parent: 2}), CodeBadArguments, "is waiting"},
		{"unknown task", begin(s, Begin{Task: -4}), CodeBadArguments, "no task #-4"},
		{"active task", begin(s, Begin{Task: 1}), CodeBadArguments, "only a waiting task"},
		{"task of another parent", begin(s, Begin{Task: 2, Parent: 3}), CodeBadArguments, "belongs to #1"},
		{"nothing to update", update(s, Update{Task: 1}), CodeBadArguments, "nothing to update"},
		{"update of no task", update(s, Update{Note: "x"}), CodeBadArguments, "no task #0"},
		{"complete an active one", update(s, Update{Task: 1, State: Completed}), CodeBadArguments, "memo_commit"},
		{"activate by update", update(s, Update{Task: 2, State: Active}), CodeBadArguments, "memo_begin_task(task_id: 2)"},
		{"unknown state", update(s, Update{Task: 2, State: "paused"}), CodeBadArguments, "unknown state"},
		{"mark an active one", func() error { return s.Mark(1, Reverted) }, CodeBadArguments, "only a closed task"},
		{"mark as waiting", func() error { return s.Mark(1, Waiting) }, CodeBadArguments, "only a closed task"},
		{"pop as waiting", func() error { _, _, err := s.Pop(Waiting, ""); return err }, CodeBadArguments, "popped as completed"},
		{"pop of nothing", func() error { _, _, err := New(0).Pop(Completed, ""); return err }, CodeBadArguments, "no task is active"},
	} {
		t.Run(c.name, func(t *testing.T) {
			refused(t, c.do(), c.code, c.hint)
			if !reflect.DeepEqual(before, s.Tree()) || s.Depth() != 3 {
				t.Fatalf("a refusal changed something: %+v", s.Tree())
			}
		})
	}
}

func begin(s *Stack, b Begin) func() error {
	return func() error { _, _, err := s.Begin(b); return err }
}

func update(s *Stack, u Update) func() error {
	return func() error { _, err := s.Update(u); return err }
}

func TestUpdateAndMark(t *testing.T) {
	s := New(3)
	must(t, s, Begin{Goal: "top", Plan: []string{"a", "b"}})
	if got, err := s.Update(Update{Task: 2, State: Completed, Note: "was there"}); err != nil || got.State != Completed || got.Note != "was there" {
		t.Fatalf("complete a waiting child: %+v %v", got, err)
	}
	if got, err := s.Update(Update{Task: 3, State: Reverted}); err != nil || got.State != Reverted {
		t.Fatalf("cancel a waiting child: %+v %v", got, err)
	}
	if got, err := s.Update(Update{Task: 1, Goal: "the top"}); err != nil || got.Goal != "the top" || got.State != Active {
		t.Fatalf("refine a goal: %+v %v", got, err)
	}
	refused(t, update(s, Update{Task: 3, Goal: "c"})(), CodeBadArguments, "goal is history")
	if _, _, err := s.Pop(Completed, "done"); err != nil {
		t.Fatal(err)
	}
	if err := s.Mark(1, Reverted); err != nil {
		t.Fatal(err)
	}
	if got, _ := s.Get(1); got.State != Reverted || got.Summary != "done" {
		t.Fatalf("marked: %+v", got)
	}
	refused(t, begin(s, Begin{Task: 3})(), CodeBadArguments, "only a waiting task")
}

// Nothing waits below a task that is closed, and whoever closes it hears what did.
func TestU85NothingWaitsBelowAClosedTask(t *testing.T) {
	for _, state := range []State{Completed, Reverted} {
		s := New(3)
		must(t, s, Begin{Goal: "top", Plan: []string{"first", "second", "third"}})
		must(t, s, Begin{Goal: "first", Plan: []string{"below"}})
		if _, left, err := s.Pop(state, "well"); err != nil || len(left) != 1 || left[0].Goal != "below" {
			t.Fatalf("%s: %+v %v", state, left, err)
		}
		if _, err := s.Update(Update{Task: 3, State: Completed}); err != nil {
			t.Fatal(err)
		}
		got, left, err := s.Pop(state, "well")
		if err != nil || got.ID != 1 || len(left) != 1 || left[0].Goal != "third" || left[0].State != Reverted || left[0].Summary != NotBegun {
			t.Fatalf("%s: %+v, left %+v %v", state, got, left, err)
		}
		for _, task := range s.Tree() {
			if task.State == Waiting {
				t.Errorf("%s: #%d waits for ever", state, task.ID)
			}
		}
		refused(t, begin(s, Begin{Task: 4})(), CodeBadArguments, "only a waiting task")
		if got := must(t, s, Begin{Goal: "third"}); got.ID != 6 || got.Parent != 0 {
			t.Fatalf("its goal starts a task of its own: %+v", got)
		}
	}
}

// One that a journal of before still has waiting is not begun, and its goal begins a task of its own.
func TestAChildOfAClosedParentIsNotStarted(t *testing.T) {
	s := New(3)
	s.Restore([]Task{{ID: 1, Goal: "top", State: Completed}, {ID: 2, Parent: 1, Goal: "left over", State: Waiting}})
	refused(t, begin(s, Begin{Task: 2})(), CodeBadArguments, "begin a new task")
	if got := must(t, s, Begin{Goal: "left over"}); got.ID != 3 || got.Parent != 0 {
		t.Fatalf("its goal starts a task of its own: %+v", got)
	}
}

// A planned goal is known wherever it was planned, below any task that is worked on.
func TestU85APlannedGoalIsKnownAnywhereInItsTree(t *testing.T) {
	s := New(4)
	must(t, s, Begin{Goal: "top", Plan: []string{"a", "b", "same"}})
	must(t, s, Begin{Goal: "a", Plan: []string{"c", "Same"}})
	if got := must(t, s, Begin{Goal: " B "}); got.ID != 3 || got.Parent != 1 {
		t.Fatalf("begun while a is worked on: %+v", got)
	}
	if got := must(t, s, Begin{Goal: "c"}); got.ID != 5 || got.Parent != 2 {
		t.Fatalf("begun while b is worked on: %+v", got)
	}
	for range 2 {
		if _, _, err := s.Pop(Completed, ""); err != nil {
			t.Fatal(err)
		}
	}
	if got := must(t, s, Begin{Goal: "same"}); got.ID != 6 {
		t.Fatalf("the current task's own goes first: %+v", got)
	}
	if _, _, err := s.Pop(Completed, ""); err != nil {
		t.Fatal(err)
	}
	if got := must(t, s, Begin{Goal: "b", Parent: 2}); got.ID != 7 || got.Parent != 2 {
		t.Fatalf("another parent is named: %+v", got)
	}
}

// TestRestoreFromAfterImages plays random sessions and rebuilds the stack from
// the tasks that the calls returned, as a journal would.
func TestRestoreFromAfterImages(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		live := New(rapid.IntRange(1, 4).Draw(t, "max"))
		var journal []Task
		id := rapid.IntRange(0, 12)
		for range rapid.IntRange(0, 40).Draw(t, "steps") {
			switch rapid.IntRange(0, 3).Draw(t, "step") {
			case 0:
				b := Begin{Goal: rapid.SampledFrom([]string{"a", "b", "c", ""}).Draw(t, "goal"), Plan: rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b"}), 0, 3).Draw(t, "plan")}
				if rapid.Bool().Draw(t, "named") {
					b.Parent, b.Task = id.Draw(t, "parent"), id.Draw(t, "task")
				}
				if _, changed, err := live.Begin(b); err == nil {
					journal = append(journal, changed...)
				}
			case 1:
				u := Update{Task: id.Draw(t, "task"), Note: "n", State: rapid.SampledFrom([]State{"", Completed, Reverted}).Draw(t, "state")}
				if task, err := live.Update(u); err == nil {
					journal = append(journal, task)
				}
			case 2:
				if task, left, err := live.Pop(rapid.SampledFrom([]State{Completed, Reverted}).Draw(t, "end"), "s"); err == nil {
					journal = append(append(journal, task), left...)
				}
			case 3:
				if n := id.Draw(t, "task"); live.Mark(n, Reverted) == nil {
					task, _ := live.Get(n)
					journal = append(journal, task)
				}
			}
		}
		again := New(3)
		again.Restore(journal)
		if !reflect.DeepEqual(live.Tree(), again.Tree()) || !slices.Equal(live.stack, again.stack) {
			t.Fatalf("live %+v %v\nreplayed %+v %v", live.Tree(), live.stack, again.Tree(), again.stack)
		}
		Render(live.Tree(), nil)
	})
}
