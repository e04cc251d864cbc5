package review

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/galley-ls/galley/cmd/galley/internal/term"
	"github.com/galley-ls/galley/editing/view"
	"github.com/galley-ls/galley/editing/view/viewtest"
)

func TestDrawnLetter(t *testing.T) {
	d := newTestSession(t, map[string]string{"config.json": "{\n  \"experimental\": []\n}\n"})
	d.replace("config.json", `"experimental": []`, `"experimental": ["X"]`, "X is wanted")
	tests := []struct {
		name string
		s    term.Screen
		want string
	}{
		{"no terminal", term.Screen{}, `[A] replace "\"experimental\": []" → "\"experimental\": [\"X\"]" · config.json · line 2
    because: X is wanted
   1│ {
   2│-  "experimental": []
   2│+  "experimental": ["X"]
   3│ }
`},
		{"a narrow terminal", term.Screen{Width: 24}, `[A] replace "\"experime…
    config.json · line 2
    because: X is wanted
   1│ {
   2│-  "experimental": 
    │-[]
   2│+  "experimental": 
    │+["X"]
   3│ }
`},
		{"colours", term.Screen{Width: 80, Color: true}, `«33»[A]«0» replace "\"experimental\": []" → "\"experimental\": [\"X\"]"
«2»    config.json · line 2«22»
«2»    because: X is wanted«22»
«2»   1│«22» {
«2»   2│«22»«31»-«0»«31»  "experimental": []«0»
«2»   2│«22»«32»+«0»«32»  "experimental": [«0»«32;7»"X"«0;27»«32»]«0»
«2»   3│«22» }
`},
	}
	for _, test := range tests {
		snap := d.Snapshot()
		got := drawnLetter(test.s, view.Of(snap, snap.Changes()[0]))
		got = regexp.MustCompile("\x1b\\[([0-9;]*)m").ReplaceAllString(got, "«$1»")
		if got != test.want {
			t.Errorf("%s: got\n%s\nwant\n%s", test.name, got, test.want)
		}
	}
}

// A terminal shows the lines that testdata/lines.json has.
func TestDrawnLinesTable(t *testing.T) {
	viewtest.Table(t, func(t *testing.T, row viewtest.Row) {
		snap := row.Staged(t, "s")
		_, got, _ := strings.Cut(drawnLetter(term.Screen{}, view.Of(snap, snap.Changes()[0])), "\n")
		if want := strings.Join(row.Terminal, "\n") + "\n"; got != want {
			t.Errorf("got\n%swant\n%s", got, want)
		}
	})
}

// However a line is broken into rows, nothing of it is lost, no row is too wide, and what was marked stays marked.
func TestRowsKeepTheLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[a-z 日é\t]{0,60}`).Draw(t, "text")
		width := rapid.IntRange(10, 40).Draw(t, "width")
		line := untabbed(view.Line{Text: text, Marks: drawMarks(t, text)})
		var whole, marked strings.Builder
		for _, row := range rows(line, width) {
			used := 0
			for _, p := range row {
				whole.WriteString(p.text)
				used += term.ColumnsOf(p.text)
				if p.marked {
					marked.WriteString(p.text)
				}
			}
			if used > width {
				t.Fatalf("a row of %d columns, and %d are there: %v", used, width, row)
			}
		}
		want := ""
		for _, m := range line.Marks {
			want += line.Text[m[0]:m[1]]
		}
		if whole.String() != line.Text || marked.String() != want {
			t.Fatalf("%q with %q marked became %q with %q marked", line.Text, want, whole.String(), marked.String())
		}
	})
}

// drawMarks draws up to two ascending ranges on whole characters.
func drawMarks(t *rapid.T, text string) [][2]int {
	starts := []int{}
	for i := range text {
		starts = append(starts, i)
	}
	starts = append(starts, len(text))
	var marks [][2]int
	at := 0
	for range rapid.IntRange(0, 2).Draw(t, "marks") {
		from := rapid.IntRange(at, len(starts)-1).Draw(t, "from")
		to := rapid.IntRange(from, len(starts)-1).Draw(t, "to")
		marks = append(marks, [2]int{starts[from], starts[to]})
		at = to
	}
	return marks
}

func TestDrawnPatchCarriesNoControl(t *testing.T) {
	got := drawnPatch(term.Screen{}, "@@ -1 +1 @@\n-a\r\n+\x1b[31mb\r\n")
	if want := "@@ -1 +1 @@\n-a⟦CR⟧\n+⟦U+001B⟧[31mb\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
