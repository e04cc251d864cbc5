package model

import (
	"context"

	"github.com/galley-ls/galley/memory"
)

// Model streams the reply to one request.
type Model interface {
	// Name is shown to people: what answers here.
	Name() string

	// Stream calls delta with the text of the reply as it comes, from the calling goroutine only, and returns the
	// whole reply. After an error nothing of the reply counts, whatever delta has shown; when ctx was cancelled the
	// error is the context's.
	Stream(ctx context.Context, req memory.Request, delta func(text string)) (Reply, error)
}

// Reply is one assistant message with what it cost.
type Reply struct {
	Message memory.Message
	Usage   memory.Usage
	// Finish is what the server said about the end of its reply. It is for people and recordings: whether there is
	// more to do is decided from the presence of tool calls, because servers disagree about this word.
	Finish string
}

// The words of Finish that galley itself writes.
const (
	FinishStop  = "stop"
	FinishCalls = "tool_calls"
)
