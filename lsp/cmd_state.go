package lsp

import (
	"context"
	"time"

	"github.com/galley-ls/galley/agent/host"
)

// The commands in this file answer what the notifications bring by themselves.

func (s *server) cmdChanges(a args) (rest, error) {
	session := a.Session
	if session == currentSession {
		session = s.current()
	}
	m := s.changesOf(s.ws.Snapshot(), s.client.Load(), session)
	return func(context.Context) (any, error) { return m, nil }, nil
}

// cmdRuns answers the runs of a session that came before this process: those of now are told as they go.
func (s *server) cmdRuns(_ args, session string) (rest, error) {
	return func(context.Context) (any, error) {
		runs, err := s.host.Earlier(session)
		out := []runMessage{}
		for _, r := range runs {
			out = append(out, runOf(r, 0))
		}
		return out, err
	}, nil
}

func (s *server) cmdTasks(_ args, session string) (rest, error) {
	snap := s.ws.Snapshot()
	return func(context.Context) (any, error) {
		m, err := s.tasksOf(snap, session)
		if err != nil {
			return nil, err
		}
		m.Seq = snap.Seq
		s.showPage(session, "tasks.md")
		return m, nil
	}, nil
}

func (s *server) cmdContext(_ args, session string) (rest, error) {
	return func(context.Context) (any, error) {
		m, err := s.host.Context(session)
		if err != nil {
			return nil, err
		}
		s.showPage(session, "context.md")
		return contextOf(session, s.ws.Snapshot().Seq, m, s.host.Cached(session)), nil
	}, nil
}

// wireAgentSession is one row of galley.sessions.
type wireAgentSession struct {
	Session  string `json:"session"`
	Title    string `json:"title"`
	Updated  string `json:"updated"`
	Pending  int    `json:"pending"`
	LockedBy int    `json:"lockedBy,omitempty"`
	ReadOnly string `json:"readOnly,omitempty"`
	Current  bool   `json:"current"`
}

func (s *server) cmdSessions(args) (rest, error) {
	return func(ctx context.Context) (any, error) {
		list, err := s.host.Sessions(ctx)
		out := []wireAgentSession{}
		for _, i := range list {
			out = append(out, wireAgentSession{
				Session: i.ID, Title: i.Title, Updated: i.Updated.UTC().Format(time.RFC3339), Pending: i.Pending,
				LockedBy: i.LockedBy, ReadOnly: whyReadOnly(i), Current: i.ID == s.current(),
			})
		}
		return out, err
	}, nil
}

// whyReadOnly says why a session can only be looked at here, "" if it can be opened.
func whyReadOnly(i host.Info) string {
	switch {
	case i.Legacy:
		return "it is a single file of the old kind"
	case i.LockedBy != 0:
		return "it is open in another process"
	}
	return ""
}

// showPage shows a state as its page, where the client draws nothing from it: its user would see no answer.
func (s *server) showPage(session, name string) {
	if !s.client.Load().notifications {
		s.spawn(func(ctx context.Context) { s.showView(ctx, session, name) })
	}
}
