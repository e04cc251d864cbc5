package main_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/galley-ls/galley/lsp/lsptest"
)

// pending is a change as galley.changes tells it.
type pending struct {
	Change   string
	Revision int
	State    string
	Reason   string
	OldText  string
	NewText  string
	Range    lsptest.Range
	Edits    []lsptest.TextEdit
	Conflict *struct{ Mine, Agent, Original string }
}

type pendingFile struct {
	URI     string
	Version *int
	Changes []pending
}

// files asks for all changes of open edits. Whatever was typed before has been taken in.
func (s *sitting) files() []pendingFile { return s.filesOf("") }

// filesOf does so for one agent session.
func (s *sitting) filesOf(session string) []pendingFile {
	s.Helper()
	var all struct{ Files []pendingFile }
	s.ok(json.Unmarshal(s.command("galley.changes", map[string]any{"session": session}), &all))
	return all.Files
}

// change is what galley says of a letter now.
func (s *sitting) change(letter string) pending {
	s.Helper()
	files := s.files()
	for _, f := range files {
		for _, c := range f.Changes {
			if c.Change == letter {
				return c
			}
		}
	}
	s.Fatalf("there is no change %s in %+v", letter, files)
	return pending{}
}

// are checks letters against "A staged, B rejected": these and no others.
func (s *sitting) are(want string) {
	s.Helper()
	got := []string{}
	for _, f := range s.files() {
		for _, c := range f.Changes {
			got = append(got, c.Change+" "+c.State)
		}
	}
	slices.Sort(got)
	if strings.Join(got, ", ") != want {
		s.Fatalf("the changes are %q, want %q", strings.Join(got, ", "), want)
	}
}

// await waits until the screen shows a letter in a state, and checks that galley says the same.
func (s *sitting) await(letter, state string) {
	s.Helper()
	want := state
	if !slices.Contains([]string{"staged", "applying", "conflict"}, state) {
		want = "" // what is decided is not shown
	}
	s.e.Await(s, letter+" is "+state, func(sc *lsptest.Screen) bool { return shown(sc, letter) == want })
	if got := s.change(letter).State; got != state {
		s.Fatalf("%s is %s, want %s", letter, got, state)
	}
}

// shown is the state of a letter as its diagnostic tells it, "" if it has none.
func shown(sc *lsptest.Screen, letter string) string {
	for uri := range sc.Diagnostics {
		d := sc.Diagnostic(uri, letter)
		switch {
		case d == nil:
		case strings.Contains(d.Message, "\nin conflict with your text"):
			return "conflict"
		case strings.Contains(d.Message, "\nbeing applied"):
			return "applying"
		default:
			return "staged"
		}
	}
	return ""
}

// apply applies a letter of the story's file as a person does in this editor: by lens where there are lenses, else by
// code action.
func (s *sitting) apply(letter string) {
	s.Helper()
	if s.profile.Lenses == lsptest.AsksNever {
		s.choose(letter, "Apply "+letter)
	} else {
		s.click(letter)
	}
	s.await(letter, "applied")
}

func (s *sitting) click(letter string) {
	s.Helper()
	title, now := letter+": Apply", fmt.Sprintf(`"revision":%d`, s.change(letter).Revision)
	if s.profile.Lenses == lsptest.AsksOnDemand {
		s.e.Redraw(s.uri)
	}
	s.e.Await(s, "the lens "+title, func(sc *lsptest.Screen) bool {
		return slices.ContainsFunc(sc.Lenses[key(s.uri)], func(l lsptest.Lens) bool {
			return l.Command != nil && l.Command.Title == title && strings.Contains(string(l.Command.Arguments[0]), now)
		})
	})
	_, err := s.e.Click(s.Context(), s.uri, title)
	s.ok(err)
}

// choose runs a code action on the lines of a letter.
func (s *sitting) choose(letter, title string) {
	s.Helper()
	at := s.change(letter).Range
	here, there := lsptest.LineCol(at.Start.Line, 0), lsptest.LineCol(at.End.Line, 0)
	_, err := s.e.Choose(s.Context(), s.uri, here, there, title)
	s.ok(err)
}

func (s *sitting) reject(letter string) {
	s.Helper()
	s.choose(letter, "Reject "+letter)
	s.await(letter, "rejected")
}

// page is the text of a virtual document of the current session.
func (s *sitting) page(name string) string {
	s.Helper()
	text, err := s.e.Content(s.Context(), "galley:/sessions/current/"+name)
	s.ok(err)
	return text
}

// preview is a change's preview, as the command answers it.
func (s *sitting) preview(letter string) string {
	s.Helper()
	var preview struct{ Text string }
	s.ok(json.Unmarshal(s.command("galley.preview", map[string]any{"change": letter}), &preview))
	return preview.Text
}

// believes checks that the server has the story's file as the editor does. The proposed text is asked for, and every
// change is laid over the buffer by hand: both must come out the same.
func (s *sitting) believes() {
	s.Helper()
	b := s.e.Buffer(s.uri)
	proposed := b.Text
	for _, f := range s.filesOf("current") {
		if f.Version == nil || key(f.URI) != key(s.uri) {
			continue
		}
		if *f.Version != b.Version {
			s.Errorf("the server is at version %d, the editor at %d", *f.Version, b.Version)
		}
		var edits []lsptest.TextEdit
		for _, c := range f.Changes {
			if c.State != "staged" && c.State != "applying" {
				if new := s.between(b.Text, c.Range); new != c.NewText && c.State == "applied" {
					s.Errorf("%s is said to have written %q, but at its place stands %q", c.Change, c.NewText, new)
				}
				continue
			}
			if old := s.between(b.Text, c.Range); old != c.OldText {
				s.Errorf("%s replaces %q, but at its place stands %q", c.Change, c.OldText, old)
			}
			edits = append(edits, c.Edits...)
		}
		proposed = s.edited(b.Text, edits)
	}
	name, err := filepath.Rel(s.dir, s.file())
	s.ok(err)
	if got := s.page("files/" + filepath.ToSlash(name)); !s.alike(got, proposed) {
		s.Errorf("the server would make the text\n%q, the editor\n%q", got, proposed)
	}
}

func (s *sitting) file() string { return strings.TrimPrefix(key(s.uri), "file://") }

// key is how a screen names a document. Paths of tests have nothing to be escaped.
func key(uri string) string { return uri }

// edited makes edits in a text, the last one first.
func (s *sitting) edited(text string, edits []lsptest.TextEdit) string {
	slices.SortStableFunc(edits, func(x, y lsptest.TextEdit) int {
		return s.offset(text, x.Range.Start) - s.offset(text, y.Range.Start)
	})
	for _, x := range slices.Backward(edits) {
		text = text[:s.offset(text, x.Range.Start)] + x.NewText + text[s.offset(text, x.Range.End):]
	}
	return text
}

func (s *sitting) between(text string, r lsptest.Range) string {
	return text[s.offset(text, r.Start):s.offset(text, r.End)]
}

// offset is where a position of the wire is in a text, in bytes.
func (s *sitting) offset(text string, at lsptest.Position) int {
	start := 0
	for range at.Line {
		start += strings.IndexByte(text[start:], '\n') + 1
	}
	encoding, _ := s.e.Provides("positionEncoding").(string)
	units := 0
	for i, r := range text[start:] {
		if units >= at.Character {
			return start + i
		}
		switch encoding {
		case lsptest.UTF8:
			units += utf8.RuneLen(r)
		case lsptest.UTF32:
			units++
		default:
			units += utf16.RuneLen(r)
		}
	}
	return len(text)
}
