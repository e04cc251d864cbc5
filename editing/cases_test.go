package editing

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/galley-ls/galley/editing/text"
)

// begun is a workspace, and a document of it that an editor has open, or a closed file.
func begun(content string, open bool) (*Workspace, *Document) {
	w, d := New(0), NewDocument(testPath, "f.txt", text.New(content))
	if open {
		w.OpenDocument(testPath, "f.txt", d.Base, 0, 1)
	}
	return w, d
}

// ways are how a text can become another one. Each is given the workspace with the
// text before, open in an editor or not, and answers the one with the text after.
var ways = []struct {
	name string
	open bool
	make func(t *testing.T, w *Workspace, now string) *Workspace
}{
	{"keys", true, func(t *testing.T, w *Workspace, now string) *Workspace {
		was := mustDoc(w.Snapshot()).Base.String()
		es := text.Diff(was, now)
		for i := len(es) - 1; i >= 0; i-- { // what is cut goes before what is put in
			for at := es[i].End; at > es[i].Start; at-- {
				typeIn(t, w, text.Edit{Start: at - 1, End: at})
			}
		}
		at := 0
		for _, e := range es {
			for k := range len(e.New) {
				typeIn(t, w, text.Edit{Start: e.Start + at + k, End: e.Start + at + k, New: e.New[k : k+1]})
			}
			at += len(e.New) - (e.End - e.Start)
		}
		return w
	}},
	{"one replacement", true, func(t *testing.T, w *Workspace, now string) *Workspace {
		typeIn(t, w, text.Edit{End: mustDoc(w.Snapshot()).Base.Len(), New: now})
		return w
	}},
	{"delete all, insert all", true, func(t *testing.T, w *Workspace, now string) *Workspace {
		typeIn(t, w, text.Edit{End: mustDoc(w.Snapshot()).Base.Len()})
		typeIn(t, w, text.Edit{New: now})
		return w
	}},
	{"a save", false, func(_ *testing.T, w *Workspace, now string) *Workspace {
		w.OpenDocument(testPath, "f.txt", text.New(now), 0, Disk)
		return w
	}},
	{"a truncating save", false, func(_ *testing.T, w *Workspace, now string) *Workspace {
		w.OpenDocument(testPath, "f.txt", text.New(""), 0, Disk)
		w.OpenDocument(testPath, "f.txt", text.New(now), 0, Disk)
		return w
	}},
	{"while nothing ran", false, func(t *testing.T, w *Workspace, now string) *Workspace {
		return restored(t, w, now)
	}},
	{"a truncating save, and a restart", false, func(t *testing.T, w *Workspace, now string) *Workspace {
		w.OpenDocument(testPath, "f.txt", text.New(""), 0, Disk)
		return restored(t, w, now)
	}},
}

func typeIn(t *testing.T, w *Workspace, e text.Edit) {
	t.Helper()
	if _, err := w.Update(testPath, 0, []text.Edit{e}); err != nil {
		t.Fatal(err)
	}
}

// restored is a workspace made anew of the records, with another text.
func restored(t *testing.T, w *Workspace, now string) *Workspace {
	t.Helper()
	before := w.Snapshot()
	var letters []string
	for _, c := range before.Changes() {
		letters = append(letters, c.Letter)
	}
	rec := before.Record(letters...)
	rec.Sessions = before.Sessions("")
	raw, err := json.Marshal(rec)
	if err != nil {
		t.Fatal(err)
	}
	var read Record
	if err := json.Unmarshal(raw, &read); err != nil {
		t.Fatal(err)
	}
	im := NewImage()
	read.Stood = rec.Stood // that is kept in files
	im.Add(read)
	u := New(0)
	u.Restore("agent", im, map[string]text.Text{testPath: text.New(now)})
	return u
}

// rebaseCase is one line of docs/rebase.md.
type rebaseCase struct{ was, letters, now, states, taken string }

func rebaseCases(t *testing.T) []rebaseCase {
	t.Helper()
	doc, err := os.ReadFile("../docs/rebase.md")
	if err != nil {
		t.Fatal(err)
	}
	var out []rebaseCase
	for line := range strings.Lines(string(doc)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "|")
		if len(f) != 5 || f[0] == "" {
			continue
		}
		for i := range f {
			f[i] = strings.TrimSpace(f[i])
		}
		broken := func(s string) string { return strings.ReplaceAll(s, "/", "\n") }
		out = append(out, rebaseCase{broken(f[0]), f[1], broken(f[2]), f[3], broken(f[4])})
	}
	return out
}

var letterOfCase = regexp.MustCompile(`^([-+]?)([A-Z]) (.*)→(.*)$`)

// world is the case's text with its letters staged, and decided.
func (c rebaseCase) world(t *testing.T, open bool) *Workspace {
	t.Helper()
	w := New(0)
	file := NewDocument(testPath, "f.txt", text.New(c.was))
	if open {
		w.OpenDocument(testPath, "f.txt", text.New(c.was), 0, 1)
	}
	for _, l := range strings.Split(c.letters, "; ") {
		m := letterOfCase.FindStringSubmatch(l)
		if m == nil {
			t.Fatalf("%q is no letter", l)
		}
		old, now := strings.ReplaceAll(m[3], "/", "\n"), strings.ReplaceAll(m[4], "/", "\n")
		if res := w.Do(Replace(Replacement{Meta: Meta{Owner: "agent"}, Path: testPath, Old: old, New: now}), file); res.Status != StatusEditing {
			t.Fatalf("%s: %+v", l, res)
		}
		switch m[1] {
		case "+":
			takeAll(t, w, m[2])
		case "-":
			w.Do(Reject(Letters(m[2]), ""))
		}
	}
	return w
}

// takeAll applies letters, conflicts too, as their editor does.
func takeAll(t *testing.T, w *Workspace, letters ...string) {
	t.Helper()
	for _, l := range letters {
		c, _ := w.Snapshot().Change(l)
		if !c.State.Undecided() {
			continue // the text of another has decided it
		}
		op := Apply(Letters(l))
		if c.State == Conflict {
			op = TakeAgents(Letters(l))
		}
		if res := w.Do(op); !res.OK() {
			t.Fatalf("taking %s: %+v", l, res)
		}
		for _, d := range w.Snapshot().Applying(l) {
			var es []text.Edit
			for i := len(d.Edits) - 1; i >= 0; i-- {
				es = append(es, d.Edits[i])
			}
			if _, err := w.Update(testPath, 0, es); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// told is what the letters are, as the cases write it.
func told(w *Workspace) string {
	var out []string
	for _, c := range w.Snapshot().Changes() {
		s := c.Letter + " " + string(c.State)
		if c.State == Conflict {
			for _, sides := range c.Conflicts(mustDoc(w.Snapshot()).Base) {
				s += "[" + strings.ReplaceAll(sides.Mine, "\n", "/") + "]"
			}
		}
		out = append(out, s)
	}
	return strings.Join(out, ", ")
}

func TestRebaseCases(t *testing.T) {
	cases := rebaseCases(t)
	if len(cases) < 40 {
		t.Fatalf("docs/rebase.md has %d cases", len(cases))
	}
	for _, c := range cases {
		for _, way := range ways {
			t.Run(fmt.Sprintf("%q %s %q/%s", c.was, c.letters, c.now, way.name), func(t *testing.T) {
				w := way.make(t, c.world(t, way.open), c.now)
				if got := told(w); got != c.states {
					t.Errorf("%s, want %s", got, c.states)
				}
				var wait []string
				for _, ch := range w.Snapshot().Changes() {
					if ch.State.Undecided() {
						wait = append(wait, ch.Letter)
					}
				}
				takeAll(t, w, wait...)
				if got := mustDoc(w.Snapshot()).Base.String(); got != c.taken {
					t.Errorf("taken it reads %q, want %q", got, c.taken)
				}
			})
		}
	}
}
