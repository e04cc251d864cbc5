package session

import "time"

// The words of tools.run_command.
const (
	CommandsOff   = "off"
	CommandsAsk   = "ask"
	CommandsAllow = "allow"
)

// Command is a command that the agent wants to run, as a person is shown it.
type Command struct {
	Session string // the agent session
	Text    string // a line for the shell
	Dir     string // where, relative to the workspace: "." is the workspace itself
	Timeout time.Duration
}

// MayRun reports whether the agent may run commands here, perhaps after a
// question. Where it may not, run_command does not exist.
func (cfg Config) MayRun() bool { return cfg.Commands == CommandsAsk || cfg.Commands == CommandsAllow }
