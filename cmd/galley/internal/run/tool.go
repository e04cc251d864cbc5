package run

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/cmd/galley/internal/review"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
	"github.com/galley-ls/galley/memory"
)

// ToolArguments are the JSON of the command line or of stdin; none at all stand for an empty object.
func ToolArguments(c term.Console, args []string) (string, error) {
	fromStdin := len(args) == 1 && !c.InIsTerm || len(args) == 2 && args[1] == "-"
	switch {
	case fromStdin:
		text, err := io.ReadAll(c.In)
		if err != nil {
			return "", fmt.Errorf("read the arguments from stdin: %w", err)
		}
		return string(text), nil
	case len(args) == 2:
		return args[1], nil
	}
	return "", nil
}

// CallTool makes one call and journals it as one iteration, behind what the person decided since the last one.
func CallTool(ctx context.Context, c term.Console, s *session.Session, call memory.ToolCall) (o tools.Outcome, err error) {
	notices, ok, err := s.Notices()
	if err != nil {
		return o, err
	}
	if ok {
		c.Err.Println(c.Err.Paint(term.Ask, "→ ") + term.Clean(strings.TrimPrefix(notices, "[galley] ")))
	}
	if err := s.Reply(memory.Message{Role: memory.RoleAssistant, ToolCalls: []memory.ToolCall{call}}, memory.Usage{}); err != nil {
		return o, fmt.Errorf("the call was not made, and nothing was staged: %w", err)
	}
	o = tools.Run(ctx, s, call)
	if err := s.Answer(call, o.JSON()); err != nil {
		return o, fmt.Errorf("the answer stands as it is, and could not be journaled: %w", err)
	}
	return o, nil
}

// ExitOfTool is the exit code of one tool call.
func ExitOfTool(status string) int {
	if review.Succeeded(status) {
		return term.ExitDone
	}
	return term.ExitWaiting
}
