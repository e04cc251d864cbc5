package view

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares with a file below testdata/preview.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", "preview", name+".golden")
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (go test -run %s -update writes it anew)\n--- got\n%s--- want\n%s", file, t.Name(), got, want)
	}
}

const configJSON = `{
  "features": {
    "stable": ["A", "B", "C"],
    "experimental": []
  },
  "server": {
    "host": "127.0.0.1",
    "port": 8080
  }
}
`

const notesMD = `# Notes

Keep these.

## Obsolete

obsolete section
one
two

## Ideas

First, something long enough to be cut by words in a summary, which is what prose is like in most files.

` + "```sh\n# no heading\nmake\n```" + `

Last.
`

const mainGo = `package main

import "fmt"

// main greets.
func main() {
	for i := range 3 {
		if i > 1 {
			fmt.Println("hello", i)
		}
	}
}

func other() int {
	return 1
}
`

func feature(t *testing.T) *scene {
	d := newScene(t, "config.json", configJSON)
	d.swap("config.json", "[]", `["X"]`)
	return d
}

func twoFiles(t *testing.T) *scene {
	d := newScene(t, "config.json", configJSON, "notes.md", notesMD)
	d.swap("config.json", "[]", `["X"]`)
	d.swap("notes.md", "obsolete section\none\ntwo\n\n", "")
	d.swap("config.json", `"port": 8080`, `"port": 9090`)
	return d
}

func conflict(t *testing.T) *scene {
	d := twoFiles(t)
	d.types("config.json", "8080", "8081")
	return d
}

func longDeletion(t *testing.T) *scene {
	var sb strings.Builder
	for i := range 60 {
		fmt.Fprintf(&sb, "line %d\n", i+1)
	}
	d := newScene(t, "long.txt", "head\n"+sb.String()+"tail\n")
	d.swap("long.txt", sb.String(), "")
	return d
}

func goFile(t *testing.T) *scene {
	d := newScene(t, "main.go", mainGo)
	d.swap("main.go", `"hello"`, `"goodbye"`)
	d.swap("main.go", "return 1", "return 2")
	return d
}

func markdown(t *testing.T) *scene {
	d := newScene(t, "notes.md", notesMD)
	d.swap("notes.md", "Last.", "The end.")
	return d
}

func decided(t *testing.T) *scene {
	d := twoFiles(t)
	d.do(editing.Propose(agentName, 1, "enable X", nil))
	d.do(editing.Reject(editing.Letters("C"), "keep the port"))
	d.types("config.json", "[]", `["X"]`)
	return d
}

func closed(t *testing.T) *scene {
	d := decided(t)
	d.do(editing.Revert(agentName, 1, "not now", nil))
	return d
}

func longLines(t *testing.T) *scene {
	long := strings.Repeat("lorem ipsum ", 40)
	d := newScene(t, "long.md", long+"\n"+long+"here "+long+"\n"+long+"\n")
	d.swap("long.md", "here", "there")
	return d
}

func invisible(t *testing.T) *scene {
	d := newScene(t, "odd.txt", "caf\xe9\nnb\u00a0sp\nctrl\x1b[31m\ncrlf\r\nkept\ttab\nlast")
	d.swap("odd.txt", "\u00a0", " ")
	d.swap("odd.txt", "crlf\r\n", "crlf\n")
	d.swap("odd.txt", "\nlast", "\nlast\n")
	return d
}

func others(t *testing.T) *scene {
	d := newScene(t, "notes.md", "one\ntwo\nthree\nfour\nfive\n")
	d.stage("notes.md", 1, text.Edits{{Start: 0, End: 0, New: "zero\n"}})
	d.stage("notes.md", 2, text.Edits{{Start: 9, End: 12, New: "2"}})
	return d
}

func farApart(t *testing.T) *scene {
	d := newScene(t, "f.txt", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n")
	d.swap("f.txt", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n", "1\ntwo\n3\n4\n5\n6\n7\n8\n9\n10\n11\ntwelve\n13\n")
	return d
}

func gone(t *testing.T) *scene {
	d := twoFiles(t)
	d.w.CloseDocument("/w/config.json", 1)
	d.w.Lose("/w/config.json")
	return d
}

func taken(t *testing.T) *scene {
	d := farApart(t)
	d.types("f.txt", "2\n", "")
	return d
}

func TestPreview(t *testing.T) {
	for _, tc := range []struct {
		name    string
		make    func(*testing.T) *scene
		options Options
		session int
	}{
		{"feature", feature, Options{}, 1},
		{"no icons", feature, Options{NoIcons: true, ContextLines: -1}, 1},
		{"two files", twoFiles, Options{MaxLength: -1}, 1},
		{"cut", twoFiles, Options{}, 1},
		{"cut short", twoFiles, Options{MaxLength: 1}, 1},
		{"one file", twoFiles, Options{Name: "notes.md"}, 1},
		{"one letter", twoFiles, Options{Letter: "c", ContextLines: 1}, 1},
		{"joined", twoFiles, Options{Name: "config.json", ContextLines: 5, MaxLength: -1}, 1},
		{"no such letter", twoFiles, Options{Letter: "Q"}, 1},
		{"stats", conflict, Options{Format: FormatStats}, 1},
		{"diff", twoFiles, Options{Format: FormatDiff, MaxLength: -1}, 1},
		{"diff cut", twoFiles, Options{Format: FormatDiff}, 1},
		{"conflict", conflict, Options{MaxLength: -1}, 1},
		{"long deletion", longDeletion, Options{MaxLength: -1}, 1},
		{"full go", goFile, Options{Format: FormatFull, ContextLines: 1, MaxLength: -1}, 1},
		{"full markdown", markdown, Options{Format: FormatFull, MaxLength: -1}, 1},
		{"full json", feature, Options{Format: FormatFull, ContextLines: -1, MaxLength: -1}, 1},
		{"decided", decided, Options{MaxLength: -1}, 1},
		{"decided letter", decided, Options{Letter: "C"}, 1},
		{"closed", closed, Options{MaxLength: -1}, 1},
		{"closed stats", closed, Options{Format: FormatStats}, 1},
		{"long lines", longLines, Options{MaxLength: -1}, 1},
		{"invisible", invisible, Options{MaxLength: -1}, 1},
		{"other sessions", others, Options{}, 2},
		{"far apart", farApart, Options{ContextLines: 1}, 1},
		{"file gone", gone, Options{MaxLength: -1}, 1},
		{"text gone", taken, Options{MaxLength: -1, ContextLines: 1}, 1},
		{"unknown", others, Options{}, 7},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := Preview(tc.make(t).w.Snapshot(), agentName, tc.session, tc.options)
			golden(t, strings.ReplaceAll(tc.name, " ", "_"), got)
		})
	}
}

func TestPendingLines(t *testing.T) {
	var sb strings.Builder
	for _, m := range []func(*testing.T) *scene{feature, conflict, decided, closed, others} {
		sb.WriteString(Pending(m(t).w.Snapshot(), agentName) + "~\n")
	}
	golden(t, "pending", sb.String())
}

func TestChangePreview(t *testing.T) {
	var sb strings.Builder
	for _, m := range []func(*testing.T) *scene{feature, conflict, decided, others, farApart, taken} {
		s := m(t).w.Snapshot()
		for _, c := range s.Of(agentName, 1) {
			sb.WriteString(c.Letter + " " + string(c.State) + "\n" + Places(s, c, Options{ContextLines: 1}))
		}
		sb.WriteString("~\n")
	}
	s := closed(t).w.Snapshot()
	for _, c := range s.Of(agentName, 1) {
		sb.WriteString(c.Letter + " " + string(c.State) + "\n" + Places(s, c, Options{}))
	}
	golden(t, "changes", sb.String())
}

func TestPreviewLimit(t *testing.T) {
	s := conflict(t).w.Snapshot()
	all := Preview(s, agentName, 1, Options{MaxLength: -1})
	for n := 1; n < 1200; n += 7 {
		got := Preview(s, agentName, 1, Options{MaxLength: n})
		shown, note, cut := strings.Cut(got, "\n… ")
		if !cut {
			continue
		}
		for line := range strings.Lines(shown + "\n") {
			if !strings.Contains(all, line) && !strings.Contains(line, "─") && !strings.HasPrefix(line, "   …│") {
				t.Fatalf("limit %d: %q is not in the whole preview", n, line)
			}
		}
		if len([]rune(shown)) > n && strings.Count(shown, "\n") > 1 {
			t.Fatalf("limit %d: %d code points shown", n, len([]rune(shown)))
		}
		var lines, chars, whole int
		if _, err := fmt.Sscanf(strings.ReplaceAll(note, "lines", "line"), "%d more line, %d chars: memo_preview with max_length %d", &lines, &chars, &whole); err != nil {
			t.Fatalf("limit %d: %v in %q", n, err, note)
		}
		if again := Preview(s, agentName, 1, Options{MaxLength: whole}); again != all {
			t.Fatalf("max_length %d does not show all:\n%s", whole, again)
		}
	}
}

// U84: where there is little room, what stands around a change goes first, and its new
// line last.
func TestU84TheChangeIsCutLast(t *testing.T) {
	wide := strings.Repeat("some words of a long line ", 9)
	for _, tc := range []struct{ name, file, old, new, want string }{
		{"long lines around", wide + "\n" + wide + "\nhere\n" + wide + "\n", "here", "there", "   3│+there\n"},
		{"a long line", wide + "here " + wide + "\n", "here", "there", "there some words"},
		{"many old lines", "a\n" + strings.Repeat("old line of the text\n", 30) + "b\n", strings.Repeat("old line of the text\n", 30), "new\n", "   2│+new\n"},
		{"two long lines of old", "x" + wide + "\ny" + wide + "\n", "x" + wide + "\ny" + wide + "\n", "new\n", "   1│+new\n"},
	} {
		d := newScene(t, "f.txt", tc.file)
		d.swap("f.txt", tc.old, tc.new)
		s := d.w.Snapshot()
		for what, got := range map[string]string{
			"the preview": Preview(s, agentName, 1, Options{}), "its place": Places(s, d.change("A"), Options{MaxLength: 300}),
		} {
			if !strings.Contains(got, tc.want) {
				t.Errorf("%s, %s: it does not show %q:\n%s", tc.name, what, tc.want, got)
			}
		}
	}
}

// U84: an edit around what is staged already is shown as what it makes of the file.
func TestU84AroundAnOwnChange(t *testing.T) {
	for _, tc := range []struct{ name, old, new, want string }{
		{"replaced", "a\nNEW\nz\n", "Q\n", "   2│-a\n   3│-b\n   4│-z\n   2│+Q\n"},
		{"deleted", "a\nNEW\nz\n", "", "   2│-a\n   3│-b\n   4│-z\n"},
		{"grown", "a\nNEW\n", "a\nNEWER\n", "   3│-b\n   3│+NEWER\n"},
	} {
		d := newScene(t, "f.txt", "one\na\nb\nz\nend\n")
		d.swap("f.txt", "b", "NEW")
		d.swap("f.txt", tc.old, tc.new)
		if got := Places(d.w.Snapshot(), d.change("A"), Options{ContextLines: -1}); got != tc.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tc.name, got, tc.want)
		}
	}
}

// U48: what other letters have written is marked as theirs, wherever it stands.
func TestU48TextOfOthersIsMarked(t *testing.T) {
	file := "one\ntwo\nthree four\nfive\nsix\nseven\n"
	for _, tc := range []struct {
		name           string
		others         []string
		old, new, want string
	}{
		{"replaced", []string{"two", "TWO"}, "three", "3", "   1│ one\n  2A│ TWO\n   3│-three four\n   3│+3 four\n   4│ five\n   5│ six\n"},
		{"inserted lines", []string{"two\n", "two\nnew\nnewer\n"}, "five", "5", "  4A│ newer\n   5│ three four\n   4│-five\n   6│+5\n   7│ six\n   8│ seven\n"},
		{"at the top", []string{"one\n", "zero\none\n"}, "two", "2", "  1A│ zero\n   2│ one\n   2│-two\n   3│+2\n   4│ three four\n   5│ five\n"},
		{"deleted lines", []string{"two\n", ""}, "three", "3", "   1│ one\n   3│-three four\n   2│+3 four\n   3│ five\n   4│ six\n"},
		{"a part of a line", []string{"seven", "sev"}, "five", "5", "   2│ two\n   3│ three four\n   4│-five\n   4│+5\n   5│ six\n  6A│ sev\n"},
		{"on the line itself", []string{"three", "3"}, "four", "4", "   1│ one\n   2│ two\n  3A│-3 four\n  3A│+3 4\n   4│ five\n   5│ six\n"},
		{"two letters", []string{"one", "1", "two", "2"}, "three", "3", "  1A│ 1\n  2B│ 2\n   3│-three four\n   3│+3 four\n   4│ five\n   5│ six\n"},
	} {
		d := newScene(t, "f.txt", file)
		for i := 0; i < len(tc.others); i += 2 {
			d.swap("f.txt", tc.others[i], tc.others[i+1])
		}
		d.swap("f.txt", tc.old, tc.new)
		s := d.w.Snapshot()
		last := d.change(string(rune('A' + len(tc.others)/2)))
		if got := Places(s, last, Options{ContextLines: 2}); got != tc.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tc.name, got, tc.want)
		}
		all := Preview(s, agentName, 1, Options{ContextLines: 2, MaxLength: -1, Letter: last.Letter})
		if marked := strings.Contains(tc.want, "A│"); !strings.Contains(all, tc.want) || marked != strings.Contains(all, "Preview (the letter at a line's number") {
			t.Errorf("%s: the preview is\n%s", tc.name, all)
		}
		for _, l := range Of(s, last).Lines { // as if it were the only one
			if l.Theirs != "" {
				t.Errorf("%s: %+v is %s's", tc.name, l, l.Theirs)
			}
		}
	}
}
