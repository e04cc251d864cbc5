package review

import (
	"slices"
	"strings"
	"time"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
	"github.com/galley-ls/galley/editing/view"
)

// Pick chooses the session to review: the named one, else the newest. The others are those with letters that wait besides.
func Pick(pending []session.PendingSession, named string) (id string, others []session.PendingSession) {
	if id = named; id == "" && len(pending) > 0 {
		id = pending[0].ID
	}
	others = slices.DeleteFunc(slices.Clone(pending), func(p session.PendingSession) bool { return p.ID == id })
	return id, others
}

// listSessions lists what waits in the workspace.
func listSessions(s term.Screen, pending []session.PendingSession, asJSON bool) error {
	if asJSON {
		return term.PrintJSON(s, map[string]any{"sessions": append([]session.PendingSession{}, pending...)})
	}
	for _, p := range pending {
		s.Line(term.Plain, p.ID+"  "+sessionLine(p))
	}
	if len(pending) == 0 {
		s.Println("Nothing to review.")
	}
	return nil
}

// sessionLine is a session in a few words: what waits, since when, and what it is about.
func sessionLine(p session.PendingSession) string {
	line := strings.Join(p.Letters, ", ") + " · " + term.Ago(time.Since(p.Updated))
	if p.Title != "" {
		line += " · " + term.OneLine(p.Title, 60)
	}
	return line
}

// reviewState is a session under review, for programs.
type reviewState struct {
	SessionID string                   `json:"session"`
	Workspace string                   `json:"workspace,omitempty"`
	Results   []tools.Outcome          `json:"results,omitempty"` // of the decisions that were asked for, in their order
	Waiting   []string                 `json:"waiting"`
	Edits     []editState              `json:"edits"`
	Others    []session.PendingSession `json:"others"`
}

type editState struct {
	ID      string       `json:"session_id"`
	State   string       `json:"state"`
	Summary string       `json:"summary,omitempty"`
	Changes []view.State `json:"changes"`
	Diff    string       `json:"diff"` // of all that is staged, as a patch
}

func (r reviewed) state(rev *Reviewer) reviewState {
	st := reviewState{
		SessionID: r.id, Workspace: r.Session.Workspace, Waiting: LettersOf(rev.Waiting()),
		Edits: []editState{}, Others: append([]session.PendingSession{}, r.others...),
	}
	for _, e := range rev.letters().Edits {
		st.Edits = append(st.Edits, editState{ID: e.ID(), State: string(e.State), Summary: e.Summary, Changes: e.States, Diff: e.Patch})
	}
	return st
}
