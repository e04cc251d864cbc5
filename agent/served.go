package agent

import (
	"context"
	"slices"
	"strings"

	"github.com/galley-ls/galley/agent/host"
	"github.com/galley-ls/galley/memory"
)

// followed is a run as a host follows it.
type followed struct {
	words Words
	notes []string // what to know of it

	writes []MemoryWritten
}

// Follow works as Run, and tells how the run moves. It answers the last move, too.
func Follow(ctx context.Context, cfg RunConfig, tell func(host.Move)) (out Outcome, last host.Move, err error) {
	w, events := &followed{words: cfg.Words}, cfg.Events
	cfg.Events = func(e Event) {
		tell(func(r *host.Run) bool { return w.moved(r, e) })
		if events != nil {
			events(e)
		}
	}
	out, err = Run(ctx, cfg)
	return out, func(r *host.Run) bool {
		r.Percent, r.Left = out.Meta.TokensPercent, out.Left
		if out.Reason == Cancelled {
			r.State = host.RunCancelled
			return false
		}
		r.State, r.Text, r.Error = host.RunDone, out.Text, strings.TrimSpace(strings.Join(append(w.told(), out.Why), "\n"))
		return false
	}, err
}

// wrote keeps one note for each file of the memory, however often it is written.
func (w *followed) wrote(e MemoryWritten) {
	i := slices.IndexFunc(w.writes, func(has MemoryWritten) bool { return has.Path == e.Path })
	if i < 0 {
		w.writes = append(w.writes, e)
		return
	}
	e.Added, e.Removed = e.Added+w.writes[i].Added, e.Removed+w.writes[i].Removed
	w.writes[i] = e
}

func (w *followed) told() []string {
	all := w.notes
	for _, e := range w.writes {
		all = append(all, e.Told())
	}
	return all
}

// moved follows an event. Nobody shall miss the whole words of a step, nor what it calls.
func (w *followed) moved(r *host.Run, e Event) (keep bool) {
	switch e := e.(type) {
	case StepStarted:
		r.Goes(host.RunThinking, "")
		r.Step, r.Text, r.Percent, r.Calls = e.Iteration, "", e.Percent, nil
	case TextDelta:
		r.Goes(host.RunThinking, "")
		r.Text += e.Text
	case ReasoningDelta:
		r.Goes(host.RunThinking, "")
	case ModelWaiting:
		r.Goes(host.RunWaiting, "")
		r.Waiting = e.Why
	case ReplyCut:
		r.Text = "" // it counts for nothing
	case ReplyFinished:
		return true
	case MemoryWritten:
		w.wrote(e)
	case Warned:
		w.notes = append(w.notes, e.Text)
	case ToolStarted:
		r.Goes(host.RunTool, e.Name)
		r.Calls = append(slices.Clone(r.Calls), host.Call{ID: e.ID, Tool: e.Name, Line: strings.TrimSpace(e.Name + " " + e.Args)})
		return true
	case ToolFinished:
		r.Goes(host.RunThinking, "")
		r.Calls = slices.Clone(r.Calls)
		if i := slices.IndexFunc(r.Calls, func(c host.Call) bool { return c.ID == e.ID && c.Status == "" }); i >= 0 {
			r.Calls[i] = w.words.call(memory.ToolCall{ID: e.ID, Name: e.Name, Arguments: e.Arguments}, e.Answer)
		}
		return true
	}
	return false
}
