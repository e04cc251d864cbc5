package openai

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
)

func TestModels(t *testing.T) {
	for body, want := range map[string]string{
		`{"object":"list","data":[{"id":"b","created":"x"},{"id":"a"},{"id":"a"}]}`: "a b",
		`{"models":[{"name":"a"},{"model":"b"}]}`:                                   "a b",
		`["a","b"]`:     "a b",
		`[]`:            "",
		`{"data":[]}`:   "",
		`{"data":null}`: "",
	} {
		m, w := testModel(t, Config{}, answer{body: body})
		names, err := m.Models(t.Context())
		if err != nil || strings.Join(names, " ") != want || w.requests()[0].header.Get("Authorization") != "Bearer "+testKey || w.requests()[0].url != "http://model.test/v1/models" {
			t.Errorf("%s: got %q, %v", body, names, err)
		}
	}
	for body, want := range map[string]Kind{
		"<html>": KindNotOpenAI, `{"ok":1}`: KindNotOpenAI, "hello": KindNotOpenAI, `{"error":{"message":"x","code":401}}`: KindAuth, "": KindNotOpenAI,
	} {
		m, w := testModel(t, Config{}, answer{body: body})
		if _, err := m.Models(t.Context()); kindOf(err) != want || len(w.requests()) != 1 {
			t.Errorf("%s: got %v with %d requests", body, err, len(w.requests()))
		}
	}
	m, w := testModel(t, Config{BaseURL: "https://x.openai.azure.com"}, answer{body: "[]"})
	if _, err := m.Models(t.Context()); err != nil || w.requests()[0].url != "https://x.openai.azure.com/openai/models?api-version=2024-10-21" || w.requests()[0].header.Get("api-key") != testKey {
		t.Errorf("got %v of %s", err, w.requests()[0].url)
	}
	synctest.Test(t, func(t *testing.T) {
		m, _ := testModel(t, Config{}, answer{tail: errHang})
		if _, err := m.Models(t.Context()); kindOf(err) != KindTimeout {
			t.Errorf("got %v", err)
		}
	})
}

// The window is learnt from the list, before a request meets it.
func TestU35WindowsInLists(t *testing.T) {
	const local, ollama, studio = "http://model.test/v1", "http://localhost:11434/v1", "http://localhost:1234/v1"
	for _, c := range []struct {
		name, base, model string
		lists             []string
		want              int
	}{
		{"llama.cpp", local, "m", []string{`{"object":"list","data":[{"id":"m","object":"model","owned_by":"llamacpp","meta":{"vocab_type":2,"n_ctx":4096,"n_ctx_train":131072}}]}`}, 4096},
		{"llama.cpp by any name", local, "any", []string{`{"models":[{"name":"x.gguf"}],"data":[{"id":"/models/x.gguf","owned_by":"llamacpp","meta":{"n_ctx":8192}}]}`}, 8192},
		{"llama.cpp, an older one", local, "m", []string{`{"data":[{"id":"m","owned_by":"llamacpp","meta":{"n_ctx_train":131072}}]}`}, 0},
		{"vLLM", local, "m", []string{`{"data":[{"id":"n","max_model_len":1},{"id":"m","owned_by":"vllm","max_model_len":32768}]}`}, 32768},
		{"OpenRouter", local, "a/m:free", []string{`{"data":[{"id":"a/m","context_length":1000000,"top_provider":{"context_length":262144}}]}`}, 262144},
		{"Together", local, "m", []string{`[{"id":"m","context_length":"65536"}]`}, 65536},
		{"Groq", local, "m", []string{`{"data":[{"id":"m","context_window":131072}]}`}, 131072},
		{"LM Studio", studio, "m", []string{`{"data":[{"id":"m"}]}`, `{"data":[{"id":"m","state":"loaded","max_context_length":131072,"loaded_context_length":4096}]}`}, 4096},
		{"LM Studio, not loaded", studio, "m", []string{`{"data":[{"id":"m"}]}`, `{"data":[{"id":"m","state":"not-loaded","max_context_length":131072}]}`}, 0},
		{"LM Studio, without its own list", studio, "m", []string{`{"data":[{"id":"m"}]}`, `{"error":"Unexpected endpoint"}`}, 0},
		{"Ollama", ollama, "qwen3", []string{`{"data":[{"id":"qwen3:latest"}]}`, `{"models":[{"name":"qwen3:latest","context_length":4096}]}`}, 4096},
		{"Ollama, not loaded", ollama, "qwen3", []string{`{"data":[{"id":"qwen3:latest"}]}`, `{"models":[]}`}, 0},
		{"another model", local, "m", []string{`{"data":[{"id":"n","max_model_len":32768}]}`}, 0},
		{"nonsense", local, "m", []string{`{"data":[{"id":"m","max_model_len":-5,"context_length":"many"}]}`}, 0},
		{"nothing", local, "m", []string{`{"data":[]}`}, 0},
	} {
		var answers []answer
		for _, l := range c.lists {
			answers = append(answers, answer{body: l})
		}
		var learnt int
		m, w := testModel(t, Config{BaseURL: c.base, Model: c.model, Learn: func(p Profile) { learnt = p.ContextWindow }}, answers...)
		warnings := m.Look(t.Context())
		if m.Window() != c.want || learnt != c.want || len(w.requests()) != len(c.lists) {
			t.Errorf("%s: the window is %d, want %d; %d requests, kept %d", c.name, m.Window(), c.want, len(w.requests()), learnt)
		}
		if c.name != "another model" && len(warnings) > 0 {
			t.Errorf("%s: %q", c.name, warnings)
		}
	}
}

// What the settings say of the window goes before the list, and the list before what was learnt earlier, but for what the
// server refused: that is forgotten only when it tells another window than then.
func TestU35WhichWindowCounts(t *testing.T) {
	list := answer{body: `{"data":[{"id":"m1","max_model_len":32768}]}`}
	for _, c := range []struct{ set, learnt, refused, want int }{
		{0, 4096, 0, 32768},
		{8192, 0, 0, 8192},
		{8192, 4096, 0, 8192},
		{0, 0, 0, 32768},
		{0, 0, 4096, 4096},
		{0, 32768, 4096, 4096},
		{0, 16384, 4096, 32768},
		{8192, 32768, 4096, 8192},
		{0, 0, 40000, 32768},
	} {
		m, _ := testModel(t, Config{Profile: Profile{ContextWindow: c.set}, Learnt: Profile{ContextWindow: c.learnt, RequestLimit: c.refused}}, list)
		m.Look(t.Context())
		if m.Window() != c.want {
			t.Errorf("%+v: %d", c, m.Window())
		}
	}
}

func TestU88AModelThatIsNotListed(t *testing.T) {
	list := func(names ...string) string { return `{"data":[{"id":"` + strings.Join(names, `"},{"id":"`) + `"}]}` }
	many := make([]string, 12)
	for i := range many {
		many[i] = fmt.Sprintf("m%02d", i)
	}
	for _, c := range []struct{ name, base, model, body, want string }{
		{"there", "", "b", list("a", "b"), ""},
		{"not there", "", "c", list("b", "a"), "model.test does not list the model c; it has a, b (galley doctor says more)"},
		{"one, and not it", "", "c", list("a"), "it has a ("},
		{"many", "", "c", list(many...), "it has m00, m01, m02, m03, m04 and 7 more"},
		{"Ollama's latest", "http://localhost:11434/v1", "qwen3", list("qwen3:latest"), ""},
		{"another tag", "http://localhost:11434/v1", "qwen3:8b", list("qwen3:30b"), "does not list the model qwen3:8b; it has qwen3:30b"},
		{"Gemini", "https://generativelanguage.googleapis.com/v1beta/openai", "gemini-2.5-flash", list("models/gemini-2.5-flash"), ""},
		{"a way to it", "https://openrouter.ai/api/v1", "a/m:nitro", list("a/m"), ""},
		{"Azure", "https://x.openai.azure.com", "mine", list("gpt-5"), ""},
		{"none", "", "c", `{"data":[]}`, ""},
		{"no list", "", "c", `{"error":{"message":"no"}}`, ""},
		{"a page", "", "c", `<html>`, ""},
	} {
		m, _ := testModel(t, Config{BaseURL: c.base, Model: c.model}, answer{body: c.body})
		got := m.Look(t.Context())
		if (len(got) == 0) != (c.want == "") || c.want != "" && !strings.Contains(got[0], c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	synctest.Test(t, func(t *testing.T) { // a run does not wait for a server that says nothing
		m, _ := testModel(t, Config{}, answer{tail: errHang})
		if got := m.Look(t.Context()); len(got) > 0 {
			t.Error(got)
		}
	})
}

func TestMeans(t *testing.T) {
	models := []string{"qwen3:latest", "qwen3:8b"}
	for name, want := range map[string]bool{"qwen3": true, "qwen3:8b": true, "qwen3:latest": true, "qwen3:4b": false, "qwen": false, "": false} {
		if got := slices.ContainsFunc(models, func(listed string) bool { return Means(name, listed) }); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}
