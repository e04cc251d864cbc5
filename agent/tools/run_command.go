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
func runCommand() Tool {
	return define(commandTool, runCommandDoc, func(ctx context.Context, s *session.Session, by session.By, a CommandArgs) Outcome {
		return Shell{s.ID(), s.Settings(), s.Mask, s.CommandBegins, s.CommandEnds}.command(ctx, by.Call, a)
	})
}

// Shell is what run_command needs of a session, which may be in another process: commands run in the one that asked for the
// run, and the session journals them.
type Shell struct {
	Session string // its ID
	Config  session.Config
	Mask    func(string) string
	Begins  func(session.CommandRun) (session.CommandRun, error)
	Ends    func(session.CommandRun) (waiting []string, err error)
}

// RunCommand makes a call of run_command for a session of another process.
func RunCommand(ctx context.Context, sh Shell, call memory.ToolCall) Outcome {
	return guarded(call, sh.Config.MayRun(), sh.Mask, func(t Tool) Outcome {
		var a CommandArgs
		if hint := t.check.decode(call.Arguments, &a); hint != "" {
			return Refused(CodeBadArguments, hint)
		}
		return sh.command(ctx, call.ID, a)
	})
}

// IsCommand reports whether a tool that is called so runs commands.
func IsCommand(name string) bool {
	t, _ := Find(name)
	return t.Name == commandTool
}

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
func (sh Shell) command(ctx context.Context, call string, a CommandArgs) Outcome {
	files, err := sh.Config.Roots()
	if err != nil {
		return failed(err)
	}
	o, err := sh.ordered(files, a)
	if err == nil {
		err = o.consent(ctx, sh.Config)
	}
	if err == nil {
		err = o.moved(files)
	}
	if err != nil {
		return failed(err)
	}
	before := files.Stamps()
	run, err := sh.Begins(session.CommandRun{Call: call, Command: o.Text, Dir: o.Dir})
	if err != nil {
		return failed(err)
	}
	if sh.Config.Saw != nil {
		sh.Config.Saw(o.Command)
	}
	ran := o.run(ctx)
	changes, whole := before.Changed()
	return sh.ended(o, run, ran, changes, whole)
}

// ordered checks what is asked for.
func (sh Shell) ordered(files *disk.Roots, a CommandArgs) (o order, err error) {
	cfg := sh.Config
	o.Command = session.Command{Session: sh.Session, Text: a.Command, Timeout: cfg.CommandTimeout}
	if o.Timeout <= 0 {
		o.Timeout = DefaultCommandTimeout
	}
	if asked := time.Duration(a.TimeoutSeconds) * time.Second; asked > 0 && asked < o.Timeout {
		o.Timeout = asked
	}
	if err = wrongCommand(cfg, a.Command); err == nil {
		o.abs, o.Dir, err = place(files, a.Dir)
	}
	o.env, o.hide = environment(os.Environ(), cfg.Secrets, o.abs, sh.Session), memory.NewSecrets(cfg.Secrets)
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

// ended takes in what a command did, and answers.
func (sh Shell) ended(o order, run session.CommandRun, ran ran, changes []disk.FileChange, whole bool) Outcome {
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
	waiting, err := sh.Ends(run)
	switch {
	case err != nil:
		return Refused(CodeFailed, fmt.Sprintf("the command ran, but what it did could not be noted: %v", err))
	case ran.err != nil:
		return Refused(CodeFailed, fmt.Sprintf("the command could not be started: %v; tell the user", ran.err))
	}
	out.ExitCode = &ran.code
	out.Code = ran.word()
	out.Hint = commandHint(waiting, o, ran, &out, whole)
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
func commandHint(waiting []string, o order, ran ran, out *Outcome, whole bool) string {
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
	if len(waiting) > 0 {
		add("%s staged, not on disk: the command saw the files without %s", isAre(waiting), itThem(waiting))
	}
	return strings.Join(parts, "; ")
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
