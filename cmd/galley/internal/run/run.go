package run

import (
	"context"
	"errors"
	"slices"
	"strings"

	"go.uber.org/zap"

	"github.com/galley-ls/galley/agent"
	"github.com/galley-ls/galley/agent/model"
	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/cmd/galley/internal/review"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/lsp/dial"
)

// Config is what a run works with.
type Config struct {
	Console   term.Console
	Log       *zap.Logger
	Session   session.Config
	Model     model.Model
	Galley    func(words ...string) string // a command line that works in the same place, to be copied
	Stands    string                       // the folder of the workspace in which the person works, "": the workspace
	Again     []string                     // flags that choose the same model
	Exit      func(code int)               // of the process
	Asks      bool                         // the person is asked about what waits
	Confirms  bool                         // somebody can be asked about commands
	JSON      bool
	Reasoning bool       // what the model thinks is shown
	Link      *dial.Link // to the host of the workspace

	MaxIterations, MaxTokens int
	MaxCost                  float64
}

// runner is one run.
type runner struct {
	Config
	typed   *term.Keyboard
	tells   renderer
	consent *consent
	left    []editing.Choice // what the person was asked about, and left undecided
	earlier []editing.Choice // what waited before the first prompt
	unmet   unmet
	said    string // what the person said to the agent's answer: the next prompt
	leaves  bool   // they left a review
}

// Run works on a prompt, and then on what the person says to the answer.
func (cfg Config) Run(ctx context.Context, prompt string) error {
	return (&runner{Config: cfg, typed: term.NewKeyboard(cfg.Console.In)}).run(ctx, prompt)
}

// settings are those of the run.
func (r *runner) settings() session.Config {
	cfg := r.Session
	cfg.Model = r.Model.Name()
	if cfg.Summarize == nil {
		cfg.Summarize = agent.Summarizer(r.Model)
	}
	cfg.Confirm, cfg.Saw = r.confirm, func(c session.Command) { r.tells.command(c) }
	return cfg
}

// talks reports whether there is a person to talk with.
func (r *runner) talks() bool { return r.Asks && r.Console.Interactive() }

// work runs the agent, asks about what is left, tells how it ended, and listens.
func (r *runner) work(ctx context.Context, s review.Table, run func(agent.RunConfig) (agent.Outcome, error), finish func() (closed string, err error)) (exit int, err error) {
	r.consent = &consent{c: r.Console, typed: r.typed, tells: r.tells, asks: r.Confirms}
	log := agent.Logged(r.Log)
	defer watchInterrupts(r.tells.stopping, r.leave)()
	out, err := run(agent.RunConfig{
		Model: r.Model, MaxIterations: r.MaxIterations, MaxTokens: r.MaxTokens, MaxCost: r.MaxCost,
		Events: func(e agent.Event) {
			log(e)
			r.unmet.event(e)
			r.tells.Event(e)
		},
	})
	if err == nil && r.Asks && ctx.Err() == nil {
		err = r.askRest(ctx, s)
	}
	closed, finishErr := finish()
	if err = errors.Join(err, finishErr); err != nil {
		r.broken(s)
		return term.ExitError, err
	}
	waits := waiting(s)
	exit = r.unmet.exitOfRun(out.Reason, len(waits))
	over := end{exit: exit, out: out, waits: waits, closed: closed, asks: r.unmet.asks(), unable: r.unmet.unable()}
	if r.said == "" {
		r.tells.end(over)
		r.listen(ctx)
	}
	if r.said == "" {
		r.tells.goodbye(over)
	}
	return exit, nil
}

// listen takes in what the person says to the agent's answer, if anything.
func (r *runner) listen(ctx context.Context) {
	if !r.talks() || r.leaves || ctx.Err() != nil {
		return
	}
	r.typed.Forget()
	line, _ := r.typed.Ask(ctx, r.Console.Out, "words for the agent, or Enter to leave")
	if r.said = strings.TrimSpace(line); r.said == "q" {
		r.said = ""
	}
}

// broken says how to go on after an error. Commands are not cut, since they are copied.
func (r *runner) broken(s review.Table) {
	if r.empty() {
		return
	}
	r.Console.Err.Println(r.Console.Err.Paint(term.Faint, "go on: "+r.Galley(goOn(s.ID(), r.Again)...)))
	review.Remind(r.Console.Err, waiting(s), r.Galley, s.ID())
}

// empty reports whether the run made a session of its own in which nothing was said.
func (r *runner) empty() bool { return r.Session.ID == "" && !r.unmet.said }

// waiting are the letters that nobody has decided.
func waiting(s review.Table) []string {
	return review.LettersOf((&review.Reviewer{Session: s}).Waiting())
}

// confirm asks about one command of the agent.
func (r *runner) confirm(ctx context.Context, c session.Command) (bool, error) {
	return r.consent.confirm(ctx, c)
}

// ask asks about one editing session while the agent waits.
func (r *runner) ask(ctx context.Context, s review.Table, edit int) error {
	rev := r.reviewer(s, edit)
	r.Pause()
	err := rev.Review(ctx)
	if rev.Said != "" {
		_, _, fault := r.Link.Conn().Open(ctx, dial.Config{Stands: r.Stands, Ask: map[string]string{"prompt": rev.Said, "session": s.ID()}}) // the run hears it
		return errors.Join(err, fault)
	}
	r.left = append(r.left, review.Shown(rev.Waiting())...)
	return err
}

// askRest asks about what waits at the end, unless it is only what the person has left undecided already.
func (r *runner) askRest(ctx context.Context, s review.Table) error {
	rev := r.reviewer(s, 0)
	known := func(c editing.Choice) bool { return slices.Contains(r.left, c) }
	if rest := slices.DeleteFunc(review.Shown(rev.Waiting()), known); len(rest) == 0 {
		return nil
	}
	r.Pause()
	err := rev.Review(ctx)
	r.said, r.leaves = rev.Said, len(rev.Waiting()) > 0
	return err
}

// reviewer asks about one editing session, 0: about all, on a terminal as wide as it is now.
func (r *runner) reviewer(s review.Table, edit int) *review.Reviewer {
	c := r.Console
	c.Out = c.Out.Now()
	return &review.Reviewer{Console: c, Session: s, Keyboard: r.typed, Log: r.Log, Edit: edit, Earlier: r.earlier, Talks: r.talks()}
}

// Pause makes room for questions. What was typed before they were asked is no answer.
func (r *runner) Pause() {
	r.tells.Pause()
	r.typed.Forget()
	r.Console.Out.Println("")
}

// leave ends the process at once. What is journaled is whole: a journal may end anywhere.
func (r *runner) leave() {
	r.tells.leaving()
	r.Exit(term.ExitStopped)
}

func (r *runner) renderer(s review.Table) renderer {
	if r.JSON {
		return &eventLines{s: r.Console.Out, session: s, galley: r.Galley}
	}
	t := NewStoryteller(r.Console)
	t.Session, t.galley, t.again, t.unmet = s, r.Galley, r.Again, &r.unmet
	t.kept, t.reasoning = !r.Asks, r.Reasoning
	return t
}
