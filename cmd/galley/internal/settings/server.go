package settings

import (
	"fmt"
	"os"

	"github.com/galley-ls/galley/agent/openai"
)

// Server is a model at an OpenAI-compatible server, with all that was learnt about it.
func Server(s Model, warn func(string), learnt ...func()) (*openai.Model, error) {
	cfg := openai.Config{
		BaseURL: s.BaseURL, Model: s.Model, Key: os.Getenv(s.APIKeyEnv), KeyName: s.APIKeyEnv,
		Temperature: s.Temperature, MaxOutput: s.MaxOutputTokens, Profile: s.Profile,
	}
	remember(&cfg, warn, learnt)
	return openai.New(cfg)
}

// remember lets a model know what refusals of its server taught before, and keeps what they teach from now on.
func remember(cfg *openai.Config, warn func(string), learnt []func()) {
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
		for _, hear := range learnt {
			hear()
		}
	}
}
