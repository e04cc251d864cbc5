package agent

import (
	"fmt"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/memory"
)

// Event is one thing that happens in a run, for whoever shows it. The types below are all there are.
type Event interface {
	// Kind is a stable word for scripts, and so are the names of the fields.
	Kind() string
}

// Started is the first event of a run.
type Started struct {
	Model string `json:"model"`
}

// StepStarted comes before each request. Percent is how full the model's context is with it.
type StepStarted struct {
	Iteration int `json:"iteration"`
	Percent   int `json:"context_percent"`
}

// TextDelta is a piece of the reply as it comes.
type TextDelta struct {
	Text string `json:"text"`
}

// ReasoningDelta is a piece of what the model thinks before it answers: never part of the answer.
type ReasoningDelta struct {
	Text string `json:"text"`
}

// ModelWaiting says why nothing comes for now, in words for a person.
type ModelWaiting struct {
	Why string `json:"why"`
}

// ReplyCut says that a reply counts for nothing: what was shown of it is void. Again: the same request is made once more.
type ReplyCut struct {
	Why   string `json:"why"`
	Again bool   `json:"again"`
}

// ReplyFinished says that a whole reply is journaled, and what it cost.
type ReplyFinished struct {
	Iteration int          `json:"iteration"`
	Usage     memory.Usage `json:"usage"`
	Finish    string       `json:"finish,omitempty"` // the server's word
}

// Warned is something that a person should know and that the run goes on, or is done, in spite of.
type Warned struct {
	Text string `json:"text"`
}

// ToolStarted says which tool runs, with its arguments in one short line.
type ToolStarted struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Args string `json:"args"`
}

// ToolFinished comes once for each ToolStarted, in the same order. Letters are those that the call staged or amended.
type ToolFinished struct {
	ID      string   `json:"id"`
	Name    string   `json:"name"`
	Status  string   `json:"status"`
	Code    string   `json:"code,omitempty"`
	Letters []string `json:"letters,omitempty"`

	Arguments string `json:"-"` // as the model sent them
	Answer    string `json:"-"` // as the model reads it
}

// MemoryWritten says what the model has written to its memory; see memory.review.
type MemoryWritten struct {
	session.MemoryWrite
}

// Told is the notice of it.
func (e MemoryWritten) Told() string {
	line := fmt.Sprintf("memory: %s, +%d −%d lines", e.Path, e.Added, e.Removed)
	if e.From != "" {
		line += " (" + e.From + ")"
	}
	return line
}

// PromptDelivered says that the model hears a prompt that came while the run was going on.
type PromptDelivered struct {
	Text string `json:"text"`
}

// DecisionsDelivered says that the model hears what the person decided.
type DecisionsDelivered struct {
	Text string `json:"text"`
}

// Finished is the last event of a run.
type Finished struct {
	Reason     Reason       `json:"reason"`
	Why        string       `json:"why,omitempty"`
	Iterations int          `json:"iterations"`
	Usage      memory.Usage `json:"usage"`
	Cost       float64      `json:"cost,omitempty"`
}

// Kind implements Event.
func (Started) Kind() string            { return "run_started" }
func (StepStarted) Kind() string        { return "step_started" }
func (TextDelta) Kind() string          { return "text_delta" }
func (ReasoningDelta) Kind() string     { return "reasoning_delta" }
func (ModelWaiting) Kind() string       { return "model_waiting" }
func (ReplyCut) Kind() string           { return "reply_cut" }
func (ReplyFinished) Kind() string      { return "reply_finished" }
func (Warned) Kind() string             { return "warning" }
func (ToolStarted) Kind() string        { return "tool_started" }
func (ToolFinished) Kind() string       { return "tool_finished" }
func (MemoryWritten) Kind() string      { return "memory_written" }
func (PromptDelivered) Kind() string    { return "prompt_delivered" }
func (DecisionsDelivered) Kind() string { return "decisions_delivered" }
func (Finished) Kind() string           { return "run_finished" }
