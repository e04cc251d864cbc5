package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"go.lsp.dev/protocol"
	"go.uber.org/zap"
)

// Settings are those that the language server reads itself.
type Settings struct {
	Diagnostics string // auto, off, hint, information or warning
	CodeLens    bool
	InlayHints  bool
	Icons       bool
	Review      string // ask, wait or auto
	LogLevel    string // debug, info, warn or error
}

// DefaultSettings are the settings of who has said nothing.
func DefaultSettings() Settings {
	return Settings{Diagnostics: "auto", CodeLens: true, InlayHints: true, Icons: true, Review: "ask", LogLevel: "info"}
}

// setting is one row of the table of settings: exactly one field is set.
type setting struct {
	name  string
	words []string // allowed values of a text
	text  func(*Settings) *string
	flag  func(*Settings) *bool
}

func settingsTable() []setting {
	return []setting{
		{
			name: "ui.diagnostics", words: []string{"auto", "off", "hint", "information", "warning"},
			text: func(s *Settings) *string { return &s.Diagnostics },
		},
		{name: "ui.code_lens", flag: func(s *Settings) *bool { return &s.CodeLens }},
		{name: "ui.inlay_hints", flag: func(s *Settings) *bool { return &s.InlayHints }},
		{name: "ui.icons", flag: func(s *Settings) *bool { return &s.Icons }},
		{name: "review", words: []string{"ask", "wait", "auto"}, text: func(s *Settings) *string { return &s.Review }},
		{
			name: "log.level", words: []string{"debug", "info", "warn", "error"},
			text: func(s *Settings) *string { return &s.LogLevel },
		},
	}
}

// set reads a value, or says what is wrong with it.
func (x setting) set(s *Settings, v any) error {
	switch got := v.(type) {
	case bool:
		if x.flag != nil {
			*x.flag(s) = got
			return nil
		}
	case string:
		if slices.Contains(x.words, got) {
			*x.text(s) = got
			return nil
		}
		if near := nearest(got, x.words); near != "" {
			return fmt.Errorf("setting %s is %q; did you mean %q?", x.name, got, near)
		}
	}
	value, _ := json.Marshal(v)
	if x.flag != nil {
		return fmt.Errorf("setting %s is %s; it must be true or false", x.name, value)
	}
	return fmt.Errorf("setting %s is %s; it is one of %s", x.name, value, strings.Join(x.words, ", "))
}

// readSettings lays what a client sent over base. What cannot be read is left
// and told; names that belong to others are passed over.
func readSettings(base Settings, sent tree, known []string) (Settings, []string) {
	table := settingsTable()
	var names, wrong []string
	for _, x := range table {
		names = append(names, x.name)
	}
	for _, kv := range flatten("", sent.v) {
		i := slices.Index(names, kv.name)
		switch {
		case i >= 0:
			if err := table[i].set(&base, kv.value); err != nil {
				wrong = append(wrong, err.Error())
			}
		case others(kv.name, known):
		default:
			wrong = append(wrong, unknownSetting(kv.name, append(slices.Clone(names), known...)))
		}
	}
	return base, wrong
}

func unknownSetting(name string, names []string) string {
	if near := nearest(name, names); near != "" {
		return fmt.Sprintf("there is no setting %s; did you mean %s?", name, near)
	}
	return fmt.Sprintf("there is no setting %s; docs/protocol.md lists them", name)
}

// others reports whether a name, or a group it is in, is read by others.
func others(name string, known []string) bool {
	return slices.ContainsFunc(known, func(k string) bool { return name == k || strings.HasPrefix(name, k+".") })
}

type named struct {
	name  string
	value any
}

// flatten lists the leaves of nested objects by their dotted names, in order.
func flatten(prefix string, v any) []named {
	m, ok := v.(map[string]any)
	if !ok {
		if prefix == "" || v == nil {
			return nil
		}
		return []named{{prefix, v}}
	}
	var out []named
	for name, inner := range m {
		if prefix != "" {
			name = prefix + "." + name
		}
		out = append(out, flatten(name, inner)...)
	}
	slices.SortFunc(out, func(a, b named) int { return strings.Compare(a.name, b.name) })
	return out
}

// nearest is the name that differs least, "" if all differ by a third or more.
func nearest(name string, names []string) string {
	best, most := "", max(1, len(name)/3)+1
	for _, n := range names {
		if d := distance(name, n); d < most {
			best, most = n, d
		}
	}
	return best
}

// distance is the number of letters to insert, delete or change.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}

// settingsBox holds the settings in force.
type settingsBox struct {
	options tree // initializationOptions; set before anything reads it

	mu      sync.Mutex // guards the rest
	now     Settings
	gen     int // rises with every change
	told    map[string]bool
	waiting []string // complaints to be made when the client may be spoken to
}

func (b *settingsBox) set(s Settings) {
	if s == (Settings{}) {
		s = DefaultSettings()
	}
	b.now, b.told = s, map[string]bool{}
}

func (b *settingsBox) get() (Settings, int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.now, b.gen
}

// complaints takes what is to be said.
func (b *settingsBox) complaints() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := b.waiting
	b.waiting = nil
	return out
}

// configure reads all settings anew, with those that the client sent last.
func (s *server) configure(sent tree) {
	base := s.cfg.Settings
	if base == (Settings{}) {
		base = DefaultSettings()
	}
	now, wrong := readSettings(base, s.settings.options, s.cfg.Known)
	now, more := readSettings(now, sent, s.cfg.Known)
	s.settings.adopt(now, append(wrong, more...))
	if s.cfg.Configure != nil {
		raw := map[string]any{}
		for _, t := range []tree{s.settings.options, sent} {
			for _, kv := range flatten("", t.v) {
				raw[kv.name] = kv.value
			}
		}
		s.cfg.Configure(now, raw)
	}
	s.pub.poke()
}

func (b *settingsBox) adopt(now Settings, wrong []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if now != b.now {
		b.now = now
		b.gen++
	}
	for _, w := range wrong {
		if !b.told[w] {
			b.told[w] = true
			b.waiting = append(b.waiting, w)
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
	name := section
	var got json.RawMessage
	err := protocol.Call(ctx, s.conn, protocol.MethodWorkspaceConfiguration,
		&protocol.ConfigurationParams{Items: []protocol.ConfigurationItem{{Section: &name}}}, &got)
	if err != nil {
		s.log.Warn("the client did not tell its settings", zap.Error(err))
		return
	}
	var list []any
	_ = json.Unmarshal(got, &list)
	if len(list) > 0 {
		s.newSettings(tree{list[0]})
	}
}

func (s *server) newSettings(sent tree) {
	s.configure(sent)
	for _, complaint := range s.settings.complaints() {
		s.complain(complaint)
	}
}

// didChangeConfiguration brings the settings, or only the news that they changed.
func (s *server) didChangeConfiguration(params json.RawMessage) error {
	if s.client.Load().caps.configuration {
		s.spawn(s.pullSettings)
		return nil
	}
	sent := treeOf(params).at("settings")
	if inner := sent.at(section); inner.object() {
		sent = inner
	}
	s.newSettings(sent)
	return nil
}
