package lsp

import (
	"context"
	"time"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
	"github.com/galley-ls/galley/memory"
	"github.com/galley-ls/galley/tasks"
)

// Desk is the table of this process: agent sessions that share one
// editing.Workspace, and the agent's runs. All methods may be called from any
// goroutine; those with a context may be slow and end with it.
//
// A decision that was understood but not done is an editing.Result that is not
// OK; an error is a broken program (a disk, a journal).
type Desk interface {
	Texts
	Decisions
	Runs
	Questions
	Views
}

// Texts are the documents and the way to files that no editor has open.
type Texts interface {
	// Workspace takes the user's text directly; snapshots come from here.
	Workspace() *editing.Workspace
	// Resolve answers the absolute, resolved path and the name that people see,
	// or why the file is none of galley's business.
	Resolve(path string) (abs, name string, err error)
	// ReadFile reads a closed file.
	ReadFile(abs string) (text.Text, error)
	// FilesChanged tells that files may have changed on disk: closed ones are
	// read again. Paths that matter to nobody are ignored.
	FilesChanged(ctx context.Context, paths []string)
	// TextDecided tells that the user's text decided changes; the transitions
	// are read with Since and journaled.
	TextDecided(ctx context.Context)
}

// Decisions are the user's. Letters of open documents become applying, see
// editing.Snapshot.Applying: the caller sends their edits and tells the outcome.
type Decisions interface {
	Apply(ctx context.Context, choices []editing.Choice) (editing.Result, error)
	Reject(ctx context.Context, choices []editing.Choice, reason string) (editing.Result, error)
	Unreject(ctx context.Context, choices []editing.Choice) (editing.Result, error)
	// ResolveConflict ends a conflict: take is TakeMine, TakeAgent or TakeAsk.
	ResolveConflict(ctx context.Context, choice editing.Choice, take string) (editing.Result, error)
	// Expire decides letters that the editor refused, or whose text did not come.
	Expire(ctx context.Context, letters []string) (editing.Result, error)
	// Commit answers status "committing" where open documents take part; then
	// FinishCommit once their text has confirmed, else AbortCommit.
	// seen are the letters that the user saw waiting: others are not committed.
	// nil: he was shown none.
	Commit(ctx context.Context, session string, edit int, summary string, seen []editing.Choice) (editing.Result, error)
	FinishCommit(ctx context.Context, session string, edit int) (editing.Result, error)
	AbortCommit(ctx context.Context, session string, edit int) (editing.Result, error)
	Revert(ctx context.Context, session string, edit int, reason string, includeApplied bool) (editing.Result, error)
	// Comment is a remark that the agent gets at its next step.
	Comment(ctx context.Context, letter, remark string) error
}

// The ways to end a conflict.
const (
	TakeMine  = "mine"
	TakeAgent = "agent"
	TakeAsk   = "ask"
)

// Runs are the agent's work.
type Runs interface {
	// Ask starts a run, or delivers the prompt to the one that goes on.
	Ask(ctx context.Context, p Prompt) (run, session string, err error)
	// Cancel stops a run at its next safe point; an empty name means the only one.
	Cancel(ctx context.Context, run string) error
	// WaitRuns answers the states of runs that moved after seq, and the sequence
	// number they are at. A run that is over is answered once more as such. A run may
	// be answered several times, oldest first: no step's words and calls are missed.
	WaitRuns(ctx context.Context, seq int64) ([]Run, int64, error)
}

// Prompt is what the user asks for, with the place he asked from.
type Prompt struct {
	Text    string
	Session string // empty: the current one, made if there is none
	Path    string // active document, empty: none
	Start   int    // bytes of its base, -1: unknown
	End     int
	Queue   bool // hear it when the run that goes on would otherwise be done, not at its next step
}

// Run is the state of one run of the agent.
type Run struct {
	ID      string
	Session string
	State   RunState
	Step    int
	Tool    string   // the tool that is running
	Text    string   // what the agent has said so far in this step
	Waiting string   // in the state RunWaiting: for what
	Error   string   // why it failed or stopped, or what to know of a run that is done
	Percent int      // of the context window
	Left    []string // at the end: prompts that it did not hear
}

// RunState is where a run stands.
type RunState string

// The states of a run.
const (
	RunThinking  RunState = "thinking"
	RunTool      RunState = "tool"
	RunWaiting   RunState = "waiting"
	RunDone      RunState = "done"
	RunFailed    RunState = "failed"
	RunCancelled RunState = "cancelled"
)

// Over reports whether nothing more comes from the run.
func (s RunState) Over() bool { return s == RunDone || s == RunFailed || s == RunCancelled }

// Questions are commands of the agent that wait for the user's word.
type Questions interface {
	// WaitQuestions answers those that wait, oldest first, when they are not those
	// of seq any more, and the sequence number they are at.
	WaitQuestions(ctx context.Context, seq int64) ([]Question, int64, error)
	// Answer is the user's word: yes runs the command; why, of a no, is told to the
	// agent, and may be empty. It is an error when nobody waits for it any more.
	Answer(ctx context.Context, question string, yes bool, why string) error
}

// Question is one command that waits.
type Question struct {
	ID      string
	Run     string
	Session string
	Command string
	Dir     string // where it would run
}

// Views are what is shown besides the changes.
type Views interface {
	// Wait returns when anything that these methods show is newer than seq.
	Wait(ctx context.Context, seq int64) (int64, error)
	// Current is the active agent session, "" if there is none.
	Current() string
	Sessions(ctx context.Context) ([]SessionInfo, error)
	NewSession(ctx context.Context, title string) (string, error)
	OpenSession(ctx context.Context, id string, readOnly bool) error
	// TaskTree is the tree of a session in the order of its IDs, and its text.
	TaskTree(session string) (tree []tasks.Task, text string, err error)
	// Context is what the next request would hold.
	Context(session string) (memory.ContextMeta, error)
	// Cached is how many percent of the last request the model's server had kept.
	Cached(session string) int
	// Document is the text of a virtual document: overview.md, tasks.md,
	// context.md, history.md, prompt.md, detail/<name>.
	Document(ctx context.Context, session, name string) (string, error)
	// Place keeps content as a real file under the session's directory, for
	// editors that open no virtual documents, and answers its path.
	Place(ctx context.Context, session, name, content string) (path string, err error)
	// Export writes "session", "diff" or "journal" to a file, or with an empty
	// name answers its text. Exactly one of the answers is set.
	Export(ctx context.Context, session, what, to string) (text, path string, err error)
}

// SessionInfo is one agent session of this workspace.
type SessionInfo struct {
	ID       string
	Title    string
	Updated  time.Time
	Pending  int // undecided changes
	LockedBy int // pid of another process that holds it, 0: none
}
