package main_test

import (
	"strings"

	"github.com/galley-ls/galley/lsp/lsptest"
)

// casesOfTexts are about bytes: line endings, marks, columns.
func casesOfTexts() []editorCase {
	crlf := func(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }
	all := []editorCase{
		{
			name: "20 crlf",
			text: crlf(lines(10)),
			do: func(s *sitting) {
				s.ask(`replace "line 05\nline 06" with "five\nline 06" in f.txt`)
				if got := marked(s.preview("A")); got != "-line 05 +five" {
					s.Errorf("A's preview marks %q", got)
				}
				s.apply("A")
				s.save(crlf(with(lines(10), "line 05", "five")))
				s.onDisk()
				s.ask(`replace "line 08" with "eight\nand a half" in f.txt`)
				s.command("galley.apply", map[string]any{"uri": s.uri})
				s.e.Await(s, "all is applied", func(sc *lsptest.Screen) bool { return len(sc.Codes(s.uri)) == 0 })
				s.save(crlf(with(lines(10), "line 05", "five", "line 08", "eight\nand a half")))
				s.onDisk()
				s.e.ReplaceAll(s.uri, "") // what the buffer shows as line endings is the editor's business
			},
			want: "",
		},
		{
			name: "22 byte order mark",
			text: "\ufeff" + lines(5),
			do: func(s *sitting) {
				s.ask(`replace "line 04" with "four" in f.txt`)
				s.ask(`replace "line 01" with "one" in f.txt`)
				if got := marked(s.preview("A")); got != "-line 04 +four" {
					s.Errorf("A's preview marks %q", got)
				}
				s.apply("A")
				s.apply("B")
				s.save("\ufeff" + with(lines(5), "line 04", "four", "line 01", "one"))
				s.onDisk()
			},
			want: with(lines(5), "line 04", "four", "line 01", "one"),
		},
		{
			name: "27 literal dollars",
			do: func(s *sitting) {
				s.ask(`replace "line 05" with 'all $& one $1 \n \\ ${x}' in f.txt`)
				s.apply("A")
			},
			want: with(lines(30), "line 05", `all $& one $1 \n \\ ${x}`),
		},
		{
			name: "28 first line deleted",
			do: func(s *sitting) {
				s.ask(`delete "line 01\nline 02\n" in f.txt`)
				s.e.Await(s, "A stands at the top", func(sc *lsptest.Screen) bool {
					d := sc.Diagnostic(s.uri, "A")
					return d != nil && d.Range.Start == lsptest.Position{} && strings.HasSuffix(d.Message, "\n-line 01\n-line 02")
				})
				s.apply("A")
			},
			want: lines(30)[len("line 01\nline 02\n"):],
		},
	}
	for _, units := range []string{lsptest.UTF8, lsptest.UTF16, lsptest.UTF32} {
		all = append(all, editorCase{
			name: "25 emoji column " + units, units: units,
			text: "é\nx = \"😀\"; y = 1; z = \"é😀\"\nend\n",
			do: func(s *sitting) {
				s.ask(`replace "1" with "2" in f.txt`)
				s.e.Type(s.uri, lsptest.Before(`"; y`), "😀é")
				s.are("A conflict") // the same line
				s.e.Undo(s.uri)
				s.e.Type(s.uri, lsptest.After("é"), "😀")
				s.apply("A")
				s.e.Type(s.uri, lsptest.Before("; z"), "😀")
			},
			want: "é😀\nx = \"😀\"; y = 2😀; z = \"é😀\"\nend\n",
		})
	}
	return all
}
