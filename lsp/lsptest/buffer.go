package lsptest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// buffer is one open document.
type buffer struct {
	uri     string // as this editor writes it
	text    string
	version int
	form    form
	unended bool // of an editor that holds lines: the last ending is not the file's
	empty   bool // of such an editor: there is nothing in it, which looks like one empty line
	again   bool // it was open before on this connection, so a late message may mean the former one

	pending  []change // what the server has not been told
	told     string   // the text as the server knows it, at version toldAt
	toldAt   int
	undo     []step
	redo     []step
	state    int // names the present text; the same again after undo and redo
	saved    int
	newState int
}

type change struct {
	before string
	edits  []edit
	rows   []rowEdit // the same of an editor that holds lines
}

type step struct {
	forth, back       []edit
	stateWas, stateIs int
}

// Buffer is what can be seen of a document.
type Buffer struct {
	URI        string
	Text       string
	Version    int
	Told       string // the text that the server has been told: of an empty buffer, maybe, one empty line
	Dirty      bool
	Undo, Redo int // steps
}

// Buffer shows a buffer.
func (e *Editor) Buffer(uri string) Buffer {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.bufferLocked(uri).view()
}

func (b *buffer) view() Buffer {
	v := Buffer{b.uri, b.text, b.version, b.told, b.state != b.saved, len(b.undo), len(b.redo)}
	if b.empty {
		v.Text = ""
	}
	return v
}

// unended reports whether the last line of a file has no ending.
func unended(text string) bool { return text != "" && !strings.HasSuffix(text, "\n") }

// Text is a buffer's text.
func (e *Editor) Text(uri string) string { return e.Buffer(uri).Text }

func (e *Editor) bufferLocked(uri string) *buffer {
	b := e.buffers[key(uri)]
	if b == nil {
		panic(fmt.Sprintf("lsptest: no buffer %s is open", uri))
	}
	return b
}

// Open opens a file and returns its URI. Opening it again does nothing.
func (e *Editor) Open(path string) (string, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	uri := e.URI(path)
	return uri, e.openLocked(uri)
}

func (e *Editor) openLocked(uri string) error {
	if e.buffers[key(uri)] != nil {
		return nil
	}
	raw, err := os.ReadFile(filePath(uri))
	if err != nil {
		return fmt.Errorf("open %s: %w", uri, err)
	}
	e.addLocked(uri, string(raw))
	return nil
}

// OpenText opens a buffer over text that need not be in any file. It counts as saved.
func (e *Editor) OpenText(uri, text string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.addLocked(uri, text)
}

func (e *Editor) addLocked(uri, raw string) {
	text, form := load(e.profile.Lines, raw)
	b := &buffer{uri: uri, text: text, form: form, version: e.profile.FirstVersion}
	if e.profile.Lined != LinedNot {
		b.unended = unended(text)
		if b.empty = text == ""; b.empty {
			b.text = form.eol
		}
	}
	e.buffers[key(uri)] = b
	b.again = len(e.told[key(uri)]) > 0
	e.tellLocked(b)
	e.notifyLocked("textDocument/didOpen", map[string]any{"textDocument": map[string]any{
		"uri": uri, "languageId": language(uri), "version": b.version, "text": b.text,
	}})
	e.redrawLocked(b, AsksAlways)
}

// tellLocked notes that the server is told the text.
func (e *Editor) tellLocked(b *buffer) {
	b.told, b.toldAt = b.text, b.version
	e.told[key(b.uri)] = append(e.told[key(b.uri)], b.text)
}

// Told are all texts of a document that the server was told, in their order.
func (e *Editor) Told(uri string) []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.told[key(uri)])
}

func language(uri string) string {
	switch ext := strings.TrimPrefix(filepath.Ext(uri), "."); ext {
	case "md":
		return "markdown"
	case "go", "json":
		return ext
	}
	return "plaintext"
}

// CloseBuffer closes a buffer; what was not saved is gone.
func (e *Editor) CloseBuffer(uri string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.closeLocked(e.bufferLocked(uri))
}

func (e *Editor) closeLocked(b *buffer) {
	e.flushLocked(b)
	delete(e.buffers, key(b.uri))
	e.notifyLocked("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": b.uri}})
}

// Save writes a buffer to its file and tells the server.
func (e *Editor) Save(uri string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.saveLocked(e.bufferLocked(uri))
}

func (e *Editor) saveLocked(b *buffer) error {
	text := b.text
	switch {
	case b.empty:
		text = ""
	case b.unended: // 'fixendofline', as ever
		text += b.form.eol
	}
	if path := filePath(b.uri); path != "" {
		if err := os.WriteFile(path, []byte(b.form.file(text)), 0o600); err != nil {
			return fmt.Errorf("save %s: %w", b.uri, err)
		}
	}
	b.saved = b.state
	e.flushLocked(b)
	params := map[string]any{"textDocument": map[string]any{"uri": b.uri}}
	if e.includeText {
		params["text"] = b.text
	}
	e.notifyLocked("textDocument/didSave", params)
	e.watchedLocked(b.uri, 2)
	return nil
}

// changeOf are edits by hand.
func (e *Editor) changeOf(b *buffer, edits []edit) change {
	if e.profile.Lined != LinedNot {
		return b.lined(edits, b.typed(edits))
	}
	return change{before: b.text, edits: edits}
}

// enterLocked puts a change into the text, as the newest thing that the server is to hear of.
func (e *Editor) enterLocked(b *buffer, c change) {
	b.pending = append(b.pending, c)
	b.text = splice(b.text, c.edits)
	b.empty = e.profile.Lined != LinedNot && b.text == b.ofRows([]string{""})
	if e.profile.Raise == RaiseAtChange {
		b.version++
	}
}

// stepLocked is enterLocked as one new undo step.
func (e *Editor) stepLocked(b *buffer, c change) {
	b.newState++
	b.undo = append(b.undo, step{c.edits, invert(b.text, c.edits), b.state, b.newState})
	b.redo, b.state = nil, b.newState
	e.enterLocked(b, c)
}
