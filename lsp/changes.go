package lsp

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/view"
)

// changesOf is the whole state of all changes of open editing sessions. An empty
// session means all agent sessions.
func (s *server) changesOf(snap *editing.Snapshot, c *client, session string) changesMessage {
	all := view.All(snap, session)
	m := changesMessage{Session: orElse(session, s.current()), Seq: all.Seq, Latest: s.latest(), Edits: []wireSession{}, Files: []wireFile{}}
	for _, ses := range all.Edits {
		m.Edits = append(m.Edits, wireSession{
			Session: ses.Owner, Title: s.host.Title(ses.Owner), Edit: ses.N, State: string(ses.State), Task: ses.Task, Summary: ses.Summary,
			Pending: len(snap.Undecided(ses.Owner, ses.N)),
		})
	}
	for _, f := range all.Files {
		if version, is := s.shows(f.Document); is {
			m.Files = append(m.Files, s.fileOf(f, c, version))
		}
	}
	return m
}

func (s *server) fileOf(f view.File, c *client, version *int32) wireFile {
	w := wireFile{URI: s.uriOf(f.Document, c), Path: f.Document.Name, Version: version}
	m := c.mapper(f.Document)
	for _, ch := range f.Changes {
		one := changeOf(f.Document, ch, m)
		if ch.Kind == editing.KindRename {
			one.To = c.shownURI(fileURI(ch.File.To))
		}
		w.Changes = append(w.Changes, one)
	}
	return w
}

func changeOf(d *editing.Document, ch view.Change, m mapper) wireChange {
	by := ch.By
	if ch.Yours && ch.State.Undecided() {
		by = "you"
	}
	w := wireChange{
		shownLetter: letterOf(ch.Change), Task: ch.Task,
		State: string(ch.State), By: by, Kind: string(ch.Kind), Reason: ch.Because(), Summary: ch.Summary,
		OldText: ch.OldText, NewText: ch.NewText, Edits: m.edits(ch.Takes), Lines: m.enc.lines(ch.Lines),
		Hash: baseHash(d, ch.Change), RejectedBefore: ch.Again,
	}
	if at := m.span(ch.Start, ch.End); !ch.Kind.File() {
		w.Range = &at
	}
	if ch.State == editing.Conflict {
		w.Conflict = conflictOf(ch.Conflicts(d.Base))
	}
	return w
}

// baseHash names the text that a change lies on, so that a choice about it can
// say what it was made on.
func baseHash(d *editing.Document, c *editing.Change) string {
	start, end := view.Extent(c)
	sum := sha256.Sum256([]byte(d.Base.Slice(start, end)))
	return hex.EncodeToString(sum[:8])
}

func conflictOf(sides []editing.Sides) *wireConflict {
	var w wireConflict
	for i, s := range sides {
		if i > 0 {
			w.Mine, w.Agent, w.Original = w.Mine+"\n…\n", w.Agent+"\n…\n", w.Original+"\n…\n"
		}
		w.Mine, w.Agent, w.Original = w.Mine+s.Mine, w.Agent+s.Agent, w.Original+s.Original
	}
	return &w
}

// changes sends galley/changes, if it says anything new.
func (p *publisher) changes(snap *editing.Snapshot, c *client) {
	m := p.s.changesOf(snap, c, "")
	p.once(methodChanges, &m, &m.Seq)
}

// uriOf is the URI of a document as the client knows it.
func (s *server) uriOf(d *editing.Document, c *client) string {
	if b, ok := s.docs.at(d.Path); ok {
		return c.shownURI(b.uri)
	}
	return c.shownURI(fileURI(d.Path))
}

// document finds the document of a URI in a snapshot, if the client is shown it.
func (s *server) document(snap *editing.Snapshot, uri string) (*editing.Document, bool) {
	if b, ok, _ := s.docs.named(uri); ok {
		d, ok := snap.Document(b.path)
		if ok {
			_, ok = s.shows(d)
		}
		return d, ok
	}
	path, ok := filePath(uri)
	if !ok {
		return nil, false
	}
	abs, _, err := s.host.Resolve(path)
	if err != nil {
		return nil, false
	}
	return snap.Document(abs)
}

// decoded reads params or an argument into v.
func decoded(raw json.RawMessage, v any) error {
	if len(raw) == 0 {
		return nil
	}
	if err := json.Unmarshal(raw, v); err != nil {
		return invalidParams("%v", err)
	}
	return nil
}
