package lsp

import (
	"context"
	"strings"

	"github.com/galley-ls/galley/agent/host"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/tasks"
	"go.lsp.dev/protocol"
	"go.uber.org/zap"
)

// notifyViews sends galley/tasks and galley/context of the current session.
func (p *publisher) notifyViews() {
	session := p.s.current()
	if session == "" {
		return
	}
	snap := p.s.ws.Snapshot()
	if m, err := p.s.tasksOf(snap, session); err == nil {
		m.Seq = p.viewSeq
		p.once(methodTasks, &m, &m.Seq)
	}
	if m, err := p.s.host.Context(session); err == nil {
		msg := contextOf(session, p.viewSeq, m, p.s.host.Cached(session))
		p.once(methodContext, &msg, &msg.Seq)
	}
}

// tasksOf is the task tree of a session, without a sequence number.
func (s *server) tasksOf(snap *editing.Snapshot, session string) (tasksMessage, error) {
	tree, text, err := s.host.TaskTree(session)
	if err != nil {
		return tasksMessage{}, err
	}
	letters := map[int][]string{}
	for _, ch := range snap.Changes() {
		if ch.Owner == session {
			letters[ch.Task] = append(letters[ch.Task], ch.Letter)
		}
	}
	return tasksMessage{Session: session, Tree: branches(tree, 0, letters), Text: text}, nil
}

func branches(tree []tasks.Task, parent int, letters map[int][]string) []wireTask {
	out := []wireTask{}
	for _, t := range tree {
		if t.Parent != parent {
			continue
		}
		w := wireTask{ID: t.ID, Goal: t.Goal, State: string(t.State), Summary: t.Summary, Changes: letters[t.ID]}
		if w.Changes == nil {
			w.Changes = []string{}
		}
		w.Children = branches(tree, t.ID, letters)
		out = append(out, w)
	}
	return out
}

// followRuns sends galley/run and the progress of runs.
func (s *server) followRuns(ctx context.Context) {
	seq := s.joined // what is over by then, galley.runs tells
	shown := progress{map[string]bool{}, map[string]bool{}}
	for {
		runs, next, err := s.host.WaitRuns(ctx, seq)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			s.log.Error("runs cannot be followed any more", zap.Error(err))
			return
		}
		seq = next
		for i, r := range runs { // each has moved at a number of its own
			s.showRun(ctx, r, seq-int64(len(runs)-1-i), shown)
		}
	}
}

func (s *server) showRun(ctx context.Context, r host.Run, seq int64, shown progress) {
	c := s.client.Load()
	if c.notifications {
		s.notify(methodRun, jsonRaw(own(runOf(r, seq))))
	}
	if c.caps.progress {
		shown.show(ctx, s, r)
	}
	if r.By != s.me { // its words are for who asked
		return
	}
	switch {
	case r.State == host.RunFailed && r.Error != "":
		s.tell(protocol.MessageTypeError, "galley: "+r.Error)
	case r.State == host.RunDone && !c.notifications: // the only way for its words to be seen
		if all := strings.TrimSpace(r.Text + "\n" + r.Error); all != "" {
			s.tell(protocol.MessageTypeInfo, "galley: "+said(all))
		}
	}
	for _, prompt := range r.Left {
		s.tell(protocol.MessageTypeWarning, "galley: the run was over before the agent heard “"+said(prompt)+"”; ask again")
	}
}

// textOf is what a run says: the agent's words, or what it waits for.
func textOf(r host.Run) string {
	if r.State == host.RunWaiting {
		return shown(r.Waiting)
	}
	return r.Text
}

// said is the end of what a run said, as much as a message line can show.
func said(s string) string {
	const most = 240
	r := []rune(s)
	if len(r) <= most {
		return s
	}
	return "…" + string(r[len(r)-most:])
}

// proposals tells the user of editing sessions that wait for a commit.
func (p *publisher) proposals(snap *editing.Snapshot, c *client) {
	for _, ses := range snap.Sessions("") {
		if ses.State != editing.Proposed || len(snap.Undecided(ses.Owner, ses.N)) == 0 {
			continue
		}
		if by := p.s.host.Asker(ses.Owner); by != p.s.me && by != 0 { // whoever asked is told
			continue
		}
		if key := proposalKey(ses); !p.told[key] {
			p.told[key] = true
			p.s.spawn(func(ctx context.Context) { p.s.propose(ctx, snap, ses, c) })
		}
	}
}
