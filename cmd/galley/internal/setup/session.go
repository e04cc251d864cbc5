package setup

import (
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/galley-ls/galley/agent"
	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/cmd/galley/internal/settings"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/view"
	"github.com/galley-ls/galley/memory"
)

// Configure gives a session the settings. It touches nothing else, so that it serves open sessions as well.
func (p Place) Configure(cfg *session.Config) {
	s := p.Settings()
	cfg.Review, cfg.ReviewByFile = editing.Policy(s.Review[settings.DefaultFile]), map[string]editing.Policy{}
	for glob, policy := range s.Review {
		if glob != settings.DefaultFile {
			cfg.ReviewByFile[glob] = editing.Policy(policy)
		}
	}
	cfg.System = p.Loaded.Prompts[settings.SystemPrompt].Text
	cfg.Specs, cfg.SmallSpecs = p.specs(false), p.specs(true)
	cfg.Summarize, cfg.Decisions = nil, nil
	if m := summaryModel(s.Model); m != nil {
		cfg.Summarize, cfg.Decisions = agent.Summarizer(m), agent.Decider(m)
	}
	cfg.Window, cfg.Reserve = s.Model.ContextWindow, s.Model.MaxOutputTokens
	if m, err := Model(s.Model, func(string) {}); err == nil && cfg.Window == 0 { // what was learnt of its server counts
		cfg.Window = WindowOf(m)
	}
	cfg.Price = memory.Price(s.Model.Price)

	cfg.Deny, cfg.AllowRead = append(slices.Clone(s.Tools.Deny), p.ownFolders()...), s.Tools.AllowRead
	cfg.Commands, cfg.CommandTimeout = s.Tools.RunCommand, s.Tools.RunCommandTimeout
	cfg.Secrets = s.Secrets(os.Getenv)
	cfg.GitCommit = s.Git.Commit
	cfg.Skills = p.skills()

	cfg.Preview = view.Options{
		Format: s.Editing.PreviewMode, ContextLines: orNone(s.Editing.PreviewContextLines),
		MaxLength: orNone(s.Editing.PreviewMaxLength), NoIcons: !s.UI.Icons,
	}
	cfg.NoPreview, cfg.MaxPending = !s.Editing.AutoPreview, s.Editing.MaxPendingChanges
	cfg.MaxDepth, cfg.NoAutoPop, cfg.NoTaskTree = s.Tasks.MaxStackDepth, !s.Tasks.AutoPopOnCommit, !s.Tasks.ShowTreeInPrompt
	cfg.NoFolding, cfg.Threshold = !s.History.EnableCompression, s.History.CompressionThreshold
	cfg.NoKeyDecisions = !s.History.KeepKeyDecisions
	cfg.NoAutoSelect, cfg.NoRecommendation = !s.Matching.AutoSelectSingleMatch, !s.Matching.SmartRecommendation
	cfg.Candidates = s.Matching.MaxCandidatesShown
	c := s.Memory.Compression
	cfg.Compression = memory.Compression{Light: c.Light, Medium: c.Medium, Heavy: c.Heavy, Emergency: c.Emergency}
	cfg.History, cfg.Messages, cfg.Automatic = s.Memory.InjectHistory, s.ContextBuilder.Options.WindowSize, c.Auto
	cfg.NoEvents, cfg.NoCarryOver, cfg.Overview = !s.Memory.Events, !s.Memory.CarryOver, s.Memory.OverviewBudget
	cfg.Unseen = s.Memory.Review == "off"
	if cfg.Results = 0; s.Memory.ToolSummary == "auto" {
		cfg.Results = s.Memory.ToolCallCutoff
	}
}

// ownFolders are galley's own folders where they lie in the workspace, as for tools.deny: an agent that works in the home
// directory must not change what it may do, nor what it did.
func (p Place) ownFolders() []string {
	folders := []string{p.Home}
	if config, err := settings.ConfigDir(); err == nil {
		folders = append(folders, config)
	}
	var out []string
	for _, dir := range folders {
		rel, err := filepath.Rel(settings.RealPath(p.Workspace), settings.RealPath(dir))
		if err == nil && filepath.IsLocal(rel) && rel != "." {
			out = append(out, "/"+strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(filepath.ToSlash(rel))+"/")
		}
	}
	return out
}

// orNone says 0 as the rooms below do, where 0 is the default: with a negative number.
func orNone(n int) int {
	if n == 0 {
		return -1
	}
	return n
}

// specs are the tools that the model is offered.
func (p Place) specs(few bool) []memory.ToolSpec {
	texts := map[string]string{}
	for _, t := range tools.All() {
		if own, ok := p.Loaded.Prompts[settings.ToolPrompt(t.Name)]; ok {
			texts[t.Name] = own.Text
		}
	}
	return tools.Specs(tools.Options{Few: few, Commands: p.Settings().Tools.RunCommand != session.CommandsOff, Texts: texts})
}

// skills are those that the model is told of.
func (p Place) skills() (all []session.Skill) {
	for _, s := range p.Loaded.Skills {
		all = append(all, session.Skill{Name: s.Name, Description: s.Description, File: s.File})
	}
	return all
}

// stray are prompts for tools that there are none of.
func stray(p settings.Prompts) []settings.Problem {
	var names []string
	for _, t := range tools.All() {
		names = append(names, t.Name)
	}
	var odd []settings.Problem
	for _, file := range slices.Sorted(maps.Keys(p)) {
		name := strings.TrimSuffix(path.Base(file), ".md")
		if file == settings.SystemPrompt || slices.Contains(names, name) {
			continue
		}
		next := "galley config prompts lists the tools"
		if near := settings.Nearest(name, names); near != "" {
			next = "did you mean " + near + ".md?"
		}
		odd = append(odd, settings.Problem{
			Origin: settings.Origin{Source: settings.FromUser, Name: p[file].Path}, What: "there is no tool of this name", Next: next,
		})
	}
	return odd
}
