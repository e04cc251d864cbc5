package tools

import (
	"context"
	_ "embed"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/tasks"
)

//go:embed memo_update_task.md
var updateTaskDoc string

// updateTask refines a task, or closes a waiting one.
func updateTask() Tool {
	return define("memo_update_task", updateTaskDoc, func(_ context.Context, s *session.Session, by session.By, a UpdateTaskArgs) Outcome {
		id, ok := TaskNumber(a.TaskID)
		if !ok || id == 0 {
			return Refused(CodeBadArguments, "task_id is missing; it is a number like 2 or #2")
		}
		t, err := s.UpdateTask(by, tasks.Update{Task: id, State: tasks.State(a.State), Goal: a.Goal, Note: a.Note})
		return taskOutcome(s, t, err)
	})
}

// UpdateTaskArgs are the arguments of memo_update_task.
type UpdateTaskArgs struct {
	TaskID string `json:"task_id" jsonschema:"pattern=^#?[1-9][0-9]*$,example=2"`
	State  string `json:"state,omitempty" jsonschema:"enum=waiting,enum=completed,enum=reverted"`
	Goal   string `json:"goal,omitempty"`
	Note   string `json:"note,omitempty"`
}
