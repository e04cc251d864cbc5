package settings

import (
	"fmt"
	"strings"
	"testing"

	"github.com/galley-ls/galley/agent/openai"
)

func TestFormat(t *testing.T) {
	newHouse(t)
	env := func(name string) string { return map[string]string{"SET": "the-key"}[name] }
	for _, test := range []struct {
		name  string
		value any
		want  string
	}{
		{"model.api_key_env", "SET", "SET (set)"},
		{"model.api_key_env", "UNSET", "UNSET (not set)"},
		{"model.base_url", "https://me:secret@x.example/v1?key=secret&v=1#secret", "https://x.example/v1"},
		{"model.base_url", "https://x.example:8443/v1/", "https://x.example:8443/v1/"},
		{"model.base_url", "", ""},
		{"model.temperature", nil, ""},
		{"model.temperature", 0.0, "0"},
		{"tools.run_command_timeout", Default().Tools.RunCommandTimeout, "60s"},
		{"tools.deny", []string(nil), "[]"},
		{"tools.deny", []string{"a b", "<x>"}, `["a b","<x>"]`},
		{"model.profile.headers", map[string]string{"X-Title": "secret"}, `{"X-Title":"[hidden]"}`},
		{"model.profile.extra_body", map[string]any{"top_k": int64(4), "max_tokens": int64(5), "o": map[string]any{"api_key": "secret"}, "l": []any{"x"}}, `{"l":["x"],"max_tokens":5,"o":{"api_key":"[hidden]"},"top_k":4}`},
		{"log.file", "/nowhere/x", "/nowhere/x"},
	} {
		r, ok := Find(test.name)
		if !ok {
			t.Fatal(test.name)
		}
		if got := r.Format(test.value, env); got != test.want || strings.Contains(got, "secret") || strings.Contains(got, "the-key") {
			t.Errorf("%s = %v is shown as %s, want %s", test.name, test.value, got, test.want)
		}
	}
}

func TestSecrets(t *testing.T) {
	s := Default()
	s.Model.BaseURL = "https://me:password-1@x.example/v1?api_key=key-in-url-1&code=code-in-url-1&api-version=2024-10-21"
	s.Model.Profile = openai.Profile{
		Headers:   map[string]string{"Authorization": "Bearer token-1234", "X-Title": "a title of a page", "api-key": "short"},
		ExtraBody: map[string]any{"user": "somebody-1", "providers": []any{map[string]any{"auth": map[string]any{"v": "key-in-body-1"}}}, "max_tokens": int64(12345678)},
	}
	for key, want := range map[string]string{
		"the-key-12": "[Bearer token-1234 code-in-url-1 key-in-body-1 key-in-url-1 password-1 the-key-12 token-1234]",
		"lm-studio":  "[Bearer token-1234 code-in-url-1 key-in-body-1 key-in-url-1 password-1 token-1234]",
	} {
		if got := fmt.Sprint(s.Secrets(func(string) string { return key })); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// A token may stand in an address without a password.
func TestSecretUser(t *testing.T) {
	s := Default()
	s.Model.BaseURL = "https://token-in-url-1@x.example/v1"
	if got := fmt.Sprint(s.Secrets(func(string) string { return "" })); got != "[token-in-url-1]" {
		t.Error(got)
	}
}

func TestNearest(t *testing.T) {
	for _, test := range []struct{ word, want string }{
		{"ask", "ask"}, {"aks", "ask"}, {"wiat", "wait"}, {"aut", "auto"}, {"automatic", ""}, {"", ""}, {"x", ""},
	} {
		if got := Nearest(test.word, []string{"ask", "wait", "auto"}); got != test.want {
			t.Errorf("%q: got %q, want %q", test.word, got, test.want)
		}
	}
}
