package view

import (
	"strings"
	"testing"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
)

func TestSummary(t *testing.T) {
	prose := "The quick brown fox jumps over the lazy dog, it was said.\n"
	for _, tc := range []struct{ file, old, new, want string }{
		{configJSON, "[]", `["X"]`, `replace "\"experimental\": []" → "\"experimental\": [\"X\"]"`},
		{notesMD, "obsolete section\none\ntwo\n\n", "", `delete "obsolete section…"`},
		{notesMD, "obsolete section\n", "", `delete "obsolete section"`},
		{notesMD, "Last.\n", "Last.\nNew line.\n", `insert "New line."`},
		{"timeout: 30\n", "30", "60", `replace "timeout: 30" → "timeout: 60"`},
		{prose, "quick", "slow", `replace "The quick brown fox jumps" → "The slow brown fox jumps"`},
		{prose, "quick brown fox", "slow grey donkey", `replace "quick brown fox" → "slow grey donkey"`},
		{prose, " over the lazy dog", "", `delete "over the lazy dog"`},
		{prose, "fox ", "fox and his friends ", `insert "and his friends"`},
		{prose, ", it", "; it", `replace "the lazy dog, it was said" → "the lazy dog; it was said"`},
		{"a\nb\nc\n", "a\nb", "x\ny\nz", `replace "a…" → "x…"`},
		{"if x {\nfoo()\n}\n", "foo()", "\tfoo()", `replace "foo()" → "\tfoo()"`},
		{"a\n", "a\n", "a\r\n", `replace "a\n" → "a\r\n"`},
		{"a\n", "a\n", "a\n\n", `insert "\n"`},
		{"", "", "first\n", `insert "first"`},
		{"größe: 1\n", "größe", "Größe", `replace "größe: 1" → "Größe: 1"`},
		{"caf\xe9 x\n", "x", "y", `replace "caf⟦E9⟧ x" → "caf⟦E9⟧ y"`},
		{"x\n", "x", strings.Repeat("long ", 20), `replace "x" → "` + strings.Repeat("long ", 12) + `…"`},
		{"a\u200bb\n", "\u200b", "", `replace "a⟦U+200B⟧b" → "ab"`},
		{"1\n" + prose + "2\n3\n" + prose + "4\n", "1\n" + prose + "2\n3\n" + prose + "4\n", "9\n" + prose + "8\n7\n" + prose + "6\n", `replace "1" → "9" (+2 more places)`},
	} {
		d := newScene(t, "f.txt", tc.file)
		if tc.old == "" {
			d.stage("f.txt", 0, text.Edits{{New: tc.new}})
		} else {
			d.swap("f.txt", tc.old, tc.new)
		}
		if got := Summary(d.w.Snapshot(), d.change("A")); got != tc.want {
			t.Errorf("%q → %q:\n got %s\nwant %s", tc.old, tc.new, got, tc.want)
		}
	}
}

func TestBareSummary(t *testing.T) {
	for _, tc := range []struct {
		hunks []editing.Hunk
		want  string
	}{
		{nil, "no change"},
		{[]editing.Hunk{{Old: "a", New: "b"}, {New: "c"}}, `replace "a" → "b" (+1 more place)`},
		{[]editing.Hunk{{New: "\n\tfoo()\n\tbar()"}}, `insert "foo()…"`},
		{[]editing.Hunk{{Old: "\n", New: "\r\n"}}, `replace "\n" → "\r\n"`},
		{[]editing.Hunk{{Old: "  "}}, `delete "  "`},
	} {
		if got := BareSummary(&editing.Change{Hunks: tc.hunks}); got != tc.want {
			t.Errorf("%v: got %s, want %s", tc.hunks, got, tc.want)
		}
	}
}

func TestWhere(t *testing.T) {
	for _, tc := range []struct {
		name, old, new string
		want           Where
	}{
		{"in a line", "[]", `["X"]`, Where{4, 4, 70, 0, 3}},
		{"a line behind", "{\n  \"features\": {\n", "{\n  \"é\": 1,\n  \"features\": {\n", Where{2, 2, 2, 0, 10}},
		{"lines gone", "    \"stable\": [\"A\", \"B\", \"C\"],\n    \"experimental\": []\n", "", Where{3, 4, 18, 54, -54}},
		{"lines for lines", "\"127.0.0.1\",\n", "\"::1\",\n    \"name\": \"x\",\n", Where{7, 8, 104, 9, 11}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := newScene(t, "config.json", configJSON)
			d.swap("config.json", tc.old, tc.new)
			if got := WhereIs(d.w.Snapshot(), d.change("A")); got != tc.want {
				t.Errorf("got %+v, want %+v", got, tc.want)
			}
		})
	}
}

// TestWhereIsInTheProposedText: other letters move a change, conflicts are where
// the user's text is, closed changes are nowhere.
func TestWhereIsInTheProposedText(t *testing.T) {
	d := newScene(t, "f.txt", "one\ntwo\nthree\n")
	d.swap("f.txt", "three", "3")
	d.swap("f.txt", "one\n", "one\nnéw\n")
	if got, want := WhereIs(d.w.Snapshot(), d.change("A")), (Where{4, 4, 12, 5, -4}); got != want {
		t.Errorf("staged: %+v, want %+v", got, want)
	}
	d.types("f.txt", "three", "threefold")
	if got := WhereIs(d.w.Snapshot(), d.change("A")); d.change("A").State != editing.Conflict || got.Line != 4 || got.Position != 12 {
		t.Errorf("conflict: %+v", got)
	}
	d.do(editing.Revert(agentName, 1, "no", nil))
	c := d.w.Snapshot().Of(agentName, 1)[0]
	if got := WhereIs(d.w.Snapshot(), c); got.Line != 0 {
		t.Errorf("closed: %+v", got)
	}
}
