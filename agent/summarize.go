package agent

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"

	"github.com/galley-ls/galley/agent/model"
	"github.com/galley-ls/galley/memory"
)

//go:embed summarize.md
var summarizePrompt string

// Summarizer asks the model of a server to sum up conversations, within its context window: a longer one is summed up in
// parts. It is nil for other models.
func Summarizer(m model.Model) func(ctx context.Context, text string) (string, memory.Usage, error) {
	at, ok := m.(model.Looker)
	if !ok {
		return nil
	}
	return func(ctx context.Context, text string) (string, memory.Usage, error) {
		var parts []string
		var spent memory.Usage
		for _, part := range pieces(text, cmp.Or(at.Window(), memory.DefaultWindow)/2) {
			s, usage, err := summarize(ctx, m, summarizePrompt, part)
			spent = spent.Add(usage)
			if err != nil {
				return "", spent, err
			}
			parts = append(parts, s)
		}
		return strings.Join(parts, "\n"), spent, nil
	}
}

//go:embed decisions.md
var decisionsPrompt string

// Decider asks a model to name the key decisions of a conversation, in its words, a line each: of a longer one than its
// context window takes, those of the end.
func Decider(m model.Model) func(ctx context.Context, text string) ([]string, memory.Usage, error) {
	window := 0
	if at, ok := m.(model.Looker); ok {
		window = at.Window()
	}
	return func(ctx context.Context, text string) ([]string, memory.Usage, error) {
		parts := pieces(text, cmp.Or(window, memory.DefaultWindow)/2)
		answer, usage, err := summarize(ctx, m, decisionsPrompt, parts[len(parts)-1])
		return strings.Split(answer, "\n"), usage, err
	}
}

// summarize asks once. What is no plain, whole answer is no summary.
func summarize(ctx context.Context, m model.Model, prompt, text string) (string, memory.Usage, error) {
	reply, err := m.Stream(ctx, memory.Request{Messages: []memory.Message{
		{Role: memory.RoleSystem, Content: prompt},
		{Role: memory.RoleUser, Content: memory.Element("conversation", text)},
	}}, func(model.Delta) {})
	switch {
	case err != nil:
		return "", reply.Usage, fmt.Errorf("ask %s for a summary: %w", m.Name(), err)
	case len(reply.Message.ToolCalls) > 0 || reply.Finish != model.FinishStop:
		return "", reply.Usage, fmt.Errorf("%s answered with no whole summary (finish %q)", m.Name(), reply.Finish)
	case strings.TrimSpace(reply.Message.Content) == "":
		return "", reply.Usage, errors.New("the summary is empty")
	}
	return strings.TrimSpace(reply.Message.Content), reply.Usage, nil
}

// pieces cuts a text at line ends into parts of at most so many tokens.
func pieces(text string, tokens int) []string {
	var out []string
	var part strings.Builder
	n := 0
	for line := range strings.Lines(text) {
		if len(line) > tokens { // a token has a byte at least; what one line holds beyond that is cut
			line = strings.ToValidUTF8(line[:tokens/2]+" … "+line[len(line)-tokens/4:], "") + "\n"
		}
		cost := memory.CountTokens(line)
		if n+cost > tokens && n > 0 {
			out = append(out, part.String())
			part.Reset()
			n = 0
		}
		part.WriteString(line)
		n += cost
	}
	return append(out, part.String())
}
