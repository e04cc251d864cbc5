package openai

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// thinkingIn plays a text in pieces and shows what came of it: what was told and what the message holds.
func thinkingIn(mode, finish string, pieces []string) (content, reasoning string, heard told, r *reader) {
	r = newReader(ask(), Profile{Thinking: mode, TextToolCalls: textOff}.over(defaults()), heard.hear)
	for _, p := range pieces {
		r.take(chunk{text: p, choices: true})
	}
	r.take(chunk{finish: finish, choices: true})
	m := r.end().Message
	return m.Content, m.Reasoning, heard, r
}

func inPieces(text string, size int) (pieces []string) {
	for len(text) > 0 {
		n := min(size, len(text))
		pieces, text = append(pieces, text[:n]), text[n:]
	}
	return pieces
}

func TestThinking(t *testing.T) {
	tests := []struct{ name, mode, text, content, reasoning, shown string }{
		{"plain", thinkTags, "Hello.", "Hello.", "", "Hello."},
		{"tags", thinkTags, "<think>\nhm\n</think>\n\nHello.", "Hello.", "hm", "Hello."},
		{"white space before", thinkTags, "\n <think>hm</think>Hello.", "Hello.", "hm", "Hello."},
		{"other tags", thinkTags, "<thinking>a</thinking><thought>b</thought>[THINK]c[/THINK]Hi", "Hi", "abc", "Hi"},
		{"empty tags", thinkTags, "<think>\n\n</think>\n\nHello.", "Hello.", "", "Hello."},
		{"never closed", thinkTags, "<think>hm", "", "hm", ""},
		{"a wrong end", thinkTags, "<think>hm</thinking> more</think>Hello.", "Hello.", "hm</thinking> more", "Hello."},
		{"a tag in the middle", thinkTags, "Use <think> here.</think>", "", "Use <think> here.", "Use <think> here."},
		{"a tag in a sentence", thinkTags, "Write <think> and </think> around it.", "Write <think> and </think> around it.", "", "Write <think> and </think> around it."},
		{"a tag in code", thinkTags, "Look:\n```\n</think>\n```\nDone.", "Look:\n```\n</think>\n```\nDone.", "", "Look:\n```\n</think>\n```\nDone."},
		{"a tag in backticks", thinkTags, "It ends with `</think>`\nYes.", "It ends with `</think>`\nYes.", "", "It ends with `</think>`\nYes."},
		{"no beginning", thinkTags, "hm, so\n</think>\n\nHello.", "Hello.", "hm, so", "hm, so\nHello."},
		{"no beginning, end of a line", thinkTags, "hm, so.</think>\nHello.", "Hello.", "hm, so.", "hm, so.Hello."},
		{"only the end", thinkTags, "</think>\n\nHello.", "Hello.", "", "Hello."},
		{"half a tag", thinkTags, "a <thin", "a <thin", "", "a <thin"},
		{"half a tag at the start", thinkTags, "<thin", "<thin", "", "<thin"},
		{"off", thinkOff, "<think>hm</think>Hello.", "<think>hm</think>Hello.", "", "<think>hm</think>Hello."},
		{"open", thinkOpen, "hm\n</think>\n\nHello.", "Hello.", "hm", "Hello."},
		{"open, with a tag", thinkOpen, "<think>hm</think>Hello.", "Hello.", "hm", "Hello."},
		{"open, no thoughts", thinkOpen, "Hello.", "Hello.", "", "Hello."},
		{"white space", thinkTags, "\n\nHello.", "\n\nHello.", "", "\n\nHello."},
	}
	for _, test := range tests {
		for _, size := range []int{1, 3, 1000} {
			content, reasoning, heard, _ := thinkingIn(test.mode, "stop", inPieces(test.text, size))
			if content != test.content || reasoning != test.reasoning {
				t.Errorf("%s in pieces of %d: got %q and %q, want %q and %q", test.name, size, content, reasoning, test.content, test.reasoning)
			}
			if heard.text != test.shown {
				t.Errorf("%s in pieces of %d: shown %q, want %q", test.name, size, heard.text, test.shown)
			}
		}
	}
}

func TestThoughtsThatTheLimitCutOff(t *testing.T) {
	content, reasoning, _, _ := thinkingIn(thinkOpen, "length", []string{"hm"})
	if content != "" || reasoning != "hm" {
		t.Errorf("got %q and %q", content, reasoning)
	}
}

func TestThoughtsApartMakeTheTextTheAnswer(t *testing.T) {
	var heard told
	r := newReader(ask(), Profile{Thinking: thinkOpen}.over(defaults()), heard.hear)
	r.take(chunk{reasoning: "hm", choices: true})
	r.take(chunk{text: "Hello.", choices: true})
	if heard.text != "Hello." {
		t.Errorf("told %q before the end", heard.text)
	}
	if m := r.end().Message; m.Content != "Hello." || m.Reasoning != "hm" {
		t.Errorf("got %s", pretty(m))
	}
}

// However a text is cut, it says the same, and nothing of it is lost.
func TestThinkingInAnyPieces(t *testing.T) {
	words := []string{"<think>", "</think>", "<", "/think>", "\n", "\n\n", "`", "```\n", "hm ", "Hello. ", " ", "</thin", "[THINK]", "[/THINK]", "é"}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 12).Draw(t, "words"), "")
		mode := rapid.SampledFrom([]string{thinkTags, thinkOpen, thinkOff}).Draw(t, "mode")
		var pieces []string
		for rest := text; rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "n")
			pieces, rest = append(pieces, rest[:n]), rest[n:]
		}
		wantContent, wantReasoning, _, _ := thinkingIn(mode, "stop", []string{text})
		content, reasoning, heard, r := thinkingIn(mode, "stop", pieces)
		if content != wantContent || reasoning != wantReasoning {
			t.Fatalf("got %q and %q in the pieces %q, want %q and %q", content, reasoning, pieces, wantContent, wantReasoning)
		}
		if !r.opened && strings.TrimSpace(heard.text) != strings.TrimSpace(content) {
			t.Fatalf("told %q, and the message holds %q", heard.text, content)
		}
		if mode == thinkOff && content != text {
			t.Fatalf("got %q of %q", content, text)
		}
	})
}
