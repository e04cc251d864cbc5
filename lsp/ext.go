package lsp

import (
	"github.com/galley-ls/galley/agent/host"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/memory"
	"go.lsp.dev/protocol"
)

// Every name that is galley's own on the wire is in this file. It is mirrored in
// the editors' plugins and in docs/protocol.md; a test compares them.

// Notifications and requests to the client.
const (
	methodChanges  = "galley/changes"
	methodTasks    = "galley/tasks"
	methodContext  = "galley/context"
	methodRun      = "galley/run"
	methodSave     = "galley/save"
	methodMemory   = "galley/memory"
	methodQuestion = "galley/question"
)

// Commands.
const (
	cmdAsk         = "galley.ask"
	cmdCancel      = "galley.cancel"
	cmdApply       = "galley.apply"
	cmdReject      = "galley.reject"
	cmdUnreject    = "galley.unreject"
	cmdResolve     = "galley.resolve"
	cmdCommit      = "galley.commit"
	cmdRevert      = "galley.revert"
	cmdUndo        = "galley.undo"
	cmdPreview     = "galley.preview"
	cmdNext        = "galley.next"
	cmdPrevious    = "galley.previous"
	cmdChanges     = "galley.changes"
	cmdRuns        = "galley.runs"
	cmdTasks       = "galley.tasks"
	cmdContext     = "galley.context"
	cmdMemory      = "galley.memory"
	cmdCompact     = "galley.compact"
	cmdUnfold      = "galley.unfold"
	cmdRewind      = "galley.rewind"
	cmdSessions    = "galley.sessions"
	cmdNewSession  = "galley.newSession"
	cmdOpenSession = "galley.openSession"
	cmdRename      = "galley.renameSession"
	cmdDelete      = "galley.deleteSession"
	cmdExport      = "galley.export"
	cmdComment     = "galley.comment"
	cmdSend        = "galley.send"
	cmdEdit        = "galley.edit"
	cmdAmend       = "galley.amend"
	cmdSplit       = "galley.split"
)

const (
	scheme         = "galley" // of virtual documents
	section        = "galley" // of the settings
	source         = "galley" // of diagnostics
	askPrefix      = "galley:"
	kindQuickFix   = "quickfix.galley"
	kindSource     = "source.galley"
	currentSession = "current" // stands for the active one in the URI of a virtual document
)

// changesMessage is galley/changes, and what galley.changes answers.
type changesMessage struct {
	Session string        `json:"session"`
	Seq     int64         `json:"seq"`
	Latest  *wireLatest   `json:"latest,omitempty"`
	Edits   []wireSession `json:"edits"`
	Files   []wireFile    `json:"files"`
}

// wireLatest is the decision that galley.undo takes back.
type wireLatest struct {
	Decision string   `json:"decision"`
	What     string   `json:"what"`
	Letters  []string `json:"letters"`
	By       string   `json:"by"`
	Time     string   `json:"time"`
}

// wireSession is one open editing session.
type wireSession struct {
	Session string `json:"session"`
	Title   string `json:"title"` // of the session
	Edit    int    `json:"edit"`
	State   string `json:"state"`
	Task    int    `json:"task,omitempty"`
	Summary string `json:"summary"`
	Pending int    `json:"pending"`
}

type wireFile struct {
	URI     string       `json:"uri"`
	Path    string       `json:"path"`    // below the workspace
	Version *int32       `json:"version"` // null for closed files
	Changes []wireChange `json:"changes"`
}

type wireChange struct {
	shownLetter
	State    string              `json:"state"`
	By       string              `json:"by,omitempty"`
	Kind     string              `json:"kind"`
	To       string              `json:"to,omitempty"`    // of a rename
	Range    *protocol.Range     `json:"range,omitempty"` // none of a whole file's change
	OldText  string              `json:"oldText"`
	NewText  string              `json:"newText"`
	Edits    []protocol.TextEdit `json:"edits"`
	Lines    []wireLine          `json:"lines"`
	Summary  string              `json:"summary"`
	Reason   string              `json:"reason"`
	Task     int                 `json:"task,omitempty"`
	Hash     string              `json:"hash"`
	Conflict *wireConflict       `json:"conflict,omitempty"`

	RejectedBefore *editing.Again `json:"rejectedBefore,omitempty"`
}

// wireLine is one display line of a change.
type wireLine struct {
	Sign  string   `json:"sign"`
	Line  int      `json:"line,omitempty"`
	Text  string   `json:"text"`
	Marks [][2]int `json:"marks"`
}

type wireConflict struct {
	Mine     string `json:"mine"`
	Agent    string `json:"agent"`
	Original string `json:"original"`
}

// tasksMessage is galley/tasks.
type tasksMessage struct {
	Seq     int64      `json:"seq"`
	Session string     `json:"session"`
	Tree    []wireTask `json:"tree"`
	Text    string     `json:"text"`
}

type wireTask struct {
	ID       int        `json:"id"`
	Goal     string     `json:"goal"`
	State    string     `json:"state"`
	Summary  string     `json:"summary"`
	Changes  []string   `json:"changes"`
	Children []wireTask `json:"children"`
}

// contextMessage is galley/context.
type contextMessage struct {
	Session           string            `json:"session"`
	Seq               int64             `json:"seq"`
	TokensUsed        int               `json:"tokensUsed"`
	TokensMax         int               `json:"tokensMax"`
	TokensPercent     int               `json:"tokensPercent"`
	MessagesInHistory int               `json:"messagesInHistory"`
	WorkingMemorySize int               `json:"workingMemorySize"`
	ActionHint        string            `json:"actionHint"`
	Estimated         bool              `json:"estimated"`
	CachedPercent     int               `json:"cachedPercent"`
	Categories        memory.Categories `json:"categories"`
}

func contextOf(session string, seq int64, m memory.ContextMeta, cached int) contextMessage {
	return contextMessage{
		Session: session, Seq: seq,
		TokensUsed: m.TokensUsed, TokensMax: m.TokensMax, TokensPercent: m.TokensPercent,
		MessagesInHistory: m.MessagesInHistory, WorkingMemorySize: m.WorkingMemorySize,
		ActionHint: m.ActionHint, Estimated: m.Estimated, CachedPercent: cached, Categories: m.Categories,
	}
}

// memoryMessage is galley/memory: a file of the working memory. One that is gone has no
// hash.
type memoryMessage struct {
	Session string `json:"session"`
	Path    string `json:"path"`
	Size    int    `json:"size"`
	Hash    string `json:"hash"`
}

// questionMessage is galley/question: whether the agent may run a command.
type questionMessage struct {
	Run     string   `json:"run"`
	Text    string   `json:"text"`
	Command string   `json:"command"`
	Options []string `json:"options"` // the first is the no
}

// runMessage is galley/run.
type runMessage struct {
	host.Run
	Seq int64 `json:"seq"`
}

func runOf(r host.Run, seq int64) runMessage {
	r.Text, r.Waiting, r.Percent, r.Left = textOf(r), "", 0, nil // a client is told the rest in other ways
	return runMessage{r, seq}
}
