package agent

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/galley-ls/galley/agent/model"
	"github.com/galley-ls/galley/memory"
)

// again is how many times in a row a request is repeated whose reply counts for nothing, or the model is told that a
// call was no call.
const again = 2

var errCancelled = errors.New("cancelled while the model was answering")

// ask makes one request and journals the reply. A reply that counts for nothing is asked for again with the same
// request: no tool has run in between, so it is the same question.
func (r *run) ask(ctx context.Context) (model.Reply, error) {
	reply, err := r.askOnce(ctx)
	var long *model.TooLongError
	if !errors.As(err, &long) || !r.out.Meta.Fits() { // what fits in no way is not sent at all
		return reply, err
	}
	say, room := r.cfg.Session.TooLong(long.Limit)
	if say == "" || room != nil {
		return reply, errors.Join(err, room)
	}
	r.cfg.Events(Warned{Text: "the server refused the request as too long; " + say})
	return r.askOnce(ctx)
}

// request builds what is asked next, and tells how full the context is where a person should know.
func (r *run) request() (memory.Request, error) {
	if l, ok := r.cfg.Model.(model.Looker); ok {
		r.cfg.Session.Window(l.Window()) // it is learnt from refusals, too
	}
	req, meta, err := r.cfg.Session.Request()
	if err != nil {
		return req, fmt.Errorf("build the request: %w", err)
	}
	r.out.Meta = meta
	switch {
	case meta.Compacted != "":
		r.cfg.Events(Warned{Text: meta.Compacted})
	case meta.Foreseen != "":
		r.cfg.Events(Warned{Text: meta.Foreseen})
	}
	if meta.Doubt != "" {
		r.warn(meta.Doubt)
	}
	if !meta.Fits() {
		return req, r.refused(tooLong(meta))
	}
	return req, nil
}

func (r *run) askOnce(ctx context.Context) (model.Reply, error) {
	req, err := r.request()
	if err != nil {
		return model.Reply{}, err
	}
	meta := r.out.Meta
	for tries := 0; ; tries++ {
		r.cfg.Events(StepStarted{Iteration: r.out.Iterations + 1, Percent: meta.TokensPercent})
		reply, err := r.stream(ctx, req)
		if err != nil && ctx.Err() != nil {
			return reply, errCancelled
		}
		r.spend(reply.Usage)
		void := r.void(reply, err)
		if void == nil && err == nil {
			return reply, r.keep(reply)
		}
		if err := r.cfg.Session.Spent(reply.Usage); err != nil {
			return reply, fmt.Errorf("journal what a reply cost: %w", err)
		}
		if void == nil {
			return reply, r.refused(err)
		}
		r.cfg.Events(ReplyCut{Why: void.Error(), Again: tries < again})
		if tries == again {
			return reply, fmt.Errorf("%w (%d times in a row); prompt again to go on", void, tries+1)
		}
	}
}

// stream asks once, and bounds the reply. A model client that panics ends the run but not the process.
func (r *run) stream(ctx context.Context, req memory.Request) (reply model.Reply, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the client of the model broke, this is a bug in galley: %v\n%s", p, debug.Stack())
		}
	}()
	reply, err = r.cfg.Model.Stream(ctx, req, r.tell)
	if calls := reply.Message.ToolCalls; len(calls) > model.CallsMost {
		reply.Message.ToolCalls, reply.Finish = calls[:model.CallsMost:model.CallsMost], model.FinishMany
	}
	if err == nil && model.Size(reply.Message) > model.ReplyMost {
		err = model.ErrTooMuch
	}
	return reply, err
}

// void says why a reply counts for nothing and may be asked for again; nil: it counts, or asking again is no use.
func (r *run) void(reply model.Reply, err error) error {
	switch {
	case errors.Is(err, model.ErrCut):
		return r.asking(err)
	case err == nil && reply.Empty() && reply.Finish != model.FinishLength && reply.Finish != model.FinishFilter:
		return fmt.Errorf("the model %s answered nothing at all (finish %q)", r.cfg.Model.Name(), reply.Finish)
	}
	return nil
}

func (r *run) asking(err error) error {
	return fmt.Errorf("ask the model %s: %w", r.cfg.Model.Name(), err)
}

// refused is the error of a request that was not answered.
func (r *run) refused(err error) error {
	var long *model.TooLongError
	if errors.As(err, &long) {
		err = fmt.Errorf("%w; %s", err, r.out.Meta.Largest())
	}
	return r.asking(err)
}

// tooLong is the error of a request that is not sent, as the model's server would refuse it, or cut it without a word.
func tooLong(m memory.ContextMeta) error {
	reply := ""
	if m.Categories.Reserve > 0 {
		reply = fmt.Sprintf(", %d of them kept for the reply (model.max_output_tokens),", m.Categories.Reserve)
	}
	return &model.TooLongError{Limit: m.TokensMax, Why: fmt.Sprintf("a request of %d tokens%s does not fit into its context window of %d, so it was not sent; "+
		"give it a larger window at its server (llama.cpp: --ctx-size, Ollama: OLLAMA_CONTEXT_LENGTH), and set model.context_window to that, or begin a new session",
		m.TokensUsed, reply, m.TokensMax)}
}

// tell passes on what comes of a reply.
func (r *run) tell(d model.Delta) {
	switch {
	case d.Text != "":
		r.cfg.Events(TextDelta{Text: d.Text})
	case d.Reasoning != "":
		r.cfg.Events(ReasoningDelta{Text: d.Reasoning})
	case d.Waiting != "":
		r.cfg.Events(ModelWaiting{Why: d.Waiting})
	}
}

// spend counts what a reply cost, whether it counts for something or not.
func (r *run) spend(u memory.Usage) {
	r.out.Usage = r.out.Usage.Add(u)
}

// keep journals a reply, unless there is nothing in it.
func (r *run) keep(reply model.Reply) error {
	if reply.Empty() {
		return r.cfg.Session.Spent(reply.Usage)
	}
	m := reply.Message
	m.Role = memory.RoleAssistant
	if err := r.cfg.Session.Reply(m, reply.Usage); err != nil {
		return fmt.Errorf("journal the reply: %w", err)
	}
	r.out.Iterations++
	r.out.Text = m.Content
	r.cfg.Events(ReplyFinished{Iteration: r.out.Iterations, Usage: reply.Usage, Finish: reply.Finish})
	return nil
}
