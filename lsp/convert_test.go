package lsp

import (
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/galley-ls/galley/editing/text"
	"go.lsp.dev/protocol"
	"pgregory.net/rapid"
)

const mixed = "aé😀b\r\n\n中\n😀"

func TestPositions(t *testing.T) {
	for _, c := range []struct {
		enc            encoding
		line, char     uint32
		offset, inside int
	}{
		{utf8units, 0, 0, 0, 0},
		{utf8units, 0, 1, 1, 0},
		{utf8units, 0, 2, 1, 1}, // inside é
		{utf8units, 0, 8, 8, 0},
		{utf8units, 0, 99, 8, 0}, // past the end: its end, before \r
		{utf16units, 0, 2, 3, 0},
		{utf16units, 0, 3, 3, 1}, // between the surrogates
		{utf16units, 0, 4, 7, 0},
		{utf16units, 0, 5, 8, 0},
		{utf16units, 1, 7, 10, 0},
		{utf16units, 2, 1, 14, 0},
		{utf16units, 3, 2, 19, 0},
		{utf32units, 0, 3, 7, 0},
		{utf32units, 3, 1, 19, 0},
		{utf32units, 3, 4294967295, 19, 0},
	} {
		m := mapper{t: text.New(mixed), enc: c.enc}
		got, err := m.place(pos(c.line, c.char))
		if err != nil || got.offset != c.offset || got.inside != c.inside {
			t.Errorf("%s %d:%d is %+v, %v; want %d, %d inside", c.enc, c.line, c.char, got, err, c.offset, c.inside)
		}
	}
	m := mapper{t: text.New(mixed), enc: utf16units}
	for _, line := range []uint32{4, 5, 1 << 31, 4294967295} {
		if _, err := m.place(protocol.Position{Line: line}); err == nil {
			t.Errorf("line %d is inside", line)
		}
	}
	if n := (mapper{t: text.New("a\n"), enc: utf16units}).lastLine(); n != 1 {
		t.Errorf("the last line behind a final newline is %d", n)
	}
	if p := m.position(9); p != pos(0, 5) {
		t.Errorf("between \\r and \\n: %+v", p)
	}
}

func TestPickEncoding(t *testing.T) {
	for _, c := range []struct {
		offered []string
		want    encoding
	}{
		{nil, utf16units},
		{[]string{"utf-16"}, utf16units},
		{[]string{"utf-32", "utf-8", "utf-16"}, utf8units},
		{[]string{"utf-32", "utf-16"}, utf32units},
		{[]string{"utf-7"}, utf16units},
	} {
		if got := pickEncoding(c.offered); got != c.want {
			t.Errorf("%v: %s, want %s", c.offered, got, c.want)
		}
	}
}

func texts() *rapid.Generator[string] {
	return rapid.Map(rapid.SliceOf(rapid.SampledFrom([]string{"a", "b", "é", "中", "😀", "\n", "\r\n", "\t", "\r"})), func(ps []string) string {
		s := ""
		for _, p := range ps {
			s += p
		}
		return s
	})
}

func TestPositionsComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := texts().Draw(t, "text")
		m := mapper{
			t: text.New(s), enc: rapid.SampledFrom([]encoding{utf8units, utf16units, utf32units}).Draw(t, "enc"),
			bom: rapid.Bool().Draw(t, "bom"),
		}
		for i := range s {
			if i > 0 && s[i-1:min(i+1, len(s))] == "\r\n" {
				continue
			}
			got, err := m.place(m.position(i))
			if err != nil || got.offset != i || got.inside != 0 {
				t.Fatalf("%d comes back as %+v, %v", i, got, err)
			}
		}
	})
}

// An editor that counts in UTF-16 edits its units; the server must get the same
// text, with half for what is left of a pair that was cut in two.
func TestUTF16Edits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := texts().Draw(t, "text")
		lines := [][]uint16{{}}
		for _, u := range utf16.Encode([]rune(s)) {
			n := len(lines) - 1
			lines[n] = append(lines[n], u)
			if u == '\n' {
				lines = append(lines, nil)
			}
		}
		line := rapid.IntRange(0, len(lines)-1).Draw(t, "line")
		l := lines[line]
		end := len(l)
		for end > 0 && (l[end-1] == '\n' || l[end-1] == '\r' && end < len(l)) {
			end--
		}
		a := rapid.IntRange(0, end).Draw(t, "a")
		b := rapid.IntRange(a, end).Draw(t, "b")
		put := rapid.SampledFrom([]string{"", "x", "😀", "é"}).Draw(t, "put")
		e, _, err := mapper{t: text.New(s), enc: utf16units}.edit(protocol.Range{Start: pos(uint32(line), uint32(a)), End: pos(uint32(line), uint32(b))}, put)
		if err != nil {
			t.Fatal(err)
		}
		got, err := text.New(s).Apply(text.Edits{e})
		if err != nil {
			t.Fatal(err)
		}
		var all []uint16
		for i, x := range lines {
			if i == line {
				x = append(append(append([]uint16{}, x[:a]...), utf16.Encode([]rune(put))...), x[b:]...)
			}
			all = append(all, x...)
		}
		if want := string(utf16.Decode(all)); strings.ReplaceAll(got.String(), half, "\uFFFD") != want {
			t.Fatalf("%q, want %q", got.String(), want)
		}
	})
}

// What is left of two characters that were cut in two is one character.
func TestHalvesJoin(t *testing.T) {
	m := mapper{t: text.New("😀😁"), enc: utf16units}
	e, _, err := m.edit(protocol.Range{Start: pos(0, 1), End: pos(0, 3)}, "")
	if want := (text.Edit{End: 8, New: "😁"}); err != nil || e != want {
		t.Errorf("%+v, %v", e, err)
	}
}

func TestEditsOfWholeBreaks(t *testing.T) {
	m := mapper{t: text.New("a\r\nb\r\n"), enc: utf8units}
	got := m.edits(text.Edits{{Start: 2, End: 2, New: "x"}})
	if got[0].Range != (protocol.Range{Start: pos(0, 1), End: pos(1, 0)}) || got[0].NewText != "\rx\n" {
		t.Errorf("%+v", got)
	}
}

func TestByteOrderMark(t *testing.T) {
	m := mapper{t: text.New("\uFEFFab\n"), enc: utf16units, bom: true}
	if p := m.position(1); p != pos(0, 2) {
		t.Errorf("%+v", p)
	}
	e, touches, err := m.edit(protocol.Range{Start: pos(0, 1), End: pos(0, 2)}, "x")
	if err != nil || touches || e != (text.Edit{Start: 0, End: 1, New: "x"}) {
		t.Errorf("%+v %v %v", e, touches, err)
	}
	e, touches, err = m.edit(protocol.Range{Start: pos(0, 0), End: pos(0, 1)}, "")
	if err != nil || !touches || e.End != 3 {
		t.Errorf("%+v %v %v", e, touches, err)
	}
}

func TestFilePaths(t *testing.T) {
	for _, c := range []struct {
		uri, path string
		ok        bool
	}{
		{"file:///a/b%20c.txt", "/a/b c.txt", true},
		{"file:///a/%C3%A9.txt", "/a/é.txt", true},
		{"file:///a/é.txt", "/a/é.txt", true},
		{"file:///a/100%.txt", "/a/100%.txt", true},
		{"file:///a/50%25.txt", "/a/50%.txt", true},
		{"file:///a/%zz%4", "/a/%zz%4", true},
		{"FILE:///a", "/a", true},
		{"file://localhost/a", "/a", true},
		{"file://server/share/a", "//server/share/a", true},
		{"file:/a", "/a", true},
		{"file:///c%3A/x", "/c:/x", true},
		{"untitled:Untitled-1", "", false},
		{"galley:/sessions/current/tasks.md", "", false},
		{"git:/a?x", "", false},
		{"file:a", "", false},
		{"", "", false},
	} {
		if got, ok := filePath(c.uri); got != c.path || ok != c.ok {
			t.Errorf("%s: %q %v", c.uri, got, ok)
		}
	}
	for _, p := range []string{"/a/b c.txt", "/a/é+(x).txt", "/a/100%.txt", "/a/%41.txt", "/a/#?.txt"} {
		if got, ok := filePath(fileURI(p)); got != p || !ok {
			t.Errorf("%s goes out as %s and comes back as %s", p, fileURI(p), got)
		}
	}
	eglot := &client{profile: profileOf("Eglot", "")}
	if got := eglot.shownURI("file:///a/%C3%A9%20%25.txt"); got != "file:///a/é%20%25.txt" {
		t.Error(got)
	}
	if got := (&client{}).shownURI("file:///a/%C3%A9.txt"); got != "file:///a/%C3%A9.txt" {
		t.Error(got)
	}
}

func pos(line, character uint32) protocol.Position {
	return protocol.Position{Line: line, Character: character}
}
