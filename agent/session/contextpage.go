package session

import (
	"fmt"
	"strings"

	"github.com/galley-ls/galley/editing/text"
	"github.com/galley-ls/galley/memory"
)

// barWidth is how many characters a full window is drawn with.
const barWidth = 50

// advice is what each level asks of the model, for people.
var advice = map[string]string{
	memory.HintNormal:    "nothing has to go",
	memory.HintLight:     "the model is told to take out old results",
	memory.HintMedium:    "the model is told to take out old results, and to move long notes to detail/",
	memory.HintHeavy:     "the model is told to keep key decisions and the current task only",
	memory.HintEmergency: "galley makes room by itself before the next request",
}

// ContextPage is what the next request would hold, as a person reads it, in an editor and at a terminal.
func (s *requests) ContextPage() string {
	c := s.Context()
	var sb strings.Builder
	fmt.Fprintf(&sb, "    [%s] %d %%\n    %s of %s tokens · %s\n\n", bar(c.TokensUsed, c.TokensMax), c.TokensPercent,
		text.Thousands(c.TokensUsed), text.Thousands(c.TokensMax), c.ActionHint)
	fmt.Fprintf(&sb, "At this level %s.\n", advice[c.ActionHint])
	if c.Estimated {
		sb.WriteString("The tokens are estimated: the model's server has not counted this request yet.\n")
	} else {
		sb.WriteString("The tokens are what the model's server counted, and galley's count of what came after.\n")
	}
	if !c.MaxKnown {
		fmt.Fprintf(&sb, "The model's window is not known and taken for %s: set model.context_window.\n", text.Thousands(c.TokensMax))
	}
	if cached := s.store.CachedPercent(); cached > 0 {
		fmt.Fprintf(&sb, "%d %% of the last request came from the server's cache.\n", cached)
	}
	if c.Cost.Session > 0 {
		fmt.Fprintf(&sb, "By now the session has cost %s, %s of it since your last prompt.\n", memory.Money(c.Cost.Session), memory.Money(c.Cost.Turn))
	}
	for _, w := range c.Warnings {
		sb.WriteString(w + "\n")
	}
	fmt.Fprintf(&sb, "\n## What the next request holds\n\n")
	for _, p := range c.Categories.List() {
		if p.Tokens > 0 {
			fmt.Fprintf(&sb, "    %-26s%9s  %3d %%  %s\n", p.Name, text.Thousands(p.Tokens), percent(p.Tokens, c.TokensUsed), strings.TrimRight(bar(p.Tokens, c.TokensUsed), "·"))
		}
	}
	fmt.Fprintf(&sb, "    %-26s%9s\n", "together", text.Thousands(c.TokensUsed))
	sb.WriteString("\n## Largest parts\n\n")
	for _, p := range c.Parts {
		if p.Tokens > 0 {
			fmt.Fprintf(&sb, "    %9s  %s%s\n", text.Thousands(p.Tokens), p.Name, where(p))
		}
	}
	s.couldGo(&sb)
	return s.Mask(sb.String())
}

// where names the entry of a part, under which the history has it.
func where(p memory.Part) string {
	if p.Entry == 0 {
		return ""
	}
	return fmt.Sprintf(" (entry %d)", p.Entry)
}

// couldGo says what would leave the requests if a person asked for it.
func (s *requests) couldGo(sb *strings.Builder) {
	sb.WriteString("\n## What could go\n\n")
	results, tokens := s.store.CouldGo(DefaultKeep)
	if results > 0 {
		fmt.Fprintf(sb, "- %s of tools: %s tokens (target `tools`)\n", text.Plural(results, "older result"), text.Thousands(tokens))
	}
	l, older := s.store.Leaves(DefaultKeep)
	if older {
		fmt.Fprintf(sb, "- %s of earlier turns: %s tokens (target `conversation`)\n", text.Plural(l.Messages, "message"), text.Thousands(l.Tokens))
	}
	if results == 0 && !older {
		sb.WriteString("Nothing: what is there is recent, or short.\n")
		return
	}
	sb.WriteString("\nThe agent takes them out with compact_history, you with `galley.compact` in an editor. Nothing is lost by it: the journal\nkeeps all, and query_history finds it.\n")
}

func percent(n, of int) int { return n * 100 / max(of, 1) }

// bar draws how much of the window something takes.
func bar(n, most int) string {
	full := min(max(n, 0)*barWidth/max(most, 1), barWidth)
	return strings.Repeat("█", full) + strings.Repeat("·", barWidth-full)
}
