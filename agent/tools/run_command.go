package tools

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/editing/disk"
	"github.com/galley-ls/galley/memory"
)

//go:embed run_command.md
var runCommandDoc string

// runCommand runs a command of the shell in the workspace, if the settings and the person let it.
func runCommand() Tool { return define(commandTool, runCommandDoc, command) }

// CommandArgs are the arguments of run_command.
type CommandArgs struct {
	Command        string `json:"command"` // a line for the shell
	TimeoutSeconds int    `json:"timeout_seconds,omitempty" jsonschema:"minimum=1"`
	Dir            string `json:"dir,omitempty"` // a folder of the workspace
}

// DefaultCommandTimeout is how long a command may run, if the settings do not say.
const DefaultCommandTimeout = 60 * time.Second

// order is a command that is about to be run.
type order struct {
	session.Command
	abs  string // the folder
	env  []string
	hide memory.Secrets
}

// command runs a command. Nothing is held while the person is asked and while the
// command runs: they go on deciding and typing.
func command(ctx context.Context, s *session.Session, by session.By, a CommandArgs) Outcome {
	cfg := s.Settings()
	o, err := ordered(s, cfg, a)
	if err == nil {
		err = o.consent(ctx, cfg)
	}
	if err == nil {
		err = o.moved(s.Files())
	}
	if err != nil {
		return failed(err)
	}
	before := s.Files().Stamps()
	run, err := s.CommandBegins(session.CommandRun{Call: by.Call, Command: o.Text, Dir: o.Dir})
	if err != nil {
		return failed(err)
	}
	if cfg.Saw != nil {
		cfg.Saw(o.Command)
	}
	ran := o.run(ctx)
	changes, whole := before.Changed()
	return commandEnded(s, o, run, ran, changes, whole)
}

// ordered checks what is asked for.
func ordered(s *session.Session, cfg session.Config, a CommandArgs) (o order, err error) {
	o.Command = session.Command{Session: s.ID(), Text: a.Command, Timeout: cfg.CommandTimeout}
	if o.Timeout <= 0 {
		o.Timeout = DefaultCommandTimeout
	}
	if asked := time.Duration(a.TimeoutSeconds) * time.Second; asked > 0 && asked < o.Timeout {
		o.Timeout = asked
	}
	if err = wrongCommand(cfg, a.Command); err == nil {
		o.abs, o.Dir, err = place(s.Files(), a.Dir)
	}
	o.env, o.hide = environment(os.Environ(), cfg.Secrets, o.abs), memory.NewSecrets(cfg.Secrets)
	return o, err
}

// place finds the folder of a command.
func place(files *disk.Roots, dir string) (abs, name string, err error) {
	p, err := files.Resolve(orElse(dir, "."), false)
	if err != nil {
		return "", "", err
	}
	if info, err := os.Stat(p.Abs); err != nil || !info.IsDir() {
		return "", "", &session.Refusal{Code: CodeFileNotFound, Hint: fmt.Sprintf("there is no folder %s; dir is relative to the workspace", p.Rel)}
	}
	return p.Abs, filepath.ToSlash(p.Rel), nil
}

// commandEnded takes in what a command did, and answers.
func commandEnded(s *session.Session, o order, run session.CommandRun, ran ran, changes []disk.FileChange, whole bool) Outcome {
	out := Outcome{
		Status: StatusOK, Output: &ran.output, Truncated: ran.dropped > 0, TimedOut: ran.timedOut,
		Duration: ran.took.Round(time.Millisecond).String(), ChangedFiles: []session.ChangedFile{},
	}
	for _, c := range changes {
		out.ChangedFiles = append(out.ChangedFiles, session.ChangedFile{Path: c.Path, Change: c.What})
	}
	run.Code, run.Stopped, run.Changed = &ran.code, ran.word(), out.ChangedFiles[:min(len(out.ChangedFiles), maxChanged)]
	switch {
	case ran.err != nil:
		run.Code, run.Stopped = nil, "not started"
	case run.Stopped == CodeExitCode:
		run.Stopped = ""
	}
	err := s.CommandEnds(run)
	switch {
	case err != nil:
		return Refused(CodeFailed, fmt.Sprintf("the command ran, but what it did could not be noted: %v", err))
	case ran.err != nil:
		return Refused(CodeFailed, fmt.Sprintf("the command could not be started: %v; tell the user", ran.err))
	}
	out.ExitCode = &ran.code
	out.Code = ran.word()
	out.Hint = commandHint(s, o, ran, &out, whole)
	return out
}

// word is the code of a command that did not simply succeed.
func (r ran) word() string {
	switch {
	case r.timedOut:
		return CodeTimedOut
	case r.cancelled:
		return CodeCancelled
	case r.code != 0:
		return CodeExitCode
	}
	return ""
}

// maxChanged is how many changed files are named.
const maxChanged = 100

// commandHint says what the other fields do not.
func commandHint(s *session.Session, o order, ran ran, out *Outcome, whole bool) string {
	var parts []string
	add := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	switch {
	case ran.timedOut:
		add("it was stopped after %s, with all it had started", o.Timeout)
	case ran.cancelled:
		add("the run was cancelled, and the command stopped, with all it had started")
	case ran.left:
		add("what it had left running in the background was stopped, unless it is a daemon")
	}
	if ran.dropped > 0 {
		add("%d bytes are left out of the middle of output", ran.dropped)
	}
	if more := len(out.ChangedFiles) - maxChanged; more > 0 {
		out.ChangedFiles = out.ChangedFiles[:maxChanged]
		add("%d more files changed", more)
	}
	if !whole {
		add("the workspace has too many files to look at: others may have changed")
	}
	if letters := mine(s); len(letters) > 0 {
		add("%s staged, not on disk: the command saw the files without %s", isAre(letters), itThem(letters))
	}
	return strings.Join(parts, "; ")
}

// mine are the letters of this session that wait for a decision.
func mine(s *session.Session) []string {
	var out []string
	for _, c := range s.Snapshot().Changes() {
		if c.Owner == s.ID() && c.State.Undecided() {
			out = append(out, c.Letter)
		}
	}
	return out
}

func isAre(letters []string) string {
	if len(letters) == 1 {
		return letters[0] + " is"
	}
	return strings.Join(letters, ", ") + " are"
}

func itThem(letters []string) string {
	if len(letters) == 1 {
		return "it"
	}
	return "them"
}
