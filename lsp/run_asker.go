package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/galley-ls/galley/agent/host"
	"github.com/galley-ls/galley/memory"
	"go.lsp.dev/protocol"
	"go.uber.org/zap"
)

// Runs whose loops work at this connection's client. They are over when it is gone.

// attach is the first request of a client of a host.
func (s *server) attach(params json.RawMessage) (any, rest, error) {
	var p Attach
	switch err := decoded(params, &p); {
	case err != nil:
		return nil, nil, err
	case s.phase != phaseNew:
		return nil, nil, refused("failed", "galley/attach is the first request to a host of a workspace, and none later")
	case p.Protocol != Protocol:
		return nil, nil, refused("failed", "this host speaks protocol %d of galley, and the client %d; end the older one of the two", Protocol, p.Protocol)
	}
	s.kind, s.inside, s.pid = p.Kind, p.Inside, p.PID
	s.log.Info("a client attaches", zap.String("kind", p.Kind), zap.Int("pid", p.PID), zap.String("build", p.Build))
	s.host.Hide(p.Mask)
	return jsonRaw(own(Attached{Protocol})), nil, nil
}

// askedRuns are the runs that the client opened.
type askedRuns struct {
	mu sync.Mutex // guards by
	by map[string]*host.Away
}

func (r *askedRuns) add(a *host.Away) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.by == nil {
		r.by = map[string]*host.Away{}
	}
	r.by[a.ID()] = a
}

func (r *askedRuns) find(run string) (*host.Away, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if a := r.by[run]; a != nil {
		return a, nil
	}
	return nil, fmt.Errorf("no run %q was opened here, or it is over", run)
}

func (r *askedRuns) remove(run string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.by, run)
}

// runOpen is galley.ask of a client that works on the run itself.
func (s *server) runOpen(params json.RawMessage) (any, rest, error) {
	var p RunOpen
	if err := decoded(params, &p); err != nil {
		return nil, nil, err
	}
	a, err := argsOf([]json.RawMessage{p.Ask})
	if err != nil {
		return nil, nil, err
	}
	prompt := s.promptOf(a)
	if err := s.sendable(a, prompt); err != nil {
		return nil, nil, err
	}
	return nil, func(ctx context.Context) (any, error) {
		if prompt.Session == "" {
			if prompt.Session, err = s.currentOrNew(ctx); err != nil {
				return nil, err
			}
		}
		away, run, session, err := s.host.AskFrom(s.ctx, asker{s}, prompt, p.Terms)
		if err != nil {
			return nil, err
		}
		if away != nil {
			s.asked.add(away)
		}
		return RunOpened{run, session, away == nil}, nil
	}, nil
}

// runDeeds are what the loop of a run does to its session, by the names of the requests.
var runDeeds = map[string]func(a *host.Away, p RunParams) (RunResult, error){
	MethodRunInbox: func(a *host.Away, p RunParams) (r RunResult, err error) {
		var texts []string
		switch p.Inbox {
		case InboxStep:
			texts = a.Inbox().Take()
		case InboxEnd:
			if text, ok := a.Inbox().Next(); ok {
				texts = []string{text}
			}
		case InboxClose:
			texts = a.Inbox().Close()
		default:
			err = badArguments("inbox is %q; it is %s, %s or %s", p.Inbox, InboxStep, InboxEnd, InboxClose)
		}
		for _, t := range texts {
			r.Texts = append(r.Texts, memory.Raw(t))
		}
		return r, err
	},
	MethodRunPrompt: func(a *host.Away, p RunParams) (RunResult, error) {
		return RunResult{}, a.Prompt(string(p.Text), p.Again)
	},
	MethodRunRequest: func(a *host.Away, p RunParams) (RunResult, error) {
		a.Window(p.Window)
		body, tokens, err := a.Request()
		return RunResult{Body: &body, Tokens: &tokens}, err
	},
	MethodRunTooLong: func(a *host.Away, p RunParams) (RunResult, error) {
		text, err := a.TooLong(p.Limit)
		return RunResult{Text: memory.Raw(text)}, err
	},
	MethodRunReply: func(a *host.Away, p RunParams) (RunResult, error) {
		if p.Reply == nil {
			return RunResult{}, a.Spent(p.Usage)
		}
		return RunResult{}, a.Reply(*p.Reply, p.Usage, p.Again)
	},
	MethodRunCost: func(a *host.Away, _ RunParams) (RunResult, error) { return RunResult{Cost: a.Cost()}, nil },
	MethodRunCall: func(a *host.Away, p RunParams) (RunResult, error) {
		answer, err := a.Call(p.Call, p.Again)
		return RunResult{Answer: &answer}, err
	},
	MethodRunConfirm: func(a *host.Away, p RunParams) (RunResult, error) {
		if p.Command == nil {
			return RunResult{}, badArguments("there is no command")
		}
		ok, why := a.Confirm(*p.Command)
		return RunResult{OK: ok, Text: memory.Raw(why)}, nil
	},
	MethodRunCommand: func(a *host.Away, p RunParams) (RunResult, error) {
		if p.Command == nil {
			return RunResult{}, badArguments("there is no command")
		}
		c, letters, err := a.Command(*p.Command)
		return RunResult{Command: &c, Letters: letters}, err
	},
	MethodRunAnswer: func(a *host.Away, p RunParams) (RunResult, error) {
		return RunResult{}, a.Session.Answer(p.Call, string(p.Text))
	},
	MethodRunNotice: func(a *host.Away, p RunParams) (RunResult, error) {
		if p.Text != "" {
			return RunResult{}, a.Notice(string(p.Text))
		}
		text, ok, err := a.Notices()
		return RunResult{Text: memory.Raw(text), OK: ok}, err
	},
}

// runDeed handles one of runDeeds.
func (s *server) runDeed(do func(*host.Away, RunParams) (RunResult, error), params json.RawMessage) (any, rest, error) {
	var p RunParams
	if err := decoded(params, &p); err != nil {
		return nil, nil, err
	}
	a, err := s.asked.find(p.Run)
	if err != nil {
		return nil, nil, refused("state", "%v", err)
	}
	return nil, func(context.Context) (any, error) {
		var result RunResult
		err := a.Use(func() (err error) {
			result, err = do(a, p)
			return err
		})
		return result, err
	}, nil
}

// runTold takes in how a run stands. What nobody may see is out of it before others hear of it.
func (s *server) runTold(params json.RawMessage) error {
	now, a, err := s.toldOf(params)
	if err == nil {
		a.Told(now.Run, now.Keep)
	}
	return err
}

func (s *server) toldOf(params json.RawMessage) (now RunTold, a *host.Away, err error) {
	if err = decoded(params, &now); err == nil {
		a, err = s.asked.find(now.ID)
	}
	if err == nil {
		err = decoded(json.RawMessage(a.Mask(string(params))), &now)
	}
	return now, a, err
}

// runEnd is the last word about a run.
func (s *server) runEnd(params json.RawMessage) (any, rest, error) {
	now, a, err := s.toldOf(params)
	if err != nil {
		return nil, nil, refused("state", "%v", err)
	}
	return nil, func(ctx context.Context) (any, error) {
		closed, err := a.End(ctx, now.Run)
		if err != nil {
			return nil, err
		}
		s.asked.remove(now.ID)
		return RunResult{Text: memory.Raw(closed)}, nil
	}, nil
}

// runRequests are the requests about such runs.
func runRequests() map[string]request {
	all := map[string]request{
		MethodAttach: (*server).attach, MethodRunOpen: (*server).runOpen, MethodRunEnd: (*server).runEnd,
	}
	for name := range terminalDeeds {
		all[name] = func(s *server, params json.RawMessage) (any, rest, error) { return s.terminalDeed(name, params) }
	}
	for name, do := range runDeeds {
		all[name] = func(s *server, params json.RawMessage) (any, rest, error) { return s.runDeed(do, params) }
	}
	for name, h := range all {
		all[name] = func(s *server, params json.RawMessage) (any, rest, error) {
			v, r, err := h(s, params)
			return v, ours(r), err
		}
	}
	return all
}

// asker is the client of a connection, as host.Asker.
type asker struct{ *server }

// Cancel implements host.Asker.
func (a asker) Cancel(run string) { a.notify(MethodRunCancel, jsonRaw(own(RunParams{Run: run}))) }

// Summarize implements host.Asker.
func (a asker) Summarize(ctx context.Context, run, text string) (string, memory.Usage, error) {
	r, err := a.has(ctx, MethodRunSummarize, RunParams{Run: run, Text: memory.Raw(text)})
	return string(r.Text), r.Usage, err
}

// Decisions implements host.Asker.
func (a asker) Decisions(ctx context.Context, run, text string) ([]string, memory.Usage, error) {
	r, err := a.has(ctx, MethodRunDecisions, RunParams{Run: run, Text: memory.Raw(text)})
	var named []string
	for _, d := range r.Texts {
		named = append(named, string(d))
	}
	return named, r.Usage, err
}

// Review implements host.Asker.
func (a asker) Review(ctx context.Context, run, session string, edit int) error {
	_, err := a.has(ctx, MethodReview, RunParams{Run: run, Session: session, Edit: edit})
	return err
}

// has has the client do something.
func (a asker) has(ctx context.Context, method string, p RunParams) (r RunResult, err error) {
	var raw json.RawMessage
	if err := protocol.Call(ctx, a.conn, method, jsonRaw(own(p)), &raw); err != nil {
		return r, fmt.Errorf("ask the process that the run was asked from: %w", err)
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		return r, fmt.Errorf("read the answer of %s: %w", method, err)
	}
	if r.Error != "" {
		err = errors.New(r.Error)
	}
	return r, err
}
