package lsp

import (
	"context"

	"github.com/galley-ls/galley/agent/host"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
	"github.com/galley-ls/galley/memory"
	"github.com/galley-ls/galley/tasks"
)

// Host is what the server needs of host.Host, which says more about each method.
// All may be called from any goroutine; those with a context may be slow and end
// with it.
//
// A decision that was understood but not done is an editing.Result that is not
// OK; an error is a broken program (a disk, a journal).
type Host interface {
	// Workspace takes the user's text directly; snapshots come from here.
	Workspace() *editing.Workspace
	// Resolve answers why a file is none of galley's business.
	Resolve(path string) (abs, name string, err error)
	ReadFile(abs string) (text.Text, error)
	// FilesChanged ignores paths that matter to nobody.
	FilesChanged(ctx context.Context, paths []string)
	// TextDecided tells that the user's text decided changes; the transitions
	// are read with a Reader and journaled.
	TextDecided(ctx context.Context)

	// Letters of open documents become applying. These return when the keeper has
	// answered.
	Apply(ctx context.Context, choices []editing.Choice) (editing.Result, error)
	Reject(ctx context.Context, choices []editing.Choice, reason string) (editing.Result, error)
	Unreject(ctx context.Context, choices []editing.Choice) (editing.Result, error)
	ResolveConflict(ctx context.Context, choice editing.Choice, take string) (editing.Result, error)
	Commit(ctx context.Context, session string, edit int, summary string, seen []editing.Choice) (editing.Result, error)
	Revert(ctx context.Context, session string, edit int, reason string, includeApplied bool) (editing.Result, error)

	// Undo takes back the latest decision that stands, or the one named; Undoes are the
	// changes that it is about, as far as they are known, and Latest that decision.
	Undo(ctx context.Context, which string) (host.Undone, error)
	Undoes(which string) []*editing.Change
	Latest() (memory.Decision, bool)

	// Keep and the others are for the keeper of open documents, see host.Underway.
	Keep(ctx context.Context)
	Decisions() (now []host.Decision, moved <-chan struct{})
	Answered(decision int)
	Decided(ctx context.Context, decision int, how host.Ending) (say []string, err error)

	// Warnings are what the user should know about sessions, each once.
	Warnings() []string

	// Comment is a remark that the agent gets at its next step.
	Comment(ctx context.Context, letter, remark string) error

	Ask(ctx context.Context, p host.Prompt) (run, session string, err error)
	Cancel(ctx context.Context, run string) error
	WaitRuns(ctx context.Context, seq int64) ([]host.Run, int64, error)
	Earlier(session string) ([]host.Run, error)
	WaitQuestions(ctx context.Context, seq int64) ([]host.Question, int64, error)
	Answer(ctx context.Context, question string, yes bool, why string) error

	// Wait returns when anything that these methods show is newer than seq.
	Wait(ctx context.Context, seq int64) (int64, error)
	Current() string
	Sessions(ctx context.Context) ([]host.Info, error)
	NewSession(ctx context.Context, title string) (string, error)
	OpenSession(ctx context.Context, id string, readOnly bool) error
	RenameSession(ctx context.Context, id, title string) error
	DeleteSession(ctx context.Context, id string) (path string, err error)
	Rewind(ctx context.Context, id string, to int64) (memory.Rewound, error)
	Restore(ctx context.Context, id string, compactions ...int64) (host.Restored, error)
	Compact(ctx context.Context, id string, how host.Compaction) (host.Compacted, error)
	Serves(id string) bool // what happens in the session is seen here
	MemoryFiles(session string) ([]memory.MemoryFile, error)
	MemoryPath(session, name string) (string, error)
	TaskTree(session string) (tree []tasks.Task, text string, err error)
	Context(session string) (memory.ContextMeta, error)
	Cached(session string) int
	Document(ctx context.Context, session, name string) (string, error)
	Place(ctx context.Context, session, name, content string) (path string, err error)
	Export(ctx context.Context, session, what string, edit int, to string) (text, path string, err error)
}
