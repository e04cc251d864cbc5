package tools

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/galley-ls/galley/memory"
)

func TestTidy(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"plain", "one\n\ttwo\n", "one\n\ttwo\n"},
		{"colours", "\x1b[1;31mFAIL\x1b[0m \x1b[38;5;9mx\x1b[m\n", "FAIL x\n"},
		{"a title", "\x1b]0;building\x07done\n\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\\n", "done\nlink\n"},
		{"a charset", "\x1b(Bok\n", "ok\n"},
		{"movements", "a\x1b[2K\x1b[1Gb\n", "ab\n"},
		{"a sequence cut off", "ok\x1b]0;half", "ok"},
		{"a bar", "10%\r50%\r100%\ndone\r\n", "100%\ndone\n"},
		{"overstruck", "N\bNA\bAM\bME\bE\n_\bx\n", "NAME\nx\n"},
		{"control", "a\x00b\x07c\x7f\u009b\n", "abc\n"},
		{"no UTF-8", "caf\xe9\n", "caf�\n"},
		{"letters of all kinds", "é 日本 🙂\n", "é 日本 🙂\n"},
	} {
		if got := tidy(c.in); got != c.want {
			t.Errorf("%s: %q becomes %q, want %q", c.name, c.in, got, c.want)
		}
	}
}

func FuzzTidy(f *testing.F) {
	f.Add("\x1b[31mred\x1b[0m\r\n")
	f.Add("\x1b]0;\xff")
	f.Add("a\b\b\b\r")
	f.Fuzz(func(t *testing.T, s string) {
		got := tidy(s)
		if !utf8.ValidString(got) || strings.ContainsAny(got, "\x1b\r\x00\b") || len(got) > 3*len(s) {
			t.Errorf("%q becomes %q", s, got)
		}
	})
}

// However it comes, the beginning and the end are kept, and what is missing is counted.
func TestCapture(t *testing.T) {
	line := func(i int) string { return fmt.Sprintf("line %06d of the output\n", i) }
	for _, lines := range []int{0, 1, 1000, 2000, 5000, 100_000} {
		var all strings.Builder
		c := &capture{}
		for i := range lines {
			all.WriteString(line(i))
			if _, err := c.Write([]byte(line(i))); err != nil {
				t.Fatal(err)
			}
		}
		got, dropped := c.text()
		if len(got) > maxOutput+100 {
			t.Errorf("%d lines: %d bytes are left", lines, len(got))
		}
		begin, end, cut := strings.Cut(got, "\n… ")
		if cut != (dropped > 0) || cut != (all.Len() > maxOutput) {
			t.Errorf("%d lines: cut %v, dropped %d", lines, cut, dropped)
		}
		if !cut {
			if got != all.String() {
				t.Errorf("%d lines: %q", lines, got)
			}
			continue
		}
		_, end, _ = strings.Cut(end, "\n")
		begin += "\n"
		if !strings.HasPrefix(all.String(), begin) || !strings.HasSuffix(all.String(), end) || !strings.HasPrefix(end, "line ") {
			t.Errorf("%d lines: begins %.60q, ends %.60q", lines, begin, end)
		}
		if want := int64(all.Len() - len(begin) - len(end)); dropped != want {
			t.Errorf("%d lines: %d bytes dropped, want %d", lines, dropped, want)
		}
	}
}

// A secret is never seen, wherever it stands, also where the output is cut.
func TestCaptureHidesSecrets(t *testing.T) {
	const secret = "sk-0123456789abcdefghijklmnopqrstuv"
	rapid.Check(t, func(rt *rapid.T) {
		c := &capture{hide: memory.NewSecrets([]string{secret})}
		var raw bytes.Buffer
		raw.WriteString(strings.Repeat("x", rapid.IntRange(0, 50).Draw(rt, "shift")))
		n := rapid.IntRange(1, 3000).Draw(rt, "times")
		for range n {
			raw.WriteString("key=" + secret + rapid.SampledFrom([]string{"\n", " ", "\x1b[0m\n"}).Draw(rt, "behind"))
			if n > 100 {
				raw.WriteString(strings.Repeat(secret+"\n", 40))
			}
			if raw.Len() > 180_000 {
				break
			}
		}
		for raw.Len() > 0 {
			if _, err := c.Write(raw.Next(rapid.IntRange(1, 70_000).Draw(rt, "piece"))); err != nil {
				rt.Fatal(err)
			}
		}
		got, _ := c.text()
		if strings.Contains(got, secret[:12]) || strings.Contains(got, secret[len(secret)-12:]) {
			rt.Fatalf("a part of the secret is seen: %q", got)
		}
	})
}
