package editing

import (
	"fmt"
	"testing"

	"github.com/galley-ls/galley/editing/text"
)

// TestU20AppendAfterAWholeLine, and U21: an underlined heading has a section, too.
func TestU20AppendAfterAWholeLine(t *testing.T) {
	const to = "## To do\n- a\n## To do later\n- b\n"
	for _, c := range []struct{ name, path, file, after, want string }{
		{"U20 a longer line below", "n.md", to, "## To do", "## To do\n- a\nNEW\n## To do later\n- b\n"},
		{"U20 a longer line above", "n.md", "## To do later\n- b\n## To do\n- a\n", "## To do", "## To do later\n- b\n## To do\n- a\nNEW\n"},
		{"U20 a deeper heading", "n.md", "# T\n## A\n- a\n### A1\n- x\n", "## A", "# T\n## A\n- a\n### A1\n- x\nNEW\n"},
		{"U20 a deeper heading first", "n.md", "# T\n### A\nx\n## A\n- a\n# U\n", "## A", "# T\n### A\nx\n## A\n- a\nNEW\n# U\n"},
		{"U20 by what the heading says", "n.md", to, "To do", "## To do\n- a\nNEW\n## To do later\n- b\n"},
		{"U20 a heading and a line in code", "n.md", "```\n# A\n```\n# A\nx\n# B\n", "# A", "```\n# A\n```\n# A\nx\nNEW\n# B\n"},
		{"U20 a line of a list", "n.md", "- milk\n- milk and eggs\n", "- milk", "- milk\nNEW\n- milk and eggs\n"},
		{"U20 a part of one line", "n.md", "one two\nthree\n", "two", "one two\nNEW\nthree\n"},
		{"U20 a comment is no heading", "n.py", "# a\nx = 1\n# b\ny = 2\n", "# a", "# a\nNEW\nx = 1\n# b\ny = 2\n"},
		{"U20 a closed heading", "n.md", "# A #\nx\n# B\n", "A", "# A #\nx\nNEW\n# B\n"},
		{"U20 not the same heading twice", "n.md", "# A\nx\n# A\ny\n", "# A", ""},
		{"U21 underlined", "n.md", "A\n===\nx\n\nB\n===\ny\n", "A", "A\n===\nx\nNEW\n\nB\n===\ny\n"},
		{"U21 both lines", "n.md", "A\n===\nx\nB\n===\ny\n", "A\n===", "A\n===\nx\nNEW\nB\n===\ny\n"},
		{"U21 the line below", "n.md", "A\n=====\nx\n", "=====", "A\n=====\nx\nNEW\n"},
		{"U21 a section of the next level", "n.md", "A\n===\nx\n\nB\n---\ny\n\nC\n===\n", "A", "A\n===\nx\n\nB\n---\ny\nNEW\n\nC\n===\n"},
		{"U21 ends at one with marks", "n.md", "A\n---\nx\n## B\ny\n", "A", "A\n---\nx\nNEW\n## B\ny\n"},
		{"U21 marks end at an underlined one", "n.md", "## A\nx\n\nB\n---\ny\n", "## A", "## A\nx\nNEW\n\nB\n---\ny\n"},
		{"U21 below a list", "n.md", "A\n===\n- x\nB\n===\ny\n", "A", "A\n===\n- x\nNEW\nB\n===\ny\n"},
		{"U21 a rule is none", "n.md", "# T\na\n\n---\nb\n", "a", "# T\na\nNEW\n\n---\nb\n"},
		{"U21 a list above a rule is none", "n.md", "- a\n---\nb\n", "- a", "- a\nNEW\n---\nb\n"},
		{"U21 front matter is none", "n.md", "---\ntitle: x\n---\n# A\n", "title: x", "---\ntitle: x\nNEW\n---\n# A\n"},
		{"U21 a table is none", "n.md", "a | b\n--|--\n1 | 2\n", "a | b", "a | b\nNEW\n--|--\n1 | 2\n"},
		{"U21 none in code", "n.md", "~~~\nA\n===\n~~~\nx\n", "A", "~~~\nA\nNEW\n===\n~~~\nx\n"},
		{"U21 in code is no end", "n.md", "A\n===\n````\nB\n===\n```\n# C\n````\nx\n# D\n", "A", "A\n===\n````\nB\n===\n```\n# C\n````\nx\nNEW\n# D\n"},
		{"U21 two documents of YAML", "n.yaml", "a: 1\n---\nb: 2\n", "a: 1", "a: 1\nNEW\n---\nb: 2\n"},
		{"U21 CRLF", "n.md", "A\r\n===\r\nx\r\n\r\nB\r\n===\r\n", "A", "A\r\n===\r\nx\r\nNEW\r\n\r\nB\r\n===\r\n"},
	} {
		w := New(0)
		path := "/w/" + c.path
		res := w.Do(Append(Appending{Meta: Meta{Owner: "agent"}, Path: path, Text: "NEW", After: c.after}), NewDocument(path, c.path, text.New(c.file)))
		if c.want == "" {
			if res.Status != StatusNeedsMatch {
				t.Errorf("%s: %+v", c.name, res)
			}
			continue
		}
		d, _ := w.Snapshot().Document(path)
		if res.Status != StatusEditing || d.Proposed("agent").String() != c.want {
			t.Errorf("%s: %s %s\n got %q\nwant %q", c.name, res.Status, res.Hint, d.Proposed("agent").String(), c.want)
		}
	}
}

func TestHeadings(t *testing.T) {
	for _, c := range []struct{ file, want string }{
		{"# A\n## B ##\n####### C\n#D\n   # E\n    # F\n", "[{0 0 1 A} {1 1 2 B} {4 4 1 E}]"},
		{"A\n=\n\nB\nC\n--\n", "[{0 1 1 A} {4 5 2 C}]"},
		{"> A\n---\n1. B\n---\n<p>\n---\n    C\n---\n***\n---\n", "[]"},
		{"A\n    B\n---\n", "[{1 2 2 B}]"},
		{"#\n# \n", "[{0 0 1 } {1 1 1 }]"},
		{"A\n===\n---\n===\n", "[{0 1 1 A}]"},
	} {
		if got := fmt.Sprint(Headings(text.New(c.file), 0, text.New(c.file).Lines())); got != c.want {
			t.Errorf("%q: %s, want %s", c.file, got, c.want)
		}
	}
}
