package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"

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
		s.complain(fmt.Sprintf("%s has %d MB; galley follows documents up to %d MB", name, n>>20, text.MaxSize>>20))
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

// take makes what the editor says the text of a document.
func (s *server) take(b buffer, content wireText) {
	var t text.Text
	was := b.doubt
	t, b.lines = s.took(b, content.s)
	b.doubt = ""
	err := s.client.Load().doubts(t, content.halved)
	if err != nil && err.Error() == was { // it was said already
		b.doubt = was
	}
	s.docs.put(b)
	s.decided(s.ws.OpenDocument(b.path, b.name, t, b.version, true))
	if err != nil {
		s.doubt(b, err.Error())
	}
	s.pub.poke()
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
	d, ok := s.ws.Snapshot().Document(b.path)
	if !ok || !d.Open {
		return errors.New("the document was closed behind the editor's back")
	}
	return s.change(b, d, p.ContentChanges)
}

// change takes the editor's edits, each in the text that the one before left.
func (s *server) change(b buffer, d *editing.Document, changes []contentChange) error {
	c := s.client.Load()
	t := typing{m: c.mapper(d)}
	if b.lines.on {
		if err := t.asLines(b.lines, c.profile.blurs, len(d.Changes()) > 0); err != nil {
			return err
		}
	}
	for _, c := range changes {
		if err := t.apply(c); err != nil {
			return err
		}
	}
	if err := t.lines.whole(t.m.t); err != nil {
		return err
	}
	if err := c.doubts(t.m.t, t.halved && strings.Contains(t.m.t.String(), half)); err != nil {
		return err
	}
	s.docs.put(b)
	if t.anew {
		var now text.Text
		now, b.lines = t.document()
		s.docs.put(b)
		s.decided(s.ws.OpenDocument(b.path, b.name, now, b.version, true))
		return nil
	}
	return s.update(b, t.readings())
}

// update takes one of the readings of what the editor said.
func (s *server) update(b buffer, readings []reading) error {
	all := make([][]text.Edit, len(readings))
	for i, r := range readings {
		all[i] = r.edits
	}
	rec, taken, err := s.ws.UpdateOneOf(b.path, b.version, all)
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
	s.spawn(func(ctx context.Context) { s.host.FilesChanged(ctx, []string{b.path}) }) // a commit may wait for it
	if p.Text == nil {
		return nil
	}
	d, ok := s.ws.Snapshot().Document(b.path)
	if ok && d.Open && b.doubt == "" && s.holds(b, d, text.New(p.Text.s)) {
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
	s.ws.CloseDocument(b.path)
	read := s.docs.drop(b)
	s.spawn(func(ctx context.Context) {
		s.readAgain(b, read)
		s.host.FilesChanged(ctx, []string{b.path})
	})
	return nil
}

// readAgain feeds in what the disk holds, after a document was closed: its text
// is the disk's from now on, unless the editor has opened it again.
func (s *server) readAgain(b buffer, read int) {
	s.ws.Disk.Lock() // else a decision could write the file between the two
	defer s.ws.Disk.Unlock()
	t, err := s.host.ReadFile(b.path)
	s.docs.mu.Lock() // the read loop cannot open it meanwhile
	defer s.docs.mu.Unlock()
	if s.docs.reads[b.path] != read {
		return
	}
	switch {
	case err == nil:
		s.decided(s.ws.OpenDocument(b.path, b.name, t, 0, false))
	case missing(err):
		s.decided(s.ws.Lose(b.path))
	default:
		s.log.Warn("a closed document could not be read", zap.String("path", b.path), zap.Error(err))
	}
}

func missing(err error) bool {
	var coded interface{ ErrorCode() string }
	return errors.Is(err, fs.ErrNotExist) || errors.As(err, &coded) && coded.ErrorCode() == "file_not_found"
}

// decided wakes who journals what the user's text has decided.
func (s *server) decided(r editing.Record) {
	if r.Empty() {
		return
	}
	select {
	case s.pub.decisions <- struct{}{}:
	default:
	}
}

func (s *server) journalDecisions(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.pub.decisions:
			s.host.TextDecided(ctx)
		}
	}
}
