package cli

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
)

// ListTools names the tools, each with what it is for.
func ListTools(s term.Screen) {
	widest := 0
	for _, t := range tools.All() {
		widest = max(widest, len(t.Name))
	}
	for _, t := range tools.All() {
		s.Line(term.Plain, term.Pad(t.Name, widest+2)+term.OneLine(firstSentence(t.Doc), 200))
	}
}

func firstSentence(doc string) string {
	first, _, _ := strings.Cut(doc, "\n\n")
	sentence, _, found := strings.Cut(strings.Join(strings.Fields(first), " "), ". ")
	if found {
		return sentence + "."
	}
	return sentence
}

// namedTool finds the tool that a command line asks help for: galley tool NAME --help.
func namedTool(cmd *cobra.Command, args []string) (tools.Tool, bool) {
	if cmd.Name() != "tool" {
		return tools.Tool{}, false
	}
	i := slices.IndexFunc(args, func(a string) bool { _, ok := tools.Find(a); return ok })
	if i < 0 {
		return tools.Tool{}, false
	}
	return tools.Find(args[i])
}

// toolHelp shows what the model reads about a tool, and the schema of its arguments.
func toolHelp(s term.Screen, t tools.Tool) {
	s.Print(s.Paint(term.Strong, t.Name) + "\n\n" + term.Reflowed(t.Doc, s.Columns()))
	section(s, "Usage", "  galley tool "+t.Name+" [JSON] [flags]")
	var schema bytes.Buffer
	if err := json.Indent(&schema, t.Schema, "  ", "  "); err != nil {
		schema.Write(t.Schema)
	}
	section(s, "Arguments (JSON schema)", "  "+schema.String())
	s.Println("\ngalley tool --help explains flags and exit codes.")
}
