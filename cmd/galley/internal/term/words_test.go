package term

import (
	"strings"
	"testing"
	"time"
	"unicode"

	"pgregory.net/rapid"
)

func TestColumns(t *testing.T) {
	tests := []struct {
		text string
		want int
	}{
		{"", 0},
		{"config.json", 11},
		{"naïve", 5},
		{"nai\u0308ve", 5},
		{"日本語", 6},
		{"✅ done", 7},
		{"⚡⭐❗⚽", 8},
		{"ℹ ✓ ☁", 5},
		{"→ …", 3},
		{"a\u200bb", 2},
	}
	for _, test := range tests {
		if got := ColumnsOf(test.text); got != test.want {
			t.Errorf("columns of %q: got %d, want %d", test.text, got, test.want)
		}
	}
}

// A line that is too long for a width is cut, or broken.
func TestCutAndWrap(t *testing.T) {
	tests := []struct {
		name  string
		fit   func(string, int) string
		text  string
		width int
		want  string
	}{
		{"cut", Cut, "config.json", 0, "config.json"},
		{"cut", Cut, "config.json", 11, "config.json"},
		{"cut", Cut, "config.json", 10, "config.js…"},
		{"cut", Cut, "日本語", 5, "日本…"},
		{"cut", Cut, "日本語", 4, "日…"},
		{"cut", Cut, "ab", 1, "…"},
		{"wrapped", Wrap, "one two three", 0, "one two three"},
		{"wrapped", Wrap, "one two three", 7, "one two\nthree"},
		{"wrapped", Wrap, "one two three", 3, "one\ntwo\nthree"},
	}
	for _, test := range tests {
		if got := test.fit(test.text, test.width); got != test.want {
			t.Errorf("%q %s to %d: got %q, want %q", test.text, test.name, test.width, got, test.want)
		}
	}
}

func TestClean(t *testing.T) {
	tests := []struct{ text, want string }{
		{"a\n\tb", "a\n\tb"},
		{"a\r\nb", "a\nb"},
		{"\x1b[31mred\x1b[0m", "␛[31mred␛[0m"},
		{"back\bspace\x07", "back␈space␇"},
		{"\u009b31m", "\ufffd31m"},
		{"\u202eright to left", "\ufffdright to left"},
	}
	for _, test := range tests {
		if got := Clean(test.text); got != test.want {
			t.Errorf("clean %q: got %q, want %q", test.text, got, test.want)
		}
	}
}

func TestLinesFitAndCarryNoControl(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, width := rapid.String().Draw(t, "text"), rapid.IntRange(1, 60).Draw(t, "width")
		if got := Cut(OneLine(text, 50), width); ColumnsOf(got) > width {
			t.Fatalf("%q has %d columns, and %d are there", got, ColumnsOf(got), width)
		}
		control := func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }
		if got := Clean(text); strings.ContainsFunc(got, control) {
			t.Fatalf("clean %q lets a control through: %q", text, got)
		}
	})
}

func TestShellWord(t *testing.T) {
	tests := []struct{ word, want string }{
		{"/home/me/app", "/home/me/app"},
		{"my app", "'my app'"},
		{"it's", `'it'\''s'`},
		{"$HOME", "'$HOME'"},
		{"", "''"},
	}
	for _, test := range tests {
		if got := ShellWord(test.word); got != test.want {
			t.Errorf("%q: got %s, want %s", test.word, got, test.want)
		}
	}
}

func TestAgo(t *testing.T) {
	tests := []struct {
		past time.Duration
		want string
	}{
		{0, "just now"},
		{time.Minute, "1 minute ago"},
		{3 * time.Hour, "3 hours ago"},
		{5 * 24 * time.Hour, "5 days ago"},
	}
	for _, test := range tests {
		if got := Ago(test.past); got != test.want {
			t.Errorf("%v: got %q, want %q", test.past, got, test.want)
		}
	}
}

func TestTook(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0 s", time.Microsecond: "1 ms", 99 * time.Millisecond: "99 ms", 340 * time.Millisecond: "0.3 s", time.Second: "1 s",
		2345 * time.Millisecond: "2.3 s", 12300 * time.Millisecond: "12 s", time.Minute: "1 min", 125 * time.Second: "2 min 5 s",
		time.Hour: "1 h", 2*time.Hour + 3*time.Minute: "2 h 3 min",
	} {
		if got := Took(d); got != want {
			t.Errorf("%v: got %q, want %q", d, got, want)
		}
	}
}
