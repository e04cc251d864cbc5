package settings

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/galley-ls/galley/agent/openai"
	"github.com/galley-ls/galley/memory"
)

// hidden stands for what nobody should read.
const hidden = "[hidden]"

// Format is a value of the row as people read it, with nothing secret in it. lookup, if it is not nil, tells of a
// variable that holds a key whether it is set.
func (r Row) Format(v any, lookup func(string) string) string {
	switch v := r.Masked(v).(type) {
	case nil:
		return ""
	case string:
		if r.Name == "model.api_key_env" && v != "" && lookup != nil {
			if lookup(v) == "" {
				return v + " (not set)"
			}
			return v + " (set)"
		}
		if r.Kind == Path {
			return homely(v)
		}
		return v
	case time.Duration:
		return formatDuration(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case bool, int:
		return fmt.Sprint(v)
	default:
		return jsonText(v)
	}
}

func jsonText(v any) string {
	text, err := memory.Marshal(v)
	if err != nil {
		return hidden
	}
	return string(text)
}

// Masked is a value for a program, with nothing secret in it: a password in an address, the values of headers, and what
// is called a key or a token.
func (r Row) Masked(v any) any {
	switch v := v.(type) {
	case map[string]string:
		out := map[string]string{}
		for name := range v {
			out[name] = hidden
		}
		return out
	case map[string]any:
		return masked(v)
	case string:
		if r.Name == "model.base_url" {
			return PublicURL(v)
		}
	}
	return plainValue(v)
}

// masked hides the texts of an object whose names sound secret; a number is none: max_tokens.
func masked(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if soundsSecret(name) && len(secretsIn(v[name], true)) > 0 {
				out[name] = hidden
				continue
			}
			out[name] = masked(v[name])
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = masked(item)
		}
		return out
	}
	return v
}

// soundsSecret knows names like Authorization, api-key and X-Auth-Token.
func soundsSecret(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc([]string{"auth", "key", "token", "secret", "password", "cookie", "credential", "signature"}, func(word string) bool {
		return strings.Contains(name, word)
	})
}

// PublicURL is an address without user, password and query.
func PublicURL(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return hidden
	}
	u.User, u.RawQuery, u.ForceQuery, u.Fragment, u.RawFragment = nil, "", false, "", ""
	return u.String()
}

// secretsIn are the texts in a value as JSON has it whose names sound secret; with all, every text.
func secretsIn(v any, all bool) []string {
	var out []string
	switch v := v.(type) {
	case string:
		if all {
			out = append(out, v)
		}
	case []any:
		for _, item := range v {
			out = append(out, secretsIn(item, all)...)
		}
	case map[string]any:
		for name, item := range v {
			out = append(out, secretsIn(item, all || soundsSecret(name))...)
		}
	}
	return out
}

// Secrets are the texts that must stand nowhere: keys in the environment, also one that is not sent, and the secrets of the
// model's settings.
func (s Settings) Secrets(env func(string) string) []string {
	out := s.Model.secrets()
	for _, name := range []string{s.Model.APIKeyEnv, DefaultKeyEnv} {
		if key := openai.PlainKey(env(name)); looksSecret(key) {
			out = append(out, key)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// secrets are what is in the address beside server and path, and what sounds secret in headers and in further fields of a
// request.
func (m Model) secrets() (out []string) {
	for name, value := range m.Profile.Headers {
		if soundsSecret(name) {
			out = append(out, value)
			out = append(out, strings.Fields(value)...) // "Bearer x"
		}
	}
	out = append(out, secretsIn(m.Profile.ExtraBody, false)...)
	out = append(out, secretsOfURL(m.BaseURL)...)
	return slices.DeleteFunc(out, func(s string) bool { return !looksSecret(s) })
}

// secretsOfURL are what an address holds beside server and path, but for the version that Azure wants.
func secretsOfURL(address string) []string {
	u, err := url.Parse(address)
	if err != nil {
		return nil
	}
	password, has := u.User.Password()
	out := []string{password}
	if !has { // a token may stand in the user's place
		out = append(out, u.User.Username())
	}
	for name, values := range u.Query() {
		if name != "api-version" {
			out = append(out, values...)
		}
	}
	return out
}

// looksSecret knows the words that servers of one's own get in place of a key ("ollama", "lm-studio", "none"): hidden, they
// would be missing in every text that speaks of them.
func looksSecret(s string) bool {
	const short, long = 8, 20
	return len(s) >= long || len(s) >= short && strings.ContainsAny(s, "0123456789")
}

// plainValue is a value as JSON has it.
func plainValue(v any) any {
	switch v := v.(type) {
	case time.Duration:
		return formatDuration(v)
	case []string:
		if v == nil {
			return []string{}
		}
	}
	return v
}

// formatDuration writes 1m0s as people do: 60s, 5m, 1h.
func formatDuration(d time.Duration) string {
	switch {
	case d >= time.Hour && d%time.Hour == 0:
		return fmt.Sprintf("%dh", d/time.Hour)
	case d >= 2*time.Minute && d%time.Minute == 0:
		return fmt.Sprintf("%dm", d/time.Minute)
	case d%time.Second == 0:
		return fmt.Sprintf("%ds", d/time.Second)
	}
	return d.String()
}
