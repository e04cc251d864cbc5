package desk

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/galley-ls/galley/agent"
	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/memory"
)

// Run is the state of one run of the agent, as a copy.
type Run struct {
	ID      string
	Session string
	State   string // thinking, tool, waiting, done, failed, cancelled
	Step    int
	Tool    string // the tool that runs
	Text    string // what the agent has said in this step
	Error   string
	Percent int // of the context window

	seq    int64 // when it moved last
	inbox  *agent.Inbox
	cancel context.CancelFunc
}

func (r *Run) over() bool { return r.State == "done" || r.State == "failed" || r.State == "cancelled" }

// Prompt is what the user asks, with the place he asked from.
type Prompt struct {
	Text    string
	Session string
	Path    string // active document, "" if none
	Start   int    // bytes of its base, -1 unknown
	End     int
}

// Ask starts a run on a session, or hands the prompt to the run that goes on.
func (d *Desk) Ask(ctx context.Context, p Prompt) (run, id string, err error) {
	s, err := d.session(p.Session)
	if err != nil && p.Session == "" {
		if _, err = d.NewSession(ctx, ""); err == nil {
			s, err = d.session("")
		}
	}
	if err != nil {
		return "", "", err
	}
	s.LookAt(p.Path, p.Start)
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, r := range d.runs {
		if r.Session == s.ID() && !r.over() && r.inbox.Push(p.Text) {
			return r.ID, s.ID(), nil
		}
	}
	d.nextRun++
	r := &Run{ID: fmt.Sprintf("run-%d", d.nextRun), Session: s.ID(), State: "thinking", inbox: &agent.Inbox{}}
	work, cancel := context.WithCancel(d.ctx)
	r.cancel = cancel
	d.runs[r.ID] = r
	d.touch(r)
	d.work.Go(func() {
		defer cancel()
		d.run(work, r.ID, s, p.Text, r.inbox)
	})
	return r.ID, s.ID(), nil
}

// touch marks a run as moved. It is called with the lock held.
func (d *Desk) touch(r *Run) {
	d.bump()
	r.seq = d.seq
}

// toolbox lets the loop call the tools on a session.
type toolbox struct{ s *session.Session }

func (t toolbox) Run(ctx context.Context, c memory.ToolCall) string { return tools.Run(ctx, t.s, c) }

func (t toolbox) ReadOnly(name string) bool {
	tool, ok := tools.Find(name)
	return ok && tool.ReadOnly
}

func (d *Desk) run(ctx context.Context, id string, s *session.Session, prompt string, inbox *agent.Inbox) {
	out, err := agent.Run(ctx, agent.RunConfig{
		Session: s, Model: d.cfg.Model, Tools: toolbox{s}, Prompt: prompt, Inbox: inbox, MaxIterations: d.cfg.MaxIterations,
		Events: func(e agent.Event) { d.event(id, e) },
	})
	if _, ferr := s.Finish(context.WithoutCancel(ctx)); ferr != nil {
		err = errors.Join(err, ferr)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	r := d.runs[id]
	r.Tool, r.Percent = "", out.Meta.TokensPercent
	switch {
	case err != nil:
		r.State, r.Error = "failed", err.Error()
	case out.Reason == agent.Cancelled:
		r.State = "cancelled"
	default:
		r.State, r.Text, r.Error = "done", out.Text, out.Why
	}
	d.touch(r)
}

// event follows a run.
func (d *Desk) event(id string, e agent.Event) {
	d.mu.Lock()
	defer d.mu.Unlock()
	r := d.runs[id]
	switch e := e.(type) {
	case agent.StepStarted:
		r.State, r.Step, r.Tool, r.Text = "thinking", e.Iteration, "", ""
	case agent.TextDelta:
		r.Text += e.Text
	case agent.ToolStarted:
		r.State, r.Tool = "tool", e.Name
	case agent.ToolFinished:
		r.State, r.Tool = "thinking", ""
	}
	d.touch(r)
}

// Cancel stops a run at its next safe point; "" means the only one that goes on.
func (d *Desk) Cancel(_ context.Context, id string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	var going []*Run
	for _, r := range d.runs {
		if !r.over() && (id == "" || r.ID == id) {
			going = append(going, r)
		}
	}
	switch len(going) {
	case 0:
		return errors.New("no such run goes on")
	case 1:
		going[0].cancel()
		return nil
	}
	return errors.New("several runs go on; name one")
}

// WaitRuns answers the runs that moved after seq, and the number they are at.
func (d *Desk) WaitRuns(ctx context.Context, seq int64) ([]Run, int64, error) {
	for {
		d.mu.Lock()
		var moved []Run
		for _, r := range d.runs {
			if r.seq > seq {
				moved = append(moved, *r)
			}
		}
		now, wake := d.seq, d.wake
		d.mu.Unlock()
		if len(moved) > 0 {
			slices.SortFunc(moved, func(a, b Run) int { return int(a.seq - b.seq) })
			return moved, now, nil
		}
		select {
		case <-wake:
		case <-ctx.Done():
			return nil, now, ctx.Err()
		}
	}
}
