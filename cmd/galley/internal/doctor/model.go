package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/galley-ls/galley/agent/openai"
	"github.com/galley-ls/galley/cmd/galley/internal/settings"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
	"github.com/galley-ls/galley/editing/text"
	"github.com/galley-ls/galley/memory"
)

// errOffline is a server that was not asked because nobody wanted it.
var errOffline = errors.New("no server is asked with --offline")

// model tells who answers, and tries it.
func (d *doctor) model(ctx context.Context) {
	m := d.Loaded.Settings.Model
	switch {
	case m.Provider == settings.ProviderOffline:
		d.good("the offline model, as model.provider says: built in, no network, and no language model")
	case m.Chosen() == settings.ProviderOffline:
		d.newcomer(ctx)
	default:
		d.server(ctx, m)
	}
}

// server looks at a model server, as far as each answer allows the next question.
func (d *doctor) server(ctx context.Context, m settings.Model) {
	if !d.key(m) {
		return
	}
	if m.Model == "" {
		d.unnamed(ctx, m)
		return
	}
	server, err := settings.Server(m, d.odd)
	if err != nil {
		d.bad("", "%s", err)
		return
	}
	if d.Offline {
		d.good("%s is configured; it is not asked with --offline", server.Name())
	} else if !d.asked(ctx, m, server) {
		return
	}
	d.profile(m)
	d.window(m, server)
}

// asked looks whether the server has the model, and whether it answers.
func (d *doctor) asked(ctx context.Context, m settings.Model, server *openai.Model) bool {
	others, ok := d.listed(ctx, m, server)
	return ok && d.try(ctx, m, server, others)
}

// key tells whether there is a key, and never which. Without one it answers false where none can be asked.
func (d *doctor) key(m settings.Model) bool {
	name := m.KeyEnv()
	switch {
	case m.Key(d.env) == "" && openai.IsOwn(m.BaseURL):
		d.bad("set it to your key, or have model.api_key_env name the variable that holds it; a server of your own wants model.base_url",
			"%s is not set, and api.openai.com answers nobody without a key", name)
		return false
	case m.Key(d.env) == "" && m.APIKeyEnv != "":
		d.look("set it, or take model.api_key_env away if the server wants no key", "model.api_key_env names %s, which is not set: no key is sent", name)
	case m.Key(d.env) != "":
		d.good("the key is in %s", name)
	case name == "" && d.env(settings.DefaultKeyEnv) != "":
		d.good("no key is sent: %s is OpenAI's, and goes to another server only if model.api_key_env names it", settings.DefaultKeyEnv)
	default:
		d.good("model.api_key_env is not set, so no key is sent: servers of your own mostly want none")
	}
	return true
}

// unnamed is a server without the name of a model: it is asked which it has.
func (d *doctor) unnamed(ctx context.Context, m settings.Model) {
	m.Model = "any"
	next := "set it to the name that the server knows"
	if server, err := settings.Server(m, d.odd); err == nil && !d.Offline {
		if models, err := d.models(ctx, server); err == nil && len(models) > 0 {
			next = "set it to one that the server has: " + namesOf(models)
		}
	}
	d.bad(next, "model.model is not set")
}

// models asks for the list, which a server has at once.
func (d *doctor) models(ctx context.Context, server *openai.Model) ([]string, error) {
	d.spin.Show(term.Begin("asking for the models of "+server.Name()), 0)
	defer d.spin.Hide()
	ctx, cancel := context.WithTimeout(ctx, d.patient.answer)
	defer cancel()
	return server.Models(ctx)
}

// listed looks for the model in the server's list. Others are in it instead, which is told later: some servers have one
// model and take any name. It answers whether there is any use in going on.
func (d *doctor) listed(ctx context.Context, m settings.Model, server *openai.Model) (others []string, ok bool) {
	models, err := d.models(ctx, server)
	var why *openai.Error
	switch {
	case errors.As(err, &why) && slices.Contains(hopeless, why.Kind):
		d.bad(why.Next, "%s", why.What)
		return nil, false
	case errors.Is(err, context.DeadlineExceeded):
		d.bad("look at the server, and whether model.base_url is its address", "%s takes the connection and says nothing for %s", settings.PublicURL(m.BaseURL), term.Took(d.patient.answer))
		return nil, false
	case err != nil:
		d.look("", "the server does not list its models (%s), so the name cannot be compared", term.OneLine(err.Error(), 200))
	case len(models) == 0:
		d.look("", "the server answers, and lists no models")
	case slices.ContainsFunc(models, func(listed string) bool { return openai.Means(m.Model, listed) }):
		d.good("the server answers, and has %s", m.Model)
	default:
		return models, true
	}
	return nil, true
}

// hopeless are failures that the next question meets too. Being forbidden is none: a key may be good for replies only.
var hopeless = []openai.Kind{openai.KindConnect, openai.KindDNS, openai.KindTLS, openai.KindAuth, openai.KindTimeout}

// missing says which model may be meant, and how to get the one that is not there.
func missing(m settings.Model, models []string) string {
	next := "set model.model to one that it has: " + namesOf(near(m.Model, models))
	if _, row := openai.ProfileFor(m.BaseURL, m.Model); row == "Ollama" {
		next += "\nor get it: ollama pull " + m.Model
	}
	return next
}

// near are models with the likest names first.
func near(name string, models []string) []string {
	rest := slices.Sorted(slices.Values(models))
	var out []string
	take := func(m string) {
		out = append(out, m)
		rest = slices.DeleteFunc(rest, func(r string) bool { return r == m })
	}
	base, _, _ := strings.Cut(name, ":")
	for _, m := range slices.Clone(rest) {
		if strings.Contains(m, base) || strings.HasPrefix(name, m) {
			take(m)
		}
	}
	for m := settings.Nearest(name, rest); m != ""; m = settings.Nearest(name, rest) {
		take(m)
	}
	return append(out, rest...)
}

// profile tells what is known about the server, and what its refusals have taught.
func (d *doctor) profile(m settings.Model) {
	_, row := openai.ProfileFor(m.BaseURL, m.Model)
	line := "it is treated as " + row
	if row == "" {
		line = "it is treated as any OpenAI-compatible server"
	}
	if learnt := profileText(d.taught(m)); learnt != "" {
		line += "; learnt from what it refused: " + learnt
	}
	d.good("%s", line)
}

// taught is what refusals of the server have taught until now.
func (d *doctor) taught(m settings.Model) (p openai.Profile) {
	cache, err := settings.CacheDir()
	if err == nil {
		err = settings.ReadLearnt(cache, settings.LearntKey(m.BaseURL, m.Model), &p)
	}
	if err != nil {
		return openai.Profile{} // the warning is told already
	}
	return p
}

// odd is a warning about what was learnt about servers.
func (d *doctor) odd(what string) { d.look("", "%s", what) }

// profileText are the switches of a profile that are set, as the settings name them.
func profileText(p openai.Profile) string {
	fields := map[string]any{}
	if text, err := json.Marshal(p); err != nil || json.Unmarshal(text, &fields) != nil {
		return ""
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		parts = append(parts, fmt.Sprintf("%s %v", name, fields[name]))
	}
	return strings.Join(parts, ", ")
}

// window tells how much fits into a request.
func (d *doctor) window(m settings.Model, server *openai.Model) {
	learnt := server.Window()
	_, row := openai.ProfileFor(m.BaseURL, m.Model)
	switch {
	case m.ContextWindow > 0:
		d.good("context window %s tokens, as model.context_window says", text.Thousands(m.ContextWindow))
	case learnt > 0:
		d.good("context window %s tokens, as the server said", text.Thousands(learnt))
	case row == "Ollama":
		d.look("start it with more: OLLAMA_CONTEXT_LENGTH=32768 ollama serve\nand tell galley: model.context_window: 32768",
			"context window not known, taken for %s tokens; Ollama silently cuts off what is longer than its own, often 4,096", text.Thousands(memory.DefaultWindow))
	default:
		d.look("set model.context_window if it is less", "context window not known, taken for %s tokens", text.Thousands(memory.DefaultWindow))
	}
}
