package lsptest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
)

// clientNeeds names every request and notification that a server may send, and the capability without which it may not.
// It is the meta-model's clientCapability, sharpened where that only names a group.
var clientNeeds = map[string]string{
	"workspace/applyEdit":                   "workspace.applyEdit",
	"workspace/configuration":               "workspace.configuration",
	"workspace/workspaceFolders":            "workspace.workspaceFolders",
	"workspace/codeLens/refresh":            "workspace.codeLens.refreshSupport",
	"workspace/inlayHint/refresh":           "workspace.inlayHint.refreshSupport",
	"workspace/diagnostic/refresh":          "workspace.diagnostics.refreshSupport",
	"workspace/textDocumentContent/refresh": "workspace.textDocumentContent",
	"window/workDoneProgress/create":        "window.workDoneProgress",
	"window/showDocument":                   "window.showDocument.support",
	"window/showMessageRequest":             "window.showMessage",
	"client/registerCapability":             "",
	"client/unregisterCapability":           "",
	"window/showMessage":                    "",
	"window/logMessage":                     "",
	"telemetry/event":                       "",
	"textDocument/publishDiagnostics":       "textDocument.publishDiagnostics",
	"$/logTrace":                            "",
	"$/cancelRequest":                       "",
	"$/progress":                            "",
	"galley/save":                           "experimental.galley.save",
	"galley/changes":                        "experimental.galley.notifications",
	"galley/tasks":                          "experimental.galley.notifications",
	"galley/context":                        "experimental.galley.notifications",
	"galley/run":                            "experimental.galley.notifications",
	"galley/memory":                         "experimental.galley.notifications",
}

// early may be sent before initialize is answered.
var early = []string{"window/showMessage", "window/logMessage", "window/showMessageRequest", "telemetry/event", "$/progress"}

// Conform fails a test if any message of the server so far was not valid, or nothing that this client offered.
func Conform(t testing.TB, e *Editor) {
	t.Helper()
	if bad := e.Violations(); len(bad) > 0 {
		for _, violation := range bad {
			t.Error("not conformant: " + violation)
		}
		t.Log(e.Dump())
	}
}

// Violations are what the conformance check found so far.
func (e *Editor) Violations() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.check.violations)
}

// checker judges each message of the server. The editor's mutex guards it.
type checker struct {
	model      *model
	offered    map[string]any // the client's capabilities
	encodings  []string
	violations []string

	answered  bool              // initialize was
	requests  map[string]string // of the editor, unanswered: id → method
	open      map[string]bool   // requests of the server, unanswered
	tokens    map[string]string // of progress: "" created, then the last kind
	commands  []string          // of executeCommandProvider
	published map[string]int    // the last version that diagnostics bore
}

func newChecker(p Profile) *checker {
	return &checker{
		model: theModel(), offered: p.Capabilities.Tree(), encodings: p.Encodings, requests: map[string]string{},
		open: map[string]bool{}, tokens: map[string]string{}, published: map[string]int{},
	}
}

func (c *checker) say(format string, args ...any) {
	c.violations = append(c.violations, fmt.Sprintf(format, args...))
}

// offers says whether the client offered a capability: it is there and not false.
func (c *checker) offers(path string) bool {
	value := dig(c.offered, path)
	return value != nil && value != false
}

// sent takes note of what the editor sends.
func (c *checker) sent(m Message) {
	switch {
	case m.Method == "":
		delete(c.open, string(m.ID))
	case len(m.ID) > 0:
		c.requests[string(m.ID)] = m.Method
		var params struct {
			Token json.RawMessage `json:"workDoneToken"`
		}
		if json.Unmarshal(m.Params, &params) == nil && params.Token != nil {
			c.tokens[string(params.Token)] = ""
		}
	}
}

// message judges one message of the server.
func (c *checker) message(e *Editor, body []byte, m Message) {
	if m.JSONRPC != "2.0" {
		c.say("jsonrpc is %q in %s", m.JSONRPC, clip(string(body), 200))
	}
	if m.Method == "" {
		c.response(m)
		return
	}
	table, kind := c.model.notifications, "notification"
	if len(m.ID) > 0 {
		table, kind = c.model.requests, "request"
		if c.open[string(m.ID)] {
			c.say("request id %s is used twice", m.ID)
		}
		c.open[string(m.ID)] = true
	}
	known, ok := table[m.Method]
	need, listed := clientNeeds[m.Method]
	switch {
	case !ok || !listed || known.Direction == "clientToServer":
		c.say("%s %s is nothing that a server may send", kind, m.Method)
		return
	case need != "" && !c.offers(need):
		c.say("%s %s was sent, but the client did not offer %s", kind, m.Method, need)
	case !c.answered && !slices.Contains(early, m.Method):
		c.say("%s %s was sent before initialize was answered", kind, m.Method)
	}
	params, err := decode(m.Params)
	if err != nil {
		c.say("%s: params: %v", m.Method, err)
		return
	}
	if c.shape(m.Method, known.Params, params, m.Params != nil) {
		c.rules(e, m.Method, params)
	}
}

// shape checks params against the model.
func (c *checker) shape(method string, want *typ, params any, there bool) bool {
	switch {
	case want == nil && there && params != nil:
		c.say("%s has params, it takes none", method)
		return false
	case want == nil:
		return true
	}
	if bad := c.model.fits("params", *want, params); bad != nil {
		c.say("%s: %s", method, bad)
		return false
	}
	return true
}

func (c *checker) response(m Message) {
	method, ok := c.requests[string(m.ID)]
	if !ok {
		if m.Error == nil { // an error may answer what could not be read
			c.say("response to id %s, which is no open request", m.ID)
		}
		return
	}
	delete(c.requests, string(m.ID))
	c.answered = c.answered || method == "initialize" && m.Error == nil
	if (m.Error == nil) == (m.Result == nil) {
		c.say("response to %s must hold either result or error", method)
		return
	}
	if m.Error != nil {
		return
	}
	result, err := decode(m.Result)
	if err != nil {
		c.say("response to %s: %v", method, err)
		return
	}
	if known, ok := c.model.requests[method]; ok && known.Result != nil {
		if bad := c.model.fits("result", *known.Result, result); bad != nil {
			c.say("response to %s: %s", method, bad)
			return
		}
	}
	c.resultRules(method, result)
}

// decode keeps numbers as they are written.
func decode(data json.RawMessage) (any, error) {
	if data == nil {
		return nil, nil
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	err := d.Decode(&v)
	return v, err
}
