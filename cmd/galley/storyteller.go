package main

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/galley-ls/galley/agent"
	"github.com/galley-ls/galley/agent/session"
)

// teller shows a run to whoever watches it.
type teller interface {
	event(e agent.Event)
	pause() // something else is printed from here on
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

// storyteller shows a run to a person: steps on stderr, one a line, the model's words on stdout.
type storyteller struct {
	c       console
	session *session.Session
	box     *toolbox
	place   place
	kept    bool // nobody was asked: what waits is shown at the end

	speaking bool   // the line of a text is not ended yet
	half     string // bytes at the end of a piece of text that are no whole character yet
}

// event implements teller.
func (t *storyteller) event(e agent.Event) {
	switch e := e.(type) {
	case agent.Started:
		t.started(e.Model)
	case agent.TextDelta:
		t.speak(e.Text)
	case agent.ToolFinished:
		if c, ok := t.box.take(e.ID); ok {
			t.line(c.step())
		}
	case agent.DecisionsDelivered:
		t.line(styledLine{styleFaint, "→ the agent hears: " + oneLine(strings.TrimPrefix(e.Text, "[galley] "), 200)})
	case agent.StepStarted, agent.Finished:
		t.hush()
	}
}

func (t *storyteller) started(model string) {
	if model == "offline" {
		model = offlineIs
	}
	t.line(styledLine{styleFaint, "session " + t.session.ID()})
	t.line(styledLine{styleFaint, "model " + clean(model)})
}

// speak prints the model's words as they come.
func (t *storyteller) speak(text string) {
	text = t.half + text
	whole := len(text)
	for back := 1; back < utf8.UTFMax && back <= len(text); back++ {
		if utf8.RuneStart(text[len(text)-back]) {
			if !utf8.FullRuneInString(text[len(text)-back:]) {
				whole -= back
			}
			break
		}
	}
	text, t.half = clean(text[:whole]), text[whole:]
	if text == "" {
		return
	}
	t.c.out.print(text)
	t.speaking = !strings.HasSuffix(text, "\n")
}

// hush ends the line of a text, so that what follows begins its own.
func (t *storyteller) hush() {
	if t.speaking || t.half != "" {
		t.c.out.println(clean(t.half))
	}
	t.speaking, t.half = false, ""
}

// pause implements teller.
func (t *storyteller) pause() {
	t.hush()
	t.c.out.println("")
}

func (t *storyteller) line(l styledLine) {
	t.hush()
	t.c.err.line(l.as, l.text)
}

// end implements teller.
func (t *storyteller) end(e end) {
	t.hush()
	if t.kept {
		t.preview()
	}
	if e.closed != "" {
		t.line(styledLine{styleFaint, "· " + oneLine(e.closed, 300)})
	}
	if e.out.Reason != agent.Done {
		t.line(styledLine{styleAsk, "! " + orElse(e.out.Why, string(e.out.Reason))})
		t.c.err.println("  go on: " + t.place.command("run", "--session", t.session.ID()))
	}
	if len(e.waits) > 0 {
		t.c.err.println(t.c.err.paint(styleAsk, waitLetters(e.waits)+": ") + t.place.command("review", "--session", t.session.ID()))
	}
}

// preview shows what waits, as it would be reviewed.
func (t *storyteller) preview() {
	snap := t.session.Snapshot()
	for _, e := range (&reviewer{desk: t.session}).sessions() {
		t.c.out.print("\n" + drawn(t.c.out, snap, e))
	}
}

// eventLines shows a run to a program: a JSON object a line.
type eventLines struct {
	s       screen
	session *session.Session
	place   place
}

// event implements teller.
func (l *eventLines) event(e agent.Event) {
	if _, ok := e.(agent.Started); ok {
		_ = printJSON(l.s, opened{"opened", l.session.ID(), l.session.Dir()}) // as any other line that nobody reads
	}
	fields, err := json.Marshal(e)
	if err != nil {
		return // no event holds what JSON cannot
	}
	l.s.println(eventLine(e.Kind(), fields))
}

// eventLine puts the kind of an event before its fields.
func eventLine(kind string, fields []byte) string {
	line := `{"event":"` + kind + `"`
	if rest := strings.TrimPrefix(string(fields), "{"); rest != "}" {
		return line + "," + rest
	}
	return line + "}"
}

// pause implements teller: nobody is asked between events.
func (l *eventLines) pause() {}

// opened is the first line: where to go on if the last one never comes.
type opened struct {
	Event     string `json:"event"`
	SessionID string `json:"session"`
	Dir       string `json:"dir"`
}

// ending is the last line: what a script goes on with.
type ending struct {
	Event     string   `json:"event"`
	SessionID string   `json:"session"`
	Reason    string   `json:"reason"`
	Why       string   `json:"why,omitempty"`
	Text      string   `json:"text"`
	Waiting   []string `json:"waiting"`
	Review    string   `json:"review,omitempty"` // the command that reviews what waits
	Closed    string   `json:"closed,omitempty"`
	ExitCode  int      `json:"exit_code"`
}

// end implements teller.
func (l *eventLines) end(e end) {
	last := ending{
		Event: "ended", SessionID: l.session.ID(), Reason: string(e.out.Reason), Why: e.out.Why, Text: e.out.Text,
		Waiting: e.waits, Closed: e.closed, ExitCode: e.exit,
	}
	if len(e.waits) > 0 {
		last.Review = l.place.command("review", "--session", l.session.ID())
	}
	_ = printJSON(l.s, last) // as any other line that nobody reads
}
