package doctor

import (
	"context"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/galley-ls/galley/agent/openai/openaitest"
)

func startModelServer(t *testing.T, script string) *openaitest.Server {
	t.Helper()
	parsed, err := openaitest.Parse("script", []byte(script))
	if err != nil {
		t.Fatal(err)
	}
	server, err := openaitest.Start(parsed)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		server.Close()
		if len(server.Problems()) > 0 {
			t.Errorf("the server objects:\n%s", server.Dump())
		}
	})
	return server
}

const calls = `{"calls":[{"name":"galley_check","arguments":{"word":"proof"}}],"usage":{"input":110,"output":12}}`

func TestDoctorAsksTheServer(t *testing.T) {
	const key = "sk-secret-1234567890"
	for _, test := range []struct {
		name, script, model string
		env                 map[string]string
		marks               string
		says                []string
	}{
		{
			"all is well", `{"models":["m","n"]}` + "\n" + calls, "m", nil, "✓✓✓✓✓!",
			[]string{"model.api_key_env is not set, so no key is sent", "the server answers, and has m", "it answers: a reply in", "110 tokens in, 12 out", "it calls tools", "any OpenAI-compatible server", "context window not known"},
		},
		{
			"words before the call", `{"models":["m"]}` + "\n" + `{"text":"I call it.","calls":[{"name":"galley_check","arguments":{"word":"proof"}}]}`, "m", nil, "✓✓✓✓✓!",
			[]string{"the first words after", "it calls tools"},
		},
		{
			"a key that is right", `{"key":"` + key + `","models":["m"]}` + "\n" + calls, "m",
			map[string]string{"OPENAI_API_KEY": key, "GALLEY_MODEL_API_KEY_ENV": "OPENAI_API_KEY"},
			"✓✓✓✓✓!",
			[]string{"the key is in OPENAI_API_KEY"},
		},
		{
			"U72 a key that is not for this server", `{"key":"` + key + `","forgive":["the key is"],"models":["m"]}`, "m",
			map[string]string{"OPENAI_API_KEY": key},
			"✓✗",
			[]string{"no key is sent: OPENAI_API_KEY is OpenAI's, and goes to another server only if model.api_key_env names it", "401", "OPENAI_API_KEY counts for api.openai.com only"},
		},
		{"a key that is wrong", `{"key":"other","forgive":["the key is"],"models":["m"]}`, "m", map[string]string{"OPENAI_API_KEY": key, "GALLEY_MODEL_API_KEY_ENV": "OPENAI_API_KEY"}, "✓✗", []string{"401"}},
		{"no key", `{"key":"other","forgive":["the key is"],"models":["m"]}`, "m", nil, "✓✗", []string{"401"}},
		{
			"another name", `{"models":["mistral","qwen3:8b","qwen3:30b"]}`, "qwen3", nil, "✓✗",
			[]string{"does not have qwen3", "set model.model to one that it has: qwen3:30b, qwen3:8b, mistral"},
		},
		{
			"one model of any name", `{"models_body":"{\"object\":\"list\",\"data\":[{\"id\":\"model.gguf\"}]}"}` + "\n" + calls, "any", nil, "✓✓✓✓✓!",
			[]string{"has one model, model.gguf, and takes any name"},
		},
		{
			"several models of any name", `{"models_body":"{\"object\":\"list\",\"data\":[{\"id\":\"a\"},{\"id\":\"b\"}]}"}` + "\n" + calls, "any", nil, "✓!✓✓✓!",
			[]string{"does not list any, and answers all the same", "one of these, unless you mean it: a, b"},
		},
		{"no name", `{"models":["a","b"]}`, "", nil, "✓✗", []string{"model.model is not set", "one that the server has: a, b"}},
		{"no list", `{"models_status":404}` + "\n" + calls, "m", nil, "✓!✓✓✓!", []string{"the server does not list its models"}},
		{"no tools", `{"models":["m"]}` + "\n" + `{"text":"Well.","fault":"no_tools_support"}`, "m", nil, "✓✓✗", []string{"tools"}},
		{"only words", `{"models":["m"]}` + "\n" + `{"text":"I cannot do that."}`, "m", nil, "✓✓✓!✓!", []string{"answered in words: “I cannot do that.”"}},
		{"a web page", `{"models_status":200,"models_body":"<html><title>Login</title></html>"}` + "\n" + `{"fault":"html_200","text":"x"}`, "m", nil, "✓!✗", []string{"web page", "Login"}},
		{
			"what was refused is learnt", `{"models":["m"]}` + "\n" + `{"fault":"refuse_stream_options","calls":[{"name":"galley_check","arguments":{"word":"proof"}}]}`, "m", nil,
			"✓✓✓✓✓!",
			[]string{"learnt from what it refused: stream_usage false"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			server := startModelServer(t, test.script)
			d, out := newTestDoctor(t, test.env)
			d.at(server.URL(), test.model)
			d.Loaded.Settings.Model.APIKeyEnv = test.env["GALLEY_MODEL_API_KEY_ENV"]
			d.model(t.Context())
			if d.marks() != test.marks {
				t.Errorf("it finds %s, want %s", d.marks(), test.marks)
			}
			for _, says := range test.says {
				if !strings.Contains(out.String(), says) {
					t.Errorf("it does not say %q", says)
				}
			}
			if strings.Contains(out.String(), key) {
				t.Error("it shows the key")
			}
			if t.Failed() {
				t.Log(out.String())
			}
		})
	}
}

// U49: OpenAI's own server without a key does not work, whether it is asked or not.
func TestU49NoKeyForOpenAI(t *testing.T) {
	for _, offline := range []bool{true, false} {
		d, out := newTestDoctor(t, nil)
		d.Offline = offline
		d.at("", "gpt-5-mini")
		d.model(t.Context())
		if d.marks() != "✗" || !strings.Contains(out.String(), "OPENAI_API_KEY is not set, and api.openai.com answers nobody without a key") {
			t.Errorf("it finds %s:\n%s", d.marks(), out)
		}
	}
	d, out := newTestDoctor(t, nil)
	d.Offline = true
	d.at("https://llm.example.com/v1", "m")
	d.Loaded.Settings.Model.APIKeyEnv = "NO_SUCH_KEY"
	d.model(t.Context())
	if d.marks()[:1] != "!" || !strings.Contains(out.String(), "model.api_key_env names NO_SUCH_KEY, which is not set") {
		t.Errorf("it finds %s:\n%s", d.marks(), out)
	}
}

func TestDoctorWithoutAnAnswer(t *testing.T) {
	deaf, err := net.Listen("tcp", "127.0.0.1:0") // takes connections, and says nothing
	if err != nil {
		t.Fatal(err)
	}
	defer deaf.Close()
	gone, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	gone.Close()
	for _, test := range []struct{ name, url, says string }{
		{"nobody", "http://" + gone.Addr().String() + "/v1", "refused"},
		{"silence", "http://" + deaf.Addr().String() + "/v1", "says nothing for 0.1 s"},
		{"no address", "localhost:port", "base_url"},
	} {
		t.Run(test.name, func(t *testing.T) {
			d, out := newTestDoctor(t, nil)
			d.patient.answer = 100 * time.Millisecond
			d.at(test.url, "m")
			d.model(t.Context())
			if d.marks() != "✓✗" || !strings.Contains(out.String(), test.says) {
				t.Errorf("it finds %s:\n%s", d.marks(), out)
			}
		})
	}
}

func TestDoctorDoesNotWaitForever(t *testing.T) {
	server := startModelServer(t, `{"models":["m"]}`+"\n"+`{"text":"late","hold":true}`)
	d, out := newTestDoctor(t, nil)
	d.at(server.URL(), "m")
	d.patient.reply = 100 * time.Millisecond
	d.model(t.Context())
	if d.marks() != "✓✓✗" || !strings.Contains(out.String(), "no whole reply within 0.1 s") {
		t.Errorf("it finds %s:\n%s", d.marks(), out)
	}
}

func TestDoctorIsInterrupted(t *testing.T) {
	server := startModelServer(t, `{"models":["m"]}`+"\n"+`{"text":"late","hold":true}`)
	d, out := newTestDoctor(t, nil)
	d.at(server.URL(), "m")
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		_ = server.Await(ctx, "the reply is held", func(s openaitest.State) bool { return s.Held == 1 })
		cancel()
	}()
	if err := d.all(ctx); err == nil || !strings.Contains(err.Error(), "interrupted") {
		t.Errorf("got %v after\n%s", err, out)
	}
}

// Who has no model is shown the lines for the servers that there are.
func TestDoctorForNewcomers(t *testing.T) {
	server := startModelServer(t, `{"models":["nomic-embed-text:latest","llama3.1:8b","qwen3:8b"]}`)
	bare := startModelServer(t, `{"models":[]}`)
	host := func(s *openaitest.Server) string {
		return strings.TrimSuffix(strings.TrimPrefix(s.URL(), "http://"), "/v1")
	}
	for _, test := range []struct {
		name  string
		env   map[string]string
		says  []string
		never string
	}{
		{"Ollama", map[string]string{"OLLAMA_HOST": host(server)}, []string{"with llama3.1:8b, nomic-embed-text:latest, qwen3:8b", "  model:\n", "base_url: " + server.URL() + "\n", "model: qwen3:8b\n"}, "gpt"},
		{"Ollama without models", map[string]string{"OLLAMA_HOST": host(bare)}, []string{"ollama pull qwen3:8b", "base_url: " + bare.URL()}, "gpt"},
		{"a key", map[string]string{"OLLAMA_HOST": "127.0.0.1:1", "OPENAI_API_KEY": "sk-x"}, []string{"OPENAI_API_KEY is set", "  model:\n", "model: gpt-5-mini\n"}, "base_url"},
		{"both", map[string]string{"OLLAMA_HOST": host(server), "OPENAI_API_KEY": "sk-x"}, []string{"model: qwen3:8b\n", "model: gpt-5-mini\n"}, "sk-x"},
		{"nothing", map[string]string{"OLLAMA_HOST": "127.0.0.1:1"}, []string{"https://ollama.com", "ollama pull qwen3:8b", "OPENAI_API_KEY", "model: gpt-5-mini\n"}, "sk-x"},
	} {
		t.Run(test.name, func(t *testing.T) {
			d, out := newTestDoctor(t, test.env)
			d.model(t.Context())
			for _, says := range append(test.says, "the offline model is in use", "then run galley doctor again") {
				if !strings.Contains(out.String(), says) {
					t.Errorf("it does not say %q", says)
				}
			}
			if d.marks() != "!" || strings.Contains(out.String(), test.never) {
				t.Errorf("it finds %s, and says %q", d.marks(), test.never)
			}
			if t.Failed() {
				t.Log(out.String())
			}
		})
	}
}

func TestOllamaHost(t *testing.T) {
	for host, want := range map[string]string{
		"":                    "http://localhost:11434/v1",
		"0.0.0.0":             "http://localhost:11434/v1",
		"0.0.0.0:8000":        "http://localhost:8000/v1",
		":8000":               "http://localhost:8000/v1",
		"gpu":                 "http://gpu:11434/v1",
		"https://gpu.example": "https://gpu.example:11434/v1",
		"http://gpu:80/":      "http://gpu:80/v1",
		"[::1]:8000":          "http://[::1]:8000/v1",
		"%zz":                 "http://localhost:11434/v1",
	} {
		if got := ollamaURL(host); got != want {
			t.Errorf("%q: got %s, want %s", host, got, want)
		}
	}
}
