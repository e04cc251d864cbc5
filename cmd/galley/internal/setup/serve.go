package setup

import (
	"cmp"
	"context"
	"os"
	"reflect"
	"slices"
	"sync"

	"go.uber.org/zap"

	"github.com/galley-ls/galley/agent"
	"github.com/galley-ls/galley/agent/host"
	"github.com/galley-ls/galley/agent/model"
	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/cmd/galley/internal/settings"
	"github.com/galley-ls/galley/lsp"
	"github.com/galley-ls/galley/memory"
)

// Opener opens the host in the folder of --workspace, else in the one that the editor names, else in the current one;
// and it gives the host the settings, whenever they change.
type Opener struct {
	src     settings.Sources // without the editor's
	Log     *zap.Logger
	File    *logFile
	ctx     context.Context // of the process
	stop    context.CancelFunc
	Changed chan struct{} // a file of settings changed
	Words   agent.Words   // how calls are told; may be nil
	due     chan struct{} // holds a token while the host has not all settings
	work    sync.WaitGroup
	host    *host.Host // nil before open; work begins behind it

	// The settings are read by open, and by configure behind it: never twice at a time.
	asked settings.Model // what the model was made from, and with which key
	key   string
	fault error // why it could not be made
	// trusted is whether the editor's folder covers the workspace, so that its word for it counts.
	trusted bool

	mu    sync.Mutex // guards what follows
	place Place
	model model.Model // nil: none was made yet
}

func NewOpener(ctx context.Context, p Place, src settings.Sources) *Opener {
	o := &Opener{src: src, place: p, File: NewLogFile(), Changed: make(chan struct{}, 1), due: make(chan struct{}, 1)}
	o.ctx, o.stop = context.WithCancel(ctx)
	o.Log = o.File.Logger()
	return o
}

// now are the place with its settings, and the model that they choose.
func (o *Opener) now() (Place, model.Model) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.place, o.model
}

// Open opens the host with the settings of the workspace and of the editor.
func (o *Opener) Open(c lsp.Client) (lsp.Host, error) {
	p, _ := o.now()
	if p.Named == "" && c.Root != "" {
		p.Workspace = FolderOf(c.Root)
	}
	o.trusted = covers(cmp.Or(c.Root, p.Workspace), p.Workspace)
	_ = o.read(p, c.Options, nil) // configure says what is wrong
	p, m := o.now()
	cfg := p.Config()
	window(&cfg, m)
	h, err := host.Open(o.ctx, host.Config{
		Session: cfg, Start: o.start,
		Earlier: func(s *session.Session, said []memory.Message) []host.Run {
			return agent.Earlier(said, s.Mask, o.Words)
		},
		Warn: func(format string, args ...any) { o.Log.Sugar().Warnf(format, args...) },
	})
	if err != nil {
		return nil, err
	}
	o.host = h
	o.work.Go(o.follow)
	o.watch(p.Workspace)
	return h, nil
}

// start makes a run with the settings of now, which it keeps: its conversation is in the words of one model.
func (o *Opener) start(s *session.Session, prompt string) host.Work {
	p, m := o.now()
	limits := p.Settings().Agent
	return agent.Serve(s, agent.RunConfig{Model: m, Prompt: prompt, MaxIterations: limits.MaxIterations, MaxTokens: limits.MaxTokens, MaxCost: limits.MaxCost, Words: o.Words, Events: agent.Logged(o.Log.With(zap.String("session", s.ID())))})
}

// window gives a session the name and the window of its model.
func window(cfg *session.Config, m model.Model) {
	if cfg.Model = m.Name(); cfg.Window == 0 {
		cfg.Window = WindowOf(m)
	}
	if cfg.Summarize == nil {
		cfg.Summarize = agent.Summarizer(m)
	}
}

// read reads all settings anew, and answers sentences about what is wrong.
func (o *Opener) read(p Place, options, sent any) (wrong []string) {
	src := o.src
	src.Workspace = p.Workspace
	src.Editor, src.Trusted = []any{withoutTrust(options), sent}, o.trusted && trusts(options)
	loaded := Load(src)
	p.Loaded = &loaded
	for _, p := range slices.Concat(loaded.Errors, loaded.Warnings) {
		wrong = append(wrong, p.String())
	}
	if err := o.File.Set(loaded.Settings.Log); err != nil {
		wrong = append(wrong, err.Error())
	}
	_, m := o.now()
	m, err := o.chosen(m, loaded.Settings.Model)
	if err != nil {
		wrong = append(wrong, err.Error())
	}
	if odd := loaded.Settings.Model.Exposed(os.Getenv); odd != "" {
		wrong = append(wrong, odd)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.place, o.model = p, m
	return wrong
}

// chosen is the model that the settings choose: the one that there is, or another where they changed. One that cannot be
// made says so to whoever asks it.
func (o *Opener) chosen(now model.Model, s settings.Model) (model.Model, error) {
	key := s.Key(os.Getenv)
	if now != nil && key == o.key && reflect.DeepEqual(s, o.asked) {
		return now, o.fault
	}
	o.asked, o.key = s, key
	m, err := Model(s, func(odd string) { o.Log.Warn(odd) }, o.poke)
	if o.fault = err; err != nil {
		m = brokenModel{err}
	}
	return m, err
}

// trusts reports whether the editor's user has said that this workspace may set everything.
func trusts(options any) bool {
	said, _ := options.(map[string]any)
	yes, _ := said["trusted"].(bool)
	return yes
}

// withoutTrust are the options that are settings.
func withoutTrust(options any) any {
	said, ok := options.(map[string]any)
	if !ok {
		return options
	}
	out := map[string]any{}
	for name, v := range said {
		if _, isFlag := v.(bool); name != "trusted" || !isFlag {
			out[name] = v
		}
	}
	return out
}

// Configure is asked by the language server: it reads all settings, hands them on, and answers those that the server
// needs, with all that is wrong.
func (o *Opener) Configure(options, sent any) (lsp.Settings, []string) {
	p, _ := o.now()
	wrong := o.read(p, options, sent)
	o.poke()
	p, _ = o.now()
	ui := p.Settings().UI
	return lsp.Settings{Diagnostics: ui.Diagnostics, CodeLens: ui.CodeLens, InlayHints: ui.InlayHints, Icons: ui.Icons}, wrong
}

// poke lets the host have the settings, and what is known of the model, anew.
func (o *Opener) poke() {
	select {
	case o.due <- struct{}{}:
	default: // it is due already
	}
}

// follow gives the host the settings. Sessions may be busy, and the editor shall not wait for them.
func (o *Opener) follow() {
	for {
		select {
		case <-o.due:
			o.apply()
		case <-o.ctx.Done():
			return
		}
	}
}

// apply gives the host the settings as they are now.
func (o *Opener) apply() {
	p, m := o.now()
	o.host.SetSession(func(cfg *session.Config) {
		p.Configure(cfg)
		window(cfg, m)
	})
}

func (o *Opener) Close() error {
	o.stop()
	o.work.Wait()
	defer o.File.Close()
	if o.host == nil {
		return nil
	}
	return o.host.Close()
}

// brokenModel stands for one that the settings do not allow to be made.
type brokenModel struct{ why error }

// Name implements model.Model.
func (brokenModel) Name() string { return "none" }

// Stream implements model.Model.
func (m brokenModel) Stream(context.Context, memory.Request, func(model.Delta)) (model.Reply, error) {
	return model.Reply{}, m.why
}
