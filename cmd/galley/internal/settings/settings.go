package settings

import (
	"time"

	"github.com/galley-ls/galley/agent/session"
)

// Settings are all settings, by the groups of the table.
type Settings struct {
	Model    Model
	Agent    Agent
	Review   string
	Editing  Editing
	Tasks    Tasks
	History  History
	Matching Matching
	Memory   Memory
	Tools    Tools
	UI       UI
	Log      Log
}

// Model says who answers.
type Model struct {
	Provider        string // "": see Chosen
	BaseURL         string
	Model           string
	APIKeyEnv       string
	ContextWindow   int // tokens, 0: learnt from the server, or the default
	MaxOutputTokens int // 0: the server's
	Temperature     *float64
	Profile         map[string]any // key → value of the rows below model.profile that are set
}

// Agent says how long a run goes on.
type Agent struct {
	MaxIterations    int
	MaxTokens        int // 0: no limit
	SystemPromptFile string
}

// Editing says how staged edits are shown to the model.
type Editing struct {
	AutoPreview         bool
	MaxPendingChanges   int
	PreviewMode         string
	PreviewContextLines int
	PreviewMaxLength    int // 0: no limit
}

// Tasks is about the stack of tasks.
type Tasks struct {
	MaxStackDepth    int
	AutoPopOnCommit  bool
	ShowTreeInPrompt bool
}

// History is about what becomes of the messages behind a closed editing session.
type History struct {
	EnableCompression    bool
	CompressionThreshold int
	KeepKeyDecisions     bool
}

// Matching is about text that stands in several places.
type Matching struct {
	AutoSelectSingleMatch bool
	SmartRecommendation   bool
	MaxCandidatesShown    int
}

// Memory is about how full the context is.
type Memory struct {
	Light, Medium, Heavy, Emergency float64 // memory.compression: shares of the window
}

// Tools is about what the agent may do.
type Tools struct {
	RunCommand        string
	RunCommandTimeout time.Duration
	Deny, AllowRead   []string
}

// UI is how an editor shows changes.
type UI struct {
	Diagnostics                 string
	CodeLens, InlayHints, Icons bool
}

// Log is what is written down about the program itself.
type Log struct {
	Level, File string
}

// The providers of a model.
const (
	ProviderOffline = "offline"
	ProviderOpenAI  = "openai"
)

// The words of tools.run_command.
const (
	CommandsOff   = session.CommandsOff
	CommandsAsk   = session.CommandsAsk
	CommandsAllow = session.CommandsAllow
)

// DefaultKeyEnv is the variable that holds the key where nobody names another.
const DefaultKeyEnv = "OPENAI_API_KEY"

// Default are the settings of who has said nothing.
func Default() Settings {
	return Settings{
		Model:    Model{APIKeyEnv: DefaultKeyEnv, Profile: map[string]any{}},
		Agent:    Agent{MaxIterations: 100},
		Review:   "ask",
		Editing:  Editing{AutoPreview: true, MaxPendingChanges: 26, PreviewMode: "compact", PreviewContextLines: 3, PreviewMaxLength: 500},
		Tasks:    Tasks{MaxStackDepth: 3, AutoPopOnCommit: true, ShowTreeInPrompt: true},
		History:  History{EnableCompression: true, CompressionThreshold: 5, KeepKeyDecisions: true},
		Matching: Matching{AutoSelectSingleMatch: true, SmartRecommendation: true, MaxCandidatesShown: 5},
		Memory:   Memory{Light: .2, Medium: .4, Heavy: .6, Emergency: .75},
		Tools:    Tools{RunCommand: CommandsOff, RunCommandTimeout: time.Minute},
		UI:       UI{Diagnostics: "auto", CodeLens: true, InlayHints: true, Icons: true},
		Log:      Log{Level: "info"},
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
