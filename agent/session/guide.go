package session

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/galley-ls/galley/memory"
)

//go:embed system.md
var systemPrompt string

//go:embed example.md
var exampleMemory string

// SystemPrompt is the built-in system prompt.
func SystemPrompt() string { return systemPrompt }

// guide is the system prompt: of the built-in one the lines that can be followed with the
// tools that are offered, and in the first session of a workspace an example of a memory.
func (b *base) guide(set *settings, in memory.RequestInput) string {
	if set.System != systemPrompt {
		return set.System
	}
	var missing []string
	for _, t := range set.Specs {
		if !slices.ContainsFunc(in.Tools, func(o memory.ToolSpec) bool { return o.Name == t.Name }) {
			missing = append(missing, t.Name)
		}
	}
	var sb strings.Builder
	for line := range strings.Lines(systemPrompt) {
		if !slices.ContainsFunc(missing, func(name string) bool { return strings.Contains(line, name) }) {
			sb.WriteString(line)
		}
	}
	if b.first && len(missing) == 0 {
		sb.WriteString("\n" + exampleMemory)
	}
	return sb.String()
}
