package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/galley-ls/galley/agent/host"
	"go.lsp.dev/protocol"
	"go.uber.org/zap"
)

// progress shows runs as the client's work-done progress: those that it shows, and those that it would not. It belongs to
// followRuns.
type progress struct {
	begun, refused map[string]bool // by run
}

const tokenPrefix = "galley-run-"

func (p progress) show(ctx context.Context, s *server, r host.Run) {
	token := tokenPrefix + r.ID
	switch {
	case r.State.Over():
		if p.begun[r.ID] {
			s.report(token, &protocol.WorkDoneProgressEnd{Kind: "end", Message: new(string(r.State))})
		}
		delete(p.begun, r.ID)
		delete(p.refused, r.ID)
	case p.begun[r.ID]:
		s.report(token, &protocol.WorkDoneProgressReport{Kind: "report", Message: new(stepOf(r)), Percentage: percent(r)})
	case !p.refused[r.ID]:
		p.begin(ctx, s, r, token)
	}
}

func (p progress) begin(ctx context.Context, s *server, r host.Run, token string) {
	ctx, cancel := context.WithTimeout(ctx, refreshPatience)
	defer cancel()
	err := protocol.Call(ctx, s.conn, protocol.MethodWindowWorkDoneProgressCreate,
		&protocol.WorkDoneProgressCreateParams{Token: protocol.String(token)}, nil)
	if err != nil {
		s.log.Info("the client shows no progress", zap.Error(err))
		p.refused[r.ID] = true
		return
	}
	s.report(token, &protocol.WorkDoneProgressBegin{
		Kind: "begin", Title: "galley", Cancellable: new(true), Message: new(stepOf(r)), Percentage: percent(r),
	})
	p.begun[r.ID] = true
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

// percent is how full the context is.
func percent(r host.Run) *uint32 {
	return new(uint32(min(max(r.Percent, 0), 100))) //nolint:gosec // 0 to 100
}

// progressCancelled is the user's wish to stop a run.
func (s *server) progressCancelled(params json.RawMessage) error {
	token := treeOf(params).at("token").text()
	run, is := strings.CutPrefix(token, tokenPrefix)
	if !is || run == "" {
		return fmt.Errorf("no progress has the token %q", token)
	}
	s.spawn(func(ctx context.Context) {
		if err := s.host.Cancel(ctx, run); err != nil && ctx.Err() == nil {
			s.complain(err.Error())
		}
	})
	return nil
}
