package tasks

import (
	"fmt"
	"slices"
	"strings"
)

// Begin is what to start. Parent and Task are IDs, 0 when not named.
type Begin struct {
	Goal   string
	Parent int      // default: the current task
	Plan   []string // goals of children that wait
	Task   int      // start this waiting child
}

// Begin pushes a task and returns it, together with every task that was made
// or changed, itself included, in the order of their IDs. A waiting child named
// by its ID, or by its goal, is started instead of making a new one.
func (s *Stack) Begin(b Begin) (Task, []Task, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	plan, err := planned(b.Plan)
	if err != nil {
		return Task{}, nil, err
	}
	t, err := s.startingLocked(b)
	if err != nil {
		return Task{}, nil, err
	}
	if len(s.stack) >= s.max {
		return Task{}, nil, s.tooDeep(t)
	}
	t.State, t.Depth = Active, len(s.stack)+1
	if t.ID == 0 {
		t.ID = s.nextIDLocked()
	}
	s.putLocked(t)
	s.stack = append(s.stack, t.ID)
	changed := []Task{t}
	for _, goal := range plan {
		child := Task{ID: s.nextIDLocked(), Parent: t.ID, Goal: goal, State: Waiting}
		s.putLocked(child)
		changed = append(changed, child)
	}
	return t, changed, nil
}

// startingLocked is the task that b means, before it is started: a waiting
// child, or a new task without an ID.
func (s *Stack) startingLocked(b Begin) (Task, error) {
	if b.Task != 0 {
		return s.waitingLocked(b)
	}
	goal := oneLine(b.Goal)
	if goal == "" {
		return Task{}, badArguments("a task needs a goal: say in a few words what will be true when it is done")
	}
	parent, err := s.parentLocked(b.Parent)
	if err != nil {
		return Task{}, err
	}
	planned := s.plannedLocked(goal, b.Parent)
	if i := slices.IndexFunc(planned, func(t Task) bool { return t.Parent == parent }); i >= 0 {
		return planned[i], nil
	}
	if len(planned) > 0 {
		return planned[0], nil
	}
	return Task{Parent: parent, Goal: goal}, nil
}

// plannedLocked are the waiting tasks with a goal: the children of the parent that is
// named, else of all tasks that are worked on.
func (s *Stack) plannedLocked(goal string, parent int) (all []Task) {
	for _, t := range s.tasks {
		if t.State == Waiting && strings.EqualFold(t.Goal, goal) && slices.Contains(s.stack, t.Parent) && (parent == 0 || t.Parent == parent) {
			all = append(all, t)
		}
	}
	return all
}

// waitingLocked is the waiting child named by its ID, its goal refined if b has one.
func (s *Stack) waitingLocked(b Begin) (Task, error) {
	t, err := s.findLocked(b.Task)
	if err != nil {
		return Task{}, err
	}
	if t.State != Waiting {
		return Task{}, badArguments("task #%d is %s: only a waiting task can be started", t.ID, t.State)
	}
	if b.Parent != 0 && b.Parent != t.Parent {
		return Task{}, badArguments("task #%d belongs to #%d: leave parent_task_id out", t.ID, t.Parent)
	}
	if p, err := s.findLocked(t.Parent); err == nil && p.State != Active {
		return Task{}, badArguments("the parent of task #%d is %s: begin a new task with its goal instead", t.ID, p.State)
	}
	child := *t
	if goal := oneLine(b.Goal); goal != "" {
		child.Goal = goal
	}
	return child, nil
}

// parentLocked is the ID of the task that a new one goes under.
func (s *Stack) parentLocked(named int) (int, error) {
	if named == 0 {
		if len(s.stack) == 0 {
			return 0, nil
		}
		return s.stack[len(s.stack)-1], nil
	}
	p, err := s.findLocked(named)
	if err != nil {
		return 0, err
	}
	if p.State != Active {
		return 0, badArguments("task #%d is %s: only an active task takes children, leave parent_task_id out", named, p.State)
	}
	return named, nil
}

func (s *Stack) tooDeep(t Task) error {
	hint := fmt.Sprintf("the task stack is %d deep, its limit: go on within the current task, or close what is open with memo_commit(summary) or memo_revert(reason) and start a top-level task", s.max)
	if t.ID != 0 {
		hint += fmt.Sprintf("; a plan item done without an editing session of its own is closed with memo_update_task(task_id: %d, state: \"completed\")", t.ID)
	}
	return &Error{Code: CodeDepth, Hint: hint}
}

func planned(goals []string) ([]string, error) {
	plan := make([]string, 0, len(goals))
	for i, g := range goals {
		goal := oneLine(g)
		if goal == "" {
			return nil, badArguments("plan item %d is blank: give each a goal", i+1)
		}
		plan = append(plan, goal)
	}
	return plan, nil
}
