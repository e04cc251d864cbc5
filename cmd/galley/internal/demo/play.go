package demo

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"go.uber.org/zap"

	"github.com/galley-ls/galley/agent"
	"github.com/galley-ls/galley/agent/model"
	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/cmd/galley/internal/review"
	"github.com/galley-ls/galley/cmd/galley/internal/run"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
	"github.com/galley-ls/galley/memory"
)

// stage is where a script is played: an agent session, whose model says what the script says, and a terminal or a page.
type stage struct {
	c               term.Console
	typed           *term.Keyboard // by the person; nil: the person is played
	home, workspace string
	log             *zap.Logger
	holds           map[string]bool   // the conditions of lines
	values          *strings.Replacer // of the names in braces
	begun           bool              // something is printed
	session         *session.Session
	tells           *run.Storyteller

	replies []reply           // that the agent has not given yet
	heard   string            // what galley told the agent in this run
	gets    map[string]string // status by call, where it is to be no success
	odd     error             // the first call that was answered differently than it should
}

// perform plays a script in an agent session of its own.
func (g *stage) perform(ctx context.Context, script walk) error {
	s, err := session.Open(session.Config{Home: g.home, Workspace: g.workspace, Model: g.Name()})
	if err != nil {
		return err
	}
	g.session, g.tells = s, run.NewStoryteller(g.c)
	g.tells.Session = review.Local{Session: s}
	err = g.play(ctx, script)
	if err == nil {
		_, err = s.End(ctx)
	}
	return errors.Join(err, s.Close())
}

func (g *stage) play(ctx context.Context, script walk) error {
	for at := 0; at < len(script); {
		next, err := g.step(ctx, script, at)
		if err = errors.Join(err, ctx.Err()); err != nil {
			return fmt.Errorf("line %d of the script: %w", script[at].number, err)
		}
		at = next
	}
	return nil
}

// step plays one line of a script with those that belong to it, and returns where the next one is.
func (g *stage) step(ctx context.Context, script walk, at int) (next int, err error) {
	l, next := script[at], at+1
	if l.when != "" && !g.holds[l.when] {
		return next, nil
	}
	switch l.verb {
	case "note":
		g.paragraph(term.Plain, term.Wrap(g.values.Replace(l.rest), g.c.Out.Width))
	case "command":
		g.c.Out.Println("  " + g.values.Replace(l.rest))
	case "wish":
		if g.replies, next, err = script.replies(next); err == nil {
			err = g.ask(ctx, l.rest)
		}
	case "answer":
		answers := l.rest + "\n"
		for ; next < len(script) && script[next].verb == "answer"; next++ {
			answers += script[next].rest + "\n"
		}
		err = g.review(ctx, answers)
	case "save":
		err = g.save(ctx, l.rest)
	case "look":
		err = g.look(l.rest)
	default:
		err = errors.New("the script has no such verb: " + l.verb)
	}
	return next, err
}

// paragraph prints words of the demo or of the person, behind an empty line.
func (g *stage) paragraph(as term.Style, words string) {
	if g.begun {
		g.c.Out.Println("")
	}
	g.begun = true
	g.c.Out.Println(g.c.Out.Paint(as, words))
}

// ask says something to the agent, which answers as the script says, and works through the ordinary loop and tools.
func (g *stage) ask(ctx context.Context, wish string) error {
	g.paragraph(term.Ask, "› "+term.Indented(wish, g.c.Out.Width, 2))
	g.heard, g.gets, g.odd = "", map[string]string{}, nil
	out, err := agent.Run(ctx, agent.RunConfig{Session: agent.Local{Session: g.session}, Model: g, Prompt: wish, Events: g.event})
	g.tells.Pause()
	if err == nil && out.Reason != agent.Done {
		err = fmt.Errorf("the run ended early: %s", cmp.Or(out.Why, string(out.Reason)))
	}
	return errors.Join(err, g.odd)
}

func (g *stage) event(e agent.Event) {
	agent.Logged(g.log)(e)
	switch e := e.(type) {
	case agent.Started: // the demo has said who plays the agent
		return
	case agent.DecisionsDelivered:
		g.heard = e.Text
	case agent.ToolFinished:
		want := g.gets[e.ID]
		if g.odd == nil && (want == "" && !review.Succeeded(e.Status) || want != "" && want != e.Status) {
			g.odd = fmt.Errorf("a call of %s should be answered %s, and is answered %s", e.Name, cmp.Or(want, "with success"), e.Status)
		}
	}
	g.tells.Event(e)
}

// Name implements model.Model.
func (g *stage) Name() string { return "script" }

// Stream implements model.Model: the next reply of the script that counts.
func (g *stage) Stream(_ context.Context, _ memory.Request, show func(model.Delta)) (model.Reply, error) {
	for len(g.replies) > 0 {
		r := g.replies[0]
		if g.replies = g.replies[1:]; r.when != "" && !strings.Contains(g.heard, r.when) {
			continue
		}
		for id, status := range r.gets {
			g.gets[id] = status
		}
		show(model.Delta{Text: r.text})
		return model.Reply{Message: memory.Message{Role: memory.RoleAssistant, Content: r.text, ToolCalls: r.calls}}, nil
	}
	return model.Reply{}, errors.New("the script has no reply left")
}

// review is the ordinary review of all that waits. Where nobody types, the answers of the script are typed.
func (g *stage) review(ctx context.Context, answers string) error {
	r := &review.Reviewer{Console: g.c, Session: review.Local{Session: g.session}, Keyboard: g.typed}
	r.Console.InIsTerm = g.typed != nil
	if r.Keyboard == nil {
		r.Keyboard = term.NewKeyboard(strings.NewReader(answers))
	}
	g.c.Out.Println("")
	r.Keyboard.Forget()
	return r.Review(ctx)
}

// save replaces a text in a file, as the person does in an editor.
func (g *stage) save(ctx context.Context, what string) error {
	name, texts, _ := strings.Cut(what, " ")
	var replace []string
	if err := json.Unmarshal([]byte(texts), &replace); err != nil || len(replace) != 2 {
		return fmt.Errorf("%s should be two texts: %w", texts, err)
	}
	path := filepath.Join(g.workspace, filepath.FromSlash(name))
	is, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if !strings.Contains(string(is), replace[0]) {
		return fmt.Errorf("%s does not say %q", name, replace[0])
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(is), replace[0], replace[1], 1)), 0o644); err != nil {
		return err
	}
	return g.session.Refresh(ctx)
}

// look shows a line of a file as it is on the disk.
func (g *stage) look(what string) error {
	name, digits, _ := strings.Cut(what, " ")
	number, err := strconv.Atoi(digits)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(g.workspace, filepath.FromSlash(name)))
	if err != nil {
		return err
	}
	lines := strings.Split(string(text), "\n")
	if number > len(lines) {
		return fmt.Errorf("%s has no line %d", name, number)
	}
	g.c.Out.Printf("  %s, line %d: %s\n", name, number, term.Clean(strings.TrimRight(lines[number-1], "\r")))
	return nil
}
