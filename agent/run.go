package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/galley-ls/galley/agent/model"
	"github.com/galley-ls/galley/memory"
)

// Session is what the loop needs of an agent session: its conversation, journaled. One run at a time uses it.
type Session interface {
	// Prompt journals what the person says, behind the decisions since the last step.
	Prompt(text string) error
	// Request builds the next request from the journal.
	Request() (memory.Request, memory.ContextMeta, error)
	// Reply journals one reply of the model.
	Reply(m memory.Message, u memory.Usage) error
	// BeginCall says which call runs from now on; calls that run side by side are begun in their order.
	BeginCall(c memory.ToolCall) error
	// Result journals the answer of a call. Answers come in the order of the calls, also for calls that never began.
	Result(c memory.ToolCall, content string) error
	// Deliver journals the person's decisions since the last step as one user message, if there are any.
	Deliver() (text string, ok bool, err error)
}

// Tools runs the calls of the model.
type Tools interface {
	// Run answers every call, also one that makes no sense: what the model can act on is a result.
	Run(ctx context.Context, c memory.ToolCall) string
	// ReadOnly reports whether calls of a tool may run side by side with others like it.
	ReadOnly(name string) bool
}

// RunConfig is what a run works with. Without a Prompt it goes on where the conversation stands.
type RunConfig struct {
	Session       Session
	Model         model.Model
	Tools         Tools
	Prompt        string
	Inbox         *Inbox      // prompts that come while it runs; may be nil
	MaxIterations int         // replies; 0: DefaultMaxIterations
	MaxTokens     int         // of all requests and replies; 0: no limit
	Events        func(Event) // called from the goroutine of Run only; may be nil
}

// DefaultMaxIterations is the number of replies after which a run stops by itself.
const DefaultMaxIterations = 100

// Reason says why a run is over.
type Reason string

const (
	Done      Reason = "done"      // a reply without tool calls
	Limit     Reason = "limit"     // MaxIterations replies
	Budget    Reason = "budget"    // MaxTokens tokens
	Cancelled Reason = "cancelled" // the context was cancelled
	Repeated  Reason = "repeated"  // the same call failed again and again
	Failed    Reason = "failed"    // an error, which Run returns
)

// Outcome is how a run ended. Staged changes stay staged, whatever the reason.
type Outcome struct {
	Reason     Reason
	Why        string // for the person: what stopped the run and how to go on; empty when it is done
	Text       string // of the last reply
	Iterations int
	Usage      memory.Usage
	Meta       memory.ContextMeta // of the last request
	Left       []string           // prompts from the inbox that were not delivered
}

// Run works until the model has nothing more to do, or something stops it. A cancel is an outcome; an error is only
// what no model and no person can answer within the run: a journal that cannot be written, a model that is not there.
func Run(ctx context.Context, cfg RunConfig) (Outcome, error) {
	if cfg.MaxIterations <= 0 {
		cfg.MaxIterations = DefaultMaxIterations
	}
	if cfg.Events == nil {
		cfg.Events = func(Event) {}
	}
	r := &run{cfg: cfg, failing: failing{}}
	cfg.Events(Started{Model: cfg.Model.Name()})
	err := errors.Join(r.work(ctx), r.broken)
	r.out.Left = cfg.Inbox.close()
	if err != nil {
		r.out.Reason, r.out.Why = Failed, err.Error()
	}
	cfg.Events(Finished{Reason: r.out.Reason, Why: r.out.Why, Iterations: r.out.Iterations, Usage: r.out.Usage})
	return r.out, err
}

// run is the state of one run.
type run struct {
	cfg     RunConfig
	out     Outcome
	failing failing
	broken  error // a tool panicked
}

func (r *run) work(ctx context.Context) error {
	if r.cfg.Prompt != "" {
		if err := r.prompt(r.cfg.Prompt); err != nil {
			return err
		}
	}
	for !r.stopped(ctx) {
		if err := r.hear(); err != nil {
			return err
		}
		calls, err := r.ask(ctx)
		switch {
		case errors.Is(err, errCancelled):
			continue
		case err != nil:
			return err
		case len(calls) == 0:
			err = r.end()
		default:
			err = r.calls(ctx, calls)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// stopped looks for a reason to stop before another request is made.
func (r *run) stopped(ctx context.Context) bool {
	spent := r.out.Usage.Input + r.out.Usage.Output
	switch {
	case r.out.Reason != "":
	case ctx.Err() != nil:
		r.stop(Cancelled, "cancelled; what is staged stays staged")
	case r.out.Iterations >= r.cfg.MaxIterations:
		r.stop(Limit, fmt.Sprintf("stopped after %d replies (agent.max_iterations); prompt again to go on", r.out.Iterations))
	case r.cfg.MaxTokens > 0 && spent >= r.cfg.MaxTokens:
		r.stop(Budget, fmt.Sprintf("stopped after %d tokens of %d (agent.max_tokens); prompt again to go on", spent, r.cfg.MaxTokens))
	}
	return r.out.Reason != ""
}

func (r *run) stop(reason Reason, why string) { r.out.Reason, r.out.Why = reason, why }

func (r *run) prompt(text string) error {
	if err := r.deliver(); err != nil { // what was decided goes before what is said
		return err
	}
	if err := r.cfg.Session.Prompt(text); err != nil {
		return fmt.Errorf("journal the prompt: %w", err)
	}
	return nil
}

// hear takes in what the person said and decided since the last step.
func (r *run) hear() error {
	for _, text := range r.cfg.Inbox.take() {
		if err := r.say(text); err != nil {
			return err
		}
	}
	return r.deliver()
}

func (r *run) deliver() error {
	text, ok, err := r.cfg.Session.Deliver()
	if err != nil {
		return fmt.Errorf("deliver the decisions: %w", err)
	}
	if ok {
		r.cfg.Events(DecisionsDelivered{Text: text})
	}
	return nil
}

func (r *run) say(text string) error {
	if err := r.prompt(text); err != nil {
		return err
	}
	r.cfg.Events(PromptDelivered{Text: text})
	return nil
}

// end is a reply without calls: the run is done, unless somebody has said something more.
func (r *run) end() error {
	text, more := r.cfg.Inbox.next()
	if !more {
		r.stop(Done, "")
		return nil
	}
	return r.say(text)
}

var errCancelled = errors.New("cancelled while the model was answering")

// ask makes one request and journals the reply. Whether there is more to do is seen from the calls alone: servers
// disagree about the word at the end of a reply.
func (r *run) ask(ctx context.Context) ([]memory.ToolCall, error) {
	req, meta, err := r.cfg.Session.Request()
	if err != nil {
		return nil, fmt.Errorf("build the request: %w", err)
	}
	r.out.Meta = meta
	r.cfg.Events(StepStarted{Iteration: r.out.Iterations + 1})
	reply, err := r.cfg.Model.Stream(ctx, req, r.tell)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, errCancelled
	case err != nil:
		return nil, fmt.Errorf("ask the model %s: %w", r.cfg.Model.Name(), err)
	case len(reply.Message.ToolCalls) == 0 && strings.TrimSpace(reply.Message.Content) == "":
		return nil, fmt.Errorf("the model %s answered nothing at all (finish %q); prompt again, or try another model", r.cfg.Model.Name(), reply.Finish)
	}
	return reply.Message.ToolCalls, r.keep(reply)
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

// keep journals a reply.
func (r *run) keep(reply model.Reply) error {
	m := reply.Message
	m.Role = memory.RoleAssistant
	if err := r.cfg.Session.Reply(m, reply.Usage); err != nil {
		return fmt.Errorf("journal the reply: %w", err)
	}
	r.out.Iterations++
	r.out.Text = m.Content
	r.out.Usage.Input += reply.Usage.Input
	r.out.Usage.Cached += reply.Usage.Cached
	r.out.Usage.Output += reply.Usage.Output
	return nil
}
