package main

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/galley-ls/galley/agent"
	"github.com/galley-ls/galley/agent/openai"
	"github.com/galley-ls/galley/agent/openai/openaitest"
	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/agent/tools"
)

// llamaTurns is the number of turns with a real server, and a share of it by default.
func llamaTurns() int {
	if os.Getenv("GALLEY_LONG") != "" {
		return 200
	}
	return 30
}

// TestLlamaTurnsLong has a real llama.cpp server with a window of 8,192 answer many turns in one session, each with a file
// that is read: no request is refused, each turn ends, and what left is found again. Its model makes room when it is told to.
func TestLlamaTurnsLong(t *testing.T) {
	needsLlama(t)
	script, err := openaitest.Parse("turns", []byte(`
{"when": "tokens_before", "text": "I made room."}
{"when": "heavy_compression", "calls": [{"name": "compact_history", "arguments": {"target": "all", "keep_recent": 1, "summary": "Wishes were heard."}}]}
{"when": "a line of the file", "text": "That is what it says."}
{"when": "wish number", "calls": [{"name": "memo_read", "arguments": {"path": "f.txt"}}]}
`))
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(err)
	port, err := net.Listen("tcp", "127.0.0.1:0")
	must(err)
	must(port.Close())
	work, dir := t.TempDir(), t.TempDir()
	file := strings.Repeat("a line of the file that somebody reads\n", 20)
	must(os.WriteFile(filepath.Join(dir, "f.txt"), []byte(file), 0o600))
	server, err := llamaOf(script, file, work, port.Addr().String(), []string{"--ctx-size", "8192"})
	must(err)
	must(server.launch(filepath.Join(work, "llama.log")))
	defer server.end()
	m, err := openai.New(openai.Config{BaseURL: "http://" + server.address + "/v1", Model: "m"})
	must(err)
	s, err := session.Open(session.Config{Home: t.TempDir(), Workspace: dir, Specs: tools.Specs(tools.Options{}), SmallSpecs: tools.Specs(tools.Options{Few: true}), Model: "m"})
	must(err)
	defer func() { must(s.Close()) }()
	most, warned := 0, []string{}
	for turn := range llamaTurns() {
		out, err := agent.Run(t.Context(), agent.RunConfig{
			Session: agent.Local{Session: s}, Model: m, Prompt: fmt.Sprintf("wish number %d", turn), MaxIterations: 10, Events: func(e agent.Event) {
				switch e := e.(type) {
				case agent.StepStarted:
					most = max(most, e.Percent)
				case agent.Warned:
					warned = append(warned, e.Text)
				}
			},
		})
		must(err)
		if out.Reason != agent.Done || out.Meta.TokensMax != 8192 || out.Usage.Input == 0 {
			t.Fatalf("turn %d: %+v\n%q", turn, out, warned)
		}
	}
	for _, w := range warned {
		if strings.Contains(w, "refused") || strings.Contains(w, "not believed") || strings.Contains(w, "cut off") {
			t.Error(w)
		}
	}
	t.Logf("%d turns, %d %% at most, %d warnings", llamaTurns(), most, len(warned))
	if most > 100 {
		t.Errorf("a request of %d %% of the window", most)
	}
}
