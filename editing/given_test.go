package editing

import (
	"bytes"
	"strings"
	"testing"

	"github.com/galley-ls/galley/editing/text"
	"pgregory.net/rapid"
)

// asRead is a text as the tool read shows it.
func asRead(t text.Text) string {
	var sb strings.Builder
	for i := range t.Lines() {
		sb.WriteString(text.MarkStray(t.Line(i)) + "\n")
	}
	return sb.String()
}

// written is a text after a whole write was staged and taken, "" if it changes nothing.
func written(t *testing.T, was text.Text, content string) string {
	t.Helper()
	w := New(0)
	file := NewDocument(testPath, "f.txt", was)
	res := w.Do(Write(Writing{Meta: Meta{Owner: "agent"}, Path: testPath, Content: content}), file)
	if res.Code == "no_change" {
		return ""
	}
	if res.Status != StatusEditing {
		t.Fatalf("%q over %q: %+v", content, was, res)
	}
	takeAll(t, w, res.Touched...)
	return mustDoc(w.Snapshot()).Base.String()
}

func TestWriteOfWhatWasRead(t *testing.T) {
	for _, c := range []struct{ name, was, content, want string }{
		{"U12 a line changes beside stray bytes", "say \x93hi\x94 now\r\nrate = 1\r\n", "say ⟦93⟧hi⟦94⟧ now\nrate = 2\n", "say \x93hi\x94 now\r\nrate = 2\r\n"},
		{"U12 the line with the bytes changes", "say \x93hi\x94 now\n", "say ⟦93⟧hello⟦94⟧ now, ⟦93⟧you⟦94⟧\n", "say \x93hello\x94 now, \x93you\x94\n"},
		{"U12 a mark goes to another line", "a\x93\nb\n", "a\nb⟦93⟧\n", "a\nb\x93\n"},
		{"U12 the mark is text", "the mark ⟦93⟧\nx\n", "the mark ⟦93⟧ here\nx\n", "the mark ⟦93⟧ here\nx\n"},
		{"U12 the mark is text in one line and a byte in another", "mark ⟦93⟧\n-\nbyte \x93\n", "mark ⟦93⟧!\n-\nbyte ⟦93⟧!\n", "mark ⟦93⟧!\n-\nbyte \x93!\n"},
		{"U12 a mark that stands for nothing here", "a\n", "a ⟦93⟧\n", "a ⟦93⟧\n"},
		{"U12 other marks", "a\u200bb\tc\n", "a⟦U+200B⟧b⟦TAB⟧d\n", "a\u200bb\td\n"},
		{"U13 mixed endings", "a\r\nb\nc\r\n", "a\nB\nc\n", "a\r\nB\nc\r\n"},
		{"U13 mixed endings, given so", "a\r\nb\nc\r\n", "a\r\nB\r\nc\r\n", "a\r\nB\nc\r\n"},
		{"U13 lines come in", "a\r\nb\nc\r\n", "a\nnew\nb\nnew too\nc\n", "a\r\nnew\r\nb\nnew too\nc\r\n"},
		{"U13 a line goes", "a\r\nb\nc\r\n", "a\nc\n", "a\r\nc\r\n"},
		{"U13 unchanged", "a\r\nb\nc\r\n", "a\nb\nc\n", ""},
		{"U13 a lone CR", "a\rb\nc\n", "a\rb\nC\n", "a\rb\nC\n"},
		{"U13 a CR before the ending", "a\r\r\nc\n", "a\r\nC\n", "a\r\r\nC\n"},
		{"U13 no last ending", "a\nb", "A\nb\n", "A\nb"},
		{"U13 no last ending, its line changes", "a\nb", "a\nB\n", "a\nB"},
		{"U13 no last ending, more lines", "a\nb", "a\nb\nc\n", "a\nb\nc\n"},
		{"U13 no last ending, more lines without", "a\nb", "a\nb\nc", "a\nb\nc"},
		{"U13 no last ending, lines go", "a\nb\nc", "a\n", "a"},
		{"U13 a last ending that is not given", "a\nb\n", "a\nB", "a\nB\n"},
		{"U13 all goes", "a\r\nb", "", ""},
		{"U14 prefixes", "a\nb\nc\n", "1:ca97  │a\n2:0000  │B\n3:2e7d A│c\n", "a\nB\nc\n"},
		{"U14 prefixes, and a new line without", "a\nb\n", "1:" + text.LineKey("a") + "  │a\nnew\n2:" + text.LineKey("b") + " A!│b\n", "a\nnew\nb\n"},
		{"U14 a page about prefixes", "1:ca97  │a\n", "1:ca97  │b\n", "1:ca97  │b\n"},
		{"U14 a page that gets one", "like so\n", "like so\n1:ca97  │a\n", "like so\n1:ca97  │a\n"},
	} {
		got := written(t, text.New(c.was), c.content)
		if c.want == "" && c.content == "" {
			c.want = ""
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// anyText is text of any bytes, with much of what is not shown as it is.
func anyText(rt *rapid.T, name string) string {
	piece := rapid.OneOf(
		rapid.SampledFrom([]string{"\n", "\r\n", "\r", "\r\r\n", "\n\n", "a", "b", "é", "😀", "\x93", "\xff", "\xc3", "\xa9", "⟦93⟧", "⟦FF⟧", "⟦", "\ufeff", "\ufffd", "\u2028", " ", "\t", "1:ca97  │", "⟦TAB⟧", "x\n", "y\n"}),
		rapid.Map(rapid.SliceOfN(rapid.ByteRange(1, 255), 1, 3), func(b []byte) string { return string(b) }),
	)
	return strings.Join(rapid.SliceOfN(piece, 0, 14).Draw(rt, name), "")
}

func TestU13ReadAndWriteAreInverse(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		was, err := text.FromBytes([]byte(anyText(rt, "file")))
		if err != nil {
			return // no text: it is neither shown nor written
		}
		read := asRead(was)
		if got := Given(was, read); !bytes.Equal(got.Bytes(), was.Bytes()) {
			rt.Fatalf("%q reads %q, and written it is %q", was.Bytes(), read, got.Bytes())
		}
		lines := strings.SplitAfter(read, "\n")
		lines = lines[:len(lines)-1]
		if len(lines) == 0 {
			return
		}
		i := rapid.IntRange(0, len(lines)-1).Draw(rt, "line")
		lines[i] = "quite another line\n"
		got := Given(was, strings.Join(lines, ""))
		if asRead(got) != strings.Join(lines, "") {
			rt.Fatalf("%q, written as %q, reads %q", was.Bytes(), lines, asRead(got))
		}
		for k := range lines {
			a, b := was.Slice(was.LineStart(k), was.LineStart(k+1)), got.Slice(got.LineStart(k), got.LineStart(k+1))
			if k != i && a != b {
				rt.Fatalf("line %d of %q became %q", k, was.Bytes(), got.Bytes())
			}
		}
	})
}

func FuzzU13ReadAndWriteAreInverse(f *testing.F) {
	for _, s := range []string{"a\r\nb\nc\r\n", "say \x93hi\x94\r\n", "a\rb", "⟦93⟧\x93", "1:ca97  │a\n", "\ufeffa\r\r\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		was, err := text.FromBytes(raw)
		if err != nil {
			return
		}
		if got := Given(was, asRead(was)); !bytes.Equal(got.Bytes(), was.Bytes()) {
			t.Fatalf("%q reads %q, and written it is %q", raw, asRead(was), got.Bytes())
		}
	})
}
