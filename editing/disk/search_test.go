package disk

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/galley-ls/galley/editing/text"
)

// texts opens from a map; "bin" is no text.
func texts(m map[string]string) func(string) (text.Text, error) {
	return func(path string) (text.Text, error) {
		s, ok := m[path]
		if !ok {
			return text.Text{}, refuse(CodeNotText, path, "this is not a text file; name another file")
		}
		return text.FromBytes([]byte(s))
	}
}

func TestSearch(t *testing.T) {
	files := map[string]string{
		"a": "alpha\nbeta alpha alpha\r\ngamma.\r\n\nlast alpha",
		"b": "\ufeffalpha\n  x := f(1)\n\tx := g(2)\n",
		"c": "nothing here\n",
	}
	cases := []struct {
		query Query
		want  string // path:line:text, one a line
	}{
		{Query{Pattern: "alpha"}, "a:1:alpha\na:2:beta alpha alpha\na:5:last alpha\nb:1:alpha"},
		{Query{Pattern: "Alpha"}, ""},
		{Query{Pattern: "(?i)ALPHA$", Regex: true}, "a:1:alpha\na:2:beta alpha alpha\na:5:last alpha\nb:1:alpha"},
		{Query{Pattern: "^alpha$", Regex: true}, "a:1:alpha\nb:1:alpha"},
		{Query{Pattern: "^$", Regex: true}, "a:4:"},
		{Query{Pattern: "gamma."}, "a:3:gamma."},
		{Query{Pattern: "a.pha"}, ""},
		{Query{Pattern: `x := \w\(`, Regex: true}, "b:2:  x := f(1)\nb:3:\tx := g(2)"},
		{Query{Pattern: "alpha\ngamma"}, "a:2:beta alpha alpha"},
		{Query{Pattern: "alpha\r\nbeta"}, "a:1:alpha"},
		{Query{Pattern: "alpha\nbeta.\n"}, ""},
		{Query{Pattern: "\n\nlast"}, "a:3:gamma."},
		{Query{Pattern: "alpha\n"}, "a:1:alpha\na:2:beta alpha alpha\nb:1:alpha"},
		{Query{Pattern: "\ufeff"}, ""},
	}
	for _, c := range cases {
		found, err := Search(t.Context(), []string{"a", "bin", "b", "c"}, c.query, texts(files))
		var got []string
		for _, h := range found.Hits {
			got = append(got, fmt.Sprintf("%s:%d:%s", h.Path, h.Line, h.Text))
		}
		if s := strings.Join(got, "\n"); err != nil || s != c.want || found.Total != len(got) || found.Skipped != 1 {
			t.Errorf("%+v: %q, %+v, %v, want %q", c.query, s, found, err, c.want)
		}
	}
}

func TestSearchLimit(t *testing.T) {
	files := texts(map[string]string{"a": strings.Repeat("x\n", 150), "b": strings.Repeat("x\n", 7), "c": "y"})
	for limit, want := range map[int]int{0: defaultHits, 3: 3, 1000: 157} {
		found, err := Search(t.Context(), []string{"a", "b", "c"}, Query{Pattern: "x", Limit: limit}, files)
		if err != nil || len(found.Hits) != want || found.Total != 157 || found.Files != 2 {
			t.Errorf("limit %d: %d hits of %d in %d files, %v", limit, len(found.Hits), found.Total, found.Files, err)
		}
	}
}

func TestSearchRefuses(t *testing.T) {
	for _, q := range []Query{{}, {Regex: true}, {Pattern: "(", Regex: true}, {Pattern: "(?=x)", Regex: true}} {
		_, err := Search(t.Context(), nil, q, texts(nil))
		wantCode(t, err, CodeBadArguments)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Search(ctx, []string{"a"}, Query{Pattern: "x"}, texts(nil)); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled search: %v", err)
	}
}

func TestExcerpt(t *testing.T) {
	long := strings.Repeat("é", 5000)
	for name, line := range map[string]string{
		"middle": long + "NEEDLE" + long, "start": "NEEDLE" + long, "end": long + "NEEDLE",
		"stray": strings.Repeat("\xa9", 50) + "NEEDLE" + strings.Repeat("\xe9", 9) + long,
	} {
		found, err := Search(t.Context(), []string{"a"}, Query{Pattern: "NEEDLE"}, texts(map[string]string{"a": "x\n" + line + "\ny"}))
		if err != nil || len(found.Hits) != 1 {
			t.Fatalf("%s: %+v, %v", name, found, err)
		}
		got := found.Hits[0].Text
		if !strings.Contains(got, "NEEDLE") || !utf8.ValidString(got) || len(got) > 1000 || strings.ContainsRune(got, utf8.RuneError) {
			t.Errorf("%s: shown as %q", name, got)
		}
		if cutBefore, cutAfter := strings.HasPrefix(got, "…"), strings.HasSuffix(got, "…"); cutBefore != (name == "middle" || name == "end") || cutAfter != (name != "end") {
			t.Errorf("%s: cut is shown wrong in %q", name, got)
		}
	}
}
