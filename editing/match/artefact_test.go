package match

import "testing"

func TestLineNumbers(t *testing.T) {
	for _, c := range []struct {
		name, old string
		want      string // "" if it is no column of numbers
	}{
		{"bar", "1 | a\n2 | b", " a\n b"},
		{"bar, empty line", "1 | a\n2 |\n3 | b", " a\n\n b"},
		{"padded", "  9|a\n 10|b", "a\nb"},
		{"zeros", "00001| a\n00002| b", " a\n b"},
		{"cat -n", "     1\ta\n     2\t\tb", "a\n\tb"},
		{"arrow", "12→a\n13→\tb", "a\n\tb"},
		{"grep", "7:a\n8:  b", "a\n  b"},
		{"with L", "L7: a\nL8: b", " a\n b"},
		{"with Line", "Line 7: a\nLine 8: b", " a\n b"},
		{"own", "1:9c02  │{\n4:77aa A│  x", "{\n  x"},
		{"own, single", "4:77aa A│  x\n", "  x\n"},
		{"blank lines around", "\n1 | a\n2 | b\n\n", "\n a\n b\n\n"},
		{"gap", "1 | a\n5 | b", " a\n b"},

		{"not on every line", "1 | a\nb", ""},
		{"falling", "2 | a\n1 | b", ""},
		{"the same", "1: a\n1: b", ""},
		{"no number", "a | b", ""},
		{"text", "10 apples\n11 pears", ""},
		{"two kinds", "1 | a\n2: b", ""},
	} {
		got := numbered(c.old, "x", false)
		if got.old != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got.old, c.want)
		}
	}
}

func TestFence(t *testing.T) {
	for _, c := range []struct {
		name, in, want string
		ok             bool
	}{
		{"plain", "```\na\n```", "a", true},
		{"with a language", "```go\na\nb\n```\n", "a\nb", true},
		{"waves", "~~~\na\n~~~", "a", true},
		{"longer", "````md\n```\na\n```\n````", "```\na\n```", true},
		{"not closed", "```\na", "", false},
		{"closed by another", "```\na\n~~~", "", false},
		{"not around everything", "```\na\n```\nb", "", false},
		{"empty", "```\n```", "", true},
	} {
		got, ok := unfenced(c.in)
		if ok != c.ok || ok && got != c.want {
			t.Errorf("%s: got %q %v, want %q %v", c.name, got, ok, c.want, c.ok)
		}
	}
}

func TestEscapes(t *testing.T) {
	for _, c := range []struct{ name, old, new, wantOld, wantNew string }{
		{"newline", `a\nb`, `a\nc`, "a\nb", "a\nc"},
		{"quotes", `f(\"a\")`, `f(\"b\")`, `f("a")`, `f("b")`},
		{"quotes on several lines", "f(\\\"a\\\")\ng()", "f(\\\"b\\\")\ng()", "f(\"a\")\ng()", "f(\"b\")\ng()"},
		{"one level only", `f(\"a\\n\");\n`, `f(\"b\\n\");\n`, "f(\"a\\n\");\n", "f(\"b\\n\");\n"},
		{"only old", `f(\"a\")`, `f("b")`, `f("a")`, `f("b")`},
		{"crlf", `a\r\nb`, `a\r\nc`, "a\nb", "a\nc"},
		{"dollar", `\${a}`, `\${b}`, "${a}", "${b}"},

		{"newline without reason", `f(\"a\")`, `f(\"a\n\")`, "", ""},
		{"mixed quotes", `f(\"a\")`, `f("a\"b")`, "", ""},
		{"doubled backslashes", `"\\d"`, `"\\w"`, `"\d"`, `"\w"`},
		{"doubled backslashes and a real escape", `"\\d"`, `"\\d\""`, "", ""},
		{"nothing escaped", "a", "b", "", ""},
		{"no escape", `C:\dir`, "x", "", ""},
	} {
		got := escaped(c.old, c.new)
		if got.old != c.wantOld || got.new != c.wantNew {
			t.Errorf("%s: got %q, %q", c.name, got.old, got.new)
		}
	}
}

func TestEntities(t *testing.T) {
	for _, c := range []struct{ name, old, new, wantOld, wantNew string }{
		{"all", "&lt;a&gt; &amp; &quot;b&quot; &#39;", "&lt;c&gt;", `<a> & "b" '`, "<c>"},
		{"one level", "&amp;lt;", "&amp;gt;", "&lt;", "&gt;"},
		{"only old", "a &lt; b", "a < c", "a < b", "a < c"},
		{"others stay", "&lt;&nbsp;&copy", "&nbsp;", "<&nbsp;&copy", "&nbsp;"},
		{"mixed", "a &lt; b", "a < b &amp;&amp; c", "", ""},
		{"none", "a & b", "c", "", ""},
	} {
		got := entities(c.old, c.new)
		if got.old != c.wantOld || got.new != c.wantNew {
			t.Errorf("%s: got %q, %q", c.name, got.old, got.new)
		}
	}
}
