package main_test

import (
	"fmt"
	"strings"

	"github.com/galley-ls/galley/lsp/lsptest"
)

// casesOfLetters are about what a letter is, and what rejecting one leaves.
func casesOfLetters() []editorCase {
	const addF = `append "func f() {\n\treturn 1\n}\n" to f.txt`
	return []editorCase{
		{
			name: "09 edit inside a staged edit",
			do: func(s *sitting) {
				s.ask(addF)
				s.ask(`replace "return 1" with "return 2" in f.txt`)
				s.are("A staged")
				s.reject("A") // all of it
				if got := s.page("files/f.txt"); got != lines(30) {
					s.Errorf("something of A is left: %q", got)
				}
				s.command("galley.unreject", "A")
				s.await("A", "staged")
				s.apply("A")
			},
			want: lines(30) + "func f() {\n\treturn 2\n}\n",
		},
		{
			name: "10 superseded",
			do: func(s *sitting) {
				s.ask(`replace "line 07" with "seven" in f.txt`)
				first := s.change("A").Revision
				s.ask(`replace "seven" with "SEVEN" in f.txt`)
				s.are("A staged")
				s.refused("revision", "galley.apply", map[string]any{"change": "A", "revision": first})
				if preview := s.preview("A"); !strings.Contains(preview, "SEVEN") || strings.Contains(preview, "seven") {
					s.Errorf("the preview does not show one net change:\n%s", preview)
				}
				s.command("galley.apply", map[string]any{"uri": s.uri})
				s.await("A", "applied")
			},
			want: with(lines(30), "line 07", "SEVEN"),
		},
		{
			name: "12 revert leaves no trace",
			do: func(s *sitting) {
				stamp, before := s.stamp(storyFile), s.e.Buffer(s.uri)
				s.ask(`replace "line 05" with "five" in f.txt then delete "line 20\n" in f.txt then append "more\n" to f.txt`)
				s.are("A staged, B staged, C staged")
				s.command("galley.reject", map[string]any{"uri": s.uri, "reason": "none of it"})
				s.are("A rejected, B rejected, C rejected")
				s.command("galley.revert", map[string]any{"edit": 1, "reason": "none of it"})
				if after := s.e.Buffer(s.uri); after != before || after.Dirty || after.Undo != 0 {
					s.Errorf("the buffer was %+v and is %+v", before, after)
				}
				if !s.stamp(storyFile).Equal(stamp) {
					s.Error("the file was written")
				}
			},
			want: lines(30),
		},
		{
			name: "13 rejected text stays readable",
			do: func(s *sitting) {
				s.ask(`replace "line 05" with "five" in f.txt then replace "line 20" with "a text worth keeping" in f.txt`)
				s.reject("B")
				if page := s.page("changes/1/B.diff"); !strings.Contains(page, "a text worth keeping") {
					s.Errorf("B cannot be read any more: %q", page)
				}
				s.choose("B", "Bring back B")
				s.await("B", "staged")
				s.apply("B")
				s.are("A staged, B applied")
			},
			want: with(lines(30), "line 20", "a text worth keeping"),
		},
		{
			name: "40 the 27th change",
			do: func(s *sitting) {
				s.ask(many(1, 26))
				s.ask(many(27, 27)) // no letter is left: nothing is staged, nothing is lost
				letters := map[string]bool{}
				for _, f := range s.files() {
					for _, c := range f.Changes {
						letters[c.Change] = c.State == "staged" && !strings.Contains(c.NewText, "27")
					}
				}
				if len(letters) != 26 || !letters["A"] || !letters["Z"] {
					s.Fatalf("the letters are %v", letters)
				}
				if told := s.page("history.md"); !strings.Contains(told, "letters_full") {
					s.Errorf("nobody is told:\n%s", told[max(0, len(told)-2000):])
				}
				s.apply("A")
				s.command("galley.apply", map[string]any{"uri": s.uri}) // 25 at once
				s.e.Await(s, "all are applied", func(sc *lsptest.Screen) bool { return len(sc.Codes(s.uri)) == 0 })
				s.ask(many(27, 27))
				s.apply("A") // free again, as everything before is decided
			},
			want: allOf(27),
		},
	}
}

// many is an instruction that stages a change for each of some lines.
func many(from, to int) string {
	var steps []string
	for i := from; i <= to; i++ {
		steps = append(steps, fmt.Sprintf(`replace "line %s" with "new %s" in f.txt`, two(i), two(i)))
	}
	return strings.Join(steps, " then ")
}

func allOf(n int) string { return strings.Replace(lines(30), "line", "new", n) }
