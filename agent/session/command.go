package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/galley-ls/galley/editing/disk"
	"github.com/galley-ls/galley/memory"
)

// The words of tools.run_command.
const (
	CommandsOff   = "off"
	CommandsAsk   = "ask"
	CommandsAllow = "allow"
)

// DefaultCommandTimeout is how long a command may run, if the settings do not say.
const DefaultCommandTimeout = 60 * time.Second

// Command is a command that the agent wants to run, as a person is shown it.
type Command struct {
	Session string // the agent session
	Text    string // a line for the shell
	Dir     string // where, relative to the workspace: "." is the workspace itself
	Timeout time.Duration
}

// Commands reports whether the agent may run commands here, perhaps after a
// question. Where it may not, run_command does not exist.
func (s *Session) Commands() bool {
	c := s.set.Load().Commands
	return c == CommandsAsk || c == CommandsAllow
}

// order is a command that is about to be run.
type order struct {
	Command
	call    string
	task    int
	abs     string // the folder
	ask     bool
	confirm func(context.Context, Command) (bool, error)
	saw     func(Command)
	env     []string
	hide    memory.Secrets
}

// RunCommand answers run_command. The lock is not held while the person is asked
// and while the command runs: he goes on deciding and typing.
func (s *Session) RunCommand(ctx context.Context, a CommandArgs) Outcome {
	o, bad := s.order(a)
	if bad != nil {
		return *bad
	}
	if no := o.consent(ctx); no != nil {
		return *no
	}
	if bad := s.moved(o); bad != nil {
		return *bad
	}
	before := s.set.Load().roots.Stamps()
	started, err := s.begin(o)
	if err != nil {
		return failed(err)
	}
	if o.saw != nil {
		o.saw(o.Command)
	}
	ran := o.run(ctx)
	changes, whole := before.Changed()
	return s.ended(o, started, ran, changes, whole)
}

// order checks what is asked for.
func (s *Session) order(a CommandArgs) (order, *Outcome) {
	s.mu.Lock()
	defer s.mu.Unlock()
	set := s.set.Load()
	most := set.CommandTimeout
	if most <= 0 {
		most = DefaultCommandTimeout
	}
	o := order{
		Command: Command{Session: s.me, Text: a.Command, Timeout: most}, call: s.call,
		ask: set.Commands != CommandsAllow, confirm: set.Confirm, saw: set.Saw,
	}
	if t, ok := s.tasks.Current(); ok {
		o.task = t.ID
	}
	if asked := time.Duration(a.TimeoutSeconds) * time.Second; asked > 0 && asked < most {
		o.Timeout = asked
	}
	bad := s.wrongCommand(a.Command)
	if bad == nil {
		bad = s.place(&o, a.Dir)
	}
	o.env, o.hide = environment(os.Environ(), set.Secrets, o.abs), set.secrets
	return o, bad
}

// place finds the folder of a command.
func (s *Session) place(o *order, dir string) *Outcome {
	p, err := s.set.Load().roots.Resolve(orElse(dir, "."), false)
	if err != nil {
		bad := failed(err)
		return &bad
	}
	if info, err := os.Stat(p.Abs); err != nil || !info.IsDir() {
		bad := Answer(CodeFileNotFound, fmt.Sprintf("there is no folder %s; dir is relative to the workspace", p.Rel))
		return &bad
	}
	o.abs, o.Dir = p.Abs, filepath.ToSlash(p.Rel)
	return nil
}

// begin journals that a command starts: after a crash it is known that it may
// have run. From now on what changes on disk is its doing.
func (s *Session) begin(o order) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.author = "your command"
	return s.effectBegins(o)
}

// ended takes in what a command did, and answers.
func (s *Session) ended(o order, started int64, ran ran, changes []disk.FileChange, whole bool) Outcome {
	refreshed := s.refreshAll()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.author = ""
	out := Outcome{
		Status: StatusOK, Output: &ran.output, Truncated: ran.dropped > 0, TimedOut: ran.timedOut,
		Duration: ran.took.Round(time.Millisecond).String(), ChangedFiles: []ChangedFile{},
	}
	for _, c := range changes {
		out.ChangedFiles = append(out.ChangedFiles, ChangedFile{Path: c.Path, Change: c.What})
	}
	err := errors.Join(refreshed, s.effectEnds(o, started, ran, out.ChangedFiles))
	switch {
	case err != nil:
		return Refused(CodeFailed, fmt.Sprintf("the command ran, but what it did could not be noted: %v", err))
	case ran.err != nil:
		return Refused(CodeFailed, fmt.Sprintf("the command could not be started: %v; tell the user", ran.err))
	}
	out.ExitCode = &ran.code
	out.Code = ran.word()
	out.Hint = s.commandHint(o, ran, &out, whole)
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
func (s *Session) commandHint(o order, ran ran, out *Outcome, whole bool) string {
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
	if letters := s.mine(); len(letters) > 0 {
		add("%s staged, not on disk: the command saw the files without %s", isAre(letters), itThem(letters))
	}
	return strings.Join(parts, "; ")
}

// mine are the letters of this session that wait for a decision.
func (s *Session) mine() []string {
	var out []string
	for _, c := range s.Snapshot().Changes() {
		if c.Owner == s.me && c.State.Undecided() {
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
