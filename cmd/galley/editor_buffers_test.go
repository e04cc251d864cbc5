package main_test

import (
	"strings"

	"github.com/galley-ls/galley/lsp/lsptest"
)

// casesOfBuffers are about what is on the screen and what is on the disk.
func casesOfBuffers() []editorCase {
	return []editorCase{
		{
			name: "15 dirty buffer",
			do: func(s *sitting) {
				s.e.Type(s.uri, lsptest.Offset(0), "unsaved\n")
				s.ask(`read f.txt then replace "line 02" with "two" in f.txt`)
				if seen := s.page("history.md"); !strings.Contains(seen, "unsaved") {
					s.Errorf("the agent did not see the buffer:\n%s", seen)
				}
				s.onDisk()
				s.apply("A")
				s.onDisk()
				s.save("unsaved\n" + with(lines(30), "line 02", "two"))
				s.are("A applied")
			},
			want: "unsaved\n" + with(lines(30), "line 02", "two"),
		},
		{
			name: "15 dirty buffer, and another program writes the file",
			do: func(s *sitting) {
				s.e.Type(s.uri, lsptest.Offset(0), "unsaved\n")
				s.ask(`replace "line 02" with "two" in f.txt`)
				s.write(storyFile, "theirs\n") // the buffer is the text, as long as it is open
				s.e.FileChanged(s.path(storyFile), 2)
				s.are("A staged")
				s.apply("A")
				s.onDisk()
			},
			want: "unsaved\n" + with(lines(30), "line 02", "two"),
		},
		{
			name: "15 two editors on one file",
			do: func(s *sitting) {
				s.ask(`replace "line 02" with "two" in f.txt`)
				s.write(storyFile, with(lines(30), "line 02", "theirs")) // the other one saves, this one takes it in
				s.ok(s.e.Reload(s.uri))
				s.await("A", "conflict")
				s.write(storyFile, with(lines(30), "line 05", "theirs"))
				s.ok(s.e.Reload(s.uri))
				s.await("A", "staged")
				s.apply("A")
				s.onDisk()
			},
			want: with(lines(30), "line 02", "two", "line 05", "theirs"),
		},
		{
			name: "19 auto-save",
			do: func(s *sitting) {
				s.ask(`replace "line 20" with "twenty" in f.txt`)
				s.await("A", "staged")
				typed := ""
				for range 3 {
					s.save(typed + lines(30))
					s.onDisk()
					s.e.Type(s.uri, lsptest.Offset(0), "typed\n")
					typed += "typed\n"
					s.save(typed + lines(30))
					s.are("A staged")
				}
				s.onDisk()
				s.apply("A")
				s.onDisk()
				s.save(typed + with(lines(30), "line 20", "twenty"))
				s.are("A applied")
			},
			want: "typed\ntyped\ntyped\n" + with(lines(30), "line 20", "twenty"),
		},
		{
			name:  "29 a file is emptied, an empty one is filled",
			text:  lines(3),
			files: map[string]string{"g.txt": ""},
			do: func(s *sitting) {
				g := s.open("g.txt")
				start := s.e.Text(g) // an editor may show an empty file as one empty line
				s.ask(`delete "line 01\nline 02\nline 03\n" in f.txt then append "a\nb\n" to g.txt`)
				s.are("A staged, B staged")
				if got := s.page("files/f.txt"); got != "" {
					s.Errorf("f.txt would not be empty: %q", got)
				}
				if got := s.page("files/g.txt"); got != "a\nb\n" {
					s.Errorf("g.txt would hold %q", got)
				}
				if got := strings.TrimPrefix(marked(s.preview("B")), "- "); got != "+a +b" { // "- " is that empty line
					s.Errorf("B's preview marks %q", got)
				}
				if got := marked(s.preview("A")); got != "-line 01 -line 02 -line 03" {
					s.Errorf("A's preview marks %q", got)
				}
				s.apply("A")
				s.command("galley.apply", map[string]any{"change": "B"})
				s.await("B", "applied")
				if got := s.e.Text(g); got != "a\nb\n" {
					s.Errorf("g.txt holds %q", got)
				}
				s.e.Undo(g)
				s.await("B", "staged")
				if got := s.e.Text(g); got != start {
					s.Errorf("undone, g.txt holds %q", got)
				}
				s.command("galley.revert", map[string]any{"edit": 1})
			},
			want: "",
		},
	}
}

// marked are the lines that a preview takes out and puts in.
func marked(preview string) string {
	var out []string
	for line := range strings.Lines(preview) {
		_, body, ok := strings.Cut(line, "│")
		if ok && (strings.HasPrefix(body, "-") || strings.HasPrefix(body, "+")) {
			mark, rest := body[:1], strings.TrimSpace(body[1:])
			out = append(out, mark+rest)
		}
	}
	return strings.Join(out, " ")
}
