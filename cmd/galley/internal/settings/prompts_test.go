package settings

import (
	"strings"
	"testing"
)

func TestPrompts(t *testing.T) {
	h := newHouse(t)
	h.user("prompts/system.md", "mine\n")
	h.user("prompts/tools/write.md", "my write\n")
	h.user("prompts/tools/read.md", "my read\n")
	h.user("prompts/tools/notes.txt", "no prompt")
	h.user("prompts/tools/empty.md", " \n")
	h.own("prompts/tools/write.md", "our write\n")
	l := h.trust()
	if got := h.told(l); got != "warning ~/.config/galley/prompts/tools/empty.md: it is empty; the built-in text is used" {
		t.Error(got)
	}
	p := l.Prompts
	if p[SystemPrompt].Text != "mine\n" || p[ToolPrompt("write")].Text != "our write\n" || p[ToolPrompt("read")].Text != "my read\n" || len(p) != 3 {
		t.Errorf("%+v", p)
	}
	if l.Trust.State != Trusted {
		t.Errorf("%+v", l.Trust)
	}
	path := h.user("other.md", "the other")
	h.user("config.yaml", "agent.system_prompt_file: ~/.config/galley/other.md\n")
	if l := h.load(Sources{}); l.Prompts[SystemPrompt] != (Prompt{path, "the other"}) {
		t.Errorf("%+v", l.Prompts[SystemPrompt])
	}
	h.user("prompts/tools/read.md", strings.Repeat("x", mostPrompt+1))
	h.user("other.md", "\n")
	got := h.told(h.load(Sources{}))
	for _, want := range []string{"prompts/tools/read.md: it is larger than 256 KB; the built-in text is used", "names ~/.config/galley/other.md, which is empty"} {
		if !strings.Contains(got, want) {
			t.Errorf("it does not tell %q:\n%s", want, got)
		}
	}
}
