package model

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/galley-ls/galley/memory"
)

// Model streams the reply to one request.
type Model interface {
	// Name is shown to people: what answers here.
	Name() string

	// Stream calls show with what comes of the reply, from the calling goroutine only, and returns the whole reply.
	// After an error nothing of the reply counts, whatever was told; when ctx was cancelled the error is the context's.
	Stream(ctx context.Context, req memory.Request, show func(Delta)) (Reply, error)
}

// Looker is a model that can look at its server before a run.
type Looker interface {
	// Look answers what a person should know before the first request is sent.
	Look(ctx context.Context) (warnings []string)
	// Window is the context window in tokens, as far as it is known by now; 0: it is not.
	Window() int
}

// Delta is one piece of what comes while a reply is made. One field is set.
type Delta struct {
	Text      string // the next piece of the answer
	Reasoning string // the next piece of what the model thinks; never part of the answer
	Waiting   string // why nothing comes for now, for a person: "429 from localhost:8080, again in 4 s (2 of 5)"
}

// Reply is one assistant message with what it cost.
type Reply struct {
	Message memory.Message
	Usage   memory.Usage
	// Finish is what the server said about the end of its reply. It is for people and recordings: whether there is
	// more to do is decided from the presence of tool calls, because servers disagree about this word.
	Finish string
}

// Empty tells whether a reply holds no answer and no call.
func (r Reply) Empty() bool {
	return len(r.Message.ToolCalls) == 0 && strings.TrimSpace(r.Message.Content) == ""
}

// The words of Finish that galley itself writes.
const (
	FinishStop   = "stop"
	FinishCalls  = "tool_calls"
	FinishLength = "length"
	FinishFilter = "content_filter"
	// FinishMany is a reply that had more than CallsMost calls.
	FinishMany = "too_many_calls"
	// FinishTextCall is a reply that wrote a tool call as text, of a model that is to be told so.
	FinishTextCall = "text_tool_call"
	// FinishAsks and FinishUnable are words of a model that knows how its reply ends: with a question to the person, or
	// without what it was asked for.
	FinishAsks   = "asks"
	FinishUnable = "unable"
)

// ErrCut is a reply that broke off after its first words: nothing of it counts, and the same request may be made again.
var ErrCut = errors.New("the reply was cut off")

// Bounds of a reply: far above what any model writes with a purpose.
const (
	ReplyMost = 4 << 20 // bytes of text, thoughts and arguments together
	CallsMost = 100     // those behind them are not made
)

// ErrTooMuch is a reply of more than ReplyMost bytes: nothing of it counts, and the model is to be told.
var ErrTooMuch = fmt.Errorf("the reply is longer than %d MB", ReplyMost>>20)

// Size is how many bytes of text, thoughts and arguments a message has.
func Size(m memory.Message) int {
	n := len(m.Content) + len(m.Reasoning)
	for _, c := range m.ToolCalls {
		n += len(c.Name) + len(c.Arguments)
	}
	return n
}

// TooLongError is a request that does not fit into the model's context window.
type TooLongError struct {
	Limit int    // tokens, as the server told; 0: it did not
	Why   string // for a person, with what to do next
}

// Error implements error.
func (e *TooLongError) Error() string { return e.Why }
