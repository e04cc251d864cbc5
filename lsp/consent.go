package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/galley-ls/galley/agent/host"
	"github.com/galley-ls/galley/editing/text"
	"go.lsp.dev/protocol"
	"go.uber.org/zap"
)

// The answers to a question about a command, in the order in which they are
// offered: one editor takes the first unless told otherwise.
const (
	titleDeny = "Don't run"
	titleRun  = "Run"
)

// followQuestions asks the user about commands of the agent, one after the other.
// Whatever is no clear Run is a no.
func (s *server) followQuestions(ctx context.Context) {
	seq := int64(-1)
	for {
		open, next, err := s.host.WaitQuestions(ctx, s.me, seq)
		if err != nil {
			if ctx.Err() == nil {
				s.log.Error("commands cannot be asked about any more", zap.Error(err))
			}
			return
		}
		if seq = next; len(open) > 0 {
			s.consent(ctx, open[0], seq)
		}
		if ctx.Err() != nil { // nobody is left to ask
			s.denyAll(open)
			return
		}
	}
}

// consent settles one question.
func (s *server) consent(ctx context.Context, q host.Question, seq int64) {
	if c := s.client.Load(); c.questions || c.caps.actionItems {
		yes, why := s.mayRun(ctx, q, seq)
		s.answer(ctx, q, yes, why)
		return
	}
	s.complain(fmt.Sprintf("galley did not run a command of the agent, since this editor cannot ask you; set tools.run_command to allow or off. It was, in %s: %s", shown(q.Dir), shown(q.Command)))
	s.answer(ctx, q, false, "their editor cannot ask them")
}

// mayRun asks, until there is an answer, the question is withdrawn, or it has
// waited for too long.
func (s *server) mayRun(ctx context.Context, q host.Question, seq int64) (yes bool, why string) {
	asking, stop := context.WithCancel(ctx)
	defer stop()
	late, over := context.WithTimeout(asking, s.cfg.Consent)
	defer over()
	s.spawn(func(context.Context) {
		defer stop()
		s.withdrawn(asking, q, seq)
	})
	title := s.askAbout(late, q)
	if asking.Err() == nil && late.Err() != nil {
		s.complain(fmt.Sprintf("galley did not run a command of the agent, since nobody answered for %s: %s", s.cfg.Consent, shown(q.Command)))
		return false, "nobody answered for " + s.cfg.Consent.String()
	}
	return title == titleRun, ""
}

// askAbout puts the question in the way that the client can: the whole command by
// itself, or in the text of a message.
func (s *server) askAbout(ctx context.Context, q host.Question) string {
	text, command := fmt.Sprintf("galley: may the agent run this command in %s?", shown(q.Dir)), shownCommand(q.Command)
	if !s.client.Load().questions {
		return s.ask(ctx, protocol.MessageTypeWarning, text+"\n\n"+command, titleDeny, titleRun)
	}
	p := questionMessage{Run: q.Run, Text: text, Command: command, Options: []string{titleDeny, titleRun}}
	var got json.RawMessage
	if err := protocol.Call(ctx, s.conn, methodQuestion, jsonRaw(own(p)), &got); err != nil {
		return ""
	}
	return treeOf(got).at("answer").text()
}

// withdrawn returns when nobody waits for the answer any more.
func (s *server) withdrawn(ctx context.Context, q host.Question, seq int64) {
	for {
		open, next, err := s.host.WaitQuestions(ctx, s.me, seq)
		if err != nil || !slices.Contains(open, q) {
			return
		}
		seq = next
	}
}

func (s *server) answer(ctx context.Context, q host.Question, yes bool, why string) {
	if err := s.host.Answer(context.WithoutCancel(ctx), q.ID, yes, why); err != nil {
		s.log.Info("an answer came too late", zap.String("question", q.ID), zap.Error(err))
	}
}

func (s *server) denyAll(open []host.Question) {
	for _, q := range open {
		s.answer(context.Background(), q, false, "their editor is gone")
	}
}

// shownCommand is a command as somebody answers for it: nothing pushes its beginning
// out of sight, which stands once more below a long one.
func shownCommand(command string) string {
	const long = 8
	lines := text.Condensed(strings.TrimSpace(command))
	all := shown(strings.Join(lines, "\n"))
	if len(lines) > long || len(all) > long*80 || strings.Count(command, "\n") > len(lines) {
		all += "\n\nIt begins with: " + shortened(shown(lines[0]))
	}
	return all
}

// shown is a text as it really is: what an editor would not draw, and what would
// draw other letters out of their order, stands there as its number.
func shown(s string) string {
	var sb strings.Builder
	for s = strings.ToValidUTF8(s, "\uFFFD"); s != ""; {
		c := s[:text.Character(s)]
		s = s[len(c):]
		switch {
		case c == "\n":
			sb.WriteString("↵\n")
		case text.Seen(c):
			sb.WriteString(c)
		default:
			fmt.Fprintf(&sb, "<U+%04X>", []rune(c)[0])
		}
	}
	return sb.String()
}
