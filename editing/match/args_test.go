package match

import (
	"testing"

	"github.com/galley-ls/galley/editing/text"
)

func unhinted() Hints { return Hints{Cursor: -1, Behind: -1} }

func TestPlaceholder(t *testing.T) {
	for _, c := range []struct {
		name, old, new, want string
	}{
		{"dots in a comment", "a", "b\n// ...", "// ..."},
		{"dots in every kind of comment", "a", "/* ... */", "/* ... */"},
		{"html", "a", "<!-- ... -->", "<!-- ... -->"},
		{"jsx", "a", "{/* ... existing code ... */}", "{/* ... existing code ... */}"},
		{"rest unchanged", "a", "    # ... rest of the function unchanged ...", "# ... rest of the function unchanged ..."},
		{"ellipsis character", "a", "// … other methods …", "// … other methods …"},
		{"dots behind", "a", "// existing code...", "// existing code..."},
		{"other methods behind", "a", "// other methods ...", "// other methods ..."},
		{"words alone", "a", "# rest of the code remains the same", "# rest of the code remains the same"},
		{"remaining code", "a", "// remaining code unchanged", "// remaining code unchanged"},
		{"unchanged", "a", "// unchanged", "// unchanged"},
		{"lines", "a", "-- lines 10-20 unchanged", "-- lines 10-20 unchanged"},
		{"in brackets", "a", "[... rest of file ...]", "[... rest of file ...]"},
		{"in parentheses", "a", "(rest of code)", "(rest of code)"},
		{"prose", "a", "... rest of the text ...", "... rest of the text ..."},
		{"bare dots", "a\nb", "x\n...\nb", "..."},
		{"stub that loses lines", "def f():\n    a = 1\n    return a", "def f():\n    ...", "..."},
		{"one more than before", "# ...\na", "# ...\nb\n# ...", "# ..."},

		{"in both", "a\n# ... rest ...", "b\n# ... rest ...", ""},
		{"in both, worded otherwise", "a\n...\nb", "a\n# ... rest unchanged ...\nc", ""},
		{"stub", "class P:\n    x: int", "class P:\n    x: int\n    def f(self):\n        ...", ""},
		{"in a code block", "a", "a\n```\nx\n...\n```", ""},
		{"spread", "a", "  ...rest,", ""},
		{"spread of all", "a", "return { ...existing, b }", ""},
		{"index", "a", "x = y[..., 0]", ""},
		{"comment about the rest", "a", "# process the remaining items", ""},
		{"comment that trails off", "a", "// wait for the rest...", ""},
		{"comment that goes on", "a", "// ...and then the answer is sent to everybody who has asked for it", ""},
		{"heading", "a", "## Installation", ""},
		{"section", "a", "[unchanged]", ""},
		{"string", "a", `log("... rest unchanged ...")`, ""},
		{"list", "a", "* the rest of the file", ""},
		{"loading", "a", "echo Loading...", ""},
		{"two dots", "a", "..", ""},
		{"path", "a", "../x", ""},
		{"same value", "a", "# the same value as in b", ""},
	} {
		if got := placeholder(c.old, c.new); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestBadArguments(t *testing.T) {
	for _, c := range []struct{ name, file, old, new, code string }{
		{"empty", "a\n", "", "b", "empty_old_text"},
		{"blank", "a\n", " \n\t\n", "b", "empty_old_text"},
		{"odd blank", "a\n", "\u00a0\u200b", "b", "empty_old_text"},
		{"same", "a\n", "a", "a", "no_change"},
		{"same but for endings", "a\n", "a\r\nb", "a\nb", "no_change"},
		{"same on an empty text", "", "", "", "no_change"},
		{"placeholder", "a\n", "a", "// ...", "placeholder"},
	} {
		r := Find(text.New(c.file), Query{Old: c.old, New: c.new, Hints: unhinted()})
		if r.Kind != Refused || r.Code != c.code || r.Hint == "" {
			t.Errorf("%s: got %s %q, want %q; hint %q", c.name, r.Kind, r.Code, c.code, r.Hint)
		}
	}
}
