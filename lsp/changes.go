package lsp

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
	"github.com/galley-ls/galley/editing/view"
)

// changesOf is the whole state of all changes of open editing sessions. An empty
// session means all agent sessions.
func (s *server) changesOf(snap *editing.Snapshot, c *client, session string) changesMessage {
	m := changesMessage{Session: s.host.Current(), Seq: snap.Seq, Edits: []wireSession{}, Files: []wireFile{}}
	if session != "" {
		m.Session = session
	}
	for _, ses := range snap.Sessions(session) {
		if ses.State.Open() {
			m.Edits = append(m.Edits, wireSession{
				Session: ses.Owner, Edit: ses.N, State: string(ses.State), Task: ses.Task, Summary: ses.Summary,
				Pending: len(snap.Undecided(ses.Owner, ses.N)),
			})
		}
	}
	for _, d := range snap.Documents() {
		if f := s.fileOf(snap, d, c, session); len(f.Changes) > 0 {
			m.Files = append(m.Files, f)
		}
	}
	return m
}

func (s *server) fileOf(snap *editing.Snapshot, d *editing.Document, c *client, session string) wireFile {
	f := wireFile{URI: s.uriOf(d, c)}
	if d.Open {
		v := d.Version
		f.Version = &v
	}
	m := c.mapper(d)
	for _, ch := range d.Changes() {
		if session == "" || ch.Owner == session {
			w := changeOf(snap, d, ch, m)
			if ch.Kind == editing.KindRename {
				w.To = c.shownURI(fileURI(ch.File.To))
			}
			f.Changes = append(f.Changes, w)
		}
	}
	return f
}

func changeOf(snap *editing.Snapshot, d *editing.Document, ch *editing.Change, m mapper) wireChange {
	start, end := extent(ch)
	w := wireChange{
		Change: ch.Letter, Revision: ch.Revision, Session: ch.Owner, Edit: ch.Session, Task: ch.Task,
		State: string(ch.State), By: ch.By, Kind: string(ch.Kind), Reason: ch.Reason, Summary: view.Summary(snap, ch),
		Edits: []wireEdit{}, Hash: baseHash(d, ch),
	}
	if at := m.span(start, end); !ch.Kind.File() {
		w.Range = &at
	}
	w.OldText = d.Base.Slice(start, end)
	w.NewText = w.OldText
	switch ch.State {
	case editing.Applied:
		w.OldText = replaced(d.Base, start, end, undo(ch))
	default:
		w.NewText = replaced(d.Base, start, end, ch.Edits())
		if !ch.Kind.File() {
			w.Edits = m.edits(ch.Edits())
		}
	}
	if ch.State == editing.Conflict {
		w.Conflict = conflictOf(ch.Conflicts(d.Base))
	}
	return w
}

// undo are the edits that take an applied change out of the text.
func undo(c *editing.Change) text.Edits {
	var es text.Edits
	for _, h := range c.Hunks {
		es = append(es, text.Edit{Start: h.Start, End: h.End, New: h.Old})
	}
	return es
}

// replaced is the text of [start,end) with edits made. Edits that do not follow
// one another (the grown places of a conflict) are left out.
func replaced(t text.Text, start, end int, es text.Edits) string {
	var b strings.Builder
	at := start
	for _, e := range es {
		if e.Start < at || e.End > end {
			continue
		}
		b.WriteString(t.Slice(at, e.Start) + e.New)
		at = e.End
	}
	b.WriteString(t.Slice(at, max(at, end)))
	return b.String()
}

// baseHash names the text that a change lies on, so that a choice about it can
// say what it was made on.
func baseHash(d *editing.Document, c *editing.Change) string {
	start, end := extent(c)
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
	seq := m.Seq
	m.Seq = 0
	key := own(m)
	m.Seq = seq
	p.once(methodChanges, methodChanges, key, own(m))
}

// uriOf is the URI of a document as the client knows it.
func (s *server) uriOf(d *editing.Document, c *client) string {
	if b, ok := s.docs.at(d.Path); ok {
		return c.shownURI(b.uri)
	}
	return c.shownURI(fileURI(d.Path))
}

// document finds the document of a URI in a snapshot.
func (s *server) document(snap *editing.Snapshot, uri string) (*editing.Document, bool) {
	if b, ok, _ := s.docs.named(uri); ok {
		return snap.Document(b.path)
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
