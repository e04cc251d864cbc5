package lsp

import (
	"encoding/json"

	"github.com/galley-ls/galley/agent/host"
	"github.com/galley-ls/galley/memory"
)

// What clients of a host say to it besides LSP: who they are, and what the loops of their runs do to agent sessions. These
// names and messages are used by lsp/dial, too.

// Protocol is the number of the protocol between the clients of a host and the host. Those with another number cannot work
// together, whatever their build.
const Protocol = 1

// Requests of a client. A run is one that it opened.
const (
	MethodAttach     = "galley/attach"      // the first one
	MethodRunOpen    = "galley/run/open"    // begin a run, or hand the prompt to the one that goes on
	MethodRunInbox   = "galley/run/inbox"   // the prompts for it
	MethodRunPrompt  = "galley/run/prompt"  // journal what the person says
	MethodRunRequest = "galley/run/request" // build what the model is asked next
	MethodRunTooLong = "galley/run/tooLong" // make room
	MethodRunReply   = "galley/run/reply"   // journal what the model says, or only what it cost
	MethodRunCost    = "galley/run/cost"
	MethodRunCall    = "galley/run/call"    // make a call
	MethodRunConfirm = "galley/run/confirm" // ask the client's user about a command
	MethodRunCommand = "galley/run/command" // journal that a command begins, or what it did
	MethodRunAnswer  = "galley/run/answer"  // journal what the model is answered
	MethodRunNotice  = "galley/run/notice"  // journal what galley tells the model, or what it has not heard yet
	MethodRunEnd     = "galley/run/end"     // the last one

	MethodLetters = "galley/letters" // of a session, for a terminal to draw
	MethodMoved   = "galley/moved"   // answers when letters are others
	MethodWhose   = "galley/whose"   // the session of a letter
	MethodJudge   = "galley/decide"  // a decision about them
	MethodDraft   = "galley/draft"   // a file to edit a proposal in
	MethodGoing   = "galley/going"   // the runs that go on
	MethodHistory = "galley/history" // the decisions within reach
	MethodUndo    = "galley/undo"    // take one back
)

// What such a client sends as every editor is sent it, and does as every editor does.
const (
	MethodRun     = methodRun // notification, of RunTold
	CommandCancel = cmdCancel
)

// What a host sends the client that opened a run.
const (
	MethodRunCancel    = "galley/run/cancel"    // notification: somebody calls it off
	MethodRunSummarize = "galley/run/summarize" // request: ask your model for a summary
	MethodRunDecisions = "galley/run/decisions" // request: ask it for key decisions
	MethodReview       = "galley/review"        // request: ask your user about an editing session
)

// Attach says who a client is.
type Attach struct {
	Protocol int      `json:"protocol"`
	Build    string   `json:"build,omitempty"`
	PID      int      `json:"pid,omitempty"`
	Kind     string   `json:"kind"`             // editor, terminal, ...
	Inside   string   `json:"inside,omitempty"` // the run whose command this is: it may decide nothing
	Mask     []string `json:"mask,omitempty"`   // texts that nobody may see: keys and the like
}

// Attached is the answer.
type Attached struct {
	Protocol int `json:"protocol"`
}

// RunOpen opens a run. Ask is the argument of galley.ask.
type RunOpen struct {
	Ask json.RawMessage `json:"ask"`
	host.Terms
}

// RunOpened is the answer. A run that was joined is another client's, or another one of this client's.
type RunOpened struct {
	Run     string `json:"run"`
	Session string `json:"session"`
	Joined  bool   `json:"joined,omitempty"`
}

// RunTold is the notification galley/run as the client that works on a run sends it: how it stands. With keep nobody shall
// miss that.
type RunTold struct {
	host.Run
	Keep bool `json:"keep,omitempty"`
}

// RunParams are what the other requests about a run say, and what its client is asked; each has what it needs.
type RunParams struct {
	Run     string           `json:"run,omitempty"`
	Again   bool             `json:"again,omitempty"` // a host that has ended may have done it
	Text    memory.Raw       `json:"text,omitzero"`
	Inbox   string           `json:"inbox,omitempty"`  // InboxStep, InboxEnd or InboxClose
	Window  int              `json:"window,omitempty"` // of the model in tokens
	Limit   int              `json:"limit,omitempty"`  // that a server told
	Reply   *memory.Message  `json:"reply,omitempty"`
	Usage   memory.Usage     `json:"usage,omitzero"`
	Call    memory.ToolCall  `json:"call,omitzero"`
	Command *host.CommandRun `json:"command,omitempty"`
	Session string           `json:"session,omitempty"` // of a review
	Edit    int              `json:"edit,omitempty"`
}

// What is wanted of the inbox: the prompts for the next step; one to go on with at the end, else no more are taken; all that
// are left.
const (
	InboxStep  = "step"
	InboxEnd   = "end"
	InboxClose = "close"
)

// RunResult is what they answer.
type RunResult struct {
	Body    *memory.Request     `json:"body,omitempty"`
	Tokens  *memory.ContextMeta `json:"tokens,omitempty"`
	Text    memory.Raw          `json:"text,omitzero"`
	Texts   []memory.Raw        `json:"texts,omitempty"` // prompts, key decisions
	OK      bool                `json:"ok,omitempty"`
	Cost    memory.Cost         `json:"cost,omitzero"`
	Usage   memory.Usage        `json:"usage,omitzero"`
	Error   string              `json:"error,omitempty"` // beside a usage
	Answer  *host.Answer        `json:"answer,omitempty"`
	Command *host.CommandRun    `json:"command,omitempty"`
	Letters []string            `json:"letters,omitempty"`
}

// TerminalParams are what a terminal says of a session; each request has what it needs.
type TerminalParams struct {
	Session  string       `json:"session,omitempty"`
	Verdict  host.Verdict `json:"verdict,omitzero"`
	Change   string       `json:"change,omitempty"`
	Decision string       `json:"decision,omitempty"` // its name, "": the latest that stands
	Ask      bool         `json:"ask,omitempty"`      // before what the person may not mean is taken back
	Mark     uint64       `json:"mark,omitempty"`     // how all letters stand
}

// TerminalGoing are the runs that go on, as people know them.
type TerminalGoing struct {
	Runs []string `json:"runs"`
}

// TerminalUndone is a decision that was taken back, or why it was not: it may be that the person is to be asked first.
type TerminalUndone struct {
	OK      bool            `json:"ok"`
	Status  string          `json:"status"`
	Code    string          `json:"code,omitempty"`
	Hint    string          `json:"hint,omitempty"`
	Of      memory.Decision `json:"of"`
	Letters []string        `json:"letters,omitempty"`
	Files   []string        `json:"files,omitempty"`

	Question string `json:"question,omitempty"`
}

// TerminalDraft is a file to edit a proposal in, and what it holds.
type TerminalDraft struct {
	Path string `json:"path"`
	Text string `json:"text"`
}
