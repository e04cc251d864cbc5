package agent

import (
	"fmt"
	"strings"
	"testing"

	"github.com/galley-ls/galley/agent/model"
)

const secret = "sk-proj-4711"

// masking is a session with a secret.
type masking struct{ Session }

func (masking) Mask(text string) string { return strings.ReplaceAll(text, secret, "[secret]") }

// A secret is in no event, in whatever pieces it comes, and every other letter is.
func TestSecretsAreNotTold(t *testing.T) {
	thought, text := "I know: "+secret+"\n日本"+secret+" ", "Key "+secret+", or\n"+secret+secret+". Ready."
	for size := 1; size < 20; size++ {
		r := calls("no_"+secret+` {"path":"`+strings.Repeat("a", 20)+secret+`"}`, "find "+secret)
		for _, piece := range chunks(thought, size) {
			r.show = append(r.show, model.Delta{Reasoning: piece})
		}
		for _, piece := range chunks(text, size) {
			r.show = append(r.show, model.Delta{Text: piece})
		}
		r.show = append(r.show, model.Delta{Waiting: "429 for " + secret})
		b := newBench(t, r, fakeReply{text: text, finish: secret})
		b.cfg.Session = masking{b.cfg.Session}
		b.inbox.Push("use " + secret)
		out := b.want(Done)
		if shown := b.shown() + fmt.Sprintf("%+v", out); strings.Contains(shown, secret) || strings.Contains(shown, secret[:10]) {
			t.Fatalf("in pieces of %d the secret is told:\n%s", size, shown)
		}
		var thoughts, words strings.Builder
		for _, e := range b.events {
			if _, over := e.(ToolStarted); over {
				break // what follows is of the next reply
			}
			switch e := e.(type) {
			case ReasoningDelta:
				thoughts.WriteString(e.Text)
			case TextDelta:
				words.WriteString(e.Text)
			}
		}
		mask := masking{}.Mask
		if thoughts.String() != mask(thought) || words.String() != mask(text) {
			t.Errorf("in pieces of %d: thoughts %q, words %q", size, thoughts.String(), words.String())
		}
	}
}

func chunks(text string, size int) (pieces []string) {
	runes := []rune(text)
	for len(runes) > size {
		pieces, runes = append(pieces, string(runes[:size])), runes[size:]
	}
	return append(pieces, string(runes))
}
