package openai

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"
	"unicode"
)

// Config says which server and model, and how to speak to them.
type Config struct {
	BaseURL     string            // "": OpenAI's own
	Model       string            // as the server calls it; at Azure the deployment
	Key         string            // "": none is sent
	KeyName     string            // of the environment variable that holds the key, for messages
	Temperature *float64          // nil: the server's
	MaxOutput   int               // tokens of a reply; 0: the server's
	Profile     Profile           // what the settings say
	Learnt      Profile           // what refusals taught before
	Learn       func(Profile)     // hears all that was learnt when it grew, from the goroutine of Stream; may be nil
	Transport   http.RoundTripper // nil: one of its own
	Clock       Clock             // of the waits between tries and of dates; nil: the system's
	Random      func() float64    // jitter, in [0,1); nil: the system's
	Tries       int               // how often a request is made at most; 0: 5
}

// Clock tells the time and lets it pass.
type Clock interface {
	Now() time.Time
	// Sleep waits, and returns the context's error if that is done first.
	Sleep(ctx context.Context, d time.Duration) error
}

type systemClock struct{}

func (systemClock) Now() time.Time { return time.Now() }

func (systemClock) Sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

const defaultTries = 5

// New makes a model. An error says which setting is wrong.
func New(cfg Config) (*Model, error) {
	a, err := parseAddress(cfg.BaseURL)
	if err != nil {
		return nil, err
	}
	if cfg.Model == "" {
		cfg.Model = a.deployment
	}
	if cfg.Profile.APIVersion == "" {
		cfg.Profile.APIVersion = a.version
	}
	cfg.Key = PlainKey(cfg.Key)
	if err := cfg.check(); err != nil {
		return nil, err
	}
	m := &Model{cfg: cfg.withDefaults(), addr: a, learnt: cfg.Learnt, after: systemTimer}
	m.table, m.row = ProfileFor(cfg.BaseURL, cfg.Model)
	m.hidden = newMask(cfg, a)
	m.client = newClient(cfg.Transport)
	return m, nil
}

// PlainKey is a key without what was copied along with it: blanks, and quotation marks around it, which no key has.
func PlainKey(key string) string {
	return strings.TrimFunc(key, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.In(r, unicode.Pi, unicode.Pf) || strings.ContainsRune("\"'`„‚\ufeff\u200b", r)
	})
}

func (c Config) check() error {
	switch {
	case strings.TrimSpace(c.Model) == "":
		return errors.New("model.model is not set; name the model as its server calls it (galley doctor lists what the server has)")
	case strings.ContainsFunc(c.Key, func(r rune) bool { return r <= ' ' || r > '~' }):
		return fmt.Errorf("the key%s holds a character that no key has (a space, a line end, a quotation mark of a text editor); set it again", named(c.KeyName))
	case c.Temperature != nil && (*c.Temperature < 0 || *c.Temperature > 2):
		return fmt.Errorf("model.temperature is %g; it goes from 0 to 2", *c.Temperature)
	case c.MaxOutput < 0:
		return fmt.Errorf("model.max_output_tokens is %d; it is a number of tokens, or 0 for the server's own limit", c.MaxOutput)
	}
	for name := range c.Profile.Headers {
		if name == "" || strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r > '~' || r == ':' }) {
			return fmt.Errorf("model.profile.headers has the name %q, which no header has", name)
		}
	}
	return c.Profile.check()
}

func (c Config) withDefaults() Config {
	if c.Clock == nil {
		c.Clock = systemClock{}
	}
	if c.Random == nil {
		c.Random = rand.Float64
	}
	if c.Tries <= 0 {
		c.Tries = defaultTries
	}
	return c
}

// named adds the name of a variable to a sentence.
func named(variable string) string {
	if variable == "" {
		return ""
	}
	return " in " + variable
}
