package session

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/galley-ls/galley/memory"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// Every request pays for the system prompt: whoever needs more words looks first for those that can go.
func TestSystemPromptIsShort(t *testing.T) {
	const budget = 480
	if n := memory.CountTokens(SystemPrompt()); n > budget {
		t.Errorf("system.md has %d tokens, its budget is %d", n, budget)
	}
}

// The first session of a workspace sees an example of a memory, the others do not; a
// prompt of the user's own stays as it is.
func TestTheFirstSessionSeesAnExample(t *testing.T) {
	home, ws := t.TempDir(), t.TempDir()
	system := func(cfg Config) string {
		t.Helper()
		cfg.Home, cfg.Workspace = home, ws
		s, err := Open(cfg)
		must(t, err)
		defer s.Close()
		req, _, err := s.Request()
		must(t, err)
		return req.Messages[0].Content
	}
	first, err := Open(Config{Home: home, Workspace: ws})
	must(t, err)
	must(t, first.Close())
	for i, want := range []string{SystemPrompt() + "\n" + exampleMemory, SystemPrompt()} {
		id := ""
		if i == 0 {
			id = first.ID()
		}
		if got := system(Config{ID: id}); got != want {
			t.Errorf("session %d:\n%s", i+1, got)
		}
	}
	if got := system(Config{ID: first.ID(), System: "mine"}); got != "mine" {
		t.Errorf("the user's own:\n%s", got)
	}
	if n := memory.CountTokens(exampleMemory); n > 120 {
		t.Errorf("example.md has %d tokens", n)
	}
}
