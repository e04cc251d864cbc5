package agent

import (
	"context"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/memory"
)

// Remote is a session that another process holds.
type Remote interface {
	Conversation
	ID() string
	CommandBegins(c session.CommandRun) (session.CommandRun, error)
	CommandEnds(c session.CommandRun) (waiting []string, err error)
}

// Asker is such a session for a run that was asked for in this process, where its commands run: with the settings, the consent
// and the environment of here.
type Asker struct {
	Remote
	Settings session.Config // Workspace is the folder that the session works in
}

// Call implements Session.
func (a Asker) Call(ctx context.Context, c memory.ToolCall) (Answer, error) {
	if !tools.IsCommand(c.Name) {
		return a.Remote.Call(ctx, c)
	}
	shell := tools.Shell{Session: a.ID(), Config: a.Settings, Mask: a.Mask, Begins: a.CommandBegins, Ends: a.CommandEnds}
	return Answered(tools.RunCommand(ctx, shell, c)), nil
}

// SideBySide implements Session.
func (Asker) SideBySide(name string) bool { return Local{}.SideBySide(name) }
