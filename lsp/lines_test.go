package lsp

import (
	"reflect"
	"strings"
	"testing"

	"github.com/galley-ls/galley/editing/view"
	"github.com/galley-ls/galley/editing/view/viewtest"
)

// The hovers and the wire show the lines that testdata/lines.json has.
func TestLinesTable(t *testing.T) {
	viewtest.Table(t, func(t *testing.T, row viewtest.Row) {
		snap := row.Staged(t, "s")
		c, _ := snap.Change("A")
		d, _ := snap.Document("/w/f.txt")
		var sent []viewtest.Line
		for _, l := range changeOf(d, view.Of(snap, c), mapper{t: d.Base, enc: utf8units}).Lines {
			sent = append(sent, viewtest.Line(l))
		}
		if !reflect.DeepEqual(sent, row.Lines) {
			t.Errorf("on the wire\n got %+v\nwant %+v", sent, row.Lines)
		}
		diff := strings.Join(row.Plain, "\n") + "\n"
		if got := described(snap, c, true); !strings.HasSuffix(got, "```diff\n"+diff+"```") {
			t.Errorf("hover in Markdown\n%s\nwant\n%s", got, diff)
		}
		if got := described(snap, c, false); !strings.HasSuffix(got, "\n"+diff) {
			t.Errorf("hover\n%s\nwant\n%s", got, diff)
		}
	})
}

// Marks are in the units that the client has chosen.
func TestMarksInUnits(t *testing.T) {
	lines := view.Lines{{Sign: view.New, New: 1, Text: "😀é = 日本", Marks: [][2]int{{0, 4}, {9, 15}}}}
	for enc, want := range map[encoding][][2]int{
		utf8units: {{0, 4}, {9, 15}}, utf16units: {{0, 2}, {6, 8}}, utf32units: {{0, 1}, {5, 7}},
	} {
		if got := enc.lines(lines)[0].Marks; !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", enc, got, want)
		}
	}
}
