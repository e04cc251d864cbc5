package disk

import "testing"

func TestRules(t *testing.T) {
	cases := []struct {
		rules        string
		closed, open []string // a name with a slash at its end is a folder
	}{
		{"a", []string{"a", "a/", "x/a", "x/y/a/"}, []string{"b", "ab", "a.b"}},
		{"a/", []string{"a/", "x/a/"}, []string{"a", "x/a"}},
		{"/a", []string{"a", "a/"}, []string{"x/a"}},
		{"x/a", []string{"x/a"}, []string{"a", "y/x/a"}},
		{"x/a/", []string{"x/a/"}, []string{"x/a", "y/x/a/"}},
		{"*.o", []string{"a.o", "x/b.o", ".o"}, []string{"a.oo", "a"}},
		{"/*.o", []string{"a.o"}, []string{"x/a.o"}},
		{"x/*.o", []string{"x/a.o"}, []string{"x/y/a.o", "y/x/a.o"}},
		{"**/a", []string{"a", "x/a", "x/y/a"}, []string{"b"}},
		{"x/**", []string{"x/a", "x/a/b"}, []string{"x/", "x", "y/x/a"}},
		{"x/**/a", []string{"x/a", "x/y/a", "x/y/z/a"}, []string{"a", "x/b"}},
		{"a**b", []string{"ab", "axxb"}, []string{"ax/xb"}},
		{"?****", []string{"a", "ab"}, nil},
		{"x/***/a", []string{"x/a", "x/y/z/a"}, nil},
		{`a\***`, []string{"a*", "a*b"}, []string{"ab"}},
		{"?.c", []string{"a.c", "x/b.c"}, []string{"ab.c", ".c"}},
		{"[ab].c", []string{"a.c", "b.c"}, []string{"c.c"}},
		{"[!ab].c", []string{"c.c"}, []string{"a.c"}},
		{"/*[!x]?", []string{"xaa"}, []string{"x/a"}},
		{"[^ab].c", []string{"c.c"}, []string{"a.c"}},
		{"[]x].c", []string{"].c", "x.c"}, []string{"a.c"}},
		{"[!]x].c", []string{"a.c"}, []string{"].c", "x.c"}},
		{"[[:digit:]_]*", []string{"1a", "_"}, []string{"a1"}},
		{"[a-c]", []string{"b"}, []string{"d"}},
		{"{a,b}", []string{"{a,b}"}, []string{"a", "b"}},
		{"*.{o,c}", []string{"x.{o,c}"}, []string{"x.o"}},
		{"# a\n#b", nil, []string{"# a", "#b", "b"}},
		{`\#b`, []string{"#b"}, []string{"b"}},
		{`\!b`, []string{"!b"}, []string{"b"}},
		{`a\ `, []string{"a "}, []string{"a"}},
		{"a  ", []string{"a"}, []string{"a  "}},
		{`\*`, []string{"*"}, []string{"a"}},
		{`a\[1\]`, []string{"a[1]"}, []string{"a1"}},
		{"a\r\nb\r\n", []string{"a", "b"}, nil},
		{"\uFEFFa", []string{"a"}, nil},
		{"*.log\n!keep.log", []string{"a.log"}, []string{"keep.log", "x/keep.log"}},
		{"!keep.log\n*.log", []string{"keep.log"}, nil},
		{"*\n!*/\n!*.go", []string{"a", "x/a.txt"}, []string{"x/", "a.go", "x/a.go"}},
		{"\n   \n/\n", nil, []string{"a", "a/", " "}},
		{"[", nil, []string{"[", "a"}},
		{"a[", nil, []string{"a[", "a"}},
		{`a\`, nil, []string{"a", `a\`}},
		{"é", []string{"é", "x/é"}, []string{"e"}},
	}
	for _, c := range cases {
		rs := parseRules(c.rules)
		check := func(name string, want bool) {
			bare, dir := name, false
			if name[len(name)-1] == '/' {
				bare, dir = name[:len(name)-1], true
			}
			if got, _ := rs.match(bare, dir); got != want {
				t.Errorf("%q closes %q: %v, want %v", c.rules, name, got, want)
			}
		}
		for _, name := range c.closed {
			check(name, true)
		}
		for _, name := range c.open {
			check(name, false)
		}
	}
}

func FuzzRules(f *testing.F) {
	f.Add("*.o\n!a\n[]a]\\", "x/a.o")
	f.Fuzz(func(_ *testing.T, rules, path string) {
		rs := parseRules(rules)
		rs.covers(path)
		rs.match(path, true)
	})
}
