package settings

import (
	"time"

	"github.com/galley-ls/galley/agent/openai"
	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/memory"
)

// Settings are all settings, and the one place where each is described. Of the tags, json is its key, doc one sentence for
// people, jsonschema the words or bounds that it has; span are the bounds of a time, and file marks the name of a file.
// What an untrusted workspace may do with it is said by trust, for one setting or for all of a group: see guards.
type Settings struct {
	Model          Model          `json:"model" doc:"who answers"`
	Agent          Agent          `json:"agent" doc:"how long a run goes on, and with which words"`
	Review         ByFile         `json:"review" jsonschema:"enum=ask,enum=wait,enum=auto" trust:"auto" doc:"what the agent's commit does: it is proposed to you (ask), it waits for your answer where you can be asked (wait), or it writes the files (auto). By file: {default: ask, \"docs/**\": auto}; the strictest word counts for all files of a commit"`
	Editing        Editing        `json:"editing" doc:"staged edits, as the model sees them"`
	Tasks          Tasks          `json:"tasks" doc:"the stack of tasks"`
	Matching       Matching       `json:"matching" doc:"text that stands in several places"`
	History        History        `json:"history" doc:"the messages behind a closed editing session"`
	Memory         Memory         `json:"memory" doc:"how full the context is"`
	ContextBuilder ContextBuilder `json:"context_builder" doc:"what of the conversation a request has"`
	Tools          Tools          `json:"tools" doc:"what the agent may do"`
	Git            Git            `json:"git" doc:"what git hears of commits"`
	UI             UI             `json:"ui" doc:"how an editor shows changes"`
	Log            Log            `json:"log" doc:"what is written down about the program itself"`
}

// ByFile are words by the glob of the files that they are for.
type ByFile map[string]string

// DefaultFile is the key of ByFile for files that match no glob.
const DefaultFile = "default"

// Model says who answers. See Chosen for the provider.
type Model struct {
	Provider        string         `json:"provider" jsonschema:"enum=offline,enum=openai" trust:"never" doc:"who answers: offline (built in, no language model), or openai, any OpenAI-compatible server. Not set: openai if base_url or model is set, else offline"`
	BaseURL         string         `json:"base_url" trust:"never" doc:"where the server's API begins, most often ending in /v1. Not set: https://api.openai.com/v1"`
	Model           string         `json:"model" trust:"never" doc:"the model's name at the server, or the deployment's at Azure"`
	SummaryModel    string         `json:"summary_model" trust:"never" doc:"another model of the same server, for summaries of long conversations and to name key decisions when an edit closes; not set: summaries by the model itself, and key decisions as code finds them"`
	APIKeyEnv       string         `json:"api_key_env" trust:"never" doc:"the environment variable that holds the key; the key itself stands in no file. Not set: OPENAI_API_KEY for api.openai.com, none for other servers"`
	ContextWindow   int            `json:"context_window" jsonschema:"minimum=0,maximum=100000000" trust:"never" doc:"the model's context window in tokens; 0: as learnt from the server, else 128,000"`
	MaxOutputTokens int            `json:"max_output_tokens" jsonschema:"minimum=0,maximum=100000000" trust:"never" doc:"how long one reply may get, in tokens; 0: as the server likes"`
	Price           Price          `json:"price" trust:"never" doc:"what the model costs for a million tokens, in any currency"`
	Temperature     *float64       `json:"temperature" jsonschema:"minimum=0,maximum=2" doc:"how much chance there is in a reply; not set: as the server likes"`
	Profile         openai.Profile `json:"profile" trust:"never" doc:"how the model's server differs from what is usual; most servers need nothing here"`
}

// Price is what a model costs. There is no list of prices: it would be out of date.
type Price struct {
	Input  float64  `json:"input" jsonschema:"minimum=0,maximum=1000000" doc:"what a million tokens cost that are sent, in any currency; 0: not known, and no money is shown"`
	Cached *float64 `json:"cached" jsonschema:"minimum=0,maximum=1000000" doc:"what those cost that the server still has; not set: as input"`
	Output float64  `json:"output" jsonschema:"minimum=0,maximum=1000000" doc:"what a million tokens of replies cost"`
}

// Agent says how long a run goes on.
type Agent struct {
	MaxIterations    int     `json:"max_iterations" jsonschema:"minimum=1,maximum=1000000" trust:"more" doc:"a run stops after so many replies of the model"`
	MaxTokens        int     `json:"max_tokens" jsonschema:"minimum=0,maximum=1000000000000" trust:"more" doc:"a run stops after so many tokens, sent and received; 0: no limit"`
	MaxCost          float64 `json:"max_cost" jsonschema:"minimum=0,maximum=1000000" trust:"more" doc:"a run stops when it has cost so much, by model.price, and warns from 80 % on; 0: no limit"`
	SystemPromptFile string  `json:"system_prompt_file" file:"true" trust:"never" doc:"a file with the system prompt, in place of the built-in one"`
}

// Editing says how staged edits are shown to the model.
type Editing struct {
	AutoPreview         bool   `json:"auto_preview" trust:"less" doc:"the model sees a preview after each staged edit"`
	MaxPendingChanges   int    `json:"max_pending_changes" jsonschema:"minimum=1,maximum=26" doc:"how many letters may wait at once"`
	PreviewMode         string `json:"preview_mode" jsonschema:"enum=compact,enum=full,enum=stats,enum=diff" trust:"less" doc:"how much a preview shows the model"`
	PreviewContextLines int    `json:"preview_context_lines" jsonschema:"minimum=0,maximum=100" trust:"less" doc:"lines around each change in a preview"`
	PreviewMaxLength    int    `json:"preview_max_length" jsonschema:"minimum=0,maximum=1000000" trust:"never" doc:"where a preview is cut, in characters; 0: nowhere"`
}

// Tasks is about the stack of tasks.
type Tasks struct {
	MaxStackDepth    int  `json:"max_stack_depth" jsonschema:"minimum=1,maximum=20" doc:"how many tasks may stand inside each other"`
	AutoPopOnCommit  bool `json:"auto_pop_on_commit" doc:"a commit completes the task it belongs to"`
	ShowTreeInPrompt bool `json:"show_tree_in_prompt" doc:"each request shows the model its tasks"`
}

// Matching is about text that stands in several places.
type Matching struct {
	AutoSelectSingleMatch bool `json:"auto_select_single_match" doc:"text that stands in one place only is edited there without a question"`
	SmartRecommendation   bool `json:"smart_recommendation" doc:"of several places one is recommended, with the reason"`
	MaxCandidatesShown    int  `json:"max_candidates_shown" jsonschema:"minimum=1,maximum=26" trust:"less" doc:"how many places are listed at once"`
}

// History is about what becomes of the messages behind a closed editing session.
type History struct {
	EnableCompression    bool `json:"enable_compression" doc:"the messages behind a closed editing session are folded into one block"`
	CompressionThreshold int  `json:"compression_threshold" jsonschema:"minimum=2,maximum=10000" doc:"fewer messages than this are not folded"`
	KeepKeyDecisions     bool `json:"keep_key_decisions" doc:"the block keeps the key decisions"`
}

// Memory is about how full the context is.
type Memory struct {
	InjectHistory  string      `json:"inject_history" example:"recent:5" doc:"how much of the conversation a request has: all of it until the memory is written, then three turns before the running one (auto), all of it (always), the running turn (never), or so many turns before it (recent:N)"`
	Events         bool        `json:"events" doc:"galley keeps overview.md current: tasks, edits and files are noted there, and its front matter"`
	CarryOver      bool        `json:"carry_over" doc:"the memory of a new session begins with the project, guiding principles and known facts of the newest one"`
	OverviewBudget int         `json:"overview_budget" jsonschema:"minimum=1024,maximum=1000000" doc:"how much of overview.md a request has, in bytes; what is over it is left out by whole lines. In small windows it is less"`
	Review         string      `json:"review" jsonschema:"enum=off,enum=notice" trust:"never" doc:"what you hear of what the agent writes to its memory: nothing (off), or a line for each write (notice); galley memory log lists them in any case"`
	Compression    Compression `json:"compression" doc:"from which share of the context window the model is told to tidy up"`
	ToolSummary    string      `json:"tool_summary" jsonschema:"enum=off,enum=auto" doc:"old results of tools are archived by galley (auto), or when the model does it (off)"`
	ToolCallCutoff int         `json:"tool_call_cutoff" jsonschema:"minimum=1,maximum=10000" doc:"how many results tool_summary auto leaves; it acts when there are twice as many"`
}

// ContextBuilder says how the conversation becomes part of a request.
type ContextBuilder struct {
	Strategy string         `json:"strategy" jsonschema:"enum=sliding_window" doc:"which messages a request has of a long conversation; not set: the newest (sliding_window), the one strategy that there is yet"`
	Options  BuilderOptions `json:"options" doc:"of the sliding window"`
}

// BuilderOptions are those of the sliding window.
type BuilderOptions struct {
	WindowSize int `json:"window_size" jsonschema:"minimum=10,maximum=100000" doc:"how many messages a request has by and large; half as many more may gather before older ones are left out"`
}

// Compression are shares of the window, which rise.
type Compression struct {
	Light     float64 `json:"light" jsonschema:"minimum=0,maximum=1" doc:"from which share of the context window the model is told light_compression"`
	Medium    float64 `json:"medium" jsonschema:"minimum=0,maximum=1" doc:"from which share it is told medium_compression"`
	Heavy     float64 `json:"heavy" jsonschema:"minimum=0,maximum=1" doc:"from which share it is told heavy_compression"`
	Emergency float64 `json:"emergency" jsonschema:"minimum=0,maximum=1" doc:"from which share it is told emergency_compression, and galley makes room by itself"`
	Auto      bool    `json:"auto" doc:"galley archives old results of tools from heavy on, before the last resort"`
}

// Tools is about what the agent may do.
type Tools struct {
	RunCommand        string        `json:"run_command" jsonschema:"enum=off,enum=ask,enum=allow" trust:"more" doc:"whether the agent may run commands: not at all, each after you said yes, or without a question"`
	RunCommandTimeout time.Duration `json:"run_command_timeout" span:"1s to 1h" trust:"never" doc:"a command is ended after this time"`
	Deny              []string      `json:"deny" trust:"adds" doc:"files that the agent may not edit: patterns as in .gitignore"`
	AllowRead         []string      `json:"allow_read" trust:"never" doc:"secret files that the agent may read all the same: patterns as in .gitignore"`
}

// Git is what git hears of commits.
type Git struct {
	Commit bool `json:"commit" trust:"never" doc:"a commit of galley's is one of git's too: with its summary, of the files that it wrote, when the last of them is on the disk, and only if the index is clean"`
}

// UI is how an editor shows changes.
type UI struct {
	Diagnostics string `json:"diagnostics" jsonschema:"enum=auto,enum=off,enum=hint,enum=information,enum=warning" trust:"less" doc:"how changes are shown as diagnostics"`
	CodeLens    bool   `json:"code_lens" trust:"less" doc:"lenses over each change"`
	InlayHints  bool   `json:"inlay_hints" trust:"less" doc:"what a change within one line would write, behind it"`
	Icons       bool   `json:"icons" doc:"signs like ✎ in previews"`
}

// Log is what is written down about the program itself.
type Log struct {
	Level string `json:"level" jsonschema:"enum=debug,enum=info,enum=warn,enum=error" doc:"how much goes to the log file"`
	File  string `json:"file" file:"true" trust:"never" doc:"where it is logged what happens, a JSON object a line; not set: nowhere"`
}

// The providers of a model.
const (
	ProviderOffline = "offline"
	ProviderOpenAI  = "openai"
)

// DefaultKeyEnv is the variable that holds the key of OpenAI's own server where nobody names another.
const DefaultKeyEnv = "OPENAI_API_KEY"

// Default are the settings of who has said nothing.
func Default() Settings {
	return Settings{
		Agent:          Agent{MaxIterations: 100},
		Review:         ByFile{DefaultFile: "ask"},
		Editing:        Editing{AutoPreview: true, MaxPendingChanges: 26, PreviewMode: "compact", PreviewContextLines: 3, PreviewMaxLength: 500},
		Tasks:          Tasks{MaxStackDepth: 3, AutoPopOnCommit: true, ShowTreeInPrompt: true},
		Matching:       Matching{AutoSelectSingleMatch: true, SmartRecommendation: true, MaxCandidatesShown: 5},
		History:        History{EnableCompression: true, CompressionThreshold: 5, KeepKeyDecisions: true},
		Memory:         Memory{InjectHistory: memory.HistoryAuto, Review: "notice", Events: true, CarryOver: true, OverviewBudget: memory.DefaultOverviewBudget, Compression: Compression{Light: .2, Medium: .4, Heavy: .6, Emergency: .75}, ToolSummary: "off", ToolCallCutoff: 10},
		ContextBuilder: ContextBuilder{Options: BuilderOptions{WindowSize: memory.DefaultMessages}},
		Tools:          Tools{RunCommand: session.CommandsOff, RunCommandTimeout: time.Minute},
		UI:             UI{Diagnostics: "auto", CodeLens: true, InlayHints: true, Icons: true},
		Log:            Log{Level: "info"},
	}
}

// Chosen is the provider: what was said, else openai where a server or a model is named, else offline.
func (m Model) Chosen() string {
	switch {
	case m.Provider != "":
		return m.Provider
	case m.BaseURL != "" || m.Model != "":
		return ProviderOpenAI
	}
	return ProviderOffline
}
