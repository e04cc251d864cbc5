package settings

import (
	"errors"
	"maps"
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

// Prompts are the texts that replace built-in ones, by their file in a folder of prompts: "tools/write.md".
type Prompts map[string]Prompt

// SystemPrompt is the file of the system prompt.
const SystemPrompt = "system.md"

// ToolPrompt is the file of the text of a tool.
func ToolPrompt(tool string) string { return "tools/" + tool + ".md" }

// PromptsDir is the folder of the prompts beside a file of settings.
func PromptsDir(folder string) string { return filepath.Join(folder, "prompts") }

// readPrompts reads the prompts of a folder. One that cannot be read is told, and not used.
func (l *loader) readPrompts(from Source, folder string) Prompts {
	dir, files := PromptsDir(folder), []string{SystemPrompt}
	entries, _ := os.ReadDir(filepath.Join(dir, "tools")) // most often there is none
	for _, e := range entries {
		if tool, ok := strings.CutSuffix(e.Name(), ".md"); ok {
			files = append(files, ToolPrompt(tool))
		}
	}
	out := Prompts{}
	for _, name := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		data, err := readSmall(path, mostPrompt)
		if err == nil && strings.TrimSpace(string(data)) == "" {
			err = errors.New("it is empty")
		}
		switch o := (Origin{Source: from, Name: path}); {
		case err == nil:
			out[name] = Prompt{path, string(data)}
		case !notThere(err):
			l.warn(o.say("", "%s; the built-in text is used", err))
		}
	}
	return out
}

// takeWorkspacePrompts takes the prompts of a trusted workspace over, and asks for trust otherwise.
func (l *loader) takeWorkspacePrompts(own Prompts) {
	if l.out.Trust.State.ok() {
		maps.Copy(l.out.Prompts, own)
		return
	}
	for _, name := range slices.Sorted(maps.Keys(own)) {
		path := own[name].Path
		l.out.Trust.Asks = append(l.out.Trust.Asks, Ask{
			Name: l.inWorkspace(path), Value: "a text for the model", Origin: Origin{Source: FromWorkspace, Name: path},
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

// namedPrompt reads the file that agent.system_prompt_file names, which goes over all other system prompts.
func (l *loader) namedPrompt() {
	name := l.out.Settings.Agent.SystemPromptFile
	if name == "" {
		return
	}
	const setting = "agent.system_prompt_file"
	o := l.out.Origin(setting)
	text, err := l.namedText(o, name)
	switch {
	case err != nil:
		l.wrong(o.say("name a file that can be read", "%s names %s: %s", setting, homely(name), err))
	case strings.TrimSpace(text) == "":
		l.wrong(o.say("", "%s names %s, which is empty", setting, homely(name)))
	default:
		l.out.Prompts[SystemPrompt] = Prompt{Path: name, Text: text}
	}
}

// namedText is the text of the file that agent.system_prompt_file names. One that a workspace names is never read again:
// what is used is what trust was about.
func (l *loader) namedText(o Origin, name string) (string, error) {
	switch {
	case o.Source != FromWorkspace:
		data, err := readSmall(name, mostPrompt)
		return string(data), err
	case l.promptFile.Path != name:
		return "", errors.New("it is not the file that trust is about")
	}
	return l.promptFile.Text, l.promptErr
}
