package desk

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/galley-ls/galley/agent"
)

// Run is the state of one run of the agent, as a copy.
type Run struct {
	ID      string
	Session string
	State   string // thinking, tool, waiting, done, failed, cancelled
	Step    int
	Tool    string   // the tool that runs
	Text    string   // what the agent has said in this step
	Waiting string   // in the state waiting: for what
	Error   string   // why it failed or stopped, or what to know of a run that is done
	Percent int      // of the context window
	Left    []string // at the end: prompts that it did not hear

	seq    int64 // when it moved last
	inbox  *agent.Inbox
	cancel context.CancelFunc
	notes  []string // what to know of it
	past   []Run    // moments that nobody shall miss, oldest first
}

func (r *Run) over() bool { return r.State == "done" || r.State == "failed" || r.State == "cancelled" }

// Prompt is what the user asks, with the place he asked from.
type Prompt struct {
	Text    string
	Session string
	Path    string // active document, "" if none
	Start   int    // bytes of its base, -1 unknown
	End     int
	Queue   bool // for when the run that goes on would otherwise be done, not for its next step
}

// takes reports whether the run will hear a prompt.
func (r *Run) takes(p Prompt) bool {
	if p.Queue {
		return r.inbox.Queue(p.Text)
	}
	return r.inbox.Push(p.Text)
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
	s.LookAt(p.Path, p.Start, p.End)
	d.mu.Lock()
	defer d.mu.Unlock()
	if r := d.going(s.ID()); r != nil && r.takes(p) {
		return r.ID, s.ID(), nil
	}
	d.nextRun++
	r := &Run{ID: fmt.Sprintf("run-%d", d.nextRun), Session: s.ID(), State: "thinking", inbox: &agent.Inbox{}}
	work, cancel := context.WithCancel(d.ctx)
	r.cancel = cancel
	d.runs[r.ID] = r
	d.touch(r)
	cfg := agent.RunConfig{
		Session: s, Model: d.cfg.Model, Tools: toolbox{s}, Prompt: p.Text, Inbox: r.inbox,
		MaxIterations: d.cfg.MaxIterations, MaxTokens: d.cfg.MaxTokens,
		Events: func(e agent.Event) { d.event(r, e) },
	}
	d.work.Go(func() {
		defer cancel()
		d.run(work, r, s, cfg)
	})
	return r.ID, s.ID(), nil
}

// touch marks a run as moved. It is called with the lock held.
func (d *Desk) touch(r *Run) {
	d.bump()
	r.seq = d.seq
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

// WaitRuns answers the runs that moved after seq, and the number they are at: each step's words and calls, and how they
// stand now.
func (d *Desk) WaitRuns(ctx context.Context, seq int64) ([]Run, int64, error) {
	for {
		d.mu.Lock()
		var moved []Run
		for _, r := range d.runs {
			moved = append(moved, r.since(seq)...)
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
