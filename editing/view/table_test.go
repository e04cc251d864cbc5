package view

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/galley-ls/galley/editing"
)

// TestLinesTable: testdata/lines.json says what a change looks like. The same table
// is checked by the hovers and the wire, the terminal and the plugin for Neovim.
func TestLinesTable(t *testing.T) {
	type wire struct {
		Sign  string
		Line  int
		Text  string
		Marks [][2]int
	}
	var table []struct {
		Name, File, Old, New string
		Lines                []wire
		Plain                []string
	}
	data, err := os.ReadFile("../../testdata/lines.json")
	if err == nil {
		err = json.Unmarshal(data, &table)
	}
	if err != nil || len(table) == 0 {
		t.Fatal(err)
	}
	for _, row := range table {
		t.Run(row.Name, func(t *testing.T) {
			d := newScene(t, "f.txt", row.File)
			d.do(editing.Replace(editing.Replacement{Meta: editing.Meta{Owner: agentName}, Path: "/w/f.txt", Old: row.Old, New: row.New}))
			c := Of(d.w.Snapshot(), d.change("A"))
			var got []wire
			for _, l := range c.Lines {
				w := wire{string(l.Sign), l.Old, l.Text, append([][2]int{}, l.Marks...)}
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
}
