package settings

import (
	"maps"
	"os"
	"slices"
	"strings"
)

// Trust is how a workspace stands, and what it asks for that needs trust.
type Trust struct {
	Workspace string // its real path
	State     TrustState
	Files     []Covered // what is trusted, or would be
	Asks      []Ask     // what is passed over for want of trust
}

// TrustState is how a workspace stands.
type TrustState string

// The states of trust.
const (
	Untrusted TrustState = "untrusted"
	Changed   TrustState = "changed" // it was trusted, and its files are others now
	Trusted   TrustState = "trusted"
	ByEditor  TrustState = "trusted by the editor"
)

// ok reports whether everything may be set.
func (s TrustState) ok() bool { return s == Trusted || s == ByEditor }

// Ask is a setting, or a prompt, that a workspace may have only when it is trusted.
type Ask struct {
	Name   string
	Value  string // with nothing secret in it
	Origin Origin
}

// workspaceFile reads the settings of the workspace. What needs trust is passed over, and told once, until there is trust
// in exactly these files.
func (l *loader) workspaceFile() {
	if l.src.Workspace == "" {
		return
	}
	folder := WorkspaceDir(l.src.Workspace)
	d := l.find(folder, FromWorkspace)
	own, skills := l.readPrompts(FromWorkspace, folder), l.readSkills(FromWorkspace, folder)
	l.out.Trust = Trust{Workspace: RealPath(l.src.Workspace), State: Untrusted}
	if d != nil {
		l.cover(d.origin.Name, d.data)
		l.coverPromptFile(*d)
	}
	for _, name := range slices.Sorted(maps.Keys(own)) {
		l.cover(own[name].Path, []byte(own[name].Text))
	}
	for _, s := range skills {
		l.coverFile(s.File)
	}
	l.out.Trust.State = l.trustState()
	if d != nil {
		l.untrusted = !l.out.Trust.State.ok()
		l.file(*d)
		l.untrusted = false
	}
	l.takeWorkspacePrompts(own)
	l.takeWorkspaceSkills(skills)
	l.tellAsks()
}

// cover notes a file that trust is about.
func (l *loader) cover(path string, data []byte) {
	l.out.Trust.Files = append(l.out.Trust.Files, covered(l.inWorkspace(path), path, data))
}

// coverFile notes a file that trust is about, and that was read before.
func (l *loader) coverFile(path string) {
	if data, err := os.ReadFile(path); err == nil {
		l.cover(path, data)
	}
}

// coverPromptFile covers the system prompt that the workspace's settings name: it is as good as a setting.
func (l *loader) coverPromptFile(d document) {
	alone := newLoader(Sources{})
	alone.file(d)
	path := alone.out.Settings.Agent.SystemPromptFile
	if path == "" {
		return
	}
	data, err := readSmall(path, mostPrompt)
	l.promptFile, l.promptErr = Prompt{path, string(data)}, err
	if err == nil {
		l.cover(path, data)
	}
}

// tellAsks says in one warning what is passed over.
func (l *loader) tellAsks() {
	t := l.out.Trust
	if len(t.Asks) == 0 {
		return
	}
	var names []string
	for _, a := range t.Asks {
		names = append(names, a.Name)
	}
	o := t.Asks[0].Origin
	o.Line = 0
	why, are := "this workspace is not trusted", "are"
	if t.State == Changed {
		why = "its settings changed since you trusted this workspace"
	}
	if len(names) == 1 {
		are = "is"
	}
	l.warn(o.say("galley trust shows what it asks for, and allows it", "%s: %s %s not taken over",
		why, strings.Join(slices.Compact(names), ", "), are))
}
