package agent

import (
	"context"
	"errors"
	"fmt"

	"github.com/galley-ls/galley/agent/host"
	"github.com/galley-ls/galley/agent/model"
	"github.com/galley-ls/galley/memory"
)

// Session is how the loop reaches an agent session. One run at a time uses it.
type Session interface {
	Conversation
	// SideBySide reports whether calls of a tool may be made at once.
	SideBySide(tool string) bool
}

// Conversation is what the loop asks of a session, in plain values: it may live in another process.
type Conversation interface {
	// Prompt journals what the person says, behind the notices since the last step.
	Prompt(text string) error
	// Window says how many tokens the model takes; 0: as the settings say.
	Window(tokens int)
	// Request builds the next request from the journal.
	Request() (memory.Request, memory.ContextMeta, error)
	// TooLong makes room after the server has refused a request as too long, with the window that it told, 0 if none. It
	// answers what left, "" if nothing could.
	TooLong(limit int) (string, error)
	// Reply journals one reply of the model.
	Reply(m memory.Message, u memory.Usage) error
	// Spent journals what a reply cost that counts for nothing. Cost is what the session has cost by now.
	Spent(u memory.Usage) error
	Cost() memory.Cost
	// Call makes a call of the model's. It answers every one, also one that makes no sense: what the model can act on is
	// an answer; an error says that none can be made any more.
	Call(ctx context.Context, c memory.ToolCall) (Answer, error)
	// Answer journals what the model is answered. Answers come in the order of the calls, also for calls that were not
	// made.
	Answer(c memory.ToolCall, content string) error
	// Notice journals what galley tells the model, in the user's place.
	Notice(text string) error
	// Notices journals what the model has not heard yet, mostly the person's decisions, as one user message, if there is
	// anything.
	Notices() (text string, ok bool, err error)
	// Mask is a text without what nobody may see: keys and the like.
	Mask(text string) string
}

// Answer is the answer to a call.
type Answer = host.Answer

// Prompts are those that come while a run goes on.
type Prompts interface {
	// Take are those for the next step.
	Take() []string
	// Next is what to go on with at the end of a run. If there is nothing no prompt is taken any more, from the same
	// moment on, so that none falls between two runs.
	Next() (string, bool)
	// Close takes no more of them, and returns what nobody took.
	Close() []string
}

// RunConfig is what a run works with. Without a Prompt it goes on where the conversation stands.
type RunConfig struct {
	Session       Session
	Model         model.Model
	Prompt        string
	Inbox         Prompts     // that come while it runs; nil: none
	MaxIterations int         // replies; 0: DefaultMaxIterations
	MaxTokens     int         // of all requests and replies; 0: no limit
	MaxCost       float64     // money; 0: no limit
	Events        func(Event) // called from the goroutine of Run only; may be nil
	Words         Words       // for Serve; may be nil
}

// DefaultMaxIterations is the number of replies after which a run stops by itself.
const DefaultMaxIterations = 100

// Reason says why a run is over.
type Reason string

const (
	Done      Reason = "done"      // a reply without tool calls
	Limit     Reason = "limit"     // MaxIterations replies
	Budget    Reason = "budget"    // MaxTokens tokens, or MaxCost
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
	Cost       float64            // with that of summaries; 0: nobody knows the price
	Meta       memory.ContextMeta // of the last request
	Left       []string           // prompts from the inbox that the model did not hear
}

// Run works until the model has nothing more to do, or something stops it. A cancel is an outcome; an error is only
// what no model and no person can answer within the run: a journal that cannot be written, a model that is not there.
func Run(ctx context.Context, cfg RunConfig) (Outcome, error) {
	if cfg.MaxIterations <= 0 {
		cfg.MaxIterations = DefaultMaxIterations
	}
	if cfg.Inbox == nil {
		cfg.Inbox = &host.Inbox{}
	}
	r := &run{cfg: cfg, failing: failing{}, before: cfg.Session.Cost().Session}
	r.mask = cfg.Session.Mask
	r.cfg.Events = veiled(r.mask, cfg.Events)
	r.cfg.Events(Started{Model: cfg.Model.Name()})
	r.look(ctx)
	err := r.work(ctx)
	if r.broken != nil { // what failed behind it failed for it
		err = r.broken
	}
	r.out.Left = append(r.out.Left, cfg.Inbox.Close()...)
	if err != nil {
		r.out.Reason, r.out.Why = Failed, err.Error()
	}
	r.out.Cost = r.cost()
	r.out.Text, r.out.Why = r.mask(r.out.Text), r.mask(r.out.Why)
	r.cfg.Events(Finished{Reason: r.out.Reason, Why: r.out.Why, Iterations: r.out.Iterations, Usage: r.out.Usage, Cost: r.out.Cost})
	return r.out, err
}

// look has the model look at its server, before anything is sent.
func (r *run) look(ctx context.Context) {
	if l, ok := r.cfg.Model.(model.Looker); ok {
		for _, w := range l.Look(ctx) {
			r.warn(w)
		}
	}
}

// run is the state of one run.
type run struct {
	cfg     RunConfig
	out     Outcome
	mask    func(string) string // takes out secrets, for whoever is shown a text
	failing failing
	vain    int     // replies in a row that the model was told are of no use
	odd     oddEnd  // of the reply whose calls are run
	broken  error   // why no calls can be made any more: a tool panicked, or the session is gone
	before  float64 // what the session had cost
	dear    bool    // warned that the run gets dear
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
		reply, err := r.ask(ctx)
		switch {
		case errors.Is(err, errCancelled):
			continue
		case errors.Is(err, model.ErrTooMuch):
			err = r.reprompt(tooMuch, err.Error()+"; it is told so", err.Error(), "")
		case err != nil:
			return err
		case len(reply.Message.ToolCalls) == 0:
			err = r.end(reply)
		default:
			err = r.calls(ctx, reply)
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
	default:
		r.budget()
	}
	return r.out.Reason != ""
}

// costWarning is the share of a run's budget from which it is warned, in percent.
const costWarning = 80

// cost is what the run has cost by now.
func (r *run) cost() float64 { return r.cfg.Session.Cost().Session - r.before }

// budget stops a run that has spent its money, and warns before.
func (r *run) budget() {
	most, spent := r.cfg.MaxCost, r.cost()
	switch {
	case most <= 0 || spent < most*costWarning/100:
	case spent >= most:
		r.stop(Budget, fmt.Sprintf("stopped at a cost of %s of %s (agent.max_cost); what is staged stays staged, prompt again to go on", memory.Money(spent), memory.Money(most)))
	case !r.dear:
		r.dear = true
		r.warn(fmt.Sprintf("the run has cost %s of %s (agent.max_cost); it stops there", memory.Money(spent), memory.Money(most)))
	}
}

func (r *run) stop(reason Reason, why string) { r.out.Reason, r.out.Why = reason, why }
