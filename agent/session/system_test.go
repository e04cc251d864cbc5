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
