package session

import (
	"fmt"

	"github.com/galley-ls/galley/memory"
	"github.com/galley-ls/galley/tasks"
)

// BeginTask begins a task, or goes on with one.
func (s *Session) BeginTask(by By, b tasks.Begin) (tasks.Task, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.tasks.Tree()
	t, changed, err := s.tasks.Begin(b)
	if err != nil {
		return t, err
	}
	if err := s.taskMoved(before, taskEntry{Op: "begin", Call: by.Call, Begun: t.ID, Tasks: changed}); err != nil {
		return t, err
	}
	s.begun[t.ID] = by.Call
	if err := s.memory.event(memory.Event{Type: memory.EventTaskStarted, Task: t.ID, Text: t.Goal, Current: t.Goal, Next: planned(s.tasks)}); err != nil {
		s.warnings = append(s.warnings, err.Error())
	}
	return t, nil
}

// UpdateTask refines a task, or closes a waiting one.
func (s *Session) UpdateTask(by By, u tasks.Update) (tasks.Task, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.tasks.Tree()
	t, err := s.tasks.Update(u)
	if err != nil {
		return t, err
	}
	if err := s.taskMoved(before, taskEntry{Op: "update", Call: by.Call, Tasks: []tasks.Task{t}}); err != nil {
		return t, err
	}
	if err := s.memory.event(taskEvent(s.tasks, t, "")); err != nil {
		s.warnings = append(s.warnings, err.Error())
	}
	return t, nil
}

// taskMoved journals a move of the tasks, or takes it back.
func (s *Session) taskMoved(before []tasks.Task, e taskEntry) error {
	_, err := s.append(memory.TypeTask, e)
	if err != nil {
		s.tasks.Restore(before)
	}
	return err
}

// pop closes the current task, journaled. left are those that waited below it.
func (s *Session) pop(by By, state tasks.State, summary string) (closed *tasks.Task, left []tasks.Task, err error) {
	before := s.tasks.Tree()
	t, left, err := s.tasks.Pop(state, summary)
	if err != nil {
		return nil, nil, err
	}
	if err := s.taskMoved(before, taskEntry{Op: string(state), Call: by.Call, Tasks: append([]tasks.Task{t}, left...)}); err != nil {
		return nil, nil, err
	}
	return &t, left, s.memory.event(taskEvent(s.tasks, t, summary))
}

// taskEvent is what overview.md should know of a task that has another state, or goal.
func taskEvent(stack *tasks.Stack, t tasks.Task, summary string) memory.Event {
	e := memory.Event{Type: memory.EventTaskPlanned, Task: t.ID, Text: t.Goal, Summary: summary, Next: planned(stack)}
	switch t.State {
	case tasks.Completed:
		e.Type = memory.EventTaskCompleted
	case tasks.Reverted:
		e.Type = memory.EventTaskReverted
	}
	if now, ok := stack.Current(); ok {
		e.Current = fmt.Sprintf("#%d %s", now.ID, now.Goal)
	}
	return e
}

// planned are the tasks that wait.
func planned(stack *tasks.Stack) (next []memory.Next) {
	for _, t := range stack.Tree() {
		if t.State == tasks.Waiting {
			next = append(next, memory.Next{Task: t.ID, Goal: t.Goal})
		}
	}
	return next
}

// mark corrects how a closed task ended: everything it proposed was rejected.
func (s *Session) mark(id int, state tasks.State) error {
	t, ok := s.tasks.Get(id)
	if !ok || t.State == state || (t.State != tasks.Completed && t.State != tasks.Reverted) {
		return nil
	}
	if err := s.tasks.Mark(id, state); err != nil {
		return fmt.Errorf("task %d: %w", id, err)
	}
	t, _ = s.tasks.Get(id)
	_, err := s.append(memory.TypeTask, taskEntry{Op: "mark", Tasks: []tasks.Task{t}})
	return err
}

// active reports whether a task is on the stack.
func active(stack *tasks.Stack, id int) bool {
	t, ok := stack.Get(id)
	return ok && t.State == tasks.Active
}

// finishedShown is how many tasks that are over a reminder names.
const finishedShown = 5

// finished are the newest tasks that are over, in the order of their numbers.
func (s *requests) finished() (names []string) {
	for _, t := range s.tasks.Tree() {
		if t.State == tasks.Completed || t.State == tasks.Reverted {
			names = append(names, fmt.Sprintf("#%d %s", t.ID, shorten(oneLine(t.Goal), 80)))
		}
	}
	return names[max(0, len(names)-finishedShown):]
}
