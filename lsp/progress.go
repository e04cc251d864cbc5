package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/galley-ls/galley/agent/host"
	"go.lsp.dev/protocol"
	"go.uber.org/zap"
)

// progress shows runs as the client's work-done progress.
type progress struct {
	mu    sync.Mutex // guards state
	state map[string]progressState
}

type progressState int

const (
	progressBegun   progressState = iota + 1
	progressRefused               // the client did not create the token
)

const tokenPrefix = "galley-run-"

// show is called for one run after the other, by followRuns alone.
func (p *progress) show(ctx context.Context, s *server, r host.Run) {
	token := tokenPrefix + r.ID
	switch p.get(r.ID) {
	case progressRefused:
	case progressBegun:
		if r.State.Over() {
			s.report(token, &protocol.WorkDoneProgressEnd{Kind: "end", Message: words(string(r.State))})
			p.set(r.ID, 0)
			return
		}
		s.report(token, &protocol.WorkDoneProgressReport{Kind: "report", Message: words(stepOf(r)), Percentage: percent(r)})
	default:
		if !r.State.Over() {
			p.begin(ctx, s, r, token)
		}
	}
	if r.State.Over() {
		p.set(r.ID, 0)
	}
}

func (p *progress) begin(ctx context.Context, s *server, r host.Run, token string) {
	ctx, cancel := context.WithTimeout(ctx, refreshPatience)
	defer cancel()
	err := protocol.Call(ctx, s.conn, protocol.MethodWindowWorkDoneProgressCreate,
		&protocol.WorkDoneProgressCreateParams{Token: protocol.String(token)}, nil)
	if err != nil {
		s.log.Info("the client shows no progress", zap.Error(err))
		p.set(r.ID, progressRefused)
		return
	}
	yes := true
	s.report(token, &protocol.WorkDoneProgressBegin{
		Kind: "begin", Title: "galley", Cancellable: &yes, Message: words(stepOf(r)), Percentage: percent(r),
	})
	p.set(r.ID, progressBegun)
}

func (p *progress) get(run string) progressState {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.state[run]
}

func (p *progress) set(run string, st progressState) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.state == nil {
		p.state = map[string]progressState{}
	}
	if st == 0 {
		delete(p.state, run)
		return
	}
	p.state[run] = st
}

func (s *server) report(token string, value any) {
	raw, err := protocol.Marshal(value)
	if err != nil {
		s.log.Error("progress could not be encoded", zap.Error(err))
		return
	}
	s.notify(protocol.MethodProgress, &protocol.ProgressParams{Token: protocol.String(token), Value: protocol.LSPAny(raw)})
}

func stepOf(r host.Run) string {
	switch {
	case r.State == host.RunTool && r.Tool != "":
		return fmt.Sprintf("step %d: %s", r.Step, r.Tool)
	case r.State == host.RunWaiting:
		return fmt.Sprintf("step %d: waiting: %s", r.Step, said(shown(r.Waiting)))
	}
	return fmt.Sprintf("step %d: %s", r.Step, r.State)
}

func words(s string) *string { return &s }

// percent is how full the context is.
func percent(r host.Run) *uint32 {
	p := uint32(min(max(r.Percent, 0), 100)) //nolint:gosec // 0 to 100
	return &p
}

// progressCancelled is the user's wish to stop a run.
func (s *server) progressCancelled(params json.RawMessage) error {
	token := treeOf(params).at("token").text()
	if len(token) <= len(tokenPrefix) || token[:len(tokenPrefix)] != tokenPrefix {
		return fmt.Errorf("no progress has the token %q", token)
	}
	run := token[len(tokenPrefix):]
	s.spawn(func(ctx context.Context) {
		if err := s.host.Cancel(ctx, run); err != nil && ctx.Err() == nil {
			s.complain(err.Error())
		}
	})
	return nil
}
