package view

import (
	"strings"
	"testing"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
)

// scene is a workspace with an agent in it.
type scene struct {
	t testing.TB
	w *editing.Workspace
}

const agentName = "agent"

func newScene(t testing.TB, files ...string) *scene {
	t.Helper()
	d := &scene{t, editing.New(0)}
	for i := 0; i < len(files); i += 2 {
		d.w.OpenDocument("/w/"+files[i], files[i], text.New(files[i+1]), 1, 1)
	}
	return d
}

// swap stages the replacement of a text that stands once in what the agent reads.
func (d *scene) swap(name, old, new string) {
	d.t.Helper()
	doc, _ := d.w.Snapshot().Document("/w/" + name)
	s := doc.Proposed(agentName).String()
	if strings.Count(s, old) != 1 {
		d.t.Fatalf("%q stands %d times in %s:\n%s", old, strings.Count(s, old), name, s)
	}
	d.stage(name, 0, text.Edits{{Start: strings.Index(s, old), End: strings.Index(s, old) + len(old), New: new}})
}

// stage stages edits of what the agent reads, made minimal as a search does it.
func (d *scene) stage(name string, task int, es text.Edits) {
	d.t.Helper()
	doc, _ := d.w.Snapshot().Document("/w/" + name)
	res := d.w.Do(editing.Stage("/w/"+name, editing.Meta{Owner: agentName, Task: task}, fine(doc.Proposed(agentName), es)))
	if !res.OK() {
		d.t.Fatalf("stage in %s: %s %s", name, res.Code, res.Hint)
	}
}

// types is the user's typing: old, which stands once in the file, becomes new.
func (d *scene) types(name, old, new string) {
	d.t.Helper()
	doc, _ := d.w.Snapshot().Document("/w/" + name)
	at := strings.Index(doc.Base.String(), old)
	if at < 0 {
		d.t.Fatalf("%q is not in %s", old, name)
	}
	if _, err := d.w.Update("/w/"+name, 2, []text.Edit{{Start: at, End: at + len(old), New: new}}); err != nil {
		d.t.Fatal(err)
	}
}

func (d *scene) do(op editing.Op) {
	d.t.Helper()
	if res := d.w.Do(op); !res.OK() {
		d.t.Fatalf("%s: %s", res.Code, res.Hint)
	}
}

func (d *scene) change(letter string) *editing.Change {
	d.t.Helper()
	c, ok := d.w.Snapshot().Change(letter)
	if !ok {
		d.t.Fatalf("no change %s", letter)
	}
	return c
}
