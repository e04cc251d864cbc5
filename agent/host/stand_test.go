package host

import (
	"context"
	"strings"
	"testing"

	"github.com/galley-ls/galley/editing/text"
)

// A question about a place is of no use to a model that does not hear which place it is.
func TestModelHearsWhereTheUserStands(t *testing.T) {
	const content = "one\ntwo\nthree\n"
	for _, row := range []struct {
		start, end int
		want       string
	}{
		{-1, -1, "the user is in a.txt"},
		{5, 5, "the user is in a.txt at line 2"},
		{4, 7, "the user has selected line 2 of a.txt, or a part of it"},
		{4, 8, "the user has selected line 2 of a.txt, or a part of it"},
		{0, 9, "the user has selected the lines 1 to 3 of a.txt"},
		{0, 99, "the user is in a.txt"},
	} {
		p := newPlace(t, map[string]string{"a.txt": content})
		h := p.open()
		h.Workspace().OpenDocument(p.path("a.txt"), "a.txt", text.New(content), 1, 1)
		run := p.start(h, Prompt{Text: "do a.txt: three → 3", Path: p.path("a.txt"), Start: row.start, End: row.end})
		p.run(h, run, "the end", func(r Run) bool { return r.State.Over() })
		page, err := h.Document(context.Background(), "", "prompt.md")
		if at := strings.Index(page, "[galley] "+row.want+"\n"); err != nil || at < 0 || at > strings.Index(page, "do a.txt") {
			t.Errorf("%v: %q does not stand before the prompt in\n%s", err, row.want, page)
		}
	}
}
