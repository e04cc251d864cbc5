package settings

import (
	"slices"
	"strings"
	"time"
)

// Kind is what a value is.
type Kind int

// The kinds of values, with the Go type that each has in Settings.
const (
	Text     Kind = iota // string
	Word                 // string, one of a few
	Path                 // string: a file; ~/ is the home directory, else relative to where it is said
	Flag                 // bool
	Number               // int
	Decimal              // float64
	Duration             // time.Duration, written 90s or 2m
	Texts                // []string
	Headers              // map[string]string, whose values are secret
	Object               // map[string]any
)

// Row is one setting.
type Row struct {
	Name     string // group.key
	Kind     Kind
	Words    []string // that a Word may be
	Min, Max float64  // of a Number or Decimal
	Doc      string   // one sentence, for the page, the schema and completions

	field func(*Settings) any // points to the value; nil: it stands in Model.Profile
	check func(v any) error   // what the kind does not say; nil: nothing
	guard guard               // what an untrusted workspace may do
}

// Key is the name without its group.
func (r Row) Key() string { return r.Name[strings.LastIndexByte(r.Name, '.')+1:] }

const profileGroup = "model.profile"

const tokensMost = 100_000_000

// Table is the one table of all settings, in the order in which they are shown.
func Table() []Row {
	return slices.Concat(modelRows(), profileRows(), agentRows(), viewRows(), memoryRows(), toolRows(), uiRows())
}

func modelRows() []Row {
	return []Row{
		{
			Name: "model.provider", Kind: Word, Words: []string{ProviderOffline, ProviderOpenAI}, guard: never,
			Doc:   "who answers: offline (built in, no language model), or openai, any OpenAI-compatible server. Not set: openai if base_url or model is set, else offline",
			field: func(s *Settings) any { return &s.Model.Provider },
		},
		{
			Name: "model.base_url", Kind: Text, guard: never, check: isURL,
			Doc:   "where the server's API begins, most often ending in /v1. Not set: https://api.openai.com/v1",
			field: func(s *Settings) any { return &s.Model.BaseURL },
		},
		{
			Name: "model.model", Kind: Text, guard: never,
			Doc:   "the model's name at the server, or the deployment's at Azure",
			field: func(s *Settings) any { return &s.Model.Model },
		},
		{
			Name: "model.api_key_env", Kind: Text, guard: never, check: isVariable,
			Doc:   "the environment variable that holds the key; the key itself stands in no file",
			field: func(s *Settings) any { return &s.Model.APIKeyEnv },
		},
		{
			Name: "model.context_window", Kind: Number, Max: tokensMost, guard: never,
			Doc:   "the model's context window in tokens; 0: as learnt from the server, else 128,000",
			field: func(s *Settings) any { return &s.Model.ContextWindow },
		},
		{
			Name: "model.max_output_tokens", Kind: Number, Max: tokensMost, guard: lowerLimit,
			Doc:   "how long one reply may get, in tokens; 0: as the server likes",
			field: func(s *Settings) any { return &s.Model.MaxOutputTokens },
		},
		{
			Name: "model.temperature", Kind: Decimal, Max: 2,
			Doc:   "how much chance there is in a reply; not set: as the server likes",
			field: func(s *Settings) any { return &s.Model.Temperature },
		},
	}
}

func agentRows() []Row {
	return []Row{
		{
			Name: "agent.max_iterations", Kind: Number, Min: 1, Max: 1_000_000, guard: lower,
			Doc:   "a run stops after so many replies of the model",
			field: func(s *Settings) any { return &s.Agent.MaxIterations },
		},
		{
			Name: "agent.max_tokens", Kind: Number, Max: 1_000_000_000_000, guard: lowerLimit,
			Doc:   "a run stops after so many tokens, sent and received; 0: no limit",
			field: func(s *Settings) any { return &s.Agent.MaxTokens },
		},
		{
			Name: "agent.system_prompt_file", Kind: Path, guard: never,
			Doc:   "a file with the system prompt, in place of the built-in one",
			field: func(s *Settings) any { return &s.Agent.SystemPromptFile },
		},
		{
			Name: "review", Kind: Word, Words: []string{"ask", "wait", "auto"}, guard: notAuto,
			Doc:   "what the agent's commit does: it is proposed to you (ask), it waits for your answer where you can be asked (wait), or it writes the files (auto)",
			field: func(s *Settings) any { return &s.Review },
		},
	}
}

func viewRows() []Row {
	return []Row{
		{
			Name: "editing.auto_preview", Kind: Flag, Doc: "the model sees a preview after each staged edit",
			field: func(s *Settings) any { return &s.Editing.AutoPreview },
		},
		{
			Name: "editing.max_pending_changes", Kind: Number, Min: 1, Max: 26, Doc: "how many letters may wait at once",
			field: func(s *Settings) any { return &s.Editing.MaxPendingChanges },
		},
		{
			Name: "editing.preview_mode", Kind: Word, Words: []string{"compact", "full", "stats", "diff"},
			Doc:   "how much a preview shows the model",
			field: func(s *Settings) any { return &s.Editing.PreviewMode },
		},
		{
			Name: "editing.preview_context_lines", Kind: Number, Max: 100, Doc: "lines around each change in a preview",
			field: func(s *Settings) any { return &s.Editing.PreviewContextLines },
		},
		{
			Name: "editing.preview_max_length", Kind: Number, Max: 1_000_000, Doc: "where a preview is cut, in characters; 0: nowhere",
			field: func(s *Settings) any { return &s.Editing.PreviewMaxLength },
		},
		{
			Name: "tasks.max_stack_depth", Kind: Number, Min: 1, Max: 20, Doc: "how many tasks may stand inside each other",
			field: func(s *Settings) any { return &s.Tasks.MaxStackDepth },
		},
		{
			Name: "tasks.auto_pop_on_commit", Kind: Flag, Doc: "a commit completes the task it belongs to",
			field: func(s *Settings) any { return &s.Tasks.AutoPopOnCommit },
		},
		{
			Name: "tasks.show_tree_in_prompt", Kind: Flag, Doc: "each request shows the model its tasks",
			field: func(s *Settings) any { return &s.Tasks.ShowTreeInPrompt },
		},
		{
			Name: "matching.auto_select_single_match", Kind: Flag, Doc: "text that stands in one place only is edited there without a question",
			field: func(s *Settings) any { return &s.Matching.AutoSelectSingleMatch },
		},
		{
			Name: "matching.smart_recommendation", Kind: Flag, Doc: "of several places one is recommended, with the reason",
			field: func(s *Settings) any { return &s.Matching.SmartRecommendation },
		},
		{
			Name: "matching.max_candidates_shown", Kind: Number, Min: 1, Max: 26, Doc: "how many places are listed at once",
			field: func(s *Settings) any { return &s.Matching.MaxCandidatesShown },
		},
	}
}

func memoryRows() []Row {
	return []Row{
		{
			Name: "history.enable_compression", Kind: Flag, Doc: "the messages behind a closed editing session are folded into one block",
			field: func(s *Settings) any { return &s.History.EnableCompression },
		},
		{
			Name: "history.compression_threshold", Kind: Number, Min: 2, Max: 10_000, Doc: "fewer messages than this are not folded",
			field: func(s *Settings) any { return &s.History.CompressionThreshold },
		},
		{
			Name: "history.keep_key_decisions", Kind: Flag, Doc: "the block keeps the key decisions",
			field: func(s *Settings) any { return &s.History.KeepKeyDecisions },
		},
		{
			Name: "memory.compression.light", Kind: Decimal, Max: 1, Doc: "from which share of the context window the model is told light_compression",
			field: func(s *Settings) any { return &s.Memory.Light },
		},
		{
			Name: "memory.compression.medium", Kind: Decimal, Max: 1, Doc: "from which share it is told medium_compression",
			field: func(s *Settings) any { return &s.Memory.Medium },
		},
		{
			Name: "memory.compression.heavy", Kind: Decimal, Max: 1, Doc: "from which share it is told heavy_compression",
			field: func(s *Settings) any { return &s.Memory.Heavy },
		},
		{
			Name: "memory.compression.emergency", Kind: Decimal, Max: 1, Doc: "from which share it is told emergency_compression",
			field: func(s *Settings) any { return &s.Memory.Emergency },
		},
	}
}

func toolRows() []Row {
	return []Row{
		{
			Name: "tools.run_command", Kind: Word, Words: []string{CommandsOff, CommandsAsk, CommandsAllow}, guard: fewerCommands,
			Doc:   "whether the agent may run commands: not at all, each after you said yes, or without a question",
			field: func(s *Settings) any { return &s.Tools.RunCommand },
		},
		{
			Name: "tools.run_command_timeout", Kind: Duration, Min: float64(time.Second), Max: float64(time.Hour), guard: never,
			Doc:   "a command is ended after this time",
			field: func(s *Settings) any { return &s.Tools.RunCommandTimeout },
		},
		{
			Name: "tools.deny", Kind: Texts, guard: adds,
			Doc:   "files that the agent may not edit: patterns as in .gitignore",
			field: func(s *Settings) any { return &s.Tools.Deny },
		},
		{
			Name: "tools.allow_read", Kind: Texts, guard: never,
			Doc:   "secret files that the agent may read all the same: patterns as in .gitignore",
			field: func(s *Settings) any { return &s.Tools.AllowRead },
		},
	}
}

func uiRows() []Row {
	return []Row{
		{
			Name: "ui.diagnostics", Kind: Word, Words: []string{"auto", "off", "hint", "information", "warning"},
			Doc:   "how changes are shown as diagnostics",
			field: func(s *Settings) any { return &s.UI.Diagnostics },
		},
		{
			Name: "ui.code_lens", Kind: Flag, Doc: "lenses over each change",
			field: func(s *Settings) any { return &s.UI.CodeLens },
		},
		{
			Name: "ui.inlay_hints", Kind: Flag, Doc: "what a change within one line would write, behind it",
			field: func(s *Settings) any { return &s.UI.InlayHints },
		},
		{
			Name: "ui.icons", Kind: Flag, Doc: "signs like ✎ in previews",
			field: func(s *Settings) any { return &s.UI.Icons },
		},
		{
			Name: "log.level", Kind: Word, Words: []string{"debug", "info", "warn", "error"}, Doc: "how much goes to the log file",
			field: func(s *Settings) any { return &s.Log.Level },
		},
		{
			Name: "log.file", Kind: Path, guard: never, Doc: "where it is logged what happens, a JSON object a line; not set: nowhere",
			field: func(s *Settings) any { return &s.Log.File },
		},
	}
}

// Find looks a setting up by its name.
func Find(name string) (Row, bool) {
	rows := Table()
	i := slices.IndexFunc(rows, func(r Row) bool { return r.Name == name })
	if i < 0 {
		return Row{}, false
	}
	return rows[i], true
}

// planned are the names that the design has and this version does nothing with; those that end in a dot are groups.
func planned() []string {
	return []string{
		"model.summary_model", "git.commit",
		"memory.overview_position", "memory.inject_history", "memory.events", "memory.tool_summary", "memory.tool_call_cutoff",
		"memory.compression.auto", "folding.", "context_builder.", "auto_summarize.",
	}
}

// isPlanned reports whether a name is, or stands below, one that is planned.
func isPlanned(name string) bool {
	return slices.ContainsFunc(planned(), func(p string) bool {
		return name == strings.TrimSuffix(p, ".") || strings.HasPrefix(name, strings.TrimSuffix(p, ".")+".")
	})
}

// isGroup reports whether names stand below it: "model", "model.profile", "git".
func isGroup(name string) bool {
	below := func(n string) bool { return strings.HasPrefix(n, name+".") }
	return slices.ContainsFunc(Table(), func(r Row) bool { return below(r.Name) }) || slices.ContainsFunc(planned(), below)
}

// Groups are the groups of the table with all that stands in them, in the table's order: "model" and "model.profile".
func Groups() []string {
	var out []string
	for _, r := range Table() {
		for i, c := range r.Name {
			if c == '.' && !slices.Contains(out, r.Name[:i]) {
				out = append(out, r.Name[:i])
			}
		}
	}
	return out
}
