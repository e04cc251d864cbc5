package lsp

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
	"github.com/galley-ls/galley/editing/view"
)

// The hovers and the wire show the lines that testdata/lines.json has.
func TestLinesTable(t *testing.T) {
	var table []struct {
		Name, File, Old, New string
		Lines                []wireLine
		Plain                []string
	}
	data, err := os.ReadFile("../testdata/lines.json")
	if err == nil {
		err = json.Unmarshal(data, &table)
	}
	if err != nil || len(table) == 0 {
		t.Fatal(err)
	}
	for _, row := range table {
		t.Run(row.Name, func(t *testing.T) {
			ws := editing.New(0)
			ws.OpenDocument("/w/f.txt", "f.txt", text.New(row.File), 1, true)
			ws.Do(editing.Replace(editing.Replacement{Meta: editing.Meta{Owner: "s"}, Path: "/w/f.txt", Old: row.Old, New: row.New}))
			snap := ws.Snapshot()
			c, _ := snap.Change("A")
			d, _ := snap.Document("/w/f.txt")
			if w := changeOf(d, view.Of(snap, c), mapper{t: d.Base, enc: utf8units}); !reflect.DeepEqual(w.Lines, row.Lines) {
				t.Errorf("on the wire\n got %+v\nwant %+v", w.Lines, row.Lines)
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
