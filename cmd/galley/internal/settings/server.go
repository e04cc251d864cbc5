package settings

import (
	"cmp"
	"fmt"
	"os"

	"github.com/galley-ls/galley/agent/openai"
)

// Server is a model at an OpenAI-compatible server, with all that was learnt about it.
func Server(s Model, warn func(string)) (*openai.Model, error) {
	cfg := openai.Config{
		BaseURL: s.BaseURL, Model: s.Model, Key: s.Key(os.Getenv), KeyName: s.KeyEnv(),
		Temperature: s.Temperature, MaxOutput: s.MaxOutputTokens, Profile: s.Profile,
	}
	cfg.Profile.ContextWindow = cmp.Or(s.ContextWindow, cfg.Profile.ContextWindow)
	if odd := s.Exposed(os.Getenv); odd != "" {
		warn(odd)
	}
	remember(&cfg, warn)
	return openai.New(cfg)
}

// KeyEnv is the variable that holds the key for the server, "" if there is none. No server is sent a key that was not
// named for it, so the usual one counts for OpenAI's own server only.
func (m Model) KeyEnv() string {
	if m.APIKeyEnv == "" && openai.IsOwn(m.BaseURL) {
		return DefaultKeyEnv
	}
	return m.APIKeyEnv
}

// Key is the key that is sent to the server, "" if there is none.
func (m Model) Key(env func(string) string) string { return openai.PlainKey(env(m.KeyEnv())) }

// Exposed is a warning about a key that others can read on its way to the server; "": there is none.
func (m Model) Exposed(env func(string) string) string {
	host, plain := openai.PlainElsewhere(m.BaseURL)
	if !plain || m.Chosen() != ProviderOpenAI {
		return ""
	}
	what := "the key in " + m.KeyEnv()
	if m.Key(env) == "" {
		if what = "what is secret in model.base_url or model.profile"; len(m.secrets()) == 0 {
			return ""
		}
	}
	return fmt.Sprintf("%s goes to another machine (%s) over plain http, where others can read it; use https, or a tunnel to localhost", what, host)
}

// remember lets a model know what refusals of its server taught before, and keeps what they teach from now on.
func remember(cfg *openai.Config, warn func(string)) {
	cache, err := CacheDir()
	if err != nil {
		warn(err.Error())
		return
	}
	key := LearntKey(cfg.BaseURL, cfg.Model)
	if err := ReadLearnt(cache, key, &cfg.Learnt); err != nil {
		warn(err.Error())
	}
	cfg.Learn = func(p openai.Profile) {
		if err := WriteLearnt(cache, key, p); err != nil {
			warn(fmt.Sprintf("keep what was learnt about the model's server: %s", err))
		}
	}
}
