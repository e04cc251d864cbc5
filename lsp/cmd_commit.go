package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing"
	"go.lsp.dev/protocol"
	"go.uber.org/zap"
)

// outcome is what commit and revert answer, in the shape of the tools.
type outcome struct {
	Status   string           `json:"status"`
	Code     string           `json:"code,omitempty"`
	Hint     string           `json:"hint,omitempty"`
	ID       string           `json:"session_id"`
	Session  string           `json:"session"`
	Edit     int              `json:"edit"`
	Summary  string           `json:"summary,omitempty"`
	Applied  int              `json:"applied_changes"`
	Files    []string         `json:"files"`
	Decision []changeDecision `json:"decisions"`
}

type changeDecision struct {
	Change string `json:"change_id"`
	State  string `json:"state"`
	Reason string `json:"reason,omitempty"`
}

// cmdCommit takes everything that is left of an edit in and closes it.
func (s *server) cmdCommit(a args) (any, rest, error) {
	snap := s.ws.Snapshot()
	ses, err := s.edit(snap, a)
	if err != nil {
		return nil, nil, err
	}
	left := snap.Undecided(ses.Owner, ses.N)
	if err := current(snap, left, args{Seq: a.Seq}); err != nil {
		return nil, nil, err
	}
	if err := s.sound(snap, left); err != nil {
		return nil, nil, err
	}
	var seen []editing.Choice
	if a.Seq != nil { // what is staged from here on, nobody has seen
		seen = append([]editing.Choice{}, choicesOf(left)...)
	}
	return nil, func(ctx context.Context) (any, error) {
		clean := s.cleanDocuments(snap, left)
		mine := s.commits.begin(ses)
		r, err := s.host.Commit(ctx, ses.Owner, ses.N, orElse(a.Summary, a.word), seen)
		if mine && (err != nil || r.Status != statusCommitting) {
			s.commits.end(ses)
		}
		if err := s.did(r, err, nil); err != nil {
			return nil, err
		}
		if r.Status == statusCommitting {
			s.bringEdit(ctx, ses, r.Touched, clean)
		} else {
			s.save(ctx, clean)
		}
		return s.outcomeOf(ses, r), nil
	}, nil
}

// bringEdit sends the open documents of a commit. Only when their texts have
// confirmed is the commit finished, which writes the closed files.
func (s *server) bringEdit(ctx context.Context, ses *editing.Session, letters []string, clean cleanliness) {
	answered(ctx, s.bringIn(attempt{
		letters: letters, label: fmt.Sprintf("Commit #%d", ses.N), clean: clean.all,
		over: func(ctx context.Context, how ending) {
			defer s.commits.end(ses)
			s.committed(ctx, ses, letters, clean, how)
		},
	}))
}

func (s *server) committed(ctx context.Context, ses *editing.Session, letters []string, clean cleanliness, how ending) {
	if len(inState(s.ws.Snapshot(), letters, editing.Applied)) < len(letters) {
		s.abort(ctx, ses, letters, how)
		return
	}
	r, err := s.host.FinishCommit(ctx, ses.Owner, ses.N)
	if err := s.did(r, err, nil); err != nil {
		s.log.Error("a commit could not be finished", zap.Error(err))
		s.tell(protocol.MessageTypeError, fmt.Sprintf("#%d was not committed: %v", ses.N, err))
		s.abort(ctx, ses, letters, ending{})
		return
	}
	s.save(ctx, clean)
}

// abort gives a commit up and says which files have changed all the same.
func (s *server) abort(ctx context.Context, ses *editing.Session, letters []string, how ending) {
	r, err := s.host.AbortCommit(ctx, ses.Owner, ses.N)
	if err := s.did(r, err, nil); err != nil {
		s.log.Error("a commit could not be given up", zap.Error(err))
	}
	snap := s.ws.Snapshot()
	sentence := fmt.Sprintf("#%d was not committed, no closed file was written", ses.N)
	if back := inState(snap, letters, editing.Staged); len(back) > 0 {
		sentence += "; " + how.sentence(strings.Join(back, ", "), s.cfg.Patience.String())
	}
	var changed []string
	for _, l := range letters {
		if c, ok := snap.Change(l); ok && c.State != editing.Staged && !slices.Contains(changed, c.Name) {
			changed = append(changed, c.Name)
		}
	}
	if len(changed) > 0 {
		sentence += "; changed already: " + strings.Join(changed, ", ") + " (one undo in the editor takes it back)"
	}
	s.complain(sentence)
}

// cleanliness are the open documents that were as their files are.
type cleanliness struct {
	uris  []string
	names []string
	all   bool // every open document of the edit
}

func (s *server) cleanDocuments(snap *editing.Snapshot, cs []*editing.Change) cleanliness {
	out := cleanliness{all: true}
	seen := map[string]bool{}
	for _, c := range cs {
		d, ok := snap.Document(c.Path)
		if !ok || !d.Open || seen[c.Path] {
			continue
		}
		seen[c.Path] = true
		t, err := s.host.ReadFile(c.Path)
		if err != nil || t.String() != d.Base.String() {
			out.all = false
			continue
		}
		out.uris, out.names = append(out.uris, s.editedURI(d)), append(out.names, d.Name)
	}
	return out
}

// save asks the client to save documents that were clean before the commit, or
// says that they are not saved.
func (s *server) save(ctx context.Context, clean cleanliness) {
	c := s.client.Load()
	switch {
	case len(clean.uris) == 0 || clean.all && c.caps.refactoringMetadata && c.profile.savesRefactorings:
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
		Files: []string{}, Decision: []changeDecision{},
	}
	for _, c := range snap.Of(ses.Owner, ses.N) {
		state := c.State
		if state == editing.Closed && !c.Was.Undecided() && c.Was != "" {
			state = c.Was // how it was decided; else it was thrown away
		}
		o.Decision = append(o.Decision, changeDecision{c.Letter, string(state), c.Verdict})
		if c.WasApplied() {
			o.Applied++
			if !slices.Contains(o.Files, c.Name) {
				o.Files = append(o.Files, c.Name)
			}
		}
	}
	return jsonRaw(own(o))
}
