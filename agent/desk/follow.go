package desk

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/galley-ls/galley/agent"
	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/memory"
)

// toolbox lets the loop call the tools on a session.
type toolbox struct{ s *session.Session }

func (t toolbox) Run(ctx context.Context, c memory.ToolCall) string { return tools.Run(ctx, t.s, c) }

func (t toolbox) ReadOnly(name string) bool {
	tool, ok := tools.Find(name)
	return ok && tool.ReadOnly
}

// run is the life of a run.
func (d *Desk) run(ctx context.Context, r *Run, s *session.Session, cfg agent.RunConfig) {
	out, err := agent.Run(ctx, cfg)
	if _, ferr := s.Finish(context.WithoutCancel(ctx)); ferr != nil {
		err = errors.Join(err, ferr)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	r.Tool, r.Waiting, r.Percent, r.Left = "", "", out.Meta.TokensPercent, out.Left
	switch {
	case err != nil:
		r.State, r.Error = "failed", err.Error()
	case out.Reason == agent.Cancelled:
		r.State = "cancelled"
	default:
		r.State, r.Text, r.Error = "done", out.Text, strings.Join(append(r.notes, out.Why), "\n")
	}
	r.Error = strings.TrimSpace(r.Error)
	d.touch(r)
}

// event follows a run.
func (d *Desk) event(r *Run, e agent.Event) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch e := e.(type) {
	case agent.StepStarted:
		r.state("thinking", "")
		r.Step, r.Text, r.Percent = e.Iteration, "", e.Percent
	case agent.TextDelta:
		r.state("thinking", "")
		r.Text += e.Text
	case agent.ReasoningDelta:
		r.state("thinking", "")
	case agent.ModelWaiting:
		r.state("waiting", "")
		r.Waiting = e.Why
	case agent.ReplyCut:
		r.Text = "" // it counts for nothing
	case agent.ReplyFinished:
		d.usage[r.Session] = e.Usage
	case agent.Warned:
		r.notes = append(r.notes, e.Text)
	case agent.ToolStarted:
		r.state("tool", e.Name)
	case agent.ToolFinished:
		r.state("thinking", "")
	}
	d.touch(r)
	switch e.(type) {
	case agent.ReplyFinished, agent.ToolStarted:
		r.keep()
	}
}

// keptMost is how many moments of a run are kept for who looks seldom.
const keptMost = 200

// keep remembers how the run stands: the words of a step, and the tools that it calls, are told to everybody, however
// quickly the next ones come.
func (r *Run) keep() {
	now := *r
	now.past = nil
	r.past = append(r.past, now)
	if over := len(r.past) - keptMost; over > 0 {
		r.past = slices.Delete(r.past, 0, over)
	}
}

// since are the moments of the run after seq, the present one last.
func (r *Run) since(seq int64) []Run {
	var moments []Run
	for _, m := range append(slices.Clip(r.past), *r) {
		if m.seq > seq {
			m.past, seq = nil, m.seq
			moments = append(moments, m)
		}
	}
	return moments
}

// state moves a run; what it waited for is over.
func (r *Run) state(state, tool string) { r.State, r.Tool, r.Waiting = state, tool, "" }
