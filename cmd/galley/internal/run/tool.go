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

// Tool makes one call in a session and journals it as one iteration, behind what the person decided since the last one.
func Tool(ctx context.Context, c term.Console, conn *dial.Conn, cfg session.Config, call memory.ToolCall) (o tools.Outcome, err error) {
	run, joined, err := conn.Open(ctx, dial.Config{Config: cfg, Ask: map[string]string{"session": cfg.ID}})
	if err != nil {
		return o, err
	}
	if joined {
		return o, fmt.Errorf("a run goes on in session %s: wait for it, or cancel it", cfg.ID)
	}
	life, stop := run.Until(ctx)
	defer stop()
	o, err = callTool(life, c, run, call)
	_, fault := run.End(func(r *host.Run) bool { r.State = host.RunDone; return false }, nil)
	return o, errors.Join(err, fault)
}

func callTool(ctx context.Context, c term.Console, run *dial.Run, call memory.ToolCall) (o tools.Outcome, err error) {
	notices, ok, err := run.Notices()
	if err != nil {
		return o, err
	}
	if ok {
		c.Err.Println(c.Err.Paint(term.Ask, "→ ") + term.Clean(strings.TrimPrefix(notices, "[galley] ")))
	}
	if err := run.Reply(memory.Message{Role: memory.RoleAssistant, ToolCalls: []memory.ToolCall{call}}, memory.Usage{}); err != nil {
		return o, fmt.Errorf("the call was not made, and nothing was staged: %w", err)
	}
	a, err := agent.Asker{Remote: run, Settings: run.Settings()}.Call(ctx, call)
	if err == nil {
		err = json.Unmarshal([]byte(a.Content), &o)
	}
	if err != nil {
		return o, err
	}
	if err := run.Answer(call, o.JSON()); err != nil {
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
