package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/galley-ls/galley/agent"
	"github.com/galley-ls/galley/agent/host"
	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/cmd/galley/internal/review"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
	"github.com/galley-ls/galley/lsp/dial"
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

// caller is what one call needs of a session, which may be at the host of the workspace.
type caller interface {
	Notices() (text string, ok bool, err error)
	Reply(m memory.Message, u memory.Usage) error
	Answer(c memory.ToolCall, content string) error
}

// CallTool makes one call and journals it as one iteration, behind what the person decided since the last one.
func CallTool(c term.Console, s caller, call memory.ToolCall, run func() (tools.Outcome, error)) (o tools.Outcome, err error) {
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
	if o, err = run(); err != nil {
		return o, err
	}
	if err := s.Answer(call, o.JSON()); err != nil {
		return o, fmt.Errorf("the answer stands as it is, and could not be journaled: %w", err)
	}
	return o, nil
}

// ToolAtHost makes one call in a session that the host of the workspace has.
func ToolAtHost(ctx context.Context, c term.Console, conn *dial.Conn, cfg session.Config, call memory.ToolCall) (o tools.Outcome, err error) {
	run, joined, err := conn.Open(ctx, dial.Config{Config: cfg, Ask: map[string]string{"session": cfg.ID}})
	if err != nil {
		return o, err
	}
	if joined {
		return o, fmt.Errorf("a run goes on in session %s: wait for it, or cancel it", cfg.ID)
	}
	life, stop := run.Until(ctx)
	defer stop()
	o, err = CallTool(c, run, call, func() (o tools.Outcome, err error) {
		a, err := (agent.Asker{Remote: run, Settings: run.Settings()}).Call(life, call)
		if err == nil {
			err = json.Unmarshal([]byte(a.Content), &o)
		}
		return o, err
	})
	return o, errors.Join(err, run.End(func(r *host.Run) bool { r.State = host.RunDone; return false }, nil))
}

// ExitOfTool is the exit code of one tool call.
func ExitOfTool(status string) int {
	if review.Succeeded(status) {
		return term.ExitDone
	}
	return term.ExitWaiting
}
