package lsptest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

const (
	methodNotFound = -32601
	invalidParams  = -32602
	internalError  = -32603

	executeCommand = "workspace/executeCommand"
)

func (e *Editor) failLocked(id json.RawMessage, code int, message string) {
	e.sendLocked(Message{ID: id, Error: &ResponseError{Code: code, Message: message}})
}

func (e *Editor) doneLocked(id json.RawMessage, result any) {
	data := encode(result)
	if data == nil {
		data = json.RawMessage("null")
	}
	e.sendLocked(Message{ID: id, Result: data})
}

// serveLocked answers a request of the server.
func (e *Editor) serveLocked(m Message) {
	if need, ok := clientNeeds[m.Method]; !ok || need != "" && !e.check.offers(need) {
		e.unknownLocked(m)
		return
	}
	switch m.Method {
	case "workspace/applyEdit":
		e.applyLocked(m)
	case "workspace/configuration":
		e.doneLocked(m.ID, e.configurationLocked(m.Params))
	case "workspace/workspaceFolders":
		e.doneLocked(m.ID, e.folders())
	case "client/registerCapability", "client/unregisterCapability":
		e.registerLocked(m)
		e.doneLocked(m.ID, nil)
	case "window/showMessageRequest":
		e.questionLocked(m)
	case "window/showDocument":
		e.showLocked(m)
	case "galley/save":
		e.galleySaveLocked(m)
	default: // refreshes and progress tokens
		e.refreshLocked(m)
		e.doneLocked(m.ID, nil)
	}
}

func (e *Editor) unknownLocked(m Message) {
	if e.profile.Unknown == UnknownNull {
		e.doneLocked(m.ID, nil)
		return
	}
	e.failLocked(m.ID, methodNotFound, "method not found: "+m.Method)
}

func (e *Editor) configurationLocked(raw json.RawMessage) []any {
	var params struct {
		Items []struct {
			Section string `json:"section"`
		} `json:"items"`
	}
	_ = json.Unmarshal(raw, &params) // the checker has complained
	values := make([]any, len(params.Items))
	for i, item := range params.Items {
		values[i] = e.start.Settings[item.Section]
	}
	return values
}

// Configure changes settings and tells the server.
func (e *Editor) Configure(settings map[string]any) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.start.Settings = settings
	e.notifyLocked("workspace/didChangeConfiguration", map[string]any{"settings": settings})
}

// Registration is a capability that the server registered.
type Registration struct {
	ID              string          `json:"id"`
	Method          string          `json:"method"`
	RegisterOptions json.RawMessage `json:"registerOptions"`
}

func (e *Editor) registerLocked(m Message) {
	var params struct {
		Registrations    []Registration `json:"registrations"`
		Unregisterations []Registration `json:"unregisterations"`
	}
	_ = json.Unmarshal(m.Params, &params)
	for _, r := range params.Registrations {
		e.screen.Registered[r.ID] = r
	}
	for _, r := range params.Unregisterations {
		delete(e.screen.Registered, r.ID)
	}
}

// FileChanged tells the server that a file was created (1), changed (2) or deleted (3); false if it did not register
// for that.
func (e *Editor) FileChanged(path string, kind int) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.watchedLocked(e.URI(path), kind)
}

func (e *Editor) watchedLocked(uri string, kind int) bool {
	for _, r := range e.screen.Registered {
		if r.Method == "workspace/didChangeWatchedFiles" {
			e.notifyLocked(r.Method, map[string]any{"changes": []any{map[string]any{"uri": uri, "type": kind}}})
			return true
		}
	}
	return false
}

func (e *Editor) galleySaveLocked(m Message) {
	var params struct {
		URIs []string `json:"uris"`
	}
	_ = json.Unmarshal(m.Params, &params)
	for _, uri := range params.URIs {
		e.screen.Saved = append(e.screen.Saved, uri)
		if b := e.buffers[key(uri)]; b != nil {
			e.saveAllLocked([]*buffer{b})
		}
	}
	e.doneLocked(m.ID, nil)
}

// question is a showMessageRequest on the screen.
type question struct {
	id      json.RawMessage
	actions []json.RawMessage
}

// Never, given to Pick, leaves a question unanswered; "" dismisses it.
const Never = "\x00never"

// Pick scripts the answers to the next questions (window/showMessageRequest), each the title of an action. A question
// without a script stays open until Press.
func (e *Editor) Pick(titles ...string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.picks = append(e.picks, titles...)
}

// Press answers an open question by its text; title "" dismisses it.
func (e *Editor) Press(text, title string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for i := range e.screen.Questions {
		if q := &e.screen.Questions[i]; q.Open && q.Text == text {
			e.pressLocked(q, title)
			return
		}
	}
	panic(fmt.Sprintf("lsptest: no open question %q", text))
}

func (e *Editor) questionLocked(m Message) {
	var params struct {
		Type    int               `json:"type"`
		Message string            `json:"message"`
		Actions []json.RawMessage `json:"actions"`
	}
	_ = json.Unmarshal(m.Params, &params)
	shown := Question{Type: params.Type, Text: params.Message, Open: true, id: string(m.ID)}
	for _, raw := range params.Actions {
		shown.Actions = append(shown.Actions, titleOf(raw))
	}
	e.asked[string(m.ID)] = &question{m.ID, params.Actions}
	e.screen.Questions = append(e.screen.Questions, shown)
	if len(e.picks) == 0 {
		return
	}
	pick := e.picks[0]
	e.picks = e.picks[1:]
	e.pressLocked(&e.screen.Questions[len(e.screen.Questions)-1], pick)
}

func titleOf(raw json.RawMessage) string {
	var action struct {
		Title string `json:"title"`
	}
	_ = json.Unmarshal(raw, &action)
	return action.Title
}

func (e *Editor) pressLocked(shown *Question, title string) {
	if title == Never {
		return
	}
	q := e.asked[shown.id]
	shown.Open, shown.Answer = false, title
	if title == "" {
		e.doneLocked(q.id, nil)
		return
	}
	i := slices.Index(shown.Actions, title)
	if i < 0 {
		panic(fmt.Sprintf("lsptest: question %q has no action %q, only %q", shown.Text, title, shown.Actions))
	}
	e.doneLocked(q.id, q.actions[i])
}

// showLocked shows a document, or says that it does.
func (e *Editor) showLocked(m Message) {
	var shown Shown
	_ = json.Unmarshal(m.Params, &shown)
	switch {
	case strings.HasPrefix(shown.URI, "file:") && !shown.External:
		shown.OK = e.openLocked(shown.URI) == nil
	case shown.External:
		shown.OK = true
	case e.profile.Virtual == VirtualOpens:
		shown.OK = true
		e.fetchLocked(shown.URI)
	case e.profile.Virtual == VirtualEmpty:
		shown.OK = true
		e.screen.Virtual[shown.URI] = ""
	}
	e.screen.Shown = append(e.screen.Shown, shown)
	e.doneLocked(m.ID, map[string]any{"success": shown.OK})
}

// fetchLocked asks for the text of a virtual document and shows it.
func (e *Editor) fetchLocked(uri string) {
	e.beginLocked("workspace/textDocumentContent", map[string]any{"uri": uri}, func(c *Call) {
		var result struct {
			Text string `json:"text"`
		}
		if c.err == nil && json.Unmarshal(c.result, &result) == nil {
			e.screen.Virtual[uri] = result.Text
		}
	})
}
