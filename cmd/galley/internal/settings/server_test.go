package settings

import (
	"strings"
	"testing"
)

// The usual variable counts for OpenAI's own server, and for no other.
func TestU72NoServerIsSentAKeyThatWasNotNamedForIt(t *testing.T) {
	const own, named = "sk-own-1234567890", "other-1234567890"
	env := func(name string) string { return map[string]string{DefaultKeyEnv: own, "OTHER_KEY": named}[name] }
	for _, c := range []struct{ base, variable, want string }{
		{"", "", own},
		{"https://api.openai.com/v1", "", own},
		{"https://API.OpenAI.com:443/v1/chat/completions", "", own},
		{"http://localhost:11434/v1", "", ""},
		{"http://10.0.0.5:8000/v1", "", ""},
		{"https://openrouter.ai/api/v1", "", ""},
		{"https://api.openai.com.example/v1", "", ""},
		{"https://example.com/api.openai.com/v1", "", ""},
		{"https://api.openai.com@example.com/v1", "", ""},
		{"https://my-resource.openai.azure.com", "", ""},
		{"nonsense", "", ""},
		{"http://localhost:11434/v1", DefaultKeyEnv, own},
		{"https://openrouter.ai/api/v1", "OTHER_KEY", named},
		{"", "OTHER_KEY", named},
		{"", "UNSET", ""},
	} {
		m := Model{BaseURL: c.base, Model: "m", APIKeyEnv: c.variable}
		if got := m.Key(env); got != c.want {
			t.Errorf("%q with api_key_env %q is sent %q, want %q", c.base, c.variable, got, c.want)
		}
		if masked := (Settings{Model: m}).Secrets(env); !strings.Contains(strings.Join(masked, " "), own) {
			t.Errorf("%q: the key that is not sent may be shown", c.base)
		}
	}
}

func TestU72AKeyInTheClearIsWarnedAbout(t *testing.T) {
	env := func(name string) string { return map[string]string{"KEY": "sk-own-1234567890"}[name] }
	header := Model{Model: "m"}
	header.Profile.Headers = map[string]string{"Authorization": "Bearer token-1234567"}
	for _, c := range []struct {
		base string
		m    Model
		warn bool
	}{
		{"http://10.0.0.5:8000/v1", Model{APIKeyEnv: "KEY"}, true},
		{"http://models.example/v1", Model{APIKeyEnv: "KEY"}, true},
		{"http://api.openai.com/v1", Model{APIKeyEnv: "KEY"}, true},
		{"http://box.local:1234/v1", Model{APIKeyEnv: "KEY"}, true},
		{"http://10.0.0.5:8000/v1", header, true},
		{"http://me:password-1@10.0.0.5/v1", Model{}, true},
		{"http://10.0.0.5:8000/v1", Model{}, false},
		{"http://10.0.0.5:8000/v1", Model{APIKeyEnv: "UNSET"}, false},
		{"http://10.0.0.5:8000/v1", Model{APIKeyEnv: "KEY", Provider: ProviderOffline}, false},
		{"https://models.example/v1", Model{APIKeyEnv: "KEY"}, false},
		{"http://localhost:11434/v1", Model{APIKeyEnv: "KEY"}, false},
		{"http://127.0.0.9:8000/v1", Model{APIKeyEnv: "KEY"}, false},
		{"http://[::1]:8000/v1", Model{APIKeyEnv: "KEY"}, false},
	} {
		c.m.BaseURL = c.base
		got := c.m.Exposed(env)
		if (got != "") != c.warn || strings.Contains(got, "sk-own") || strings.Contains(got, "password-1") || strings.Contains(got, "token-1234") {
			t.Errorf("%s with %q: %q", c.base, c.m.APIKeyEnv, got)
		}
	}
}
