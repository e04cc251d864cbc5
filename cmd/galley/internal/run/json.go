package run

import (
	"encoding/json"
	"strings"
	"sync"

	"github.com/galley-ls/galley/agent"
	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/cmd/galley/internal/review"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
)

// eventLines shows a run to a program: a JSON object a line.
type eventLines struct {
	session review.Table
	galley  func(words ...string) string // a command line that works in the same place

	mu sync.Mutex // guards what follows: an interrupt tells from a goroutine of its own
	s  term.Screen
}

// Event implements renderer.
func (l *eventLines) Event(e agent.Event) {
	if _, ok := e.(agent.Started); ok {
		l.print(opened{"opened", l.session.ID(), l.session.Dir()})
	}
	fields, err := json.Marshal(e)
	if err != nil {
		return // no event holds what JSON cannot
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.s.Println(term.HarmlessJSON(eventLine(e.Kind(), fields)))
}

func (l *eventLines) print(line any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	_ = term.PrintJSON(l.s, line) // as any other line that nobody reads
}

// eventLine puts the kind of an event before its fields.
func eventLine(kind string, fields []byte) string {
	line := `{"event":"` + kind + `"`
	if rest := strings.TrimPrefix(string(fields), "{"); rest != "}" {
		return line + "," + rest
	}
	return line + "}"
}

// Pause implements renderer: nobody is asked between events.
func (l *eventLines) Pause() {}

// command implements renderer.
func (l *eventLines) command(c session.Command) {
	l.print(commandLine{"command_started", c.Text, c.Dir})
}

// stopping implements renderer.
func (l *eventLines) stopping() { l.print(interrupted{"stopping"}) }

// leaving implements renderer. It does not wait for a reader that takes nothing in.
func (l *eventLines) leaving() {}

// commandLine is a command of the agent that starts.
type commandLine struct {
	Event   string `json:"event"`
	Command string `json:"command"`
	Dir     string `json:"dir"`
}

// interrupted says that an interrupt was heard.
type interrupted struct {
	Event string `json:"event"`
}

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
	Asks      bool     `json:"asks,omitempty"`   // the agent waits for an answer
	Unable    bool     `json:"unable,omitempty"` // what was asked for was not done
	ExitCode  int      `json:"exit_code"`
}

// end implements renderer.
func (l *eventLines) end(e end) {
	last := ending{
		Event: "ended", SessionID: l.session.ID(), Reason: string(e.out.Reason), Why: e.out.Why, Text: e.out.Text,
		Waiting: e.waits, Closed: e.closed, Asks: e.asks, Unable: e.unable, ExitCode: e.exit,
	}
	if len(e.waits) > 0 {
		last.Review = l.galley("review", "--session", l.session.ID())
	}
	l.print(last)
}

// goodbye implements renderer: the last line has it all.
func (l *eventLines) goodbye(end) {}
