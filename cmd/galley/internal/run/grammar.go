package run

import (
	"strings"

	"github.com/galley-ls/galley/agent/offline"
)

// GrammarForms are the forms of the offline model's instructions, from its own page, moved in.
func GrammarForms() string {
	var forms []string
	for line := range strings.Lines(offline.Grammar) {
		if form, ok := strings.CutPrefix(line, "- `"); ok && !strings.Contains(form, "help") {
			forms = append(forms, strings.TrimRight(form, "`\n"))
		}
	}
	return "  " + strings.Join(forms, "\n  ")
}
