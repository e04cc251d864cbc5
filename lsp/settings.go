package lsp

import (
	"context"
	"encoding/json"
	"sync"

	"go.lsp.dev/protocol"
	"go.uber.org/zap"
)

// Settings are those that the language server needs itself, below "ui". What
// they are called, and what they may be, is known to who reads them: Configure.
type Settings struct {
	Diagnostics string // auto, off, hint, information or warning
	CodeLens    bool
	InlayHints  bool
	Icons       bool
}

// DefaultSettings are the settings of who has said nothing.
func DefaultSettings() Settings {
	return Settings{Diagnostics: "auto", CodeLens: true, InlayHints: true, Icons: true}
}

// settingsBox holds the settings in force, and what the client said of them.
type settingsBox struct {
	// turn lets one reading follow the other: each reads what is newest then, so
	// that the last one is about the last word. Nothing is guarded by it.
	turn sync.Mutex

	mu   sync.Mutex // guards the rest
	sent any        // what came last of the client's settings
	now  Settings
	gen  int // rises with every change
	told map[string]bool
}

func (b *settingsBox) get() (Settings, int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.now, b.gen
}

// said is what the client said last.
func (b *settingsBox) said() any {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.sent
}

func (b *settingsBox) hear(sent any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.sent = sent
}

// adopt takes over settings, and answers what is wrong with them and was not said yet.
func (b *settingsBox) adopt(now Settings, wrong []string) (fresh []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if now != b.now {
		b.now = now
		b.gen++
	}
	for _, w := range wrong {
		if !b.told[w] {
			b.told[w] = true
			fresh = append(fresh, w)
		}
	}
	return fresh
}

// configure reads all settings anew, and answers what there is to complain of.
func (s *server) configure() []string {
	if s.cfg.Configure == nil {
		return nil
	}
	s.settings.turn.Lock()
	defer s.settings.turn.Unlock()
	defer s.pub.poke()
	return s.settings.adopt(s.cfg.Configure(s.client.Load().public(), s.settings.said()))
}

// reconfigure does so and tells what is wrong.
func (s *server) reconfigure() {
	for _, w := range s.configure() {
		s.complain(w)
	}
}

// followSettings reads them anew when those change that are not the client's.
func (s *server) followSettings(ctx context.Context) {
	for {
		select {
		case _, ok := <-s.cfg.Changed:
			if !ok {
				return
			}
			s.reconfigure()
		case <-ctx.Done():
			return
		}
	}
}

// fetchSettings asks the client for its settings and says what is wrong in them.
func (s *server) fetchSettings(ctx context.Context) {
	c := s.client.Load()
	if c.caps.configurationDynamic {
		s.register(ctx, "galley-settings", protocol.MethodWorkspaceDidChangeConfiguration, map[string]any{"section": section})
	}
	s.pullSettings(ctx)
}

func (s *server) pullSettings(ctx context.Context) {
	if !s.client.Load().caps.configuration {
		return
	}
	var got json.RawMessage
	err := protocol.Call(ctx, s.conn, protocol.MethodWorkspaceConfiguration,
		&protocol.ConfigurationParams{Items: []protocol.ConfigurationItem{{Section: new(section)}}}, &got)
	if err != nil {
		s.log.Warn("the client did not tell its settings", zap.Error(err))
		return
	}
	var list []any
	_ = json.Unmarshal(got, &list)
	if len(list) > 0 {
		s.settings.hear(list[0])
		s.reconfigure()
	}
}

// didChangeConfiguration brings the settings, or only says that they changed.
func (s *server) didChangeConfiguration(params json.RawMessage) error {
	if s.client.Load().caps.configuration {
		s.spawn(s.pullSettings)
		return nil
	}
	var p struct {
		Settings json.RawMessage `json:"settings"`
	}
	if err := decoded(params, &p); err != nil {
		return err
	}
	s.settings.hear(SentSettings(p.Settings))
	s.reconfigure()
	return nil
}
