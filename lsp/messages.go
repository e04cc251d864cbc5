package lsp

import (
	"context"
	"encoding/json"

	"go.lsp.dev/protocol"
	"go.uber.org/zap"
)

// notify sends a notification. The connection may be gone: then nobody misses it.
func (s *server) notify(method string, params any) {
	if err := s.conn.Notify(s.ctx, method, params); err != nil && s.ctx.Err() == nil {
		s.log.Warn("a notification could not be sent", zap.String("method", method), zap.Error(err))
	}
}

// tell shows the user a sentence.
func (s *server) tell(kind protocol.MessageType, sentence string) {
	s.notify(protocol.MethodWindowShowMessage, &protocol.ShowMessageParams{Type: kind, Message: sentence})
}

// complain tells of something wrong that galley goes on without.
func (s *server) complain(sentence string) {
	s.log.Warn(sentence)
	s.tell(protocol.MessageTypeWarning, sentence)
}

// hear complains of what the host has to say.
func (s *server) hear(ctx context.Context) {
	for {
		said, err := s.host.Hear(ctx, s.me)
		if err != nil {
			return
		}
		for _, sentence := range said {
			s.complain(sentence)
		}
	}
}

// ask shows the user a question and answers the title that was chosen, "" for
// none. Only where the client can ask.
func (s *server) ask(ctx context.Context, kind protocol.MessageType, question string, titles ...string) string {
	p := &protocol.ShowMessageRequestParams{Type: kind, Message: question}
	for _, t := range titles {
		p.Actions = append(p.Actions, protocol.MessageActionItem{Title: t})
	}
	var got json.RawMessage
	if err := protocol.Call(ctx, s.conn, protocol.MethodWindowShowMessageRequest, p, &got); err != nil {
		return ""
	}
	return treeOf(got).at("title").text()
}

// register asks the client to send something from now on.
func (s *server) register(ctx context.Context, id, method string, options any) {
	p := &protocol.RegistrationParams{Registrations: []protocol.Registration{
		{ID: id, Method: method, RegisterOptions: protocol.LSPAny(own(options))},
	}}
	if err := protocol.Call(ctx, s.conn, protocol.MethodClientRegisterCapability, p, nil); err != nil {
		s.log.Warn("the client did not register", zap.String("method", method), zap.Error(err))
	}
}

func (s *server) unregister(ctx context.Context, id, method string) {
	p := &protocol.UnregistrationParams{Unregisterations: []protocol.Unregistration{{ID: id, Method: method}}}
	if err := protocol.Call(ctx, s.conn, protocol.MethodClientUnregisterCapability, p, nil); err != nil {
		s.log.Warn("the client did not unregister", zap.String("method", method), zap.Error(err))
	}
}
