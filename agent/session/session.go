package session

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/disk"
	"github.com/galley-ls/galley/editing/view"
	"github.com/galley-ls/galley/memory"
	"github.com/galley-ls/galley/tasks"
)

// Config says which agent session to open, and how it behaves. What JSON has of it is fixed when a run is asked for, and goes with
// the run to the process that holds the session.
type Config struct {
	Home      string        `json:"-"` // root of all sessions, "": memory.Home
	Workspace string        `json:"-"` // the folder that is worked in
	ID        string        `json:"-"` // the session to open, "": a new one
	Wait      time.Duration `json:"-"` // how long to wait for a session that another process holds
	ReadOnly  bool          `json:"-"` // only look at it: nothing is locked or written, and it may be open elsewhere

	// Table is shared by the agent sessions of one process; nil: one of its own.
	Table *editing.Workspace `json:"-"`

	// Patience is how long a text that was committed may be nowhere, before what is
	// lost waits again: its editor may come back with it. 0 or less: no editor comes.
	Patience time.Duration `json:"-"`
	// MayCome reports whether an editor may come with the text of a file; nil: it may.
	MayCome func(name string) bool `json:"-"`

	// Journal is the one of the workspace, shared by the agent sessions of one process;
	// nil: one of its own.
	Journal *memory.Workspace `json:"-"`

	Review       editing.Policy            // "": ask
	ReviewByFile map[string]editing.Policy // by glob, over Review; the strictest counts
	// Decide asks the person about an editing session, for the policy wait. It
	// calls the Session's methods and returns when the person is done.
	Decide func(ctx context.Context, s *Session, edit int) error `json:"-"`
	// Unasked reports whether the agent's commit of an editing session may be carried out
	// without a person, under the policy auto; nil: where no editor has a text of it.
	Unasked func(session string, edit int) bool `json:"-"`

	System string            // the system prompt, "": the built-in one
	Specs  []memory.ToolSpec // the tools offered to the model
	// SmallSpecs are those for a small window; nil: Specs.
	SmallSpecs []memory.ToolSpec
	Model      string // its name
	Window     int    // its context window in tokens, 0: not known
	// Summarize asks the model to sum up a part of the conversation; nil: it makes no
	// summaries. It is called without any lock.
	Summarize func(ctx context.Context, text string) (string, memory.Usage, error) `json:"-"`
	// Decisions asks a model to name the key decisions of a conversation, in its words, when an
	// editing session closes; nil: only code finds them. It is called without any lock.
	Decisions func(ctx context.Context, text string) ([]string, memory.Usage, error) `json:"-"`

	History   string // memory.inject_history, "": auto
	Messages  int    // of the conversation that are shown, 0: the default
	Automatic bool   // memory.compression.auto: results of tools are archived from medium_compression on
	Results   int    // memory.tool_summary auto: results of tools that stay, 0: all

	GitCommit bool // git.commit: git commits what a commit wrote

	Unseen bool // memory.review off: the person is told nothing of what the agent writes to its memory

	Skills          []Skill  // that the model is told of, in their order
	Deny, AllowRead []string `json:"-"` // tools.deny, tools.allow_read
	Secrets         []string `json:"-"` // never journaled, sent to a model or shown, but as [secret]

	Commands       string        `json:"-"` // may the agent run commands: CommandsOff (or ""), CommandsAsk, CommandsAllow
	CommandTimeout time.Duration `json:"-"` // how long one may run at most, 0: a minute
	// Confirm asks the person before each command, with CommandsAsk; nil: nobody
	// can be asked, and none runs. With false, the error is their reason, or why they
	// could not be asked. It is called without any lock.
	Confirm func(ctx context.Context, c Command) (bool, error) `json:"-"`
	Saw     func(c Command)                                    `json:"-"` // hears of every command before it starts, without any lock; may be nil

	Preview    view.Options
	NoPreview  bool // editing.auto_preview off
	MaxPending int  `json:"-"` // undecided letters at most, 0: 26
	MaxDepth   int  `json:"-"` // of the task stack, 0: 3
	Candidates int  // shown at most, 0: 5
	Threshold  int  // messages from which history is folded, 0: the default

	// The zero value of a switch is the default.
	NoAutoPop        bool // tasks.auto_pop_on_commit off: memo_commit keeps the task unless told otherwise
	NoTaskTree       bool // tasks.show_tree_in_prompt off
	NoFolding        bool // history.enable_compression off
	NoEvents         bool // memory.events off: overview.md has only what the agent writes or asks for
	NoCarryOver      bool `json:"-"` // memory.carry_over off: a new session's memory begins empty
	NoKeyDecisions   bool // history.keep_key_decisions off: folded history does not carry them on
	NoAutoSelect     bool // matching.auto_select_single_match off: a single place is asked for, too
	NoRecommendation bool // matching.smart_recommendation off

	Reserve     int                // tokens kept free for the reply
	Price       memory.Price       // of the model
	Overview    int                // memory.overview_budget, in bytes of a request; 0: the default
	Compression memory.Compression // from where the levels of the context begin
}

// settings are a Config and what is made of it. They never change.
type settings struct {
	Config
	roots   *disk.Roots
	skills  *disk.Roots // the folders of the skills, nil: none
	secrets memory.Secrets
}

// Roots is the disk, as the settings let the agent see it.
func (cfg Config) Roots() (*disk.Roots, error) {
	return disk.Open([]string{cfg.Workspace}, cfg.Deny, cfg.AllowRead)
}

// IsGlob reports whether a pattern is a key for ReviewByFile.
func IsGlob(pattern string) bool { return disk.IsGlob(pattern) }

func newSettings(cfg Config) (*settings, error) {
	roots, err := cfg.Roots()
	secrets := memory.NewSecrets(cfg.Secrets)
	cfg.Model = secrets.Mask(cfg.Model)
	return &settings{cfg, roots, skillRoots(cfg), secrets}, err
}

// Session is one agent session. Its methods may be called from any goroutine;
// those that change something run one after the other.
type Session struct {
	*queue
	attention
	requests
	tasks  *tasks.Stack
	memory *Notebook
}

// Open opens an agent session. A session that another process holds is a
// *memory.LockedError.
func Open(cfg Config) (*Session, error) {
	ws, err := filepath.Abs(cfg.Workspace)
	if err != nil {
		return nil, fmt.Errorf("workspace %s: %w", cfg.Workspace, err)
	}
	if ws, err = filepath.EvalSymlinks(ws); err != nil {
		return nil, fmt.Errorf("workspace %s: %w; name a folder that exists with --workspace", cfg.Workspace, err)
	}
	cfg.Workspace = ws
	if cfg.Home == "" {
		if cfg.Home, err = memory.Home(); err != nil {
			return nil, err
		}
	}
	cfg.defaults()
	set, err := newSettings(cfg)
	if err != nil {
		return nil, err
	}
	store, err := openStore(set.Config)
	if err != nil {
		return nil, err
	}
	store.Hide(set.secrets)
	if !cfg.NoCarryOver {
		if err := store.CarryOver(cfg.Home); err != nil {
			return nil, errors.Join(fmt.Errorf("carry the memory over: %w; memory.carry_over: false begins without", err), store.Close())
		}
	}
	b := &base{store: store, ws: cfg.Table, me: store.ID(), folder: ws, first: store.First(cfg.Home)}
	b.set.Store(set)
	way, err := openRoad(b, cfg.Home)
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	s := &Session{
		queue: &queue{
			road: way, running: map[int64]bool{}, past: past{begun: map[int]string{}, touched: map[int][]string{}},
			texts: cfg.Table.Reader(b.me), warnings: append(store.Warnings(), way.decisions.Warnings()...),
		},
		attention: attention{read: map[string]Reading{}}, tasks: tasks.New(cfg.MaxDepth), memory: &Notebook{base: b, files: map[string]*scratch{}},
	}
	s.requests = requests{s.queue, s.tasks, s.memory}
	s.named.Store(new(string))
	if err := (&recovery{Session: s, image: editing.NewImage(), intents: map[string]bool{}}).run(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// defaults fills in what was left out.
func (cfg *Config) defaults() {
	if cfg.Review == "" {
		cfg.Review = editing.Ask
	}
	if cfg.Table == nil {
		cfg.Table = editing.New(cfg.MaxPending)
	}
	if cfg.SmallSpecs == nil {
		cfg.SmallSpecs = cfg.Specs
	}
	if cfg.System == "" {
		cfg.System = systemPrompt
	}
	cfg.Preview.Closed = disk.HoldsKey
}

// Renew changes the settings of an open session, from its next step on. Where the
// session is, what it shares with others, and how deep and how many its tasks and
// letters are, stays as it was opened. An error means that nothing changed.
func (s *Session) Renew(change func(cfg *Config)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	was := s.set.Load()
	cfg := was.Config
	change(&cfg)
	cfg.Home, cfg.Workspace, cfg.ID, cfg.Wait, cfg.Table = was.Home, was.Workspace, was.ID, was.Wait, was.Table
	cfg.Journal = was.Journal
	cfg.MaxPending, cfg.MaxDepth = was.MaxPending, was.MaxDepth
	cfg.defaults()
	set, err := newSettings(cfg)
	if err != nil {
		return err
	}
	s.set.Store(set)
	if cfg.Window != was.Window || cfg.Model != was.Model { // else it is known better by now
		s.Window(0)
	}
	s.store.Hide(set.secrets)
	s.decisions.Hide(set.secrets)
	return nil
}

// moment is how long a lock is waited for at least: whoever has it may be closing.
const moment = 200 * time.Millisecond

// ToolTitle is what the session of single tool calls is called.
const ToolTitle = "single tool calls"

func openStore(cfg Config) (*memory.Store, error) {
	ctx, cancel := context.WithTimeout(context.Background(), max(cfg.Wait, moment))
	defer cancel()
	switch {
	case cfg.ReadOnly:
		return memory.OpenReadOnly(cfg.Home, cfg.Workspace, cfg.ID)
	case cfg.ID != "":
		return memory.OpenWait(ctx, cfg.Home, cfg.Workspace, cfg.ID)
	}
	return memory.Create(cfg.Home, cfg.Workspace, memory.Meta{Model: cfg.Model})
}

// Tasks returns all tasks in the order of their numbers.
func (s *Session) Tasks() []tasks.Task { return s.tasks.Tree() }

// CurrentEdit is the editing session of the current task: the one that takes new
// changes, else the last open one; 0 if there is none.
func (s *Session) CurrentEdit() int {
	t, _ := s.tasks.Current()
	if e, ok := s.Snapshot().Current(s.me, t.ID); ok {
		return e.N
	}
	for _, e := range slices.Backward(s.OpenEdits()) {
		if e.Task == t.ID {
			return e.N
		}
	}
	return 0
}

// TaskTree is the tasks as everybody sees them.
func (s *requests) TaskTree() string {
	return s.Mask(tasks.Render(s.tasks.Tree(), letters(s.Snapshot(), s.me)))
}

// TaskStack is the tasks that are worked on, or what was done when there are none.
func (s *requests) TaskStack() string {
	return tasks.RenderStack(s.tasks.Tree(), letters(s.Snapshot(), s.me))
}

// letters are the undecided changes by task, those of a file before its name.
func letters(snap *editing.Snapshot, owner string) map[int][]string {
	type place struct {
		task int
		file string
	}
	var places []place
	by := map[place][]string{}
	for _, c := range snap.Changes() {
		if c.Owner != owner || !c.State.Undecided() || c.Task == 0 {
			continue
		}
		at := place{c.Task, c.Name}
		if by[at] == nil {
			places = append(places, at)
		}
		by[at] = append(by[at], c.Letter)
	}
	out := map[int][]string{}
	for _, at := range places {
		out[at.task] = append(out[at.task], strings.Join(by[at], ", ")+" "+at.file)
	}
	return out
}
