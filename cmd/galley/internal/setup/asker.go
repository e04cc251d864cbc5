package setup

import (
	"context"
	"encoding/json"
	"os"
	"reflect"
	"sync"

	"go.uber.org/zap"

	"github.com/galley-ls/galley/agent"
	"github.com/galley-ls/galley/agent/model"
	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/cmd/galley/internal/settings"
	"github.com/galley-ls/galley/lsp"
	"github.com/galley-ls/galley/lsp/dial"
)

// Asker works in this process on the runs that an editor asks for: with the settings of here and of the editor, as they are
// when a run is asked for.
type Asker struct {
	src   settings.Sources // without the editor's
	log   *zap.Logger
	words agent.Words                     // how calls are told; may be nil
	tell  func(kind int, sentence string) // the editor's user
	goes  sync.WaitGroup

	mu     sync.Mutex // guards the rest
	place  Place
	editor lsp.Client
	sent   any // what came last of the editor's settings

	// made is the model that was made last, from these settings and with this key.
	made  model.Model
	asked settings.Model
	key   string
	told  map[string]bool // what is wrong with it
}

// NewAsker makes an asker that works for an editor.
func NewAsker(p Place, src settings.Sources, log *zap.Logger, words agent.Words) *Asker {
	return &Asker{src: src, place: p, log: log, words: words, told: map[string]bool{}}
}

// Knows takes in what an editor says of itself, and answers the place where it works.
func (a *Asker) Knows(c lsp.Client) Place {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.place.Named == "" && c.Root != "" {
		a.place.Workspace = FolderOf(c.Root)
	}
	a.editor = c
	a.readLocked()
	return a.place
}

// Hears takes in what an editor says of its settings.
func (a *Asker) Hears(sent json.RawMessage) {
	v := lsp.SentSettings(sent)
	a.mu.Lock()
	a.sent = v
	a.mu.Unlock()
	a.goes.Go(a.look)
}

// look tells the editor's user, once, why there is no model of the settings as they are.
func (a *Asker) look() {
	_, m := a.now()
	a.mu.Lock()
	defer a.mu.Unlock()
	if broken, is := m.(brokenModel); is && !a.told[broken.why.Error()] {
		a.told[broken.why.Error()] = true
		const warning = 2
		a.tell(warning, broken.why.Error())
	}
}

func (a *Asker) readLocked() {
	a.place.Loaded = Load(editors(a.src, a.place.Workspace, a.editor, a.sent))
}

// now reads the settings, and makes the model that they choose, where it is another one.
func (a *Asker) now() (Place, model.Model) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.readLocked()
	s := a.place.Settings().Model
	if key := s.Key(os.Getenv); a.made == nil || key != a.key || !reflect.DeepEqual(s, a.asked) {
		m, err := Model(s, func(odd string) { a.log.Warn(odd) })
		if err != nil {
			m = brokenModel{err} // which says so to whoever asks it
		}
		a.made, a.asked, a.key = m, s, key
	}
	return a.place, a.made
}

// Over works on runs over a connection to the host, as long as that lasts.
func (a *Asker) Over(c *dial.Conn) dial.Ask {
	return func(ctx context.Context, argument json.RawMessage) (any, error) {
		prompt, err := lsp.PromptOf(argument)
		if err != nil {
			return nil, err
		}
		p, m := a.now()
		cfg := p.Config()
		window(&cfg, m)
		run, joined, err := c.Open(ctx, dial.Config{Config: cfg, Ask: argument})
		if err != nil {
			return nil, err
		}
		if !joined {
			a.goes.Go(func() { a.work(ctx, run, prompt, p, cfg, m) })
		}
		return map[string]string{"run": run.Run(), "session": run.ID()}, nil
	}
}

// work is the life of a run.
func (a *Asker) work(ctx context.Context, run *dial.Run, prompt string, p Place, cfg session.Config, m model.Model) {
	ctx, done := run.Until(ctx)
	defer done()
	limits := p.Settings().Agent
	cfg.Confirm = run.Confirm
	_, last, err := agent.Follow(ctx, agent.RunConfig{
		Session: agent.Asker{Remote: run, Settings: cfg}, Inbox: run, Model: m, Prompt: prompt,
		MaxIterations: limits.MaxIterations, MaxTokens: limits.MaxTokens, MaxCost: limits.MaxCost, Words: a.words, Events: agent.Logged(a.log.With(zap.String("session", run.ID()))),
	}, run.Tell)
	if _, err := run.End(last, err); err != nil {
		a.log.Warn("a run could not be ended", zap.Error(err))
	}
}

// Wait returns when all runs are over.
func (a *Asker) Wait() { a.goes.Wait() }
