package tools

import (
	"fmt"
	"strings"
	"testing"

	"github.com/galley-ls/galley/memory"
)

func TestFit(t *testing.T) {
	many := strings.Repeat("a line of some words\n", 1000)
	long := strings.Repeat("é", 1500) + strings.Repeat("x", 5000) + strings.Repeat("ü", 1000) + "\n"
	for _, test := range []struct {
		name, text string
		start      int
		hint       string
		lines      int
	}{
		{"short", "one\ntwo\n", 1, "", 2},
		{"many lines", many, 1, "917 more lines: read again with start_line 84", 83},
		{"from the middle", many, 501, "417 more lines: read again with start_line 584", 83},
		{"a long line", long, 1, "the middle of long lines is left out", 1},
		{"one line over the budget", strings.Repeat("é ü ", 490) + "\nnext\n", 1, "more lines: read again with start_line 2", 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			total, start, end := 1000, test.start, 1000
			o := fit(Outcome{Text: &test.text, TotalLines: &total, StartLine: &start, EndLine: &end}, 500)
			if strings.Count(*o.Text, "\n") != test.lines || !strings.Contains(o.Hint, test.hint) || test.hint == "" && o.Hint != "" {
				t.Errorf("%d lines, hint %q", strings.Count(*o.Text, "\n"), o.Hint)
			}
			if test.lines == 83 && *o.EndLine != test.start+82 {
				t.Errorf("end_line %d", *o.EndLine)
			}
			if n := memory.CountTokens(*o.Text); n > 500 && test.lines > 1 {
				t.Errorf("%d tokens", n)
			}
		})
	}
	if got, want := cutMiddle(long), fmt.Sprint(strings.Repeat("é", 1000), "⟦… 5501", leftOut); !strings.HasPrefix(got, want) || !strings.HasSuffix(got, "ü\n") {
		t.Errorf("%q", got)
	}
	if o := fit(Outcome{Text: &many, Hint: "stale"}, 100); !strings.HasPrefix(o.Hint, "stale; 9") {
		t.Errorf("%q", o.Hint)
	}
}
