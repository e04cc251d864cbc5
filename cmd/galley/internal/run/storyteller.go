package run

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/galley-ls/galley/agent"
	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/cmd/galley/internal/review"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
	"github.com/galley-ls/galley/editing/text"
	"github.com/galley-ls/galley/memory"
)

// renderer shows a run to whoever watches it.
type renderer interface {
	Event(e agent.Event)
	Pause()                    // somebody else prints, until the next event
	command(c session.Command) // a command of the agent starts
	stopping()                 // the person has interrupted the run; from any goroutine
	leaving()                  // and has done so again
	end(e end)
	goodbye(e end) // nothing more is said: how to go on another time
}

// end is how a run ended.
type end struct {
	exit   int
	out    agent.Outcome
	waits  []string // letters that nobody has decided
	closed string   // what became of editing sessions at the end
	asks   bool     // the agent waits for an answer
	unable bool     // what was asked for was not done
}

// offlineIs is told once a run, since nobody should take it for more.
const offlineIs = "offline: built in, not a language model; it understands plain instructions (galley run --help)"

// Storyteller shows a run to a person: steps on stderr, one a line, the model's words on stdout, and on a terminal what
// goes on meanwhile.
type Storyteller struct {
	c         term.Console
	Session   review.Table
	galley    func(words ...string) string // a command line that works in the same place, to be copied
	kept      bool                         // nobody was asked: what waits is shown at the end
	reasoning bool                         // what the model thinks is shown
	again     []string                     // flags of the command that goes on
	unmet     *unmet                       // of the run; nil: a play, which ends without a word

	mu      sync.Mutex // guards what follows: an interrupt tells from a goroutine of its own
	away    bool       // somebody else prints
	model   string
	words   term.Text
	thought term.Text
	spin    term.Spinner
	doing   term.Activity
	running []runningCall // whose end is not told yet, in their order
	began   time.Time
}

// runningCall is a call on its way.
type runningCall struct {
	id    string
	doing term.Activity
}

// NewStoryteller tells on a console. What it needs of the run is set by the caller.
func NewStoryteller(c term.Console) *Storyteller {
	return &Storyteller{
		c: c, words: term.Text{S: c.Out}, thought: term.Text{S: c.Err, As: term.Faint, Mark: "… "}, spin: term.Spinner{S: c.Err},
		began: time.Now(),
	}
}

// Event implements renderer.
func (t *Storyteller) Event(e agent.Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.spin.Hide()
	t.away = false
	switch e := e.(type) {
	case agent.TextDelta:
		t.says(e.Text)
	case agent.ReasoningDelta:
		t.thinks(e.Text)
	case agent.ModelWaiting:
		t.waits(e.Why)
	case agent.ReplyFinished:
		t.hush()
	case agent.ToolStarted:
		t.hush()
		what := term.OneLine(e.Name+" "+e.Args, 200)
		t.running = append(t.running, runningCall{e.ID, term.Begin(what)})
	case agent.ToolFinished:
		t.finished(e)
	case agent.StepStarted:
		t.hush()
		t.doing = term.Begin(t.model + " thinking")
	case agent.Finished:
		t.hush()
		t.answered(e)
		return
	default:
		t.tell(e)
	}
	t.busy()
}

// tell is an event that is a line, or nothing.
func (t *Storyteller) tell(e agent.Event) {
	switch e := e.(type) {
	case agent.Started:
		t.started(e.Model)
	case agent.ReplyCut:
		t.lines(cutLine(e))
	case agent.Warned:
		t.lines(term.Line{As: term.Ask, Text: "! " + term.OneLine(e.Text, 1000)})
	case agent.MemoryWritten:
		t.line(term.Line{As: term.Faint, Text: "· " + term.OneLine(e.Told(), 200)})
	case agent.PromptDelivered:
		t.line(term.Line{As: term.Faint, Text: "→ the agent hears you: " + term.OneLine(e.Text, 200)})
	case agent.DecisionsDelivered:
		t.line(term.Line{As: term.Faint, Text: "→ the agent hears: " + term.OneLine(strings.TrimPrefix(e.Text, "[galley] "), 200)})
	}
}

func (t *Storyteller) started(model string) {
	if t.began = time.Now(); t.model != "" {
		return // it goes on
	}
	t.model, _, _ = strings.Cut(term.OneLine(model, 40), " at ")
	if model == "offline" {
		model = offlineIs
	}
	t.line(term.Line{As: term.Faint, Text: "session " + t.Session.ID()})
	t.line(term.Line{As: term.Faint, Text: "model " + term.Clean(model)})
}

func cutLine(e agent.ReplyCut) term.Line {
	line := "– what came of this reply counts for nothing" + because(e.Why)
	if e.Again {
		line = "– the reply broke off and is asked for again" + because(e.Why)
	}
	return term.Line{As: term.Ask, Text: line}
}

// says prints the model's words.
func (t *Storyteller) says(text string) {
	t.thought.End()
	t.words.Say(text)
	t.doing.What, t.doing.Note = t.model+" writing", ""
}

// thinks takes in what the model thinks.
func (t *Storyteller) thinks(text string) {
	t.doing.What, t.doing.Note = t.model+" thinking", "reasoning"
	if t.reasoning {
		t.words.End()
		t.thought.Say(text)
	}
}

// waits says why nothing comes: on a terminal for as long as it lasts, else in a line.
func (t *Storyteller) waits(why string) {
	if t.c.Err.Moves {
		t.doing.What, t.doing.Note = t.model+" waiting", term.OneLine(why, 200)
		return
	}
	t.line(term.Line{As: term.Faint, Text: "· waiting: " + term.OneLine(why, 300)})
}

// finished tells what a call did.
func (t *Storyteller) finished(e agent.ToolFinished) {
	t.running = slices.DeleteFunc(t.running, func(r runningCall) bool { return r.id == e.ID || r.id == "" })
	call := callOf(memory.ToolCall{Name: e.Name, Arguments: e.Arguments}, e.Answer)
	call.at = t.c.Err
	t.line(call.step())
}

// busy says what goes on from here: a call, or else the reply.
func (t *Storyteller) busy() {
	doing := t.doing
	if len(t.running) > 0 {
		doing = t.running[0].doing
	}
	if doing.What != "" {
		t.spin.Show(doing, t.column())
	}
}

// column is where an unfinished line of text stands on the terminal that the spinner uses.
func (t *Storyteller) column() int {
	if t.thought.Begun {
		return t.thought.Column
	}
	if t.c.Out.Width > 0 {
		return t.words.Column
	}
	return 0
}

// hush ends the line of a text, so that what follows begins its own.
func (t *Storyteller) hush() {
	t.thought.End()
	t.words.End()
}

// Pause implements renderer.
func (t *Storyteller) Pause() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.spin.Hide()
	t.hush()
	t.away = true
}

// command implements renderer. It follows a question about the command, or stands for it.
func (t *Storyteller) command(c session.Command) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.spin.Hide()
	if !t.away {
		t.hush()
		printRows(t.c.Err, commandRows(t.c.Err.Now(), c))
	}
	t.away = false
	t.running = append([]runningCall{{"", term.Begin("running " + term.OneLine(c.Text, 100))}}, t.running...)
	t.busy()
}

// lines is line for what must be read to its end.
func (t *Storyteller) lines(l term.Line) {
	t.hush()
	t.c.Err.Lines(l.As, l.Text)
}

func (t *Storyteller) line(l term.Line) {
	t.hush()
	t.c.Err.Line(l.As, l.Text)
}

// answered tells what the answer took, and where it is none. An error is told by the command.
func (t *Storyteller) answered(e agent.Finished) {
	if e.Reason == agent.Failed || t.unmet == nil {
		return
	}
	cost := costs(e, time.Since(t.began))
	if e.Usage == (memory.Usage{}) && e.Iterations > 0 && t.model != "offline" {
		cost += " · its server counts no tokens"
	}
	t.lines(term.Line{As: term.Faint, Text: "· " + cost})
	switch {
	case e.Reason != agent.Done:
		t.lines(term.Line{As: term.Ask, Text: "! " + cmp.Or(e.Why, string(e.Reason))})
	case t.unmet.unable():
		t.lines(term.Line{As: term.Ask, Text: "! not done: see above"})
	}
}

// end implements renderer.
func (t *Storyteller) end(e end) {
	t.Pause()
	if t.kept {
		t.preview()
	}
	if e.closed != "" {
		t.line(term.Line{As: term.Faint, Text: "· with its next prompt the agent hears: " + term.OneLine(e.closed, 300)})
	}
}

// goodbye implements renderer.
func (t *Storyteller) goodbye(e end) {
	switch {
	case e.out.Reason != agent.Done:
		t.goOn()
	case e.asks && !e.unable:
		t.c.Err.Println(t.c.Err.Paint(term.Ask, "the agent waits for your answer: ") + t.galley(goOn(t.Session.ID(), t.again)...) + " '…'")
	}
	review.Remind(t.c.Err, e.waits, t.galley, t.Session.ID())
}

// costs says what a run took: "3 steps · 12 s · 4,120 tokens in (3,900 cached), 310 out · it cost 0.0123".
func costs(out agent.Finished, lasted time.Duration) string {
	line := text.Plural(out.Iterations, "step") + " · " + term.Took(lasted)
	if u := out.Usage; u != (memory.Usage{}) {
		in := text.Thousands(u.Input) + " tokens in"
		if u.Cached > 0 {
			in += " (" + text.Thousands(u.Cached) + " cached)"
		}
		line += fmt.Sprintf(" · %s, %s out", in, text.Thousands(u.Output))
	}
	if out.Cost > 0 {
		line += " · it cost " + memory.Money(out.Cost)
	}
	return line
}

// preview shows what waits, as it would be reviewed.
func (t *Storyteller) preview() {
	r, out := &review.Reviewer{Session: t.Session}, t.c.Out.Now()
	for _, e := range r.Sessions() {
		out.Print("\n" + review.Drawn(out, e.Session, r.WaitingIn(e.Session)))
	}
}
