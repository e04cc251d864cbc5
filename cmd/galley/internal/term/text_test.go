package term

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestVoice(t *testing.T) {
	for _, test := range []struct {
		name   string
		pieces []string
		want   string
		column int
	}{
		{"nothing", nil, "", 0},
		{"words", []string{"some ", "words"}, "some words\n", 10},
		{"characters in pieces", []string{"na", "\xc3", "\xafve → ", "\xe6\x97", "\xa5\x1b[31m"}, "naïve → 日␛[31m\n", 15},
		{"a character that stays half", []string{"a", "\xe6\x97"}, "a\ufffd\ufffd\n", 1},
		{"empty lines before and behind", []string{"\n", "\n\r\na", "\n\n", "b\n", "\r", "\n\n"}, "a\n\nb\n", 1},
		{"only empty lines", []string{"\n\n", "\r\n"}, "", 0},
		{"line ends in pieces", []string{"a\r", "\nb"}, "a\nb\n", 1},
		{"tabs", []string{"a\tb"}, "a\tb\n", 9},
	} {
		t.Run(test.name, func(t *testing.T) {
			var b strings.Builder
			v := Text{S: Screen{W: &b}}
			for _, p := range test.pieces {
				v.Say(p)
			}
			if v.Column != test.column {
				t.Errorf("it thinks to be in column %d, want %d", v.Column, test.column)
			}
			v.End()
			if v.End() {
				t.Error("it ended a text that was not there")
			}
			if got := b.String(); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// However a text is cut into pieces, it is the same text.
func TestVoiceDoesNotCareAboutPieces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom([]rune("ab日ï \n\r\t\x1b🚀"))).Draw(t, "text")
		var whole, pieces strings.Builder
		one, many := Text{S: Screen{W: &whole}}, Text{S: Screen{W: &pieces}}
		one.Say(text)
		one.End()
		for rest := text; rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "piece")
			many.Say(rest[:n])
			rest = rest[n:]
		}
		many.End()
		if whole.String() != pieces.String() {
			t.Errorf("%q: %q in pieces, %q as a whole", text, pieces.String(), whole.String())
		}
	})
}
