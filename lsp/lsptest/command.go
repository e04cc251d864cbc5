package lsptest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Execute runs a command of the server and waits for its answer. Unsent typing goes first.
func (e *Editor) Execute(ctx context.Context, command string, args ...any) (json.RawMessage, error) {
	return e.BeginCommand(command, args...).Result(ctx)
}

// BeginCommand runs a command and does not wait.
func (e *Editor) BeginCommand(command string, args ...any) *Call {
	return e.Begin(executeCommand, commandParams(command, args))
}

// BeginCommandUnflushed runs a command and keeps unsent typing: Neovim with buffer 0.
func (e *Editor) BeginCommandUnflushed(command string, args ...any) *Call {
	return e.BeginUnflushed(executeCommand, commandParams(command, args))
}

func commandParams(command string, args []any) map[string]any {
	params := map[string]any{"command": command}
	if len(args) > 0 {
		params["arguments"] = args
	}
	return params
}

// Range is the range between two places of a buffer, as the server understands it.
func (e *Editor) Range(uri string, from, to Place) Range {
	e.mu.Lock()
	defer e.mu.Unlock()
	b := e.bufferLocked(uri)
	return Range{position(b.text, from.in(b), e.encoding), position(b.text, to.in(b), e.encoding)}
}

// Actions asks for the code actions between two places, with the diagnostics that touch it, as editors do.
func (e *Editor) Actions(ctx context.Context, uri string, from, to Place) ([]Action, error) {
	within := e.Range(uri, from, to)
	e.mu.Lock()
	e.flushAllLocked()
	touching := []json.RawMessage{}
	for i, d := range e.screen.Diagnostics[key(uri)].Items {
		if d.Range.Start.Line <= within.End.Line && within.Start.Line <= d.Range.End.Line {
			touching = append(touching, e.screen.Diagnostics[key(uri)].raw[i])
		}
	}
	call := e.beginLocked("textDocument/codeAction", map[string]any{
		"textDocument": map[string]any{"uri": e.bufferLocked(uri).uri}, "range": within,
		"context": map[string]any{"diagnostics": touching, "triggerKind": 1},
	}, nil)
	e.mu.Unlock()
	data, err := call.Result(ctx)
	if err != nil {
		return nil, err
	}
	var actions []Action
	if err := json.Unmarshal(data, &actions); err != nil {
		return nil, fmt.Errorf("decode code actions: %w", err)
	}
	return actions, nil
}

// Choose picks an action of Actions by its title, or the only one that starts with it, and runs its command.
func (e *Editor) Choose(ctx context.Context, uri string, from, to Place, title string) (json.RawMessage, error) {
	actions, err := e.Actions(ctx, uri, from, to)
	if err != nil {
		return nil, err
	}
	titles := make([]string, len(actions))
	for i, a := range actions {
		titles[i] = a.Title
	}
	i, err := pick(titles, title)
	if err != nil {
		return nil, fmt.Errorf("choose an action: %w", err)
	}
	return e.run(ctx, actions[i].Command)
}

// Click runs a code lens of the screen by its title, or the only one that starts with it.
func (e *Editor) Click(ctx context.Context, uri, title string) (json.RawMessage, error) {
	e.mu.Lock()
	var titles []string
	var commands []*Command
	for _, lens := range e.screen.Lenses[key(uri)] {
		if lens.Command != nil {
			titles, commands = append(titles, lens.Command.Title), append(commands, lens.Command)
		}
	}
	e.mu.Unlock()
	i, err := pick(titles, title)
	if err != nil {
		return nil, fmt.Errorf("click a lens: %w", err)
	}
	return e.run(ctx, commands[i])
}

func (e *Editor) run(ctx context.Context, c *Command) (json.RawMessage, error) {
	if c == nil {
		return nil, errors.New("run: no command in it; an edit of an action would lose its version check")
	}
	args := make([]any, len(c.Arguments))
	for i, a := range c.Arguments {
		args[i] = a
	}
	return e.Execute(ctx, c.Command, args...)
}

func pick(titles []string, title string) (int, error) {
	if i := slices.Index(titles, title); i >= 0 {
		return i, nil
	}
	found := -1
	for i, t := range titles {
		if !strings.HasPrefix(t, title) {
			continue
		}
		if found >= 0 {
			return 0, fmt.Errorf("%q is ambiguous in %q", title, titles)
		}
		found = i
	}
	if found < 0 {
		return 0, fmt.Errorf("%q is not among %q", title, titles)
	}
	return found, nil
}

// Content asks for a virtual document by hand, as clients do that cannot show one.
func (e *Editor) Content(ctx context.Context, uri string) (string, error) {
	var result struct {
		Text string `json:"text"`
	}
	err := e.Request(ctx, "workspace/textDocumentContent", map[string]any{"uri": uri}, &result)
	return result.Text, err
}
