package agent

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"

	"github.com/galley-ls/galley/agent/model"
	"github.com/galley-ls/galley/memory"
)

// NotRun answers a call that a cancel or a stop came before, so that every call id has its answer.
const NotRun = "This call was not run: the run was stopped before it, and nothing of it was done. Call again if it is still wanted."

// broke answers a call whose tool panicked.
const broke = "The tool broke while it ran; this is a bug in galley. What it had staged before stays staged: look at memo_preview."

// sideBySide bounds how many read-only calls run at a time.
const sideBySide = 4

// calls runs the calls of one reply and journals each answer. A cancel or a stop comes between two calls: the one that
// runs is waited for, those behind it are answered with NotRun.
func (r *run) calls(ctx context.Context, reply model.Reply) error {
	calls := reply.Message.ToolCalls
	r.vain, r.odd = 0, oddEnds[reply.Finish]
	r.odd.call = calls[len(calls)-1].ID
	if r.odd.person != "" {
		r.warn(fmt.Sprintf(r.odd.person, r.cfg.Model.Name()))
	}
	for len(calls) > 0 {
		if r.out.Reason != "" || ctx.Err() != nil {
			return r.leave(calls)
		}
		n := r.together(calls)
		if err := r.group(ctx, calls[:n]); err != nil {
			return err
		}
		calls = calls[n:]
	}
	return nil
}

// together counts the calls from the first on that may run side by side.
func (r *run) together(calls []memory.ToolCall) int {
	n := 0
	for n < len(calls) && r.cfg.Session.SideBySide(calls[n].Name) {
		n++
	}
	return max(n, 1)
}

// group runs calls side by side and takes in their answers in the order of the calls.
func (r *run) group(ctx context.Context, calls []memory.ToolCall) error {
	for _, c := range calls {
		r.cfg.Events(ToolStarted{ID: c.ID, Name: c.Name, Args: argLine(r.mask(c.Arguments))})
	}
	for i, a := range r.answers(ctx, calls) {
		if a.err != nil && r.out.Reason == "" {
			r.stop(Failed, a.err.Error())
			r.broken = a.err
		}
		if err := r.finish(calls[i], a.Answer); err != nil {
			return err
		}
	}
	return nil
}

// answer is what a tool returned, or why it could not.
type answer struct {
	Answer
	err error
}

func (r *run) answers(ctx context.Context, calls []memory.ToolCall) []answer {
	answers := make([]answer, len(calls))
	if len(calls) == 1 {
		answers[0] = r.answer(ctx, calls[0])
		return answers
	}
	var wait sync.WaitGroup
	free := make(chan struct{}, sideBySide)
	for i, c := range calls {
		free <- struct{}{}
		wait.Go(func() {
			answers[i] = r.answer(ctx, c)
			<-free
		})
	}
	wait.Wait()
	return answers
}

// answer runs one call. A panic ends the run but not the process, and the call still gets an answer.
func (r *run) answer(ctx context.Context, c memory.ToolCall) (a answer) {
	defer func() {
		if p := recover(); p != nil {
			a.err = fmt.Errorf("the tool %s broke: %v\n%s", c.Name, p, debug.Stack())
		}
		if a.err != nil {
			a.Answer = Answer{Content: broke}
		}
	}()
	a.Answer, a.err = r.cfg.Session.Call(ctx, c)
	return a
}

// finish journals one answer.
func (r *run) finish(c memory.ToolCall, a Answer) error {
	content := r.watch(c, a)
	if err := r.cfg.Session.Answer(c, content); err != nil {
		return fmt.Errorf("journal the result of %s: %w", c.Name, err)
	}
	r.cfg.Events(ToolFinished{
		ID: c.ID, Name: c.Name, Status: a.Status, Code: a.Code, Letters: a.Letters, Arguments: c.Arguments, Answer: content,
	})
	if a.Wrote != nil {
		r.cfg.Events(MemoryWritten{*a.Wrote})
	}
	return nil
}

// leave answers the calls that are not run.
func (r *run) leave(calls []memory.ToolCall) error {
	for _, c := range calls {
		if err := r.cfg.Session.Answer(c, NotRun); err != nil {
			return fmt.Errorf("journal that %s was not run: %w", c.Name, err)
		}
	}
	return nil
}
