package lsp

import (
	"context"
	"time"

	"github.com/galley-ls/galley/agent/host"
)

// The commands in this file answer what the notifications bring by themselves.

func (s *server) cmdChanges(a args) (any, rest, error) {
	session := a.Session
	if session == currentSession {
		session = s.current()
	}
	return jsonRaw(own(s.changesOf(s.ws.Snapshot(), s.client.Load(), session))), nil, nil
}

// cmdRuns answers the runs of a session that came before this process: those of now are told as they go.
func (s *server) cmdRuns(a args) (any, rest, error) {
	session, err := s.session(a)
	if err != nil {
		return nil, nil, err
	}
	return nil, func(context.Context) (any, error) {
		runs, err := s.host.Earlier(session)
		if err != nil {
			return nil, refused("failed", "%v", err)
		}
		out := []runMessage{}
		for _, r := range runs {
			out = append(out, runOf(r, 0))
		}
		return jsonRaw(own(out)), nil
	}, nil
}

func (s *server) cmdTasks(a args) (any, rest, error) {
	session, err := s.session(a)
	if err != nil {
		return nil, nil, err
	}
	snap := s.ws.Snapshot()
	return nil, func(context.Context) (any, error) {
		m, err := s.tasksOf(snap, session)
		if err != nil {
			return nil, refused("failed", "%v", err)
		}
		m.Seq = snap.Seq
		s.showPage(session, "tasks.md")
		return jsonRaw(own(m)), nil
	}, nil
}

func (s *server) cmdContext(a args) (any, rest, error) {
	session, err := s.session(a)
	if err != nil {
		return nil, nil, err
	}
	return nil, func(context.Context) (any, error) {
		m, err := s.host.Context(session)
		if err != nil {
			return nil, refused("failed", "%v", err)
		}
		s.showPage(session, "context.md")
		return jsonRaw(own(contextOf(session, s.ws.Snapshot().Seq, m, s.host.Cached(session)))), nil
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

func (s *server) cmdSessions(args) (any, rest, error) {
	return nil, func(ctx context.Context) (any, error) {
		list, err := s.host.Sessions(ctx)
		if err != nil {
			return nil, refused("failed", "%v", err)
		}
		out := []wireAgentSession{}
		for _, i := range list {
			out = append(out, wireAgentSession{
				Session: i.ID, Title: i.Title, Updated: i.Updated.UTC().Format(time.RFC3339), Pending: i.Pending,
				LockedBy: i.LockedBy, ReadOnly: whyReadOnly(i), Current: i.ID == s.current(),
			})
		}
		return jsonRaw(own(out)), nil
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
