package editing

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/galley-ls/galley/editing/text"
)

// A record of a change in a very long line tells what is around the change, and not
// the line. A restart finds the change all the same, whatever else became of the text. U31.
func TestLongLineIsNotRecorded(t *testing.T) {
	side := strings.Repeat("these are the words of it, ", 20_000)
	line := side + "the needle" + side
	for _, row := range []struct {
		name, now string
		want      ChangeState
	}{
		{"nothing", "first\n" + line + "\nlast\n", Staged},
		{"a line before", "zeroth\nfirst\n" + line + "\nlast\n", Staged},
		{"the line's start", "first\nmore of " + line + "\nlast\n", Staged},
		{"the line's end", "first\n" + line + " and more\nlast", Staged},
		{"the very place", "first\n" + strings.Replace(line, "needle", "thread", 1) + "\nlast\n", Conflict},
		{"twice the line", "first\n" + line + "\n" + line + "\nlast\n", Conflict},
		{"the same written", "first\nmore of " + strings.Replace(line, "needle", "pin", 1) + "\nlast\n", Applied},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := New(0)
			p := w.Plan(Replace(Replacement{Meta: Meta{Owner: agentName}, Path: testPath, Old: "needle", New: "pin"}),
				NewDocument(testPath, "f.txt", text.New("first\n"+line+"\nlast\n")))
			data, err := json.Marshal(p.Record)
			if err != nil || len(data) > 3*contextBytes {
				t.Fatalf("the record has %d bytes, %v", len(data), err)
			}
			for _, stood := range p.Record.Stood {
				if kept, err := stood.Encode(); err != nil || len(kept) > contextBytes {
					t.Errorf("%d bytes are kept beside the journal, %v", len(kept), err)
				}
			}
			var r Record
			if err := json.Unmarshal(data, &r); err != nil {
				t.Fatal(err)
			}
			r.Stood = p.Record.Stood // that is kept beside the journal
			im := NewImage()
			im.Add(r)
			u := New(0)
			u.Restore(agentName, im, map[string]text.Text{testPath: text.New(row.now)})
			c, ok := u.Snapshot().Change("A")
			if !ok || c.State != row.want {
				t.Fatalf("A is %+v, want %s", c.State, row.want)
			}
			if d := theDocument(t, u); c.State == Staged && d.Proposed(agentName).String() != strings.Replace(row.now, "needle", "pin", 1) {
				t.Error("A stands elsewhere")
			}
		})
	}
}
