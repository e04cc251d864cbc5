package main_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/galley-ls/galley/lsp/lsptest"
)

// killed is how the world looks when galley is started again after a kill -9. Before it, A was applied, B is staged, C
// was rejected with a reason, D is in conflict, and E is staged in a file that no editor has open.
type killed struct {
	name   string
	opened func(buffer string) string // the text that the document is opened with; buffer is what it was
	closed string                     // what another program left in the closed file; "": nothing happened
	states string
	finish string // the letter to apply then, "" for none
	want   func(opened string) string
}

const (
	mine   = "typed above\n"
	staged = `replace "line 02" with "two" in f.txt because "it reads better" then replace "line 10" with "ten" in f.txt ` +
		`then replace "line 15" with "fifteen" in f.txt then replace "line 20" with "twenty" in f.txt ` +
		`then replace "line 05" with "five" in closed.txt`
)

func kills() []killed {
	same := func(text string) string { return text }
	tenDone := func(text string) string { return with(text, "line 10", "ten") }
	return []killed{
		{
			name: "the editor lives on", opened: same,
			states: "A applied, B staged, C rejected, D conflict, E staged", finish: "B", want: tenDone,
		},
		{
			name: "the editor died too, its text is that of the disk", opened: func(string) string { return lines(30) },
			states: "A staged, B staged, C rejected, D staged, E staged", finish: "B", want: tenDone,
		},
		{
			name:   "the text has moved on",
			opened: func(text string) string { return "more\nand more\n" + with(text, "line 11", "mine too") },
			closed: "theirs\n" + lines(10),
			states: "A applied, B staged, C rejected, D conflict, E staged", finish: "B", want: tenDone,
		},
		{
			name:   "the places are gone",
			opened: func(text string) string { return with(text, "line 10\n", "not it\n") },
			closed: with(lines(10), "line 05\n", "other\n"),
			states: "A applied, B conflict, C rejected, D conflict, E conflict", want: same,
		},
	}
}

func TestEditorAfterKill(t *testing.T) {
	for _, k := range kills() {
		everyEditor(t, k.name, func(t *testing.T, p lsptest.Profile) {
			s := sit(t, p, map[string]string{storyFile: lines(30), "closed.txt": lines(10)})
			before := s.decideSome()
			s.ok(s.e.Kill())
			lsptest.Conform(s, s.e)
			s.onDisk()
			if k.closed != "" {
				s.write("closed.txt", k.closed)
			}
			s.start()
			s.e.OpenText(s.uri, k.opened(before))
			s.are(k.states)
			s.remembers()
			if k.finish != "" {
				s.apply(k.finish)
			}
			s.leave(k.want(k.opened(before)))
		})
	}
}

// decideSome brings the letters into their states and answers the buffer's text.
func (s *sitting) decideSome() string {
	s.Helper()
	s.ask(staged)
	s.apply("A")
	s.command("galley.reject", map[string]any{"change": "C", "reason": "fifteen is a number here"})
	s.e.Type(s.uri, lsptest.Offset(0), mine)
	s.e.Replace(s.uri, lsptest.Before("line 20"), lsptest.After("line 20"), "my 20")
	s.await("D", "conflict")
	s.are("A applied, B staged, C rejected, D conflict, E staged")
	return s.e.Text(s.uri)
}

// remembers checks what must be known of the letters beside their states: the reasons of both sides.
func (s *sitting) remembers() {
	s.Helper()
	if got := s.change("A").Reason; got != "it reads better" {
		s.Errorf("the agent's reason is %q", got)
	}
	if page := s.page("changes/1/C.diff"); !strings.Contains(page, "fifteen is a number here") || !strings.Contains(page, "+fifteen") {
		s.Errorf("of C is left\n%s", page)
	}
}

// After a restart the user decides on what the new process shows, by its numbers.
func TestEditorCommitsAfterKill(t *testing.T) {
	everyEditor(t, "by what the new process shows", func(t *testing.T, p lsptest.Profile) {
		s := sit(t, p, map[string]string{storyFile: lines(30)})
		s.ask(`replace "line 02" with "two" in f.txt then replace "line 10" with "ten" in f.txt`)
		s.are("A staged, B staged")
		s.ok(s.e.Kill())
		lsptest.Conform(s, s.e)
		s.start()
		s.e.OpenText(s.uri, lines(30))
		s.are("A staged, B staged")
		var shown struct {
			Seq int64 `json:"seq"`
		}
		s.ok(json.Unmarshal(s.command("galley.changes"), &shown))
		s.command("galley.apply", map[string]any{"uri": s.uri, "seq": shown.Seq})
		s.await("A", "applied")
		s.await("B", "applied")
		s.leave(with(with(lines(30), "line 02", "two"), "line 10", "ten"))
	})
}
