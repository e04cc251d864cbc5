// Package viewtest has the table of what changes look like, for all who show them.
package viewtest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
)

// Row is a change of testdata/lines.json, and what it looks like: its lines, written
// down as a diff with one line around, and on a terminal.
type Row struct {
	Name, File, Old, New string
	Lines                []Line
	Plain, Terminal      []string
}

// Line is a line as it is sent.
type Line struct {
	Sign  string
	Line  int
	Text  string
	Marks [][2]int
}

// Table gives each row to a test of its own.
func Table(t *testing.T, test func(t *testing.T, row Row)) {
	t.Helper()
	var table []Row
	data, err := find(filepath.Join("testdata", "lines.json"))
	if err == nil {
		err = json.Unmarshal(data, &table)
	}
	if err != nil || len(table) == 0 {
		t.Fatal(err)
	}
	for _, row := range table {
		t.Run(row.Name, func(t *testing.T) { test(t, row) })
	}
}

// find reads a file of the project, from whichever of its folders.
func find(name string) (data []byte, err error) {
	const deepest = 5
	for range deepest {
		if data, err = os.ReadFile(name); err == nil {
			return data, nil
		}
		name = filepath.Join("..", name)
	}
	return nil, err
}

// Staged is a workspace in which the change of a row is staged, as letter A of owner.
func (r Row) Staged(t *testing.T, owner string) *editing.Snapshot {
	t.Helper()
	w := editing.New(0)
	w.OpenDocument("/w/f.txt", "f.txt", text.New(r.File), 1, 1)
	if res := w.Do(editing.Replace(editing.Replacement{Meta: editing.Meta{Owner: owner}, Path: "/w/f.txt", Old: r.Old, New: r.New})); !res.OK() {
		t.Fatal(res)
	}
	return w.Snapshot()
}
