package lsp

import (
	"encoding/json"
	"errors"
	"strings"
	"sync"

	"github.com/galley-ls/galley/editing/text"
	"go.lsp.dev/protocol"
)

// pad is an editor with one or more buffers, and manners.
type pad struct {
	w *wire

	mu      sync.Mutex // guards the rest
	texts   map[string]string
	version map[string]int
	edits   []json.RawMessage
	unsent  []func()
	manner  string // "", refuse, error, lie, first, other, silent
}

func newPad(w *wire) *pad {
	p := &pad{w: w, texts: map[string]string{}, version: map[string]int{}}
	w.on("workspace/applyEdit", p.applyEdit)
	return p
}

func (p *pad) open(name, content string, version int) {
	p.mu.Lock()
	p.texts[name], p.version[name] = content, version
	p.mu.Unlock()
	p.w.open(name, content, version)
	p.w.sync()
}

// set makes a buffer's text another, and says so.
func (p *pad) set(name, content string) {
	p.mu.Lock()
	p.change(name, content, "", content)
	p.mu.Unlock()
	p.flush()
}

func (p *pad) text(name string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.texts[name]
}

type padEdit struct {
	Edit struct {
		DocumentChanges []struct {
			TextDocument struct {
				URI     string
				Version *int
			}
			Edits []protocol.TextEdit
		}
		Changes map[string][]protocol.TextEdit
	}
}

func (p *pad) applyEdit(params json.RawMessage) any {
	p.mu.Lock()
	p.edits = append(p.edits, params)
	manner := p.manner
	p.mu.Unlock()
	no := map[string]any{"applied": false, "failureReason": "not today"}
	switch manner {
	case "refuse":
		return no
	case "error":
		return errors.New("stale")
	case "lie":
		return map[string]any{"applied": true}
	case "silent":
		return nil
	}
	var e padEdit
	if err := json.Unmarshal(params, &e); err != nil {
		p.w.t.Error(err)
	}
	if !p.make(e, manner) {
		return no
	}
	if manner == "first" {
		p.flush()
	} else {
		go p.flush()
	}
	return map[string]any{"applied": true}
}

// make changes the buffers; the server hears of it with the next flush.
func (p *pad) make(e padEdit, manner string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	after := map[string]string{}
	for _, d := range e.Edit.DocumentChanges {
		name := strings.TrimPrefix(d.TextDocument.URI, "file:///ws/")
		if p.version[name] != *d.TextDocument.Version {
			return false
		}
		after[name] = p.edited(name, d.Edits)
	}
	for u, es := range e.Edit.Changes {
		name := strings.TrimPrefix(u, "file:///ws/")
		after[name] = p.edited(name, es)
	}
	for name, s := range after {
		if manner == "other" {
			s = "x" + s
		}
		p.change(name, s, "", s)
	}
	return true
}

// change gives a buffer a new text, with what the server will be told. Called
// under the lock.
func (p *pad) change(name, now, r, content string) {
	p.texts[name] = now
	p.version[name]++
	v := p.version[name]
	p.unsent = append(p.unsent, func() { p.w.change(name, v, r, content) })
}

// flush tells the server what it has not heard.
func (p *pad) flush() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, f := range p.unsent {
		f()
	}
	p.unsent = nil
}

func (p *pad) edited(name string, es []protocol.TextEdit) string {
	m := mapper{t: text.New(p.texts[name]), enc: utf8units}
	var out text.Edits
	for _, e := range es {
		x, _, err := m.edit(e.Range, e.NewText)
		if err != nil {
			p.w.t.Error(err)
		}
		out = append(out, x)
	}
	now, err := m.t.Apply(out)
	if err != nil {
		p.w.t.Error(err)
	}
	return now.String()
}
