package session

import (
	"fmt"
	"strings"

	"github.com/galley-ls/galley/editing/text"
	"github.com/galley-ls/galley/memory"
)

// barWidth is how many characters a full window is drawn with.
const barWidth = 50

// largestParts are named of a request.
const largestParts = 5

// advice is what each level asks of the model, for people.
var advice = map[string]string{
	memory.HintNormal:    "nothing has to go",
	memory.HintLight:     "the model is told to take out old results",
	memory.HintMedium:    "the model is told to take out old results, and to move long notes to detail/",
	memory.HintHeavy:     "the model is told to keep key decisions and the current task only",
	memory.HintEmergency: "galley makes room before the next request, by itself",
}

// ContextPage is what the next request would hold, as a person reads it, in the editor and at a terminal.
func (s *requests) ContextPage() string {
	m := s.Context()
	var sb strings.Builder
	fmt.Fprintf(&sb, "    %s %d %% of %s tokens\n\n", bar(m.TokensUsed, m.TokensMax), m.TokensPercent, thousands(m.TokensMax))
	fmt.Fprintf(&sb, "%s: %s.\n", m.ActionHint, advice[m.ActionHint])
	fmt.Fprintf(&sb, "%s. %s.\n", counted(m), window(m))
	if p := s.store.CachedPercent(); p > 0 {
		fmt.Fprintf(&sb, "%d %% of the last request came from the server's cache.\n", p)
	}
	for _, w := range m.Warnings {
		fmt.Fprintf(&sb, "%s\n", w)
	}
	sb.WriteString("\n## What the next request holds\n\n")
	for _, p := range parts(m) {
		fmt.Fprintf(&sb, "    %-22s%9s  %3d %%  %s\n", p.name, thousands(p.tokens), p.tokens*100/max(m.TokensMax, 1), strings.Repeat("█", p.tokens*barWidth/max(m.TokensMax, 1)))
	}
	fmt.Fprintf(&sb, "    %-22s%9s  %3d %%\n", "together", thousands(m.TokensUsed), m.TokensPercent)
	s.couldGo(&sb, m)
	return s.Mask(sb.String())
}

// couldGo names the largest results, which are the first to go, and how a person has them go.
func (s *requests) couldGo(sb *strings.Builder, m memory.ContextMeta) {
	largest := s.store.Largest(largestParts)
	if len(largest) == 0 {
		return
	}
	sb.WriteString("\n## What could go\n\n")
	for _, p := range largest {
		fmt.Fprintf(sb, "    %9s  %s in step %d, entry %d of the history\n", thousands(p.Tokens), p.Tool, p.Iteration, p.Entry)
	}
	sb.WriteString("\nThese are the largest results of tools. `galley.compact` archives all but the newest; nothing is lost by it.\n")
}

func counted(m memory.ContextMeta) string {
	if m.Estimated {
		return "Counted by galley: an estimate"
	}
	return "Counted from what the model's server said of the last request"
}

func window(m memory.ContextMeta) string {
	if m.MaxKnown {
		return text.Plural(m.MessagesInHistory, "message") + " of the conversation are in it"
	}
	return "The model's window is not known and taken for " + thousands(m.TokensMax) + ": set model.context_window"
}

type namedPart struct {
	name   string
	tokens int
}

// parts are the categories by the names that people know them by.
func parts(m memory.ContextMeta) []namedPart {
	c := m.Categories
	return []namedPart{
		{"history", c.History},
		{"folded history", c.Folds},
		{"tools", c.Tools},
		{"system prompt", c.System},
		{"overview", c.Memory},
		{"tasks and changes", c.Meta},
		{"kept for the reply", c.Reserve},
	}
}

// bar draws how full the window is, with the place from which galley makes room.
func bar(used, most int) string {
	full := min(max(used, 0)*barWidth/max(most, 1), barWidth)
	return "[" + strings.Repeat("█", full) + strings.Repeat("·", barWidth-full) + "]"
}

// thousands writes a number so that it can be read.
func thousands(n int) string {
	if n < 0 {
		return "-" + thousands(-n)
	}
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", thousands(n/1000), n%1000)
}
