package lsptest

import (
	"context"
	"encoding/json"
	"fmt"
)

// Call is a request of the editor that is under way.
type Call struct {
	Method string

	editor *Editor
	id     json.RawMessage
	done   bool // these three are guarded by the editor's mutex
	result json.RawMessage
	err    *ResponseError
	then   func(*Call) // runs under the lock when the answer is there
}

// Begin sends a request. An editor that holds typing back sends it first.
func (e *Editor) Begin(method string, params any) *Call {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.flushAllLocked()
	return e.beginLocked(method, params, nil)
}

// BeginUnflushed sends a request and leaves typing where it is: Neovim does so for a request made with buffer 0.
func (e *Editor) BeginUnflushed(method string, params any) *Call {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.beginLocked(method, params, nil)
}

func (e *Editor) beginLocked(method string, params any, then func(*Call)) *Call {
	c := &Call{Method: method, editor: e, id: e.newIDLocked(), then: then}
	e.calls[string(c.id)] = c
	if method == executeCommand {
		e.commands++
	}
	e.sendLocked(Message{ID: c.id, Method: method, Params: encode(params)})
	return c
}

// responseLocked finishes a call.
func (e *Editor) responseLocked(m Message) {
	c := e.calls[string(m.ID)]
	if c == nil {
		return // the checker has said so
	}
	delete(e.calls, string(m.ID))
	if c.Method == executeCommand {
		e.commands--
	}
	c.done, c.result, c.err = true, m.Result, m.Error
	if c.then != nil {
		c.then(c)
	}
}

// Done says whether the answer has come.
func (c *Call) Done() bool {
	c.editor.mu.Lock()
	defer c.editor.mu.Unlock()
	return c.done
}

// Cancel asks the server to stop working on it.
func (c *Call) Cancel() {
	c.editor.mu.Lock()
	defer c.editor.mu.Unlock()
	c.editor.notifyLocked("$/cancelRequest", map[string]any{"id": c.id})
}

// Result waits for the answer. An error answer is a *ResponseError.
func (c *Call) Result(ctx context.Context) (json.RawMessage, error) {
	err := c.editor.Wait(ctx, "answer to "+c.Method, func(*Screen) bool { return c.done })
	if err != nil {
		return nil, err
	}
	if c.err != nil {
		return nil, c.err
	}
	return c.result, nil
}

// Request asks and waits; result may be nil.
func (e *Editor) Request(ctx context.Context, method string, params, result any) error {
	data, err := e.Begin(method, params).Result(ctx)
	if err != nil || result == nil {
		return err
	}
	if err := json.Unmarshal(data, result); err != nil {
		return fmt.Errorf("decode answer to %s: %w", method, err)
	}
	return nil
}
