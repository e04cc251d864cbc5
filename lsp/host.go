package lsp

import (
	"context"

	"github.com/galley-ls/galley/agent/host"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
	"github.com/galley-ls/galley/editing/view"
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
	// TextMoved tells that the user's text decided changes: they are journaled soon.
	TextMoved()
	// ReadAgain takes in what the disk holds of a document that was closed.
	ReadAgain(ctx context.Context, path, name string)

	// Join names a connection, by which it says who it is, until it leaves.
	Join(c host.Client) editing.Keeper
	Leave(me editing.Keeper)
	Client(id editing.Keeper) (host.Client, bool)
	// Say is heard by clients, or by all.
	Say(sentence string, to ...editing.Keeper)
	Hear(ctx context.Context, me editing.Keeper) ([]string, error)

	// Letters of open documents become applying. These return when the keepers have
	// answered.
	Apply(ctx context.Context, by editing.Keeper, choices []editing.Choice) (editing.Result, error)
	Reject(ctx context.Context, by editing.Keeper, choices []editing.Choice, reason string) (editing.Result, error)
	Unreject(ctx context.Context, by editing.Keeper, choices []editing.Choice) (editing.Result, error)
	ResolveConflict(ctx context.Context, by editing.Keeper, choice editing.Choice, take string) (editing.Result, error)
	Commit(ctx context.Context, by editing.Keeper, session string, edit int, summary string, seen []editing.Choice) (editing.Result, error)
	Revert(ctx context.Context, by editing.Keeper, session string, edit int, reason string, includeApplied bool) (editing.Result, error)

	// Amend, Split and Draft are what the user does to the text of a change. Draft makes
	// a file to edit it in; WaitDrafts tells what was saved there in vain.
	Amend(ctx context.Context, a editing.Amendment) (editing.Result, error)
	Split(ctx context.Context, choice editing.Choice, part func(*editing.Document, *editing.Change) editing.Part) (editing.Result, error)
	Draft(ctx context.Context, choice editing.Choice) (path string, r editing.Result, err error)
	WaitDrafts(ctx context.Context) (say []string, err error)

	// Undo takes back the latest decision that stands, or the one named; Question is what to
	// ask before, Undoes are the changes that it is about, as far as they are known, and
	// Latest that decision.
	Undo(ctx context.Context, by editing.Keeper, which string) (host.Undone, error)
	Question(by editing.Keeper, which string) string
	Undoes(which string) []*editing.Change
	Latest() (memory.Decision, bool)
	History() ([]host.Standing, error)

	// These are for the keeper of open documents, see host.Underway.
	Decisions(of editing.Keeper) (now []host.Decision, moved <-chan struct{})
	Answered(of editing.Keeper, decision int)
	Decided(ctx context.Context, of editing.Keeper, decision int, how host.Ending) (done bool, err error)

	// Letters, Judge and DraftOf are for terminals.
	Letters(ctx context.Context, session string) (view.Letters, error)
	Judge(ctx context.Context, by editing.Keeper, session string, v host.Verdict) (outcome any, err error)
	DraftOf(session, letter string) (path, was string, err error)

	// Comment is a remark that the agent gets at its next step.
	Comment(ctx context.Context, letter, remark string) error
	Unheard(session string) bool // such remarks, or decisions, wait

	Ask(ctx context.Context, p host.Prompt) (run, session string, err error)
	AskFrom(gone context.Context, from host.Asker, p host.Prompt, t host.Terms) (a *host.Away, run, session string, err error)
	Going() []string // the runs that go on, as people know them
	Hide(texts []string)
	Cancel(ctx context.Context, run string) error
	WaitRuns(ctx context.Context, seq int64) ([]host.Run, int64, error)
	Earlier(session string) ([]host.Run, error)
	Asker(session string) editing.Keeper // in it, last; 0: nobody who is connected
	WaitQuestions(ctx context.Context, by editing.Keeper, seq int64) ([]host.Question, int64, error)
	Answer(ctx context.Context, question string, yes bool, why string) error

	// Wait returns when anything that these methods show is newer than seq.
	Wait(ctx context.Context, seq int64) (int64, error)
	Current() string // of a connection that has not chosen one
	Sessions(ctx context.Context) ([]host.Info, error)
	NewSession(ctx context.Context, title string) (string, error)
	OpenSession(ctx context.Context, id string, readOnly bool) error
	RenameSession(ctx context.Context, id, title string) error
	Title(id string) string // of a session that is open, else ""
	DeleteSession(ctx context.Context, id string, force bool) (path string, err error)
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
