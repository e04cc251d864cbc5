package lsp

import (
	"encoding/json"
	"fmt"

	"github.com/galley-ls/galley/memory"
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.uber.org/zap"
)

func (s *server) initialize(params json.RawMessage) (any, rest, error) {
	if s.phase != phaseNew {
		return nil, nil, jsonrpc2.Errorf(jsonrpc2.InvalidRequest, "initialize was sent already")
	}
	p := treeOf(params)
	if !p.object() {
		return nil, nil, invalidParams("initialize needs an object as its params")
	}
	c := clientOf(p)
	s.client.Store(c)
	s.me = s.host.Join(c.onHost(s.kind, s.pid))
	s.joined, _ = s.host.Wait(s.ctx, -1) // it has one at once
	s.choose(s.host.Current())
	s.phase = phaseRunning
	s.odd = s.configure()
	s.watchParent(c.pid)
	s.log.Info("a client connected", zap.String("name", c.name), zap.String("version", c.version),
		zap.String("encoding", string(c.encoding)), zap.Bool("draws", c.draws))
	return &protocol.InitializeResult{
		Capabilities: s.capabilities(c),
		ServerInfo:   protocol.ServerInfo{Name: "galley", Version: protocol.NewOptional(s.cfg.Version)},
	}, nil, nil
}

func (s *server) capabilities(c *client) protocol.ServerCapabilities {
	caps := protocol.ServerCapabilities{
		PositionEncoding: protocol.PositionEncodingKind(c.encoding),
		TextDocumentSync: &protocol.TextDocumentSyncOptions{
			OpenClose: new(true), Change: new(protocol.TextDocumentSyncKindIncremental), Save: &protocol.SaveOptions{IncludeText: new(true)},
		},
		HoverProvider:     protocol.Boolean(true),
		CodeLensProvider:  &protocol.CodeLensOptions{},
		InlayHintProvider: protocol.Boolean(true),
		CodeActionProvider: &protocol.CodeActionOptions{
			CodeActionKinds: []protocol.CodeActionKind{kindQuickFix, kindSource},
		},
		ExecuteCommandProvider: protocol.ExecuteCommandOptions{Commands: commandNames()},
	}
	if c.caps.virtual {
		if !c.caps.symbolsDynamic { // else only for galley's own documents, see registerSymbols
			caps.DocumentSymbolProvider = protocol.Boolean(true)
		}
		caps.Workspace = &protocol.WorkspaceOptions{
			TextDocumentContent: &protocol.TextDocumentContentOptions{Schemes: []string{scheme}},
		}
	}
	return caps
}

// initialized only ends the silence that the protocol asks for; see beginOnce.
func (s *server) initialized(json.RawMessage) error { return nil }

// beginOnce starts what sends by itself, with the first message after the
// answer to initialize: some hand-written clients never send initialized.
func (s *server) beginOnce(method string) {
	if s.begun || s.phase != phaseRunning || method == protocol.MethodInitialize {
		return
	}
	s.begun = true
	if s.kind == memory.ClientTerminal { // it asks for the rest
		s.spawn(s.hear)
		return
	}
	s.spawn(s.pub.run)
	s.spawn(s.keeper.run)
	s.spawn(s.pub.watchWorkspace)
	s.spawn(s.pub.watchViews)
	s.spawn(s.hear)
	s.spawn(s.followRuns)
	s.spawn(s.followQuestions)
	s.spawn(s.fetchSettings)
	s.spawn(s.followSettings)
	s.spawn(s.registerSymbols)
	for _, w := range s.odd {
		s.complain(w)
	}
}

func (s *server) shutdown(json.RawMessage) (any, rest, error) {
	s.phase = phaseShut
	return nil, nil, nil
}

// exit ends the connection. Nothing more is read: the client may leave its end
// open.
func (s *server) exit() {
	defer s.cancel()
	if s.phase == phaseShut {
		s.finish(nil)
		return
	}
	s.finish(fmt.Errorf("exit without a shutdown request: %w", ErrNoShutdown))
}
