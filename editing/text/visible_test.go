package text

import (
	"strings"
	"testing"
)

func TestVisible(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"plain text, é 漢 😀 e\u0301", "plain text, é 漢 😀 e\u0301"},
		{"\tif x:  \n  y \r\nz ", "⟦TAB⟧if x:⟦SP⟧⟦SP⟧\n  y⟦SP⟧⟦CR⟧\nz⟦SP⟧"},
		{"10%\r50%", "10%⟦CR⟧50%"},
		{"a\u00A0b\u200Bc\uFEFFd\u2028e\ff", "a⟦U+00A0⟧b⟦U+200B⟧c⟦U+FEFF⟧d⟦U+2028⟧e⟦U+000C⟧f"},
		{"a\u3164b\u2800", "a⟦U+3164⟧b⟦U+2800⟧"},
		{"caf\xe9 \uFFFD", "caf⟦E9⟧ \uFFFD"},
	} {
		if got := Visible(c.in); got != c.want {
			t.Errorf("%q: got %q, want %q", c.in, got, c.want)
		}
	}
	if got := Visible(strings.Repeat(" ", 1<<20) + "x"); len(got) != 1<<20+1 {
		t.Errorf("%d bytes of leading spaces", len(got))
	}
}

func TestMarkStray(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"\ta\u00A0b  \r\n", "\ta\u00A0b  \r\n"},
		{"caf\xe9 \xc3\xa9 \uFFFD", "caf⟦E9⟧ é \uFFFD"},
	} {
		if got := MarkStray(c.in); got != c.want {
			t.Errorf("%q: got %q, want %q", c.in, got, c.want)
		}
	}
}

func TestLineKey(t *testing.T) {
	for in, want := range map[string]string{"": "e3b0", "abc": "ba78"} {
		if got := LineKey(in); got != want {
			t.Errorf("%q: got %s, want %s", in, got, want)
		}
	}
}
