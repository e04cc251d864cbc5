package editing

import (
	"testing"

	"github.com/galley-ls/galley/editing/text"
)

// An editor that leaves open which text it means: only a letter makes it another
// than the first.
func TestReadings(t *testing.T) {
	w := New(0)
	w.OpenDocument(testPath, "f.txt", text.New("one\ntwo\n"), 0, 1)
	r := w.Do(Replace(Replacement{Meta: Meta{Owner: "agent"}, Path: testPath, Old: "two\n", New: "2"}))
	if !r.OK() {
		t.Fatal(r)
	}
	w.Do(Apply([]Choice{{Letter: "A"}}))
	whole := func(texts ...string) [][]text.Edit {
		d, _ := w.Snapshot().Document(testPath)
		var out [][]text.Edit
		for _, s := range texts {
			out = append(out, []text.Edit{{End: d.Base.Len(), New: s}})
		}
		return out
	}
	for i, c := range []struct {
		texts []string
		taken int
		state ChangeState
	}{
		{[]string{"ONE\ntwo\n", "ONE\ntwo"}, 0, Applying},        // typed meanwhile: the first is as good
		{[]string{"one\ntwo\n", "one\ntwo"}, 0, Applying},        //
		{[]string{"one\n2\n", "one\n2"}, 1, Applied},             // what A writes
		{[]string{"one\n2", "one\n2\n"}, 0, Applied},             // nothing happens
		{[]string{"0\none\n2", "0\none\n2\n"}, 0, Applied},       // typed elsewhere
		{[]string{"one\n2", "one\n2\n"}, 0, Applied},             //
		{[]string{"one\ntwo", "one\ntwo\n"}, 1, Staged},          // undone
		{[]string{"one\ntwo\n!", "one\ntwo\n", ""}, 0, Conflict}, // typed on A's line; the others change nothing, or too much
		{[]string{"one\ntwo\n", "", "one\n3"}, 0, Staged},        // deleted again
		{[]string{"one\n2\n", "one\ntwo", "one\n2"}, 2, Applied}, // redone
	} {
		_, taken, err := w.UpdateOneOf(testPath, int32(i), whole(c.texts...), 1)
		d, _ := w.Snapshot().Document(testPath)
		ch, _ := w.Snapshot().Change("A")
		if err != nil || taken != c.taken || ch.State != c.state || d.Base.String() != c.texts[c.taken] || d.Version != int32(i) {
			t.Errorf("step %d: took %d, A %s, %q, version %d, %v; want %+v", i, taken, ch.State, d.Base.String(), d.Version, err, c)
		}
	}
	if _, _, err := w.UpdateOneOf(testPath, 0, [][]text.Edit{nil, {{Start: 99, End: 99}}}, 1); err == nil {
		t.Error("an edit outside of the text was taken")
	}
}

// Where what was written stands, an applied insertion too.
func TestStartOfAnAppliedInsertion(t *testing.T) {
	w := New(0)
	w.OpenDocument(testPath, "f.txt", text.New("one two\n"), 0, 1)
	w.Do(Replace(Replacement{Meta: Meta{Owner: "agent"}, Path: testPath, Old: "one ", New: "one and "}))
	w.Do(Apply([]Choice{{Letter: "A"}}))
	if _, err := w.Update(testPath, 1, []text.Edit{{Start: 4, End: 4, New: "and "}}); err != nil {
		t.Fatal(err)
	}
	c, _ := w.Snapshot().Change("A")
	if c.State != Applied || c.Start() != 4 || c.Hunks[0].End != 8 {
		t.Errorf("%s at %d to %d", c.State, c.Start(), c.Hunks[0].End)
	}
}

// A formatter that takes the blanks from two lines in one edit, and a word from the first, has
// not written both: a letter meets what was done to its own line.
func TestCoarseEdits(t *testing.T) {
	for _, c := range []struct {
		now  string
		want ChangeState
	}{{"three\n\tfour\n", Staged}, {"three\nfour\n", Staged}, {"3\nfour\n", Staged}, {"3\nmy four\n", Conflict}} {
		w := New(0)
		was := "   three\n\tfour\n"
		w.OpenDocument(testPath, "f.txt", text.New(was), 0, 1)
		w.Do(Replace(Replacement{Meta: Meta{Owner: "agent"}, Path: testPath, Old: "four", New: "4"}))
		if _, err := w.Update(testPath, 1, []text.Edit{{Start: 0, End: len(was), New: c.now}}); err != nil {
			t.Fatal(err)
		}
		a, _ := w.Snapshot().Change("A")
		if a.State != c.want {
			t.Errorf("%q: A is %s", c.now, a.State)
		}
		if got := a.Conflicts(mustDoc(w.Snapshot()).Base); c.want == Conflict && (len(got) != 1 || got[0] != (Sides{"my four\n", "\t4\n", "\tfour\n"})) {
			t.Errorf("A: %+v", got)
		}
	}
}
