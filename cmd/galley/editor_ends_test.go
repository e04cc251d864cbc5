package main_test

import (
	"strings"
	"testing"

	"github.com/galley-ls/galley/lsp/lsptest"
)

// U11: some editors show a file with CRLF as one with LF. Whoever showed the text when a letter was staged, it takes the
// line ends of the text that it goes into.
func TestEditorU11LineEnds(t *testing.T) {
	crlf := func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }
	const edits = `replace "line 02\n" with "two\nand a half\n" in f.txt then delete "line 04\n" in f.txt then append "line 07\n" to f.txt`
	was := crlf(lines(6))
	want := crlf(with(lines(6)+"line 07\n", "line 02", "two\nand a half", "line 04\n", ""))
	for name, open := range map[string][2]bool{"staged while closed, taken while open": {false, true}, "staged while open, taken while closed": {true, false}} {
		everyEditor(t, name, func(t *testing.T, p lsptest.Profile) {
			s := sit(t, p, map[string]string{"g.txt": "g\n"})
			s.uri = s.open("g.txt")
			s.write(storyFile, was)
			if open[0] {
				s.uri = s.open(storyFile)
			}
			s.ask(edits)
			if open[0] {
				s.e.CloseBuffer(s.uri)
				s.command("galley.apply", "A")
				s.command("galley.apply", "B")
				s.command("galley.apply", "C")
				s.disk[storyFile] = want
				s.onDisk()
				s.uri = s.open(storyFile)
				s.leave(s.told(want))
				return
			}
			s.uri = s.open(storyFile)
			s.are("A staged, B staged, C staged")
			s.commit(nil)
			s.awaitClosed()
			s.reads(want)
			s.save(want)
			s.onDisk()
			s.leave(s.told(want))
		})
	}
}

// U16: what a \r is that is no part of \r\n, galley counts as each editor does.
func TestEditorU16LoneCR(t *testing.T) {
	everyEditor(t, "a lone CR", func(t *testing.T, p lsptest.Profile) {
		s := sit(t, p, map[string]string{storyFile: "one\ntwo\rthree\r\nline 04\nline 05\n"})
		s.ask(`replace "line 04" with "four" in f.txt`)
		want := s.e.Text(s.uri)
		s.e.Type(s.uri, lsptest.Offset(strings.Index(want, "line 05")), "typed ")
		s.apply("A")
		s.e.Type(s.uri, lsptest.Offset(strings.Index(want, "three")), "typed too ")
		s.leave(with(want, "line 04", "four", "line 05", "typed line 05", "three", "typed too three"))
	})
}
