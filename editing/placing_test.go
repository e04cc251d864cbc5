package editing

import (
	"testing"

	"github.com/galley-ls/galley/editing/text"
)

// TestU24APickThatChangesNothing: a place that only resembles old_text is asked
// about though the change would leave it as it is; picking it stages nothing.
func TestU24APickThatChangesNothing(t *testing.T) {
	const file = "retry_limit_a = 60\nother = 1\n"
	for _, preview := range []bool{false, true} {
		w := New(0)
		d := NewDocument(testPath, "f.txt", text.New(file))
		r := Replacement{Meta: Meta{Owner: "agent"}, Path: testPath, Old: "retry_limit_b = 30", New: "retry_limit_b = 60", PreviewOnly: preview}
		if res := w.Do(Replace(r), d); res.Status != StatusNeedsMatch || res.Code != "near_match" {
			t.Fatalf("%+v", res)
		}
		r.MatchID = "A"
		if res := w.Do(Replace(r), d); res.Status != StatusRefused || res.Code != "no_change" || len(w.Snapshot().Changes()) != 0 {
			t.Errorf("%+v, %d letters", res, len(w.Snapshot().Changes()))
		}
	}
}

// TestU25AnchorsThatLeadToOnePlace stages it, and asks where they lead to several.
func TestU25AnchorsThatLeadToOnePlace(t *testing.T) {
	const file = "/**\n * A\n */\na();\n/**\n * B\n */\nb();\nb();\n"
	for _, c := range []struct {
		name, old, after, before string
		status                   string
		candidates               int
		want                     string
	}{
		{"one place behind all", "b();\nb();", "/**", "", StatusEditing, 0, "/**\n * A\n */\na();\n/**\n * B\n */\nNEW\n"},
		{"the nearest of two", "b();", " */", "", StatusEditing, 0, "/**\n * A\n */\na();\n/**\n * B\n */\nNEW\nb();\n"},
		{"two places", "*", "/**", "", StatusNeedsMatch, 2, ""},
		{"old_text's first line", "/**\n * B", "/**", "", StatusEditing, 0, "/**\n * A\n */\na();\nNEW\n */\nb();\nb();\n"},
		{"old_text's last line", "/**\n * B", "", " * B", StatusEditing, 0, "/**\n * A\n */\na();\nNEW\n */\nb();\nb();\n"},
	} {
		w := New(0)
		res := w.Do(Replace(Replacement{Meta: Meta{Owner: "agent"}, Path: testPath, Old: c.old, New: "NEW", After: c.after, Before: c.before}),
			NewDocument(testPath, "f.txt", text.New(file)))
		if res.Status != c.status || len(res.Candidates) != c.candidates {
			t.Errorf("%s: %+v", c.name, res)
		}
		if c.want != "" && mustDoc(w.Snapshot()).Proposed("agent").String() != c.want {
			t.Errorf("%s: %q", c.name, mustDoc(w.Snapshot()).Proposed("agent").String())
		}
	}
}
