package view

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
	"pgregory.net/rapid"
)

// genAny draws a text in which much cannot be seen, with lines of any length.
func genAny(t *rapid.T, name string) string {
	piece := rapid.OneOf(
		rapid.StringMatching(`[a-c (){}\t]{0,12}`), rapid.Just("\n"), rapid.Just("\n"), rapid.Just("\n\n"),
		rapid.SampledFrom([]string{
			"us\u200Ber", "\u00A0", "\u202E", "\u061C", "\u2062", "\u180E", "\u00AD", "\uE000", "\U000E0041", "a\u0336", "\u3164", "\r\n",
			"❤\uFE0F", "👩\u200D👧", "\uFE0F", "é", "漢", "\x1b[2J", "\r",
		}),
		rapid.Custom(func(t *rapid.T) string {
			return strings.Repeat(rapid.StringMatching(`[a-z]{1,4}[ \x{200B}]`).Draw(t, "word"), rapid.IntRange(1, 300).Draw(t, "times"))
		}),
	)
	return strings.Join(rapid.SliceOfN(piece, 0, 40).Draw(t, name), "")
}

// comes is what a view shows of the lines that come, and what it says of the rest.
type comes struct {
	lines    map[string]int // the lines that are whole, without their blanks
	cut      int            // characters that are left out in lines
	rest     string         // how much is missing at the end
	unmarked string         // what cannot be seen and is not marked
}

var missed = regexp.MustCompile(`(?m)^… (\d+) more lines?(, \d+ of them new \(\d+ chars?\)|, (\d+) chars?: memo_preview)?`)

// read reads a view back, whose new lines stand behind a sign.
func read(t fataler, view string, sign *regexp.Regexp) comes {
	c := comes{lines: map[string]int{}}
	for _, rest := range missed.FindAllString(view, -1) { // those before the last are in the midst: deleted lines
		c.rest = rest
	}
	for line := range strings.Lines(view) {
		at := sign.FindStringIndex(line)
		if at == nil {
			continue
		}
		line = strings.TrimSuffix(strings.TrimSuffix(line[at[1]:], "\n"), noNewline)
		for rest := line; rest != ""; {
			n := text.Character(rest)
			if rest[:n] != "\t" && rest != "\r" && !text.Seen(rest[:n]) { // a line ending may stand in a patch
				c.unmarked = strconv.Quote(line)
			}
			rest = rest[n:]
		}
		shown, cut := leftOut(t, line)
		c.cut += cut
		c.lines[bare(unmarked(shown))]++
	}
	return c
}

// bare is a line without what its ending and the form of a view may add or take.
func bare(line string) string { return strings.TrimRight(line, "\r\n") }

// Every view contains every new character of a change, whatever it is, or says how many
// it does not; and what cannot be seen is marked.
func TestU68EveryViewShowsAllOrSaysHowMuchItDoesNot(t *testing.T) {
	diff, numbered := regexp.MustCompile(`^\+`), regexp.MustCompile(`^ *\d*[A-Z]*│\+`)
	rapid.Check(t, func(t *rapid.T) {
		w := editing.New(0)
		w.OpenDocument("/w/f.txt", "f.txt", text.New(genAny(t, "old")), 1, 1)
		w.Do(editing.Write(editing.Writing{Meta: editing.Meta{Owner: agentName}, Path: "/w/f.txt", Content: genAny(t, "new")}))
		s := w.Snapshot()
		for _, c := range s.Of(agentName, 1) {
			lines := Of(s, c).Lines
			for _, view := range []struct {
				name, text string
				sign       *regexp.Regexp
			}{
				{"diff", lines.String(), diff},
				{"hover", lines.Around(1).First(60), diff},
				{"markdown", lines.Around(1).Markdown(60), diff},
				{"diagnostic", lines.Around(0).First(8), diff},
				{"terminal", lines.Whole(400).String(), diff},
				{"compact", Preview(s, agentName, 1, Options{MaxLength: -1, Letter: c.Letter}), numbered},
				{"full", Preview(s, agentName, 1, Options{MaxLength: -1, Letter: c.Letter, Format: FormatFull}), numbered},
				{"short", Preview(s, agentName, 1, Options{Letter: c.Letter}), numbered},
				{"place", Places(s, c, Options{}), numbered},
				{"patch", Preview(s, agentName, 1, Options{ForPeople: true, MaxLength: -1, Format: FormatDiff, Letter: c.Letter}), diff},
			} {
				checkShown(t, view.name, view.text, lines, read(t, view.text, view.sign))
			}
		}
	})
}

func checkShown(t *rapid.T, name, view string, lines Lines, got comes) {
	if got.unmarked != "" {
		t.Fatalf("%s: %s has what cannot be seen:\n%s", name, got.unmarked, view)
	}
	left, lost := 0, 0
	for _, l := range lines {
		if l.Sign != New {
			continue
		}
		if key := bare(l.raw); got.lines[key] > 0 {
			got.lines[key]--
			continue
		}
		lost++
		left += utf8.RuneCountInString(bare(l.raw))
	}
	shown := 0
	for line, n := range got.lines { // of lines that are cut
		shown += n * utf8.RuneCountInString(line)
	}
	var more, comes, chars int
	_, err := fmt.Sscanf(strings.ReplaceAll(got.rest, "lines", "line"), "… %d more line, %d of them new (%d char", &more, &comes, &chars)
	if err != nil && more > 0 { // of a preview
		left, chars = lost-len(got.lines), more
	}
	if left > shown+got.cut+chars {
		t.Fatalf("%s: %d characters of new lines are not in the view whole; it shows %d of them, and counts %d + %d:\n%s", name, left, shown, got.cut, chars, view)
	}
}
