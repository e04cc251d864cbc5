package setup

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/cmd/galley/internal/settings"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
	"github.com/galley-ls/galley/editing/text"
	"github.com/galley-ls/galley/memory"
)

// promptText is a text that the model reads.
type promptText struct {
	name   string // of the tool; "system"
	file   string // below a folder of prompts
	text   string
	tokens int // of the text, with the schema of a tool
	origin string
}

// PromptsOf are all texts in force, the system prompt first.
func PromptsOf(p Place) []promptText {
	own := p.Loaded.Prompts
	system := session.SystemPrompt()
	if o, ok := own[settings.SystemPrompt]; ok {
		system = o.Text
	}
	out := []promptText{{name: "system", file: settings.SystemPrompt, text: system, tokens: memory.CountTokens(system)}}
	for _, spec := range p.specs(false) {
		t := promptText{name: spec.Name, file: settings.ToolPrompt(spec.Name), text: spec.Description}
		if o, ok := own[t.file]; ok {
			t.text = o.Text
		} else if doc, ok := tools.Doc(spec.Name); ok {
			t.text = doc
		}
		t.tokens = memory.CountTokens(spec.Description) + memory.CountTokens(string(spec.Parameters))
		out = append(out, t)
	}
	for i, t := range out {
		out[i].origin = cmp.Or(own[t.file].Path, "built in")
	}
	return out
}

func ListPrompts(s term.Screen, all []promptText) {
	name, sum := 0, 0
	for _, t := range all {
		name, sum = max(name, term.ColumnsOf(t.name)), sum+t.tokens
	}
	line := func(what string, tokens int, rest string) {
		s.Println(term.Pad(what, name+2) + fmt.Sprintf("%6s tokens  ", text.Thousands(tokens)) + s.Paint(term.Faint, term.Clean(rest)))
	}
	for _, t := range all {
		line(t.name, t.tokens, t.origin)
	}
	line("all", sum, "of every request; a tool's schema counts with its text")
}

// WritePrompts writes each text to its file, but for those that are there.
func WritePrompts(c term.Console, all []promptText, dir string) error {
	if err := os.MkdirAll(filepath.Join(dir, "tools"), 0o755); err != nil {
		return term.Usage("name a folder that can be written with --write", "make the folder: %s", err)
	}
	for _, t := range all {
		path := filepath.Join(dir, t.file)
		err := writeNew(path, t.text, 0o644)
		if errors.Is(err, fs.ErrExist) {
			c.Err.Line(term.Faint, "kept "+path+": it is there already")
			continue
		}
		if err != nil {
			return term.Usage("name a folder that can be written with --write", "write %s: %s", path, err)
		}
		c.Out.Println("wrote " + term.Clean(path))
	}
	return nil
}
