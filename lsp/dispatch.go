package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"sync"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.uber.org/zap"
)

// request handles the first half of a request, in wire order: it has seen every
// message before it and none behind it. It answers at once, or takes what it
// needs of the state and leaves the rest to a second half, which is released.
type request func(s *server, params json.RawMessage) (result any, rest rest, err error)

// rest is the released half. Its context ends with the connection, or when the
// client cancels the request.
type rest func(ctx context.Context) (any, error)

// notification handles a notification, in wire order.
type notification func(s *server, params json.RawMessage) error

func requests() map[string]request {
	all := map[string]request{
		protocol.MethodInitialize:                   (*server).initialize,
		protocol.MethodShutdown:                     (*server).shutdown,
		protocol.MethodTextDocumentCodeAction:       (*server).codeAction,
		protocol.MethodTextDocumentCodeLens:         (*server).codeLens,
		protocol.MethodTextDocumentInlayHint:        (*server).inlayHint,
		protocol.MethodTextDocumentHover:            (*server).hover,
		protocol.MethodTextDocumentDocumentSymbol:   (*server).documentSymbol,
		protocol.MethodWorkspaceTextDocumentContent: (*server).textDocumentContent,
		protocol.MethodWorkspaceExecuteCommand:      (*server).executeCommand,
	}
	maps.Copy(all, runRequests())
	return all
}

func notifications() map[string]notification {
	return map[string]notification{
		protocol.MethodInitialized:                     (*server).initialized,
		protocol.MethodTextDocumentDidOpen:             (*server).didOpen,
		protocol.MethodTextDocumentDidChange:           (*server).didChange,
		protocol.MethodTextDocumentDidSave:             (*server).didSave,
		protocol.MethodTextDocumentDidClose:            (*server).didClose,
		protocol.MethodWorkspaceDidChangeConfiguration: (*server).didChangeConfiguration,
		protocol.MethodWorkspaceDidChangeWatchedFiles:  (*server).didChangeWatchedFiles,
		protocol.MethodWindowWorkDoneProgressCancel:    (*server).progressCancelled,
		protocol.MethodCancelRequest:                   (*server).cancelRequest,
		methodRun:                                      (*server).runTold,
		// nothing to do, and nothing to warn about
		protocol.MethodSetTrace:               ignore,
		protocol.MethodProgress:               ignore,
		protocol.MethodTextDocumentWillSave:   ignore,
		"workspace/didChangeWorkspaceFolders": ignore,
		"workspace/didCreateFiles":            ignore,
		"workspace/didRenameFiles":            ignore,
		"workspace/didDeleteFiles":            ignore,
		"notebookDocument/didOpen":            ignore,
		"notebookDocument/didChange":          ignore,
		"notebookDocument/didSave":            ignore,
		"notebookDocument/didClose":           ignore,
		"telemetry/event":                     ignore,
	}
}

func ignore(*server, json.RawMessage) error { return nil }

// handle is called on the read loop for every message. It keeps nothing of the
// request: its bytes and its context die with the call.
func (s *server) handle(ctx context.Context, req *jsonrpc2.Request) (any, error) {
	if req.IsCall() {
		return s.call(ctx, req)
	}
	s.notice(strings.Clone(req.Method()), json.RawMessage(req.Params()))
	return nil, nil //nolint:nilnil // a notification has no answer
}

// notice handles a notification. Whatever goes wrong is logged; where it was
// about a document, that document's text is in doubt from now on.
func (s *server) notice(method string, params json.RawMessage) {
	err := s.tryNotice(method, params)
	if err == nil {
		return
	}
	s.log.Warn("a notification was refused", zap.String("method", method), zap.Error(err))
	if strings.HasPrefix(method, did) {
		s.lost(method, params, err.Error())
	}
}

func (s *server) tryNotice(method string, params json.RawMessage) (err error) {
	defer s.caught(method, &err)
	if method == protocol.MethodExit {
		s.exit()
		return nil
	}
	h, ok := s.pending.notifications[method]
	switch {
	case !ok && strings.HasPrefix(method, "$/"):
		return nil // may be ignored, says the protocol
	case !ok:
		return fmt.Errorf("galley does not know it")
	case s.phase != phaseRunning:
		return fmt.Errorf("it came before initialize or after shutdown")
	}
	s.beginOnce(method)
	return h(s, params)
}

// call handles a request: its first half here, its rest released.
func (s *server) call(ctx context.Context, req *jsonrpc2.Request) (any, error) {
	method := strings.Clone(req.Method())
	h, ok := s.pending.requests[method]
	if err := s.admit(method, ok); err != nil {
		return nil, err
	}
	s.beginOnce(method)
	result, rest, err := s.firstHalf(h, method, json.RawMessage(req.Params()))
	if err != nil || rest == nil {
		return answer(result, err)
	}
	c, over := s.pending.begin(s.ctx, req.ID())
	defer over()
	jsonrpc2.Async(ctx)
	return answer(s.secondHalf(c, rest, method))
}

func (s *server) admit(method string, known bool) error {
	switch {
	case s.phase == phaseNew && method != protocol.MethodInitialize && method != MethodAttach:
		return jsonrpc2.Errorf(jsonrpc2.ServerNotInitialized, "send initialize first")
	case s.phase == phaseShut:
		return jsonrpc2.Errorf(jsonrpc2.InvalidRequest, "the server is shut down; only exit may follow")
	case !known:
		return jsonrpc2.Errorf(jsonrpc2.MethodNotFound, "galley has no method %q", method)
	}
	return nil
}

func (s *server) firstHalf(h request, method string, params json.RawMessage) (result any, r rest, err error) {
	defer s.caught(method, &err)
	return h(s, params)
}

func (s *server) secondHalf(ctx context.Context, r rest, method string) (result any, err error) {
	defer s.caught(method, &err)
	result, err = r(ctx)
	if err != nil && ctx.Err() != nil {
		err = protocol.ErrRequestCancelled
	}
	return result, err
}

func answer(result any, err error) (any, error) {
	if err != nil {
		return nil, coded(err, jsonrpc2.InternalError)
	}
	return result, nil
}

// pendingCalls are the released requests that may be cancelled, beside the
// tables of what can be asked. A request's own context is not used: the library
// takes it back the moment the handler returns.
type pendingCalls struct {
	requests      map[string]request
	notifications map[string]notification

	mu   sync.Mutex // guards stop
	stop map[jsonrpc2.ID]context.CancelFunc
}

func (p *pendingCalls) begin(parent context.Context, id jsonrpc2.ID) (context.Context, func()) {
	ctx, cancel := context.WithCancel(parent)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stop == nil {
		p.stop = map[jsonrpc2.ID]context.CancelFunc{}
	}
	p.stop[id] = cancel
	return ctx, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.stop, id)
		cancel()
	}
}

func (s *server) cancelRequest(params json.RawMessage) error {
	var p struct {
		ID json.RawMessage `json:"id"`
	}
	if err := json.Unmarshal(params, &p); err != nil {
		return err
	}
	var id jsonrpc2.ID
	var n int64
	var name string
	switch {
	case json.Unmarshal(p.ID, &n) == nil:
		id = jsonrpc2.NewNumberID(n)
	case json.Unmarshal(p.ID, &name) == nil:
		id = jsonrpc2.NewStringID(name)
	default:
		return fmt.Errorf("it names no request")
	}
	s.pending.mu.Lock()
	defer s.pending.mu.Unlock()
	if cancel, ok := s.pending.stop[id]; ok {
		cancel()
	}
	return nil
}
