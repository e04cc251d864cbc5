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

// What a reader cannot see is marked, whatever kind it is of; what belongs to an emoji is not.
func TestU69Marked(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"plain", "a é 漢 e\u0301 𝄞\t\r\n", "a é 漢 e\u0301 𝄞\t\r\n"},
		{"zero width", "us\u200Ber \u200C\u200D\uFEFF", "us⟦U+200B⟧er ⟦U+200C⟧⟦U+200D⟧⟦U+FEFF⟧"},
		{"tags", "a\U000E0041\U000E0001b", "a⟦U+E0041⟧⟦U+E0001⟧b"},
		{"soft hyphen, word joiner", "pass\u00ADword\u2060x", "pass⟦U+00AD⟧word⟦U+2060⟧x"},
		{"variation selectors", "a\uFE0Fb\uFE00c\U000E0100", "a⟦U+FE0F⟧b⟦U+FE00⟧c⟦U+E0100⟧"},
		{"fillers", "\u3164\uFFA0\u115F\u1160\u2800\u180B", "⟦U+3164⟧⟦U+FFA0⟧⟦U+115F⟧⟦U+1160⟧⟦U+2800⟧⟦U+180B⟧"},
		{"odd blanks", "a\u00A0b\u2003c\u202Fd\u3000e\u1680f\u205F", "a⟦U+00A0⟧b⟦U+2003⟧c⟦U+202F⟧d⟦U+3000⟧e⟦U+1680⟧f⟦U+205F⟧"},
		{"writing direction", "\u061C\u200E\u202E\u2066\u2069", "⟦U+061C⟧⟦U+200E⟧⟦U+202E⟧⟦U+2066⟧⟦U+2069⟧"},
		{"what means and shows nothing", "a\u2062\u180E\u034F\u206A\u2028", "a⟦U+2062⟧⟦U+180E⟧⟦U+034F⟧⟦U+206A⟧⟦U+2028⟧"},
		{"private use", "a\uE000\U000F0000", "a⟦U+E000⟧⟦U+F0000⟧"},
		{"drawn over another", "a\u0336b\u0338c\u20D2d\u20DD", "a⟦U+0336⟧b⟦U+0338⟧c⟦U+20D2⟧d⟦U+20DD⟧"},
		{"controls", "a\x1b[2J\x00\x7f\r", "a⟦U+001B⟧[2J⟦U+0000⟧⟦U+007F⟧⟦CR⟧"},
		{"stray bytes", "caf\xe9", "caf⟦E9⟧"},
		{"emoji", "❤️ 👍🏽 👩‍👩‍👧 🤷🏽‍♂️ 🏳️‍🌈 1️⃣ #️⃣ 🇩🇪 ©️", "❤️ 👍🏽 👩‍👩‍👧 🤷🏽‍♂️ 🏳️‍🌈 1️⃣ #️⃣ 🇩🇪 ©️"},
		{"a flag of a region", "\U0001F3F4\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F", "\U0001F3F4\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F"},
		{"more than an emoji", "❤\uFE0F\uFE0F 👩\u200Da 1\uFE0F x\u20E3", "❤\uFE0F⟦U+FE0F⟧ 👩⟦U+200D⟧a 1⟦U+FE0F⟧ x⟦U+20E3⟧"},
		{"a flag of no region", "\U0001F3F4\U000E0072\U000E006D\U000E0020\U000E007F", "\U0001F3F4⟦U+E0072⟧⟦U+E006D⟧⟦U+E0020⟧⟦U+E007F⟧"},
	} {
		if got := Marked(c.in); got != c.want {
			t.Errorf("%s: %q: got %q, want %q", c.name, c.in, got, c.want)
		}
	}
}

// U71: what only pushes the rest out of sight is counted.
func TestU71Condensed(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"go test ./...", "go test ./..."},
		{"rm -rf X #" + strings.Repeat("\n", 38) + "echo harmless", "rm -rf X #|⟦37 empty lines⟧|echo harmless"},
		{"a\n\nb\r\n  c\n", "a||b|  c|"},
		{"a\n \u00A0\n\u200B\n\t\r\nb", "a|⟦3 empty lines⟧|b"},
		{"rm -rf X;" + strings.Repeat(" ", 300) + "ls", "rm -rf X;⟦300 blanks⟧ls"},
		{"\n\n\nls", "⟦3 empty lines⟧|ls"},
	} {
		if got := strings.Join(Condensed(c.in), "|"); got != c.want {
			t.Errorf("%q: got %q, want %q", c.in, got, c.want)
		}
	}
}

func TestThousands(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1000: "-1,000"} {
		if got := Thousands(n); got != want {
			t.Errorf("%d: got %q, want %q", n, got, want)
		}
	}
}
