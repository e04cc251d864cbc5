package main

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/galley-ls/galley/agent"
	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/memory"
)

// teller shows a run to whoever watches it.
type teller interface {
	event(e agent.Event)
	pause()                    // somebody else prints, until the next event
	command(c session.Command) // a command of the agent starts
	stopping()                 // the person has interrupted the run; from any goroutine
	leaving()                  // and has done so again
	end(e end)
}

// end is how a run ended.
type end struct {
	exit   int
	out    agent.Outcome
	waits  []string // letters that nobody has decided
	closed string   // what became of editing sessions at the end
}

// offlineIs is told once a run, since nobody should take it for more.
const offlineIs = "offline: built in, not a language model; it understands plain instructions (galley run --help)"

// storyteller shows a run to a person: steps on stderr, one a line, the model's words on stdout, and on a terminal what
// goes on meanwhile.
type storyteller struct {
	c         console
	session   *session.Session
	box       *observed
	place     place
	kept      bool     // nobody was asked: what waits is shown at the end
	reasoning bool     // what the model thinks is shown
	again     []string // flags of the command that goes on

	mu      sync.Mutex // guards what follows: an interrupt tells from a goroutine of its own
	away    bool       // somebody else prints
	model   string
	words   voice
	thought voice
	spin    spinner
	doing   activity
	running []runningCall // whose end is not told yet, in their order
	began   time.Time
	lasted  time.Duration
}

// runningCall is a call on its way.
type runningCall struct {
	id    string
	doing activity
}

// newStoryteller tells on a console. What it needs of the run is set by the caller.
func newStoryteller(c console) *storyteller {
	return &storyteller{
		c: c, words: voice{s: c.out}, thought: voice{s: c.err, as: styleFaint, mark: "… "}, spin: spinner{s: c.err},
		began: time.Now(),
	}
}

// event implements teller.
func (t *storyteller) event(e agent.Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.spin.hide()
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
		what := oneLine(e.Name+" "+e.Args, 200)
		t.running = append(t.running, runningCall{e.ID, since(what)})
	case agent.ToolFinished:
		t.finished(e)
	case agent.StepStarted:
		t.hush()
		t.doing = since(t.model + " thinking")
	case agent.Finished:
		t.hush()
		t.lasted = time.Since(t.began)
		return
	default:
		t.tell(e)
	}
	t.busy()
}

// tell is an event that is a line, or nothing.
func (t *storyteller) tell(e agent.Event) {
	switch e := e.(type) {
	case agent.Started:
		t.started(e.Model)
	case agent.ReplyCut:
		t.lines(cutLine(e))
	case agent.Warned:
		t.lines(styledLine{styleAsk, "! " + oneLine(e.Text, 400)})
	case agent.PromptDelivered:
		t.line(styledLine{styleFaint, "→ the agent hears you: " + oneLine(e.Text, 200)})
	case agent.DecisionsDelivered:
		t.line(styledLine{styleFaint, "→ the agent hears: " + oneLine(strings.TrimPrefix(e.Text, "[galley] "), 200)})
	}
}

func (t *storyteller) started(model string) {
	t.model, _, _ = strings.Cut(oneLine(model, 40), " at ")
	if model == "offline" {
		model = offlineIs
	}
	t.line(styledLine{styleFaint, "session " + t.session.ID()})
	t.line(styledLine{styleFaint, "model " + clean(model)})
}

func cutLine(e agent.ReplyCut) styledLine {
	line := "– what came of this reply counts for nothing" + because(e.Why)
	if e.Again {
		line = "– the reply broke off and is asked for again" + because(e.Why)
	}
	return styledLine{styleAsk, line}
}

// says prints the model's words.
func (t *storyteller) says(text string) {
	t.thought.end()
	t.words.say(text)
	t.doing.what, t.doing.note = t.model+" writing", ""
}

// thinks takes in what the model thinks.
func (t *storyteller) thinks(text string) {
	t.doing.what, t.doing.note = t.model+" thinking", "reasoning"
	if t.reasoning {
		t.words.end()
		t.thought.say(text)
	}
}

// waits says why nothing comes: on a terminal for as long as it lasts, else in a line.
func (t *storyteller) waits(why string) {
	if t.c.err.moves {
		t.doing.what, t.doing.note = t.model+" waiting", oneLine(why, 200)
		return
	}
	t.line(styledLine{styleFaint, "· waiting: " + oneLine(why, 300)})
}

// finished tells what a call did.
func (t *storyteller) finished(e agent.ToolFinished) {
	t.running = slices.DeleteFunc(t.running, func(r runningCall) bool { return r.id == e.ID || r.id == "" })
	if c, ok := t.box.take(e.ID); ok {
		t.line(c.step())
	}
}

// busy says what goes on from here: a call, or else the reply.
func (t *storyteller) busy() {
	doing := t.doing
	if len(t.running) > 0 {
		doing = t.running[0].doing
	}
	if doing.what != "" {
		t.spin.show(doing, t.column())
	}
}

// column is where an unfinished line of text stands on the terminal that the spinner uses.
func (t *storyteller) column() int {
	if t.thought.begun {
		return t.thought.column
	}
	if t.c.out.width > 0 {
		return t.words.column
	}
	return 0
}

// hush ends the line of a text, so that what follows begins its own.
func (t *storyteller) hush() {
	t.thought.end()
	t.words.end()
}

// pause implements teller.
func (t *storyteller) pause() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.spin.hide()
	t.hush()
	t.away = true
}

// command implements teller. It follows a question about the command, or stands for it.
func (t *storyteller) command(c session.Command) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.spin.hide()
	if !t.away {
		t.hush()
		t.c.err.print(shownCommand(t.c.err, c))
	}
	t.away = false
	t.running = append([]runningCall{{"", since("running " + oneLine(c.Text, 100))}}, t.running...)
	t.busy()
}

// lines is line for what must be read to its end.
func (t *storyteller) lines(l styledLine) {
	t.hush()
	t.c.err.lines(l.as, l.text)
}

func (t *storyteller) line(l styledLine) {
	t.hush()
	t.c.err.line(l.as, l.text)
}

// end implements teller.
func (t *storyteller) end(e end) {
	t.pause()
	if t.kept {
		t.preview()
	}
	if e.closed != "" {
		t.line(styledLine{styleFaint, "· " + oneLine(e.closed, 300)})
	}
	t.lines(styledLine{styleFaint, "· " + costs(e.out, t.lasted)})
	if e.out.Reason != agent.Done {
		t.lines(styledLine{styleAsk, "! " + orElse(e.out.Why, string(e.out.Reason))})
		t.goOn()
	}
	if len(e.waits) > 0 {
		t.c.err.println(t.c.err.paint(styleAsk, waitLetters(e.waits)+": ") + t.place.command("review", "--session", t.session.ID()))
	}
}

// costs says what a run took: "3 steps · 12 s · 4,120 tokens in (3,900 cached), 310 out".
func costs(out agent.Outcome, lasted time.Duration) string {
	line := plural(out.Iterations, "step") + " · " + took(lasted)
	if u := out.Usage; u != (memory.Usage{}) {
		in := thousands(u.Input) + " tokens in"
		if u.Cached > 0 {
			in += " (" + thousands(u.Cached) + " cached)"
		}
		line += fmt.Sprintf(" · %s, %s out", in, thousands(u.Output))
	}
	return line
}

// preview shows what waits, as it would be reviewed.
func (t *storyteller) preview() {
	r, out := &reviewer{session: t.session}, t.c.out.now()
	for _, e := range r.sessions() {
		out.print("\n" + drawn(out, e, r.waitingIn(e)))
	}
}
