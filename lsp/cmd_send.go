package lsp

import (
	"encoding/json"
	"strings"

	"github.com/galley-ls/galley/agent/host"
)

// sendPrompt is what the agent is asked where the user sends what waits, and says no more.
const sendPrompt = "Go on with what I have decided and remarked."

// codeNothingWaits is why nothing is sent.
const codeNothingWaits = "nothing_waits"

// cmdSend has the agent hear at once what waits for its next step.
func (s *server) cmdSend(a args) (rest, error) { return s.cmdAsk(a.sending()) }

// sending are the arguments of galley.ask that galley.send stands for.
func (a args) sending() args { return args{Session: orElse(a.Session, a.word), Send: true} }

// prompt is what the agent is asked.
func (a args) prompt() string {
	if a.Send {
		return sendPrompt
	}
	return strings.TrimSpace(orElse(a.Prompt, a.word))
}

// Sending is the argument of galley.ask for that of galley.send.
func Sending(argument json.RawMessage) (json.RawMessage, error) {
	a, err := argsOf([]json.RawMessage{argument})
	if err != nil {
		return nil, err
	}
	a = a.sending()
	return json.Marshal(map[string]any{"session": a.Session, "send": a.Send})
}

// sendable refuses to send where there is nothing.
func (s *server) sendable(a args, p host.Prompt) error {
	if a.Send && !s.host.Unheard(orElse(p.Session, s.current())) {
		return refused(codeNothingWaits, "the agent has heard all that you have decided and remarked; ask it for what it shall do")
	}
	return nil
}
