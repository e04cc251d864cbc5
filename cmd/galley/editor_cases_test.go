package main_test

import (
	"testing"

	"github.com/galley-ls/galley/lsp/lsptest"
)

// editorCase is one of the review cases as a story over the wire: what the agent stages, what the person does, what the
// buffer holds in the end.
type editorCase struct {
	name  string
	text  string // of the story's file; "": 30 numbered lines
	files map[string]string
	units string // the only position encoding that the editor speaks; "": its own
	do    func(s *sitting)
	want  string
}

func TestEditorCases(t *testing.T) {
	for _, c := range editorCases() {
		everyEditor(t, c.name, func(t *testing.T, p lsptest.Profile) {
			if c.units != "" {
				p = p.Speaking(c.units)
			}
			text := c.text
			if text == "" {
				text = lines(30)
			}
			files := map[string]string{storyFile: text}
			for name, content := range c.files {
				files[name] = content
			}
			s := sit(t, p, files)
			c.do(s)
			s.leave(c.want)
		})
	}
}

func editorCases() []editorCase {
	all := casesOfPlaces()
	all = append(all, casesOfLetters()...)
	all = append(all, casesOfBuffers()...)
	return append(all, casesOfTexts()...)
}

// casesOfPlaces are about changes that move.
func casesOfPlaces() []editorCase {
	const (
		stageA = `replace "line 05" with "five\nand a half\nand more" in f.txt`
		stageB = `replace "line 20" with "twenty" in f.txt`
		three  = `replace "line 10\nline 11\nline 12" with "ten\neleven\ntwelve" in f.txt`
	)
	return []editorCase{
		{
			name: "01 shift after accept",
			do: func(s *sitting) {
				s.ask(stageA + " then " + stageB)
				s.apply("A")
				s.apply("B")
			},
			want: with(lines(30), "line 05", "five\nand a half\nand more", "line 20", "twenty"),
		},
		{
			name: "02 shift after reject",
			do: func(s *sitting) {
				s.ask(stageA + " then " + stageB)
				s.reject("A")
				s.apply("B")
			},
			want: with(lines(30), "line 20", "twenty"),
		},
		{
			name: "04 typing above",
			do: func(s *sitting) {
				s.ask(stageB)
				s.await("A", "staged")
				s.e.Type(s.uri, lsptest.Before("line 02"), "1\n2\n3\n4\n")
				s.apply("A")
			},
			want: with(lines(30), "line 20", "twenty", "line 02", "1\n2\n3\n4\nline 02"),
		},
		{
			name: "05 typing inside",
			do: func(s *sitting) {
				s.ask(three)
				s.await("A", "staged")
				s.e.Replace(s.uri, lsptest.Before("line 11"), lsptest.After("line 11"), "my 11")
				s.refused("state", "galley.apply", "A")
				s.await("A", "conflict")
				s.e.Undo(s.uri) // heals it
				s.await("A", "staged")
				s.e.Redo(s.uri)
				s.await("A", "conflict")
				s.choose("A", "Keep mine")
				s.await("A", "rejected")
			},
			want: with(lines(30), "line 11", "my 11"),
		},
		{
			name: "05 typing inside, the agent's taken",
			do: func(s *sitting) {
				s.ask(three)
				s.await("A", "staged")
				s.e.Replace(s.uri, lsptest.Before("line 11"), lsptest.After("line 11"), "my 11")
				s.await("A", "conflict")
				s.choose("A", "Take the agent's")
				s.await("A", "applied")
			},
			want: with(lines(30), "line 10\nline 11\nline 12", "ten\neleven\ntwelve"),
		},
		{
			name: "06 typing at the edge",
			do: func(s *sitting) {
				s.ask(`replace "line 10" with "ten" in f.txt`)
				s.await("A", "staged")
				s.e.Type(s.uri, lsptest.After("line 09"), " and mine")
				s.e.Type(s.uri, lsptest.Before("line 11"), "mine\n")
				s.are("A staged")
				s.apply("A")
			},
			want: with(lines(30), "line 09", "line 09 and mine", "line 10", "ten\nmine"),
		},
		{
			name: "08 equal lines",
			text: equalLines,
			do: func(s *sitting) {
				s.ask(`replace "end" with "END" in f.txt after "line 08"`)
				s.await("A", "staged")
				s.e.Delete(s.uri, lsptest.Before("end\nline 05"), lsptest.Before("line 05"))
				s.apply("A")
			},
			want: with(equalLines, "end\nline 05", "line 05", "line 08\nend", "line 08\nEND"),
		},
	}
}

// equalLines has the same line at 4, 9 and 14.
var equalLines = with(lines(15), "line 04", "end", "line 09", "end", "line 14", "end")
