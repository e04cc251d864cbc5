package lsptest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

const doc = "file:///w/doc.txt"

// What is typed, undone, redone and replaced reaches the server, in every style and encoding, held back or not.
func TestServerTextIsTheBuffers(t *testing.T) {
	profiles := []Profile{Plain(), Emacs(), Neovim012()}
	for i, style := range Cuts() {
		for j, encoding := range encodings {
			p := profiles[(i+j)%len(profiles)]
			p.Cut, p.Encodings = style, []string{encoding}
			e := dial(t, p)
			t.Run(fmt.Sprintf("%d/%s/%s", style, encoding, p.Name), rapid.MakeCheck(func(t *rapid.T) { typeAndCompare(t, e) }))
			Conform(t, e)
		}
	}
}

func typeAndCompare(t *rapid.T, e *Editor) {
	e.OpenText(doc, genText(8).Draw(t, "text"))
	defer e.CloseBuffer(doc)
	for range rapid.IntRange(1, 5).Draw(t, "steps") {
		text := e.Text(doc)
		switch rapid.IntRange(0, 5).Draw(t, "step") {
		case 0:
			e.Undo(doc)
		case 1:
			e.Redo(doc)
		case 2:
			e.ReplaceAll(doc, genText(6).Draw(t, "all"))
		case 3:
			e.Flush()
		default:
			edits := genEdits(text).Draw(t, "edit")
			e.Replace(doc, Offset(edits[0].start), Offset(edits[0].end), edits[0].text)
		}
	}
	e.Flush()
	var got map[string]string
	if err := e.Request(t.Context(), "test/texts", nil, &got); err != nil {
		t.Fatal(err)
	}
	b := e.Buffer(doc)
	said := b.Told == b.Text || b.Text == "" && e.Profile().Lined != LinedNot && strings.TrimSpace(b.Told) == ""
	if got[doc] != b.Told || !said {
		t.Fatalf("server has %q, buffer %q, told %q", got[doc], b.Text, b.Told)
	}
}

func TestUndoRedo(t *testing.T) {
	e := dial(t, Plain())
	e.OpenText(doc, "one two")
	e.Type(doc, Before("two"), "and ")
	e.ReplaceAll(doc, "1 and 2")
	steps := []struct {
		do   func(string) bool
		ok   bool
		text string
	}{
		{e.Redo, false, "1 and 2"},
		{e.Undo, true, "one and two"},
		{e.Undo, true, "one two"},
		{e.Undo, false, "one two"},
		{e.Redo, true, "one and two"},
		{e.Redo, true, "1 and 2"},
		{e.Undo, true, "one and two"},
	}
	for i, s := range steps {
		if ok := s.do(doc); ok != s.ok || e.Text(doc) != s.text {
			t.Fatalf("step %d: %t %q, want %t %q", i, ok, e.Text(doc), s.ok, s.text)
		}
		if dirty := e.Buffer(doc).Dirty; dirty != (s.text != "one two") {
			t.Errorf("step %d: dirty is %t", i, dirty)
		}
	}
	e.Type(doc, End(), "!")
	if e.Redo(doc) {
		t.Error("typing left something to redo")
	}
	if got := texts(t, e)[doc]; got != "one and two!" {
		t.Errorf("server has %q", got)
	}
}

func TestFileForms(t *testing.T) {
	for _, c := range []struct {
		profile            Profile
		disk, shown, saved string // saved after typing "x\n" in front
	}{
		{Helix(), "a\r\nb\n", "a\r\nb\n", "x\na\r\nb\n"},
		{Neovim012(), "a\r\nb\r\n", "a\r\nb\r\n", "x\r\na\r\nb\r\n"},
		{Neovim012(), "a\r\nb\n", "a\r\nb\n", "x\na\r\nb\n"},
		{Emacs(), "a\r\nb\r\n", "a\nb\n", "x\r\na\r\nb\r\n"},
		{VSCode(), "a\r\nb\r\nc\n", "a\r\nb\r\nc\r\n", "x\r\na\r\nb\r\nc\r\n"},
		{VSCode(), bom + "a\n", "a\n", bom + "x\na\n"},
		{Neovim010(), "", "", "x\n\n"},
		{Neovim010(), "a", "a", "x\na\n"},
		{Helix(), "", "", "x\n"},
	} {
		e := dial(t, c.profile)
		path := filepath.Join(t.TempDir(), "f ü.txt")
		if err := os.WriteFile(path, []byte(c.disk), 0o600); err != nil {
			t.Fatal(err)
		}
		uri, err := e.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := e.Text(uri); got != c.shown {
			t.Errorf("%s shows %q, want %q", c.profile.Name, got, c.shown)
		}
		e.Type(uri, Offset(0), "x\n")
		if err := e.Save(uri); err != nil {
			t.Fatal(err)
		}
		saved, err := os.ReadFile(path)
		if err != nil || string(saved) != c.saved {
			t.Errorf("%s saved %q, %v; want %q", c.profile.Name, saved, err, c.saved)
		}
		if b := e.Buffer(uri); b.Dirty || b.Told != b.Text {
			t.Errorf("%s: dirty %t, told %q of %q", c.profile.Name, b.Dirty, b.Told, b.Text)
		}
	}
}

func TestURIs(t *testing.T) {
	e := &Editor{profile: Emacs()}
	if got := e.URI("/w/50% ü.txt"); got != "file:///w/50%%20%C3%BC.txt" {
		t.Error(got)
	}
	if filePath("file:///w/%C3%BC.txt") != "/w/ü.txt" || !encodesLetters("/%c3%bc") || encodesLetters("/%20") {
		t.Error("URIs are read wrongly")
	}
}
