package lsptest

import (
	"cmp"
	"encoding/json"
	"fmt"
)

// Answer is how one workspace/applyEdit is met. The zero Answer is the profile's way.
type Answer struct {
	Do   Deed
	Say  Word
	When Order
}

// Deed is what happens to the text.
type Deed int

// DoAsEver follows the profile's version check. DoRefuse changes nothing. DoApply applies even a stale edit. DoPartly
// leaves out the last edit. DoLater applies when the person says Finish.
const (
	DoAsEver Deed = iota
	DoRefuse
	DoApply
	DoPartly
	DoLater
)

// Applied is one applyEdit, for tests to look at.
type Applied struct {
	Params json.RawMessage
	Did    bool // everything went into the text
	Stale  bool
	Said   string // the reply
}

// Answers scripts the next replies to workspace/applyEdit; afterwards the profile decides again.
func (e *Editor) Answers(answers ...Answer) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.answers = append(e.answers, answers...)
}

// ReleaseReplies sends the replies that were held.
func (e *Editor) ReleaseReplies() {
	e.mu.Lock()
	defer e.mu.Unlock()
	run(&e.held)
}

// Finish applies what DoLater put off; where the text has moved on meanwhile it is dropped.
func (e *Editor) Finish() {
	e.mu.Lock()
	defer e.mu.Unlock()
	run(&e.later)
}

func run(list *[]func()) {
	for _, f := range *list {
		f()
	}
	*list = nil
}

// orderLocked sends reply and didChange as the answer or the profile says.
func (e *Editor) orderLocked(when Order, reply func(), touched []*buffer) {
	flush := func() {
		for _, b := range touched {
			e.flushLocked(b)
		}
	}
	switch e.order(when) {
	case ReplyHeld:
		flush()
		e.held = append(e.held, reply)
	case ChangeFirst:
		flush()
		reply()
	case ReplyFirst:
		reply()
		flush()
	default:
		reply()
		for _, b := range touched {
			after := max(e.profile.Hold.After, 1)
			e.clock.set(key(b.uri), after, e.profile.Hold.Idle, func() { e.flushLocked(b) })
		}
	}
}

func (e *Editor) order(when Order) Order {
	if when = cmp.Or(when, e.profile.Order); when != OrderMixed {
		return when
	}
	e.mixed++
	if e.mixed%2 == 1 {
		return ReplyLong
	}
	return ChangeFirst
}

// replyLocked answers an applyEdit and returns what it said.
func (e *Editor) replyLocked(id json.RawMessage, o outcome) string {
	applied := o.did
	switch o.word {
	case SayNothing:
		return "nothing"
	case SayError:
		why := o.why
		if why == "" {
			why = "internal error"
		}
		e.failLocked(id, internalError, why)
		return "error: " + why
	case SayApplied:
		applied = true
	case SayNotApplied:
		applied = false
	}
	result := map[string]any{"applied": applied}
	if !applied && o.why != "" {
		result["failureReason"] = o.why
	}
	e.sendLocked(Message{ID: id, Result: encode(result)})
	return fmt.Sprintf("applied: %t", applied)
}
