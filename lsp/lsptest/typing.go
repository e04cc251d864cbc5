package lsptest

import (
	"fmt"
	"os"
	"strings"
)

// Place finds a byte offset in a text; negative if there is none.
type Place func(text string) int

// Offset is a byte offset.
func Offset(n int) Place {
	return func(text string) int {
		if n > len(text) {
			return -1
		}
		return n
	}
}

// LineCol is a line and a column, both from 0; the column counts code points.
func LineCol(line, column int) Place {
	return func(text string) int {
		offset, exact := place(text, Position{line, column}, UTF32)
		if !exact {
			return -1
		}
		return offset
	}
}

// Before is the first occurrence of s.
func Before(s string) Place { return func(text string) int { return strings.Index(text, s) } }

// After is the end of the first occurrence of s.
func After(s string) Place {
	return func(text string) int {
		i := strings.Index(text, s)
		if i < 0 {
			return -1
		}
		return i + len(s)
	}
}

// End is the end of the text.
func End() Place { return func(text string) int { return len(text) } }

func (p Place) in(b *buffer) int {
	offset := p(b.text)
	if offset < 0 {
		panic(fmt.Sprintf("lsptest: no such place in %s: %q", b.uri, b.text))
	}
	return offset
}

// Type inserts text, as one undo step.
func (e *Editor) Type(uri string, at Place, text string) { e.Replace(uri, at, at, text) }

// Delete removes what lies between two places.
func (e *Editor) Delete(uri string, from, to Place) { e.Replace(uri, from, to, "") }

// Replace puts text in the place of what lies between two places.
func (e *Editor) Replace(uri string, from, to Place, text string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	b := e.bufferLocked(uri)
	e.typedLocked(b, []edit{{from.in(b), to.in(b), b.form.insert(text)}})
}

// ReplaceAll gives a buffer another text in one step, as a formatter does that knows nothing better.
func (e *Editor) ReplaceAll(uri, text string) { e.Replace(uri, Offset(0), End(), text) }

// Undo takes the last step back; false if there is none.
func (e *Editor) Undo(uri string) bool {
	return e.turn(uri, func(b *buffer) (from, to *[]step) { return &b.undo, &b.redo }, func(s step) ([]edit, int) { return s.back, s.stateWas })
}

// Redo does the step again that was last undone; false if there is none.
func (e *Editor) Redo(uri string) bool {
	return e.turn(uri, func(b *buffer) (from, to *[]step) { return &b.redo, &b.undo }, func(s step) ([]edit, int) { return s.forth, s.stateIs })
}

// turn does the last of some steps, and puts it with the others.
func (e *Editor) turn(uri string, between func(*buffer) (from, to *[]step), how func(step) ([]edit, int)) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	b := e.bufferLocked(uri)
	from, to := between(b)
	if len(*from) == 0 {
		return false
	}
	last := (*from)[len(*from)-1]
	*from, *to = (*from)[:len(*from)-1], append(*to, last)
	edits, state := how(last)
	b.state = state
	e.enterLocked(b, e.changeOf(b, edits))
	e.holdLocked(b)
	return true
}

// Reload takes the file's present text into the buffer, as an editor does that sees it changed on disk.
func (e *Editor) Reload(uri string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	b := e.bufferLocked(uri)
	raw, err := os.ReadFile(filePath(b.uri))
	if err != nil {
		return fmt.Errorf("reload %s: %w", uri, err)
	}
	text, form := load(e.profile.Lines, string(raw))
	b.form = form
	e.typedLocked(b, []edit{{0, len(b.text), text}})
	b.saved = b.state
	return nil
}

func (e *Editor) typedLocked(b *buffer, edits []edit) {
	e.stepLocked(b, e.changeOf(b, edits))
	e.holdLocked(b)
}

// holdLocked sends what was changed, at once or when the profile says.
func (e *Editor) holdLocked(b *buffer) {
	if e.profile.Hold.After == 0 {
		e.flushLocked(b)
		return
	}
	e.clock.set(key(b.uri), e.profile.Hold.After, e.profile.Hold.Idle, func() { e.flushLocked(b) })
}

// Flush sends all that is held back, at once.
func (e *Editor) Flush() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.flushAllLocked()
}

func (e *Editor) flushAllLocked() {
	for _, uri := range sortedKeys(e.buffers) {
		e.flushLocked(e.buffers[uri])
	}
}

// flushLocked tells the server all changes of a buffer that it does not know, in one notification.
func (e *Editor) flushLocked(b *buffer) {
	e.clock.stop(key(b.uri))
	if len(b.pending) == 0 {
		return
	}
	if e.profile.Raise == RaiseAtSend {
		b.version++
	}
	events := []contentChange{{Text: b.text}}
	if e.syncKind != syncFull && e.profile.Cut != CutWhole {
		events = nil
		for _, c := range b.pending {
			events = append(events, e.cutLocked(b, c)...)
		}
	}
	b.pending = nil
	e.tellLocked(b)
	if e.syncKind == syncNone {
		return
	}
	e.notifyLocked("textDocument/didChange", map[string]any{
		"textDocument": map[string]any{"uri": b.uri, "version": b.version}, "contentChanges": events,
	})
	e.redrawLocked(b, AsksAlways)
}

func (e *Editor) cutLocked(b *buffer, c change) []contentChange {
	if e.profile.Cut == CutRows {
		return b.events(c, e.encoding, e.profile.Lined)
	}
	return cut(e.profile.Cut, c.before, c.edits, e.encoding)
}

const (
	syncNone = 0
	syncFull = 1
)
