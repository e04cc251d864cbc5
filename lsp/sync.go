package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
	"go.uber.org/zap"
)

// The parameters of document sync are read here and not by the library: a range
// that it cannot read would come out as a replacement of the whole document.

type versioned struct {
	URI     string `json:"uri"`
	Version *int32 `json:"version"`
}

type openParams struct {
	TextDocument struct {
		versioned
		Text *wireText `json:"text"`
	} `json:"textDocument"`
}

type changeParams struct {
	TextDocument   versioned       `json:"textDocument"`
	ContentChanges []contentChange `json:"contentChanges"`
}

// contentChange has no range if the text is the whole document's.
type contentChange struct {
	Range json.RawMessage `json:"range"`
	Text  *wireText       `json:"text"`
}

type saveParams struct {
	TextDocument versioned `json:"textDocument"`
	Text         *wireText `json:"text"`
}

var errNoText = errors.New("it has no text")

func (s *server) didOpen(params json.RawMessage) error {
	s.following.Lock()
	defer s.following.Unlock()
	var p openParams
	if err := json.Unmarshal(params, &p); err != nil {
		return err
	}
	doc := p.TextDocument
	if doc.Text == nil || doc.Version == nil || doc.URI == "" {
		return fmt.Errorf("open %s: %w, or no version", doc.URI, errNoText)
	}
	path, ok := filePath(doc.URI)
	if !ok {
		s.docs.ignore(doc.URI)
		return nil
	}
	abs, name, err := s.host.Resolve(path)
	if err != nil {
		s.log.Info("a document is none of galley's", zap.String("uri", doc.URI), zap.Error(err))
		s.docs.ignore(doc.URI)
		return nil
	}
	if n := len(doc.Text.s); n > text.MaxSize {
		s.docs.ignore(doc.URI)
		s.host.Say(fmt.Sprintf("%s has %d MB; galley follows documents up to %d MB", name, n>>20, text.MaxSize>>20), s.me)
		return nil
	}
	was, again := s.docs.at(abs)
	if again && was.uri != doc.URI {
		s.docs.ignore(doc.URI)
		return fmt.Errorf("%s is open already as %s; only that one is followed", doc.URI, was.uri)
	}
	if again {
		s.log.Warn("a document was opened twice; the second text counts", zap.String("uri", doc.URI))
	}
	s.take(buffer{path: abs, name: name, uri: doc.URI, version: *doc.Version}, *doc.Text)
	return nil
}

// take makes what the editor says its text of a document: the document's, if it keeps it.
func (s *server) take(b buffer, content wireText) {
	if s.left {
		return
	}
	var t text.Text
	was := b.doubt
	t, b.lines = s.took(b, content.s)
	b.doubt = ""
	err := s.client.Load().doubts(t, content.halved)
	if err == nil && strings.ContainsRune(content.s, utf8.RuneError) {
		err = s.lossy(b.path)
	}
	if err != nil && err.Error() == was { // it was said already
		b.doubt = was
	}
	b.beside, b.asked = t, text.Text{}
	s.docs.put(b)
	s.decided(s.ws.OpenDocument(b.path, b.name, t, b.version, s.me))
	if _, kept := s.kept(b.path); kept {
		b.beside = text.Text{}
		s.docs.put(b)
	}
	if err != nil {
		s.doubt(b, err.Error())
	}
	s.pub.poke()
}

// lossy says that a file has bytes which no text in a message can hold: what the editor has
// instead of them would be saved with the next change.
func (s *server) lossy(path string) error {
	if t, err := s.host.ReadFile(path); err == nil && !utf8.ValidString(t.String()) {
		return errLossy
	}
	return nil
}

// kept is a document, and whether this editor keeps it.
func (s *server) kept(path string) (d *editing.Document, is bool) {
	d, ok := s.ws.Snapshot().Document(path)
	return d, ok && d.Keeper == s.me
}

func (s *server) didChange(params json.RawMessage) error {
	s.following.Lock()
	defer s.following.Unlock()
	var p changeParams
	if err := json.Unmarshal(params, &p); err != nil {
		return err
	}
	b, ok, foreign := s.docs.named(p.TextDocument.URI)
	switch {
	case foreign:
		return nil
	case !ok:
		return fmt.Errorf("%s was changed before it was opened", p.TextDocument.URI)
	case b.doubt != "": // read-only: its changes wait as they are
		if v := p.TextDocument.Version; v != nil && *v > b.version {
			b.version = *v
			s.docs.put(b)
		}
		return nil
	case p.TextDocument.Version == nil:
		return errors.New("the change has no version")
	case *p.TextDocument.Version <= b.version:
		return fmt.Errorf("version %d came after version %d", *p.TextDocument.Version, b.version)
	}
	b.version = *p.TextDocument.Version
	if d, kept := s.kept(b.path); kept {
		return s.change(b, d, p.ContentChanges)
	}
	return s.changeBeside(b, p.ContentChanges)
}

// change takes the editor's edits into the document.
func (s *server) change(b buffer, d *editing.Document, changes []contentChange) error {
	t, err := s.typed(b, d, changes)
	if err != nil {
		return err
	}
	s.docs.put(b)
	if t.anew {
		var now text.Text
		now, b.lines = t.document()
		s.docs.put(b)
		s.decided(s.ws.OpenDocument(b.path, b.name, now, b.version, s.me))
		return nil
	}
	return s.update(b, t.readings())
}

// changeBeside takes them into the editor's own text, which nobody else hears of.
func (s *server) changeBeside(b buffer, changes []contentChange) error {
	own := editing.NewDocument(b.path, b.name, b.beside)
	own.Keeper = s.me
	t, err := s.typed(b, own, changes)
	if err != nil {
		return err
	}
	b.beside, b.lines = t.document()
	b.asked = text.Text{}
	s.docs.put(b)
	s.pub.poke()
	if d, ok := s.ws.Snapshot().Document(b.path); ok && !d.Open() && !s.adopt(b) { // it may be what the file holds now
		s.readAgain(b)
	}
	return nil
}

// typed makes the editor's edits, each in the text that the one before left.
func (s *server) typed(b buffer, d *editing.Document, changes []contentChange) (typing, error) {
	c := s.client.Load()
	t := typing{m: c.mapper(d)}
	if b.lines.on {
		if err := t.asLines(b.lines, c.profile.blurs, len(d.Changes()) > 0); err != nil {
			return t, err
		}
	}
	for _, c := range changes {
		if err := t.apply(c); err != nil {
			return t, err
		}
	}
	if err := t.lines.whole(t.m.t); err != nil {
		return t, err
	}
	return t, c.doubts(t.m.t, t.halved && strings.Contains(t.m.t.String(), half))
}

// update takes one of the readings of what the editor said.
func (s *server) update(b buffer, readings []reading) error {
	all := make([][]text.Edit, len(readings))
	for i, r := range readings {
		all[i] = r.edits
	}
	rec, taken, err := s.ws.UpdateOneOf(b.path, b.version, all, s.me)
	if err != nil {
		return fmt.Errorf("update %s: %w", b.name, err)
	}
	s.docs.setLines(b.path, readings[taken].lined)
	s.decided(rec)
	return nil
}

// didSave compares: what was saved is what the editor holds.
func (s *server) didSave(params json.RawMessage) error {
	s.following.Lock()
	defer s.following.Unlock()
	b, p, foreign, err := s.buffer(params, "saved")
	if path, ok := filePath(p.TextDocument.URI); foreign && ok { // perhaps a draft of a change
		s.spawn(func(ctx context.Context) { s.host.FilesChanged(ctx, []string{path}) })
	}
	if err != nil || foreign {
		return err
	}
	s.readAgain(b) // a commit may wait for it
	if p.Text == nil {
		return nil
	}
	d, kept := s.kept(b.path)
	if !kept {
		d = editing.NewDocument(b.path, b.name, b.beside)
	}
	if b.doubt == "" && s.holds(b, d, text.New(p.Text.s)) {
		return nil
	}
	s.log.Warn("a saved text was taken over", zap.String("uri", b.uri), zap.String("doubt", b.doubt))
	s.take(b, *p.Text)
	return nil
}

// buffer finds the document that was saved or closed. A foreign one is none of galley's.
func (s *server) buffer(params json.RawMessage, what string) (b buffer, p saveParams, foreign bool, err error) {
	if err := json.Unmarshal(params, &p); err != nil {
		return b, p, false, err
	}
	b, ok, foreign := s.docs.named(p.TextDocument.URI)
	if !ok && !foreign {
		err = fmt.Errorf("%s was %s but is not open", p.TextDocument.URI, what)
	}
	return b, p, foreign, err
}

func (s *server) didClose(params json.RawMessage) error {
	s.following.Lock()
	defer s.following.Unlock()
	b, p, foreign, err := s.buffer(params, "closed")
	if err != nil {
		return err
	}
	if foreign {
		s.docs.forget(p.TextDocument.URI)
		s.pub.fetched.drop(p.TextDocument.URI)
		return nil
	}
	s.docs.drop(b)
	s.ws.CloseDocument(b.path, s.me)
	s.readAgain(b)
	return nil
}

// decided wakes who journals what the user's text has decided.
func (s *server) decided(r editing.Record) {
	if !r.Empty() {
		s.host.TextMoved()
	}
}
