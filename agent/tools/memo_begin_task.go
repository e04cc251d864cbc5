package tools

import (
	"context"
	_ "embed"
	"strconv"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/tasks"
)

//go:embed memo_begin_task.md
var beginTaskDoc string

// beginTask begins a task, or goes on with one.
func beginTask() Tool {
	return define("memo_begin_task", beginTaskDoc, func(_ context.Context, s *session.Session, by session.By, a BeginTaskArgs) Outcome {
		parent, ok1 := TaskNumber(a.ParentTaskID)
		id, ok2 := TaskNumber(a.TaskID)
		if !ok1 || !ok2 {
			return Refused(CodeBadArguments, "a task id is a number like 2 or #2")
		}
		t, err := s.BeginTask(by, tasks.Begin{Goal: a.Goal, Parent: parent, Plan: a.Plan, Task: id})
		return taskOutcome(s, t, err)
	})
}

// BeginTaskArgs are the arguments of memo_begin_task.
type BeginTaskArgs struct {
	Goal         string   `json:"goal"`
	ParentTaskID string   `json:"parent_task_id,omitempty" jsonschema:"pattern=^#?[1-9][0-9]*$,example=2"`
	Plan         []string `json:"plan,omitempty"`
	TaskID       string   `json:"task_id,omitempty" jsonschema:"pattern=^#?[1-9][0-9]*$,example=2"`
}

func taskOutcome(s *session.Session, t tasks.Task, err error) Outcome {
	if err != nil {
		return failed(err)
	}
	return Outcome{Status: StatusOK, Task: &TaskState{ID: strconv.Itoa(t.ID), State: string(t.State), Goal: t.Goal}, TaskStack: s.TaskStack()}
}

func taskState(t *tasks.Task) *TaskState {
	if t == nil {
		return nil
	}
	return &TaskState{ID: strconv.Itoa(t.ID), State: string(t.State)}
}
