package main_test

import (
	"strings"
	"testing"

	"github.com/galley-ls/galley/lsp/lsptest"
)

// A lineCase is an edit at the end of a text. Neovim holds lines, and no edit gives the last one an ending or takes it
// away: what it saves ends a line in any case. All other editors do to the byte what is asked.
type lineCase struct {
	name, text, prompt string
	want               string // the text then, and what is proposed before
	saved              string // by Neovim, if that is another
}

func lineCases() []lineCase {
	return []lineCase{
		{"all is deleted", "one\ntwo\n", `delete "one\ntwo\n" in f.txt`, "", ""},
		{"all is deleted, without a last ending", "one\ntwo", `delete "one\ntwo" in f.txt`, "", ""},
		{"an empty file is filled", "", `append "one\ntwo\n" to f.txt`, "one\ntwo\n", ""},
		{"U18 an empty file is filled, without a last ending", "", `append "one\ntwo" to f.txt`, "one\ntwo\n", ""},
		{"the last line loses its ending", "one\ntwo\n", `replace "two\n" with "2" in f.txt`, "one\n2", "one\n2\n"},
		{"only the last ending goes", "one\ntwo\n", `replace "two\n" with "two" in f.txt`, "one\ntwo", "one\ntwo\n"},
		{"only a last ending comes", "one\ntwo", `replace "two" with "two\n" in f.txt`, "one\ntwo\n", ""},
		{"a last line comes with its ending", "one\ntwo", `replace "two" with "two\nthree\n" in f.txt`, "one\ntwo\nthree\n", ""},
		{"a last line comes without one", "one\ntwo\n", `replace "two\n" with "two\nthree" in f.txt`, "one\ntwo\nthree", "one\ntwo\nthree\n"},
		{"the last line goes", "one\ntwo\n", `delete "two\n" in f.txt`, "one\n", ""},
		{"the last line goes, without an ending", "one\ntwo", `delete "two" in f.txt`, "one\n", ""},
		{"the last line goes with the ending before", "one\ntwo\n", `delete "\ntwo\n" in f.txt`, "one", "one\n"},
		{"CRLF, the last line loses its ending", "one\r\ntwo\r\n", `replace "two\n" with "2" in f.txt`, "one\r\n2", "one\r\n2\r\n"},
		{"CRLF, all is deleted", "one\r\ntwo\r\n", `delete "one\ntwo\n" in f.txt`, "", ""},
	}
}

// What is applied, taken back, applied again and saved at the end of a text is right, and never a conflict.
func TestEditorLastLines(t *testing.T) {
	for _, c := range lineCases() {
		everyEditor(t, c.name, func(t *testing.T, p lsptest.Profile) {
			s := sit(t, p, map[string]string{storyFile: c.text})
			s.ask(c.prompt)
			if got := s.page("files/" + storyFile); strings.ReplaceAll(got, "\r", "") != strings.ReplaceAll(c.want, "\r", "") {
				s.Errorf("%q is proposed", got)
			}
			s.apply("A")
			s.reads(c.want)
			lines := s.e.Text(s.uri) != s.told(c.text)
			if lines { // else the lines are the same, and there is nothing to take back
				s.e.Undo(s.uri)
				s.await("A", "staged")
				s.reads(c.text)
				s.e.Redo(s.uri)
				s.await("A", "applied")
			}
			s.e.Type(s.uri, lsptest.Offset(0), "typed\n")
			s.are("A applied")
			s.e.Undo(s.uri)
			s.are("A applied")
			s.ok(s.e.Save(s.uri))
			s.disk[storyFile] = s.saves(c)
			s.onDisk()
			s.are("A applied")
			s.command("galley.commit", map[string]any{"edit": 1})
			s.awaitClosed()
			s.leave(s.e.Text(s.uri))
		})
	}
}

// told is a text as this editor would have it.
func (s *sitting) told(text string) string {
	if s.profile.Lines == lsptest.LinesHidden {
		return strings.ReplaceAll(text, "\r\n", "\n")
	}
	return text
}

// reads checks the buffer. Editors that hold lines are only asked for the lines.
func (s *sitting) reads(want string) {
	s.Helper()
	if got := s.e.Text(s.uri); !s.alike(got, s.told(want)) {
		s.Errorf("the buffer holds\n%q, want\n%q", got, want)
	}
}

// alike: the texts are the same, but for the last ending where the editor holds lines.
func (s *sitting) alike(x, y string) bool {
	if s.profile.Lined == lsptest.LinedNot {
		return x == y
	}
	bare := func(text string) string { return strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r") }
	return bare(x) == bare(y)
}

func (s *sitting) saves(c lineCase) string {
	if s.profile.Lined != lsptest.LinedNot && c.saved != "" {
		return c.saved
	}
	return c.want
}
