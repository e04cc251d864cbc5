package tasks

import (
	"cmp"
	"slices"
	"strings"
	"sync"
)

// DefaultMaxDepth is the depth of a stack whose maximum nobody set.
const DefaultMaxDepth = 3

// Stack holds all tasks of an agent session. It is safe for concurrent use.
type Stack struct {
	max int

	mu    sync.Mutex // guards tasks and stack
	tasks []Task     // by ID
	stack []int      // IDs of the active tasks, the current one last
}

// New returns an empty stack of at most maxDepth active tasks.
func New(maxDepth int) *Stack {
	if maxDepth <= 0 {
		maxDepth = DefaultMaxDepth
	}
	return &Stack{max: maxDepth}
}

// Update is what Stack.Update changes; empty fields stay as they are.
type Update struct {
	Task  int
	State State // closes a waiting child: Completed or Reverted
	Goal  string
	Note  string
}

// Update refines a task's goal or note, or closes a waiting child.
func (s *Stack) Update(u Update) (Task, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t, err := s.findLocked(u.Task)
	if err != nil {
		return Task{}, err
	}
	goal, note := oneLine(u.Goal), strings.TrimSpace(u.Note)
	if goal == "" && note == "" && u.State == "" {
		return Task{}, badArguments("nothing to update in task #%d: give a state, a goal or a note", u.Task)
	}
	if goal != "" && t.State.closed() {
		return Task{}, badArguments("task #%d is %s, its goal is history: begin a new task with memo_begin_task", u.Task, t.State)
	}
	if err := checkState(*t, u.State); err != nil {
		return Task{}, err
	}
	t.Goal = cmp.Or(goal, t.Goal)
	t.Note = cmp.Or(note, t.Note)
	t.State = cmp.Or(u.State, t.State)
	return *t, nil
}

// checkState tells whether an update may give t the state want.
func checkState(t Task, want State) error {
	switch {
	case want == "" || want == t.State:
		return nil
	case t.State == Waiting && want.closed():
		return nil
	case t.State == Waiting && want == Active:
		return badArguments("start a waiting task with memo_begin_task(task_id: %d)", t.ID)
	case t.State == Active && want.closed():
		return badArguments("an active task is closed by memo_commit(summary) or memo_revert(reason), #%d is active", t.ID)
	case want == Waiting || want == Active || want.closed():
		return badArguments("task #%d is %s and cannot become %s: begin a new task with memo_begin_task", t.ID, t.State, want)
	}
	return badArguments("unknown state %q: a waiting task becomes completed or reverted", want)
}

// Pop closes the current task as completed or reverted, and with it what still
// waits below it: nobody would begin that any more. It returns those too.
func (s *Stack) Pop(state State, summary string) (Task, []Task, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !state.closed() {
		return Task{}, nil, badArguments("a task is popped as completed or reverted, not as %q", state)
	}
	if len(s.stack) == 0 {
		return Task{}, nil, badArguments("no task is active: begin one with memo_begin_task(goal)")
	}
	top := len(s.stack) - 1
	t, err := s.findLocked(s.stack[top])
	if err != nil {
		return Task{}, nil, err
	}
	t.State, t.Summary, t.Depth = state, strings.TrimSpace(summary), 0
	s.stack = s.stack[:top]
	var left []Task
	for i := range s.tasks {
		if child := &s.tasks[i]; child.Parent == t.ID && child.State == Waiting {
			child.State, child.Summary = Reverted, NotBegun
			left = append(left, *child)
		}
	}
	return *t, left, nil
}

// Mark corrects how a closed task ended: completed becomes reverted when
// everything it proposed was rejected, and back when that was undone.
func (s *Stack) Mark(id int, state State) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	t, err := s.findLocked(id)
	if err != nil {
		return err
	}
	if !t.State.closed() || !state.closed() {
		return badArguments("task #%d is %s: only a closed task can be marked, as completed or reverted", id, t.State)
	}
	t.State = state
	return nil
}

// Current returns the task that is worked on.
func (s *Stack) Current() (Task, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.stack) == 0 {
		return Task{}, false
	}
	return s.getLocked(s.stack[len(s.stack)-1])
}

// Get returns the task with this ID.
func (s *Stack) Get(id int) (Task, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.getLocked(id)
}

// Depth is the number of active tasks.
func (s *Stack) Depth() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.stack)
}

// Tree returns all tasks in the order of their IDs.
func (s *Stack) Tree() []Task {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Task{}, s.tasks...)
}

// Restore replaces everything by the tasks of a journal: each an after-image,
// a later one of the same ID replacing the earlier.
func (s *Stack) Restore(images []Task) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tasks = nil
	for _, t := range images {
		if t.ID > 0 {
			s.putLocked(t)
		}
	}
	s.stack = activeOrder(s.tasks)
	for i, id := range s.stack {
		if t, err := s.findLocked(id); err == nil {
			t.Depth = i + 1
		}
	}
}

// activeOrder is the stack that a set of tasks describes: by the depth they
// had, else as they were made, parents before children.
func activeOrder(all []Task) []int {
	var active []Task
	for _, t := range all {
		if t.State == Active {
			active = append(active, t)
		}
	}
	slices.SortStableFunc(active, func(a, b Task) int { return cmp.Compare(a.Depth, b.Depth) })
	ids := make([]int, len(active))
	for i, t := range active {
		ids[i] = t.ID
	}
	return ids
}

func (s *Stack) findLocked(id int) (*Task, error) {
	i, found := slices.BinarySearchFunc(s.tasks, id, byID)
	if !found {
		return nil, badArguments("there is no task #%d: the task tree names those there are", id)
	}
	return &s.tasks[i], nil
}

func (s *Stack) getLocked(id int) (Task, bool) {
	t, err := s.findLocked(id)
	if err != nil {
		return Task{}, false
	}
	return *t, true
}

// putLocked stores t in place of what bore its ID.
func (s *Stack) putLocked(t Task) {
	i, found := slices.BinarySearchFunc(s.tasks, t.ID, byID)
	if !found {
		s.tasks = slices.Insert(s.tasks, i, t)
	}
	s.tasks[i] = t
}

func (s *Stack) nextIDLocked() int {
	if len(s.tasks) == 0 {
		return 1
	}
	return s.tasks[len(s.tasks)-1].ID + 1
}

func byID(t Task, id int) int { return cmp.Compare(t.ID, id) }

// oneLine is a goal as it is kept and compared: on one line, blanks collapsed.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
