package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.uber.org/zap"

	"github.com/galley-ls/galley/agent"
	"github.com/galley-ls/galley/agent/offline"
	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/editing/view"
	"github.com/galley-ls/galley/memory"
)

// act is one walk as it is played: an agent session, the page it is told on, and the person in it.
type act struct {
	*page
	place   place
	log     *zap.Logger
	session *session.Session
	box     *observed

	started func(tool string)                         // called before each call; nil: nothing to tell
	decide  func(ctx context.Context, edit int) error // plays the person where the agent waits for him
	words   []string                                  // of the agent in the last run, by reply
	done    []call                                    // of the last run
	asked   memory.ContextMeta                        // of the last request
	before  memory.ContextMeta                        // of the request that the end of the walk is compared with
}

// perform plays one walk in an agent session of its own.
func perform(ctx context.Context, a *act, w demoWalk) error {
	cfg := a.place.config()
	cfg.Model, cfg.Review = offline.New().Name(), w.review
	cfg.Decide = func(ctx context.Context, _ *session.Session, edit int) error { return a.decide(ctx, edit) }
	s, err := session.Open(cfg)
	if err != nil {
		return err
	}
	a.session, a.box = s, &observed{Local: agent.Local{Session: s}, done: map[string]call{}}
	return errors.Join(w.play(a, ctx), s.Close())
}

// measured remembers how large the last request was.
type measured struct {
	*observed
	last *memory.ContextMeta
}

// Request implements agent.Session.
func (m measured) Request() (memory.Request, memory.ContextMeta, error) {
	req, meta, err := m.observed.Request()
	*m.last = meta
	return req, meta, err
}

// run says something to the agent, lets it work through the ordinary loop, and tells each call.
func (a *act) run(ctx context.Context, prompt string) error {
	a.says(prompt)
	a.words, a.done = nil, nil
	out, err := agent.Run(ctx, agent.RunConfig{
		Session: measured{a.box, &a.asked}, Model: offline.New(), Prompt: prompt, Events: a.event,
	})
	if err == nil && out.Reason != agent.Done {
		err = fmt.Errorf("the run ended early: %s", orElse(out.Why, string(out.Reason)))
	}
	return err
}

func (a *act) event(e agent.Event) {
	logEvent(a.log, e)
	switch e := e.(type) {
	case agent.StepStarted:
		a.words = append(a.words, "")
	case agent.TextDelta:
		a.words[len(a.words)-1] += e.Text
	case agent.ToolStarted:
		if a.started != nil {
			a.started(e.Name)
		}
	case agent.ToolFinished:
		if c, ok := a.box.take(e.ID); ok {
			a.done = append(a.done, c)
			a.calls(c)
		}
	}
}

// last is the outcome of the last call of the last run.
func (a *act) last() tools.Outcome {
	if len(a.done) == 0 {
		return tools.Outcome{}
	}
	return a.done[len(a.done)-1].result
}

// replies plays the person: one line in the review that galley run and galley review have, too. 0 means every editing
// session.
func (a *act) replies(ctx context.Context, edit int, line string) error {
	var told bytes.Buffer
	s := a.inner()
	s.w = &told
	r := &reviewer{c: console{out: s}, session: a.session, edit: edit}
	said, problem := parseAnswer(line, lettersOf(r.all()))
	if problem != "" {
		return fmt.Errorf("%q is not understood: %s", line, problem)
	}
	a.types(line)
	r.do(ctx, said)
	a.block(strings.ReplaceAll(strings.TrimRight(told.String(), "\n"), "\n", "   "))
	return nil
}

// question puts the question that galley run puts.
func (a *act) question(edit int) {
	s := a.inner()
	a.block(s.paint(styleAsk, (&reviewer{c: console{out: s}, session: a.session, edit: edit}).question()))
}

// waiting are the letters that wait, over all editing sessions.
func (a *act) waiting() []view.Change { return (&reviewer{session: a.session}).waiting() }

// proofs draws the letters that wait, with some lines around each.
func (a *act) proofs(around int) {
	for _, c := range a.waiting() {
		a.proof(c, around)
	}
}

// tree draws the tasks.
func (a *act) tree() { a.block(clean(a.session.TaskTree())) }

// expectWaiting checks which letters wait.
func (a *act) expectWaiting(letters ...string) error {
	if there := lettersOf(a.waiting()); !slices.Equal(there, letters) {
		return fmt.Errorf("these letters should wait: %q, and these do: %q", letters, there)
	}
	return nil
}

// expectLast checks how the last call of the last run ended.
func (a *act) expectLast(status string) error {
	if o := a.last(); o.Status != status {
		return fmt.Errorf("the last call should have ended %q, and it ended %q: %s", status, o.Status, o.Hint)
	}
	return nil
}

// files shows files before and now.
func (a *act) files(names ...string) error {
	for _, name := range names {
		was, err := sample(name)
		if err != nil {
			return err
		}
		is, err := a.disk(name)
		if err != nil {
			return err
		}
		a.compare(name, was, is)
	}
	return nil
}

// settled checks that nothing is left to decide, and tells how large the conversation is now.
func (a *act) settled() error {
	if err := a.expectWaiting(); err != nil {
		return err
	}
	if open := a.session.OpenEdits(); len(open) > 0 {
		return fmt.Errorf("every editing session should be closed, and %d are open", len(open))
	}
	_, after, err := a.session.Request()
	if err != nil {
		return err
	}
	a.shrunk(a.before, after)
	return nil
}
