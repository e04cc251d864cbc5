package openai

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestNew(t *testing.T) {
	three := 3.0
	for _, test := range []struct {
		cfg  Config
		want string // part of the error; "": none
	}{
		{Config{Model: "m"}, ""},
		{Config{Model: "m", BaseURL: "http://[::1]:8080/v1"}, ""},
		{Config{Model: "m", Key: " " + testKey + "\n"}, ""},
		{Config{}, "model.model is not set"},
		{Config{Model: " "}, "model.model is not set"},
		{Config{Model: "m", BaseURL: "localhost:11434/v1"}, "model.base_url has no scheme; write http://"},
		{Config{Model: "m", BaseURL: "ftp://secret-password@h"}, "model.base_url has the scheme ftp"},
		{Config{Model: "m", BaseURL: "http://u:secret-password@h:x/"}, "model.base_url is no URL"},
		{Config{Model: "m", BaseURL: "http://"}, "model.base_url is no URL"},
		{Config{Model: "m", Key: "a b", KeyName: "MY_KEY"}, "the key in MY_KEY holds a character"},
		{Config{Model: "m", Key: "„secret-password“secret-password"}, "the key holds a character"},
		{Config{Model: "m", Temperature: &three}, "model.temperature is 3; it goes from 0 to 2"},
		{Config{Model: "m", MaxOutput: -1}, "model.max_output_tokens is -1"},
		{Config{Model: "m", Profile: Profile{ToolIDs: "x"}}, `model.profile.tool_ids is "x"; it can be one of ["any" "alnum9"]`},
		{Config{Model: "m", Profile: Profile{IdleTimeout: -1}}, "model.profile.idle_timeout"},
		{Config{Model: "m", Profile: Profile{ContextWindow: -1}}, "model.profile.context_window"},
		{Config{Model: "m", Profile: Profile{Headers: map[string]string{"a b": "x"}}}, "model.profile.headers"},
	} {
		_, err := New(test.cfg)
		switch {
		case test.want == "" && err != nil, test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
			t.Errorf("%+v: got %v, want %q", test.cfg, err, test.want)
		case err != nil && strings.Contains(err.Error(), "secret-password"):
			t.Errorf("a secret stands in %q", err)
		}
	}
}

func TestProfileFor(t *testing.T) {
	for _, test := range []struct{ base, model, row, want string }{
		{"", "gpt-4o", "OpenAI", `{"max_tokens_field":"max_completion_tokens"}`},
		{"https://eu.api.openai.com/v1", "o3-mini", "OpenAI, reasoning model", `{"max_tokens_field":"max_completion_tokens","temperature":false,"system_role":"developer"}`},
		{"", "gpt-5-chat-latest", "OpenAI", `{"max_tokens_field":"max_completion_tokens"}`},
		{"https://api.openai.com:/v1", "gpt-4o", "OpenAI", `{"max_tokens_field":"max_completion_tokens"}`},
		{"https://x.openai.azure.com", "gpt-4o", "Azure", `{"api":"azure"}`},
		{"https://x.openai.azure.com/openai/v1", "gpt-5", "Azure v1, reasoning model", `{"max_tokens_field":"max_completion_tokens","temperature":false,"system_role":"developer"}`},
		{"http://localhost:11434/v1", "gpt-5", "Ollama", `{"tool_only_content":"empty"}`},
		{"http://big.box.lan:11434/v1", "x", "Ollama", `{"tool_only_content":"empty"}`},
		{"http://127.0.0.1:1234/v1", "x", "LM Studio", `{"tool_only_content":"empty"}`},
		{"http://[::1]:8080/v1", "x", "llama.cpp", `{}`},
		{"http://gpu:8000/v1", "x", "vLLM", `{}`},
		{"https://gpu.example.com:8000/v1", "x", "", `{}`},
		{"https://openrouter.ai/api/v1", "x", "OpenRouter", `{}`},
		{"https://api.deepseek.com", "deepseek-chat", "DeepSeek", `{"echo_reasoning":"reasoning_content","echo_scope":"all","strict_turns":true}`},
		{"https://api.moonshot.ai/v1", "kimi", "Moonshot", `{"echo_reasoning":"reasoning_content","echo_scope":"all"}`},
		{"https://api.mistral.ai/v1", "x", "Mistral", `{"stream_usage":false,"strict_turns":true,"tool_ids":"alnum9"}`},
		{"https://generativelanguage.googleapis.com/v1beta/openai", "x", "Gemini", `{"tool_names":true}`},
		{"https://notopenai.com/v1", "gpt-5", "", `{}`},
		{"nonsense", "x", "", `{}`},
	} {
		p, row := ProfileFor(test.base, test.model)
		var want Profile
		if err := json.Unmarshal([]byte(test.want), &want); err != nil {
			t.Fatal(err)
		}
		if row != test.row || !reflect.DeepEqual(p, want) {
			t.Errorf("%s %s: got %q %s, want %q %s", test.base, test.model, row, pretty(p), test.row, test.want)
		}
	}
}

// Every row of the table is a profile that can be.
func TestTheTable(t *testing.T) {
	names := map[string]bool{}
	for _, s := range servers() {
		if err := s.profile("reasoning").over(s.profile("profile")).check(); err != nil || names[s.name] {
			t.Errorf("%s: %v, or twice", s.name, err)
		}
		names[s.name] = true
	}
	if err := defaults().check(); err != nil {
		t.Error(err)
	}
}

// Settings go over what was learnt, that over the table, that over the defaults.
func TestLayers(t *testing.T) {
	yes := true
	m := mustModel(t, Config{
		BaseURL: "https://api.mistral.ai/v1",
		Profile: Profile{ToolIDs: "any", Headers: map[string]string{"A": "1"}, OmitFields: []string{"x"}, ExtraBody: map[string]any{"k": 1}},
		Learnt:  Profile{ToolIDs: "alnum9", StreamUsage: &yes, ContextWindow: 5, OmitFields: []string{"y", "x"}, ExtraBody: map[string]any{"k": 2, "l": 3}},
	})
	got := m.Profile()
	want := defaults()
	want.ToolIDs, want.StreamUsage, want.StrictTurns, want.ContextWindow = "any", &yes, &yes, 5
	want.Headers, want.OmitFields, want.ExtraBody = map[string]string{"A": "1"}, []string{"x", "y"}, map[string]any{"k": 1, "l": 3}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %s, want %s", pretty(got), pretty(want))
	}
}

// Every field of a profile goes through JSON, and layers.
func TestProfileFields(t *testing.T) {
	text := `{"api":"azure","api_version":"v","headers":{"A":"1"},"max_tokens_field":"none","max_output":1,"temperature":false,"system_role":"user",` +
		`"tool_only_content":"omit","stream":false,"stream_usage":false,"parallel_tool_calls":true,"echo_reasoning":"reasoning","echo_scope":"all","strict_turns":true,` +
		`"tool_ids":"alnum9","tool_names":true,"text_tool_calls":"reprompt","thinking":"open","omit_fields":["a"],"extra_body":{"b":[1]},"context_window":2,"request_limit":1,"first_byte_timeout":"1m0s","idle_timeout":"2s"}`
	var p Profile
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		t.Fatal(err)
	}
	if got := string(encode(p)); got != text {
		t.Errorf("got %s, want %s", got, text)
	}
	v := reflect.ValueOf(p)
	for i := range v.NumField() {
		if v.Field(i).IsZero() {
			t.Errorf("%s is not in this test", v.Type().Field(i).Name)
		}
	}
	if got := p.over(Profile{}); !reflect.DeepEqual(got, p) {
		t.Errorf("over nothing it is %s", pretty(got))
	}
	if got := (Profile{}).over(p); !reflect.DeepEqual(got, p) {
		t.Errorf("below nothing it is %s", pretty(got))
	}
}

func TestDuration(t *testing.T) {
	for text, want := range map[string]time.Duration{`"90s"`: 90 * time.Second, `"1h"`: time.Hour, `1000000000`: time.Second, `"x"`: -1, `true`: -1} {
		var d Duration
		if err := json.Unmarshal([]byte(text), &d); (err == nil) != (want >= 0) || err == nil && time.Duration(d) != want {
			t.Errorf("%s: got %s, %v", text, time.Duration(d), err)
		}
	}
}

func TestU37QuotesAroundAKey(t *testing.T) {
	const key = "sk-abc_DEF-123="
	for _, text := range []string{
		key, " " + key + "\r\n", `"` + key + `"`, "'" + key + "'", "“" + key + "”", "„" + key + "“", "‘" + key + "’", "‚" + key + "‘", "«" + key + "»", "`" + key + "`",
		"\ufeff" + key, ` "` + key + "\"\n", "“" + key, "\"'" + key + "'\"", "\u00a0" + key + "\u200b",
	} {
		m, w := testModel(t, Config{Key: text}, answer{body: events(says("Hi"), end("stop"))})
		if _, _, err := stream(t, m, ask()); err != nil {
			t.Fatal(err)
		}
		if got := w.requests()[0].header.Get("Authorization"); got != "Bearer "+key {
			t.Errorf("%q is sent as %q", text, got)
		}
		if shown := m.hidden.quote("your key " + key); strings.Contains(shown, key) {
			t.Errorf("%q: shown as %s", text, shown)
		}
	}
	for _, text := range []string{"sk-abc”def", "sk abc"} { // within a key they are a mistake
		if _, err := New(Config{Model: "m", Key: text}); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}
