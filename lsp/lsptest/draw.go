package lsptest

import "encoding/json"

// refreshLocked draws again what the server says is old.
func (e *Editor) refreshLocked(m Message) {
	e.screen.Refreshes[m.Method]++
	switch m.Method {
	case "workspace/codeLens/refresh", "workspace/inlayHint/refresh":
		for _, uri := range sortedKeys(e.buffers) {
			e.redrawLocked(e.buffers[uri], AsksAlways)
		}
	case "workspace/textDocumentContent/refresh":
		var params struct {
			URI string `json:"uri"`
		}
		_ = json.Unmarshal(m.Params, &params)
		if _, ok := e.screen.Virtual[params.URI]; ok {
			e.fetchLocked(params.URI)
		}
	}
}

// Redraw asks for lenses and hints where the editor does so only when told.
func (e *Editor) Redraw(uri string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.redrawLocked(e.bufferLocked(uri), AsksOnDemand)
}

// redrawLocked asks for the lenses and hints of a buffer, if this editor draws them and the server has any.
func (e *Editor) redrawLocked(b *buffer, at Asks) {
	if e.profile.Lenses >= at && e.providesLocked("codeLensProvider", codeLens) {
		e.drawLocked(b, codeLens)
	}
	if e.profile.Hints >= at && e.providesLocked("inlayHintProvider", inlayHint) {
		e.drawLocked(b, inlayHint)
	}
}

const (
	codeLens  = "textDocument/codeLens"
	inlayHint = "textDocument/inlayHint"
)

// drawnLocked puts an answer on the screen. One that cannot be read is the checker's to complain about.
func (e *Editor) drawnLocked(b *buffer, method string, result json.RawMessage) {
	var lenses []Lens
	var hints []Hint
	switch {
	case method == codeLens && json.Unmarshal(result, &lenses) == nil:
		e.screen.Lenses[key(b.uri)] = lenses
	case method == inlayHint && json.Unmarshal(result, &hints) == nil:
		e.screen.Hints[key(b.uri)] = hints
	}
}

// providesLocked: by a static capability or a dynamic registration.
func (e *Editor) providesLocked(capability, method string) bool {
	if value := e.provides[capability]; value != nil && value != false {
		return true
	}
	for _, r := range e.screen.Registered {
		if r.Method == method {
			return true
		}
	}
	return false
}

// drawLocked asks once at a time: while an answer is under way, asking again only marks it as old.
func (e *Editor) drawLocked(b *buffer, method string) {
	name := method + " " + key(b.uri)
	if _, underway := e.screen.drawing[name]; underway {
		e.screen.drawing[name] = true
		return
	}
	e.screen.drawing[name] = false
	params := map[string]any{"textDocument": map[string]any{"uri": b.uri}}
	if method == inlayHint {
		params["range"] = Range{End: position(b.told, len(b.told), e.encoding)}
	}
	e.beginLocked(method, params, func(c *Call) {
		again := e.screen.drawing[name]
		delete(e.screen.drawing, name)
		switch {
		case e.buffers[key(b.uri)] != b: // closed meanwhile
		case again || c.err != nil && c.err.Code == contentModified:
			e.drawLocked(b, method) // this one alone: the other kind may be under way, and asks for itself
		case c.err == nil:
			e.drawnLocked(b, method, c.result)
		}
	})
}

const contentModified = -32801
