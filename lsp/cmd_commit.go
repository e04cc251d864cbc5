package lsp

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing"
	"go.lsp.dev/protocol"
	"go.uber.org/zap"
)

// outcome is what commit and revert answer, in the shape of the tools.
type outcome struct {
	Status   string             `json:"status"`
	Code     string             `json:"code,omitempty"`
	Hint     string             `json:"hint,omitempty"`
	ID       string             `json:"session_id"`
	Session  string             `json:"session"`
	Edit     int                `json:"edit"`
	Summary  string             `json:"summary,omitempty"`
	Applied  int                `json:"applied_changes"`
	Files    []string           `json:"files"`
	Decision []editing.Decision `json:"decisions"`
}

// cmdCommit takes everything that is left of an edit in and closes it.
func (s *server) cmdCommit(a args) (rest, error) {
	snap := s.ws.Snapshot()
	ses, err := s.edit(snap, a)
	if err != nil {
		return nil, err
	}
	left := snap.Undecided(ses.Owner, ses.N)
	if err := fresh(snap, left, args{Seq: a.Seq}); err != nil {
		return nil, err
	}
	if _, letters, why := s.unseen(snap, left); len(letters) > 0 {
		return nil, refused(codeNotShown, "nothing was committed. %s; look at it with galley.preview and commit again, or apply it by its letter", why)
	}
	var seen []editing.Choice
	if a.Seq != nil { // what is staged from here on, nobody has seen
		seen = append([]editing.Choice{}, choicesOf(left)...)
	}
	return func(ctx context.Context) (any, error) {
		r, err := s.host.Commit(ctx, s.me, ses.Owner, ses.N, orElse(a.Summary, a.word), seen)
		err = s.did(r, err, nil)
		return s.outcomeOf(ses, r), err
	}, nil
}

// cleanliness are the open documents that were as their files are.
type cleanliness struct {
	uris  []string
	names []string
	all   bool // every open document of the edit
}

func (s *server) cleanDocuments(snap *editing.Snapshot, edits []editing.DocumentEdit) cleanliness {
	out := cleanliness{all: true}
	for _, e := range edits {
		d, ok := snap.Document(e.Path)
		if !ok || d.Keeper != s.me {
			continue
		}
		t, err := s.host.ReadFile(e.Path)
		if err != nil || t.String() != d.Base.String() {
			out.all = false
			continue
		}
		uri := s.editedURI(d)
		if e.Rename != "" { // by the time of saving
			uri = fileURI(e.Rename)
		}
		out.uris, out.names = append(out.uris, uri), append(out.names, d.Name)
	}
	return out
}

// save asks the client to save documents that were clean before the commit, or
// says that they are not saved.
func (s *server) save(ctx context.Context, clean cleanliness) {
	c := s.client.Load()
	switch {
	case len(clean.uris) == 0:
		return
	// VS Code saves a marked edit of several documents, but not always one of a single open document.
	case !c.save && len(clean.uris) > 1 && clean.all && c.caps.refactoringMetadata && c.profile.savesRefactorings:
		return
	case !c.save:
		s.tell(protocol.MessageTypeInfo, "committed, but not saved yet: "+strings.Join(clean.names, ", "))
		return
	}
	var got json.RawMessage
	if err := protocol.Call(ctx, s.conn, methodSave, jsonRaw(own(map[string]any{"uris": clean.uris})), &got); err != nil {
		s.log.Warn("the client did not save", zap.Error(err))
	}
}

// outcomeOf describes an edit as it stands.
func (s *server) outcomeOf(ses *editing.Session, r editing.Result) any {
	snap := s.ws.Snapshot()
	if now, ok := snap.Session(ses.Owner, ses.N); ok {
		ses = now
	}
	o := outcome{
		Status: r.Status, Code: r.Code, Hint: r.Hint, ID: ses.ID(), Session: ses.Owner, Edit: ses.N, Summary: ses.Summary,
		Files: []string{}, Decision: []editing.Decision{},
	}
	for _, c := range snap.Of(ses.Owner, ses.N) {
		d := c.Decision()
		d.Reason = c.Verdict // who applied it, the change says
		o.Decision = append(o.Decision, d)
		if c.WasApplied() {
			o.Applied++
			if !slices.Contains(o.Files, c.Name) {
				o.Files = append(o.Files, c.Name)
			}
		}
	}
	return o
}
