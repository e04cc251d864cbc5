package settings

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// mostPrompt bounds a prompt: far above any that a model should read with each request.
const mostPrompt = 256 << 10

// Prompt is a text for the model that stands in a file, in place of a built-in one.
type Prompt struct {
	Path string
	Text string
}

// Prompts are the texts that replace built-in ones.
type Prompts struct {
	System Prompt            // no path: the built-in one
	Tools  map[string]Prompt // by the tool's name
}

// files are all prompts, in a fixed order.
func (p Prompts) files() []Prompt {
	var out []Prompt
	if p.System.Path != "" {
		out = append(out, p.System)
	}
	for _, t := range p.Tools {
		out = append(out, t)
	}
	slices.SortFunc(out, func(a, b Prompt) int { return strings.Compare(a.Path, b.Path) })
	return out
}

// over lays other prompts over these.
func (p Prompts) over(others Prompts) Prompts {
	if others.System.Path != "" {
		p.System = others.System
	}
	out := map[string]Prompt{}
	for _, tools := range []map[string]Prompt{p.Tools, others.Tools} {
		for name, t := range tools {
			out[name] = t
		}
	}
	p.Tools = out
	return p
}

// PromptsDir is the folder of the prompts beside a file of settings.
func PromptsDir(folder string) string { return filepath.Join(folder, "prompts") }

// readPrompts reads prompts/system.md and prompts/tools/NAME.md. One that cannot be read is told, and not used.
func (l *loader) readPrompts(from Source, folder string) Prompts {
	p := Prompts{Tools: map[string]Prompt{}}
	dir := PromptsDir(folder)
	if prompt, ok := l.readPrompt(Origin{Source: from, Name: filepath.Join(dir, "system.md")}); ok {
		p.System = prompt
	}
	entries, _ := os.ReadDir(filepath.Join(dir, "tools")) // most often there is none
	for _, e := range entries {
		name, isPrompt := strings.CutSuffix(e.Name(), ".md")
		if !isPrompt {
			continue
		}
		if prompt, ok := l.readPrompt(Origin{Source: from, Name: filepath.Join(dir, "tools", e.Name())}); ok {
			p.Tools[name] = prompt
		}
	}
	return p
}

func (l *loader) readPrompt(o Origin) (Prompt, bool) {
	data, err := readSmall(o.Name, mostPrompt)
	text := strings.TrimSpace(strings.ReplaceAll(string(data), "\r\n", "\n"))
	switch {
	case notThere(err):
		return Prompt{}, false
	case err != nil:
		l.warn(o.say("", "%s; the built-in text is used", err))
		return Prompt{}, false
	case text == "":
		l.warn(o.say("", "it is empty; the built-in text is used"))
		return Prompt{}, false
	}
	return Prompt{Path: o.Name, Text: string(data)}, true
}

// takeWorkspacePrompts takes the prompts of a trusted workspace over, and asks for trust otherwise.
func (l *loader) takeWorkspacePrompts(own Prompts) {
	if l.out.Trust.State.ok() {
		l.out.Prompts = own
		return
	}
	for _, p := range own.files() {
		l.out.Trust.Asks = append(l.out.Trust.Asks, Ask{
			Name: l.inWorkspace(p.Path), Value: "a text for the model", Origin: Origin{Source: FromWorkspace, Name: p.Path},
		})
	}
}

// inWorkspace is a path as people see it who stand in the workspace.
func (l *loader) inWorkspace(path string) string {
	if rel, err := filepath.Rel(l.src.Workspace, path); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return homely(path)
}

// prompts puts the prompts of all sources together: those of the person, over them those of a trusted workspace, and over
// all the file that agent.system_prompt_file names.
func (l *loader) prompts() {
	if l.src.Config != "" {
		l.out.Prompts = l.readPrompts(FromUser, l.src.Config).over(l.out.Prompts)
	}
	name := l.out.Settings.Agent.SystemPromptFile
	if name == "" {
		return
	}
	const setting = "agent.system_prompt_file"
	o := l.out.Origin(setting)
	text, err := l.systemPrompt(o, name)
	switch {
	case err != nil:
		l.wrong(o.say("name a file that can be read", "%s names %s: %s", setting, homely(name), err))
	case strings.TrimSpace(text) == "":
		l.wrong(o.say("", "%s names %s, which is empty", setting, homely(name)))
	default:
		l.out.Prompts.System = Prompt{Path: name, Text: text}
	}
}

// systemPrompt is the text of the file that agent.system_prompt_file names. One that a workspace names is never read
// again: what is used is what trust was about.
func (l *loader) systemPrompt(o Origin, name string) (string, error) {
	switch {
	case o.Source != FromWorkspace:
		data, err := readSmall(name, mostPrompt)
		return string(data), err
	case l.promptFile.Path != name:
		return "", errors.New("it is not the file that trust is about")
	}
	return l.promptFile.Text, l.promptErr
}
