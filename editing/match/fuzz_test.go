package match

import (
	"strings"
	"testing"

	"github.com/galley-ls/galley/editing/text"
)

// checkResult checks what must hold of every answer.
func checkResult(t interface {
	Helper()
	Fatalf(string, ...any)
}, file text.Text, old, new string, r Result,
) {
	t.Helper()
	s := file.String()
	if (r.Kind == Found) != (len(r.Matches) == 1 && r.Code == "") {
		t.Fatalf("%s with %d matches and code %q", r.Kind, len(r.Matches), r.Code)
	}
	if len(r.Matches) > 0 && r.Recommended >= len(r.Matches) || r.Total < len(r.Matches) || len(r.Matches) > MaxMatches {
		t.Fatalf("recommended %d of %d, total %d", r.Recommended, len(r.Matches), r.Total)
	}
	for i, m := range r.Matches {
		if m.Start < 0 || m.Start > m.End || m.End > len(s) {
			t.Fatalf("match %d-%d of %d bytes", m.Start, m.End, len(s))
		}
		if i > 0 && r.Kind == Ambiguous && m.Start < r.Matches[i-1].Start {
			t.Fatalf("matches out of order")
		}
		if m.Line < file.Lines() {
			if line := text.MarkStray(file.Line(m.Line)); len(line) <= shownMax && m.LineText != line {
				t.Fatalf("line %d is %q, not %q", m.Line, line, m.LineText)
			}
		}
		for _, e := range m.Edits {
			if e.Start < m.Start || e.End > m.End {
				t.Fatalf("edit %+v outside of match %d-%d", e, m.Start, m.End)
			}
		}
		after, err := file.Apply(m.Edits)
		if err != nil {
			t.Fatalf("edits do not apply: %v: %+v", err, m.Edits)
		}
		if got := after.String(); !strings.HasPrefix(got, s[:m.Start]) || !strings.HasSuffix(got, s[m.End:]) {
			t.Fatalf("text outside of the match has changed: %q to %q", s, got)
		}
		if !r.Near && m.Artefact == "" && r.Kind != AlreadyApplied && visible(s[m.Start:m.End]) != visible(old) {
			t.Fatalf("tier %s matched %q with %q", m.Tier, s[m.Start:m.End], old)
		}
		if m.Tier == Exact && m.Artefact == "" && r.Kind == Found && !strings.Contains(new, "\r\r") {
			got, new := unixEndings(after.String()[m.Start:len(after.String())-len(s)+m.End]), unixEndings(new)
			if file.EOLAt(m.Start) == "\r" { // that ends lines here, also new ones
				got, new = strings.ReplaceAll(got, "\r", "\n"), strings.ReplaceAll(new, "\r", "\n")
			}
			if got != new {
				t.Fatalf("an exact match made %q of %q, not %q", got, s[m.Start:m.End], new)
			}
		}
	}
}

// visible is what all tiers have in common: what is neither blank nor decoration.
func visible(s string) string { return strings.Join(seenLines(unixEndings(s)), "\n") }

func FuzzFind(f *testing.F) {
	for _, c := range [][4]string{
		{"a\nb\nc\n", "b", "B", ""},
		{"\tif x {\r\n\t\ty()\r\n\t}\r\n", "    if x {\n        y()\n    }", "    if x {\n        z()\n    }", ""},
		{"“a” – b…\n", "\"a\" - b...", "\"a\" - c...", ""},
		{"e\u0301\u200b\ufe0f x\n", "é x", "è x", "e"},
		{"a\xe9b\nc\n", "a\xe9b ", "x", ""},
		{"f\n\n\ng  h\n", "\n\nf\n  g h\n\n", "\nf\n\nx\n  g h\n", ""},
		{"a\n1\nb\n2\nc\n", "a\n...\nc", "A\n...\nC", ""},
		{"x = 1\n", "1 | x = 1", "1 | x = 2", ""},
		{"x = \"1\"\n", `x = \"1\"`, `x = \"2\"`, ""},
	} {
		f.Add(c[0], c[1], c[2], c[3])
	}
	f.Fuzz(func(t *testing.T, file, old, new, after string) {
		tx := text.New(file)
		checkResult(t, tx, old, new, Find(tx, Query{Old: old, New: new, After: after, Hints: Hints{Cursor: len(file) / 2, Behind: -1}}))
		if after != "" {
			checkResult(t, tx, old, new, Find(tx, Query{Old: old, New: new, Before: after, Hints: Hints{Cursor: -1, Behind: 3, Goal: after}}))
			r := FindSpan(tx, SpanQuery{Start: old, End: after, New: new})
			for _, m := range r.Matches {
				if _, err := tx.Apply(m.Edits); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}
