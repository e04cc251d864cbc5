package session

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/galley-ls/galley/memory"
	"github.com/galley-ls/galley/tasks"
)

// BeginTask answers memo_begin_task.
func (s *Session) BeginTask(_ context.Context, a BeginTaskArgs) Outcome {
	s.mu.Lock()
	defer s.mu.Unlock()
	parent, ok1 := TaskNumber(a.ParentTaskID)
	id, ok2 := TaskNumber(a.TaskID)
	if !ok1 || !ok2 {
		return Refused(CodeBadArguments, "a task id is a number like 2 or #2")
	}
	before := s.tasks.Tree()
	t, changed, err := s.tasks.Begin(tasks.Begin{Goal: a.Goal, Parent: parent, Plan: a.Plan, Task: id})
	if err != nil {
		return taskFailed(err)
	}
	if _, err := s.append(memory.TypeTask, taskEntry{Op: "begin", Call: s.call, Begun: t.ID, Tasks: changed}); err != nil {
		s.tasks.Restore(before)
		return failed(err)
	}
	s.begun[t.ID] = s.call
	if err := s.event(memory.Event{Type: memory.EventTaskStarted, Task: t.ID, Text: t.Goal, Current: t.Goal}); err != nil {
		s.warnings = append(s.warnings, err.Error())
	}
	return s.taskOutcome(t)
}

// UpdateTask answers memo_update_task.
func (s *Session) UpdateTask(_ context.Context, a UpdateTaskArgs) Outcome {
	s.mu.Lock()
	defer s.mu.Unlock()
	id, ok := TaskNumber(a.TaskID)
	if !ok || id == 0 {
		return Refused(CodeBadArguments, "task_id is missing; it is a number like 2 or #2")
	}
	before := s.tasks.Tree()
	t, err := s.tasks.Update(tasks.Update{Task: id, State: tasks.State(a.State), Goal: a.Goal, Note: a.Note})
	if err != nil {
		return taskFailed(err)
	}
	if _, err := s.append(memory.TypeTask, taskEntry{Op: "update", Call: s.call, Tasks: []tasks.Task{t}}); err != nil {
		s.tasks.Restore(before)
		return failed(err)
	}
	return s.taskOutcome(t)
}

func (s *Session) taskOutcome(t tasks.Task) Outcome {
	return Outcome{
		Status: StatusOK, Task: &TaskState{ID: strconv.Itoa(t.ID), State: string(t.State), Goal: t.Goal},
		TaskStack: s.stack(),
	}
}

func (s *Session) stack() string {
	return tasks.RenderStack(s.tasks.Tree(), s.letters())
}

func taskFailed(err error) Outcome {
	var e *tasks.Error
	if errors.As(err, &e) {
		return Refused(e.Code, e.Hint)
	}
	return failed(err)
}

// pop closes the current task, journaled.
func (s *Session) pop(state tasks.State, summary string) (*tasks.Task, error) {
	before := s.tasks.Tree()
	t, err := s.tasks.Pop(state, summary)
	if err != nil {
		return nil, err
	}
	if _, err := s.append(memory.TypeTask, taskEntry{Op: string(state), Call: s.call, Tasks: []tasks.Task{t}}); err != nil {
		s.tasks.Restore(before)
		return nil, err
	}
	e := memory.Event{Type: memory.EventTaskCompleted, Task: t.ID, Text: t.Goal, Summary: summary}
	if state == tasks.Reverted {
		e.Type = memory.EventTaskReverted
	}
	if now, ok := s.tasks.Current(); ok {
		e.Current = now.Goal
	}
	return &t, s.event(e)
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
func (s *Session) active(id int) bool {
	t, ok := s.tasks.Get(id)
	return ok && t.State == tasks.Active
}
