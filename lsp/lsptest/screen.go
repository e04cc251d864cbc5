package lsptest

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Screen is all that the person can see, and what else the server has told. Maps by document take the URI as the editor
// writes it; use the methods for any spelling.
type Screen struct {
	Diagnostics map[string]Published // by key of the URI
	Lenses      map[string][]Lens
	Hints       map[string][]Hint
	Messages    []Said
	Questions   []Question
	Progress    map[string]Progress // by token
	Shown       []Shown
	Virtual     map[string]string          // text of the virtual documents that are open
	Notes       map[string]json.RawMessage // last params by method of galley/*
	NoteCount   map[string]int
	Runs        map[string]json.RawMessage // last galley/run by run
	Saved       []string                   // by galley/save
	Registered  map[string]Registration
	Refreshes   map[string]int // by method
	Edits       []Applied      // every workspace/applyEdit
	Ended       error          // the connection is gone

	editor  *Editor
	drawing map[string]bool // requests for lenses and hints under way; true: old already
}

// Published is the last publishDiagnostics of a document.
type Published struct {
	Version *int
	Items   []Diagnostic
	Times   int // how often it was published

	raw []json.RawMessage
}

// Said is a message. Log ones are not on the screen but in the editor's log.
type Said struct {
	Type int
	Text string
	Log  bool
}

// Question is a showMessageRequest.
type Question struct {
	Type    int
	Text    string
	Actions []string
	Open    bool
	Answer  string

	id string
}

// Progress is a work-done progress.
type Progress struct {
	Title      string
	Message    string
	Percentage int
	Ended      bool
}

// Shown is a window/showDocument.
type Shown struct {
	URI       string `json:"uri"`
	External  bool   `json:"external"`
	TakeFocus bool   `json:"takeFocus"`
	Selection *Range `json:"selection"`
	OK        bool   `json:"-"`
}

func newScreen(e *Editor) Screen {
	return Screen{
		Diagnostics: map[string]Published{}, Lenses: map[string][]Lens{}, Hints: map[string][]Hint{},
		Progress: map[string]Progress{}, Virtual: map[string]string{}, Notes: map[string]json.RawMessage{},
		NoteCount: map[string]int{}, Runs: map[string]json.RawMessage{}, Registered: map[string]Registration{},
		Refreshes: map[string]int{}, editor: e, drawing: map[string]bool{},
	}
}

// Diagnostic is the one of a document that bears a code, or nil.
func (s *Screen) Diagnostic(uri, code string) *Diagnostic {
	for _, d := range s.Diagnostics[key(uri)].Items {
		if fmt.Sprint(d.Code) == code {
			return &d
		}
	}
	return nil
}

// Codes are the codes of a document's diagnostics, in their order.
func (s *Screen) Codes(uri string) []string {
	codes := []string{}
	for _, d := range s.Diagnostics[key(uri)].Items {
		codes = append(codes, fmt.Sprint(d.Code))
	}
	return codes
}

// LensTitles are the titles of a document's lenses.
func (s *Screen) LensTitles(uri string) []string {
	titles := []string{}
	for _, lens := range s.Lenses[key(uri)] {
		if lens.Command != nil {
			titles = append(titles, lens.Command.Title)
		}
	}
	return titles
}

// Buffer shows a document that is open; false if it is not.
func (s *Screen) Buffer(uri string) (Buffer, bool) {
	b := s.editor.buffers[key(uri)]
	if b == nil {
		return Buffer{}, false
	}
	return b.view(), true
}

// Note decodes the last state that a galley/* notification gave; false if there was none or it does not fit.
func (s *Screen) Note(method string, into any) bool {
	data := s.Notes[method]
	return data != nil && json.Unmarshal(data, into) == nil
}

// Settled says whether nothing is under way on the editor's side: no request unanswered, no typing held back.
func (s *Screen) Settled() bool {
	if len(s.editor.calls) > 0 || len(s.editor.held) > 0 {
		return false
	}
	for _, b := range s.editor.buffers {
		if len(b.pending) > 0 {
			return false
		}
	}
	return true
}

// Message says whether a text was shown that holds all the words.
func (s *Screen) Message(words ...string) bool {
	return slices.ContainsFunc(s.Messages, func(m Said) bool {
		return !m.Log && !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(m.Text, w) })
	})
}

// noteLocked acts on a notification of the server. Unknown ones are ignored, as editors do.
func (e *Editor) noteLocked(m Message) {
	switch {
	case m.Method == "textDocument/publishDiagnostics":
		e.publishedLocked(m.Params)
	case m.Method == "window/showMessage", m.Method == "window/logMessage":
		var said struct {
			Type    int    `json:"type"`
			Message string `json:"message"`
		}
		_ = json.Unmarshal(m.Params, &said)
		e.screen.Messages = append(e.screen.Messages, Said{said.Type, said.Message, m.Method == "window/logMessage"})
	case m.Method == "$/progress":
		e.progressLocked(m.Params)
	case strings.HasPrefix(m.Method, "galley/"):
		e.screen.Notes[m.Method] = m.Params
		e.screen.NoteCount[m.Method]++
		var run struct {
			Run string `json:"run"`
		}
		if m.Method == "galley/run" && json.Unmarshal(m.Params, &run) == nil {
			e.screen.Runs[run.Run] = m.Params
		}
	}
}

func (e *Editor) publishedLocked(raw json.RawMessage) {
	var params struct {
		URI         string            `json:"uri"`
		Version     *int              `json:"version"`
		Diagnostics []json.RawMessage `json:"diagnostics"`
	}
	if json.Unmarshal(raw, &params) != nil || e.profile.KeepsNames && encodesLetters(params.URI) {
		return
	}
	p := Published{Version: params.Version, raw: params.Diagnostics, Times: e.screen.Diagnostics[key(params.URI)].Times + 1}
	for _, item := range params.Diagnostics {
		var d Diagnostic
		_ = json.Unmarshal(item, &d)
		p.Items = append(p.Items, d)
	}
	e.screen.Diagnostics[key(params.URI)] = p
}

func (e *Editor) progressLocked(raw json.RawMessage) {
	var params struct {
		Token json.RawMessage `json:"token"`
		Value struct {
			Kind       string `json:"kind"`
			Title      string `json:"title"`
			Message    string `json:"message"`
			Percentage *int   `json:"percentage"`
		} `json:"value"`
	}
	_ = json.Unmarshal(raw, &params)
	token := strings.Trim(string(params.Token), `"`)
	p, v := e.screen.Progress[token], params.Value
	if v.Kind == "begin" {
		p = Progress{Title: v.Title}
	}
	if v.Message != "" {
		p.Message = v.Message
	}
	if v.Percentage != nil {
		p.Percentage = *v.Percentage
	}
	p.Ended = v.Kind == "end"
	e.screen.Progress[token] = p
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// String is the screen for people who read a failure.
func (s *Screen) String() string {
	var b strings.Builder
	for _, k := range sortedKeys(s.editor.buffers) {
		buffer := s.editor.buffers[k]
		v := buffer.view()
		fmt.Fprintf(&b, "buffer %s version %d dirty %t undo %d redo %d unsent %d: %q\n",
			k, v.Version, v.Dirty, v.Undo, v.Redo, len(buffer.pending), clip(v.Text, 600))
	}
	for _, k := range sortedKeys(s.Diagnostics) {
		p := s.Diagnostics[k]
		fmt.Fprintf(&b, "diagnostics %s version %s\n", k, number(p.Version))
		for _, d := range p.Items {
			fmt.Fprintf(&b, "  %v %v severity %d: %q\n", d.Code, d.Range, d.Severity, clip(d.Message, 200))
		}
	}
	for _, k := range sortedKeys(s.Lenses) {
		fmt.Fprintf(&b, "lenses %s: %q\n", k, s.LensTitles(k))
	}
	for _, k := range sortedKeys(s.Hints) {
		fmt.Fprintf(&b, "hints %s: %+v\n", k, s.Hints[k])
	}
	for _, m := range s.Messages {
		fmt.Fprintf(&b, "message (type %d, log %t): %s\n", m.Type, m.Log, m.Text)
	}
	for _, q := range s.Questions {
		fmt.Fprintf(&b, "question %q %q open %t answer %q\n", q.Text, q.Actions, q.Open, q.Answer)
	}
	for _, a := range s.Edits {
		fmt.Fprintf(&b, "applyEdit: did %t, stale %t, said %s\n", a.Did, a.Stale, a.Said)
	}
	for _, k := range sortedKeys(s.Progress) {
		fmt.Fprintf(&b, "progress %s: %+v\n", k, s.Progress[k])
	}
	for _, k := range sortedKeys(s.Notes) {
		fmt.Fprintf(&b, "%s (%d): %s\n", k, s.NoteCount[k], clip(string(s.Notes[k]), 600))
	}
	for _, c := range sortedKeys(s.editor.calls) {
		fmt.Fprintf(&b, "unanswered: %s %s\n", c, s.editor.calls[c].Method)
	}
	for _, v := range s.editor.check.violations {
		fmt.Fprintf(&b, "violation: %s\n", v)
	}
	return b.String()
}

func number(n *int) string {
	if n == nil {
		return "none"
	}
	return fmt.Sprint(*n)
}
