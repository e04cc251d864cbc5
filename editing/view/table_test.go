package view

import (
	"reflect"
	"strings"
	"testing"

	"github.com/galley-ls/galley/editing/view/viewtest"
)

// TestLinesTable: testdata/lines.json says what a change looks like. The same table
// is checked by the hovers and the wire, the terminal and the plugin for Neovim.
func TestLinesTable(t *testing.T) {
	viewtest.Table(t, func(t *testing.T, row viewtest.Row) {
		s := row.Staged(t, agentName)
		a, _ := s.Change("A")
		c := Of(s, a)
		var got []viewtest.Line
		for _, l := range c.Lines {
			w := viewtest.Line{Sign: string(l.Sign), Line: l.Old, Text: l.Text, Marks: append([][2]int{}, l.Marks...)}
			if l.Sign == New {
				w.Line = l.New
			}
			got = append(got, w)
		}
		if !reflect.DeepEqual(got, row.Lines) {
			t.Errorf("lines\n got %+v\nwant %+v", got, row.Lines)
		}
		plain := strings.Join(row.Plain, "\n") + "\n"
		if got := c.Lines.Around(1).String(); got != plain {
			t.Errorf("plain\n%swant\n%s", got, plain)
		}
		if got := c.Lines.Around(1).Markdown(99); got != "```diff\n"+plain+"```" {
			t.Errorf("Markdown\n%swant\n%s", got, plain)
		}
	})
}
