package editing

import (
	"strings"
	"testing"

	"github.com/galley-ls/galley/editing/text"
)

// withLetters is a workspace with a document in which changes are staged, each an old text with its new one.
func withLetters(t *testing.T, was string, changes ...[2]string) *Workspace {
	t.Helper()
	w := New(0)
	w.OpenDocument(testPath, "f.txt", text.New(was), 1, 1)
	for _, c := range changes {
		accept(t, w, Replace(Replacement{Meta: Meta{Owner: agentName}, Path: testPath, Old: c[0], New: c[1]}))
	}
	return w
}

// Where the lines between two letters have gone, what they put in keeps its order, whichever was staged first.
func TestLettersKeepTheirOrder(t *testing.T) {
	w := withLetters(t, "one\ntwo\nthree\n", [2]string{"three\n", "THREE\n"}, [2]string{"one\n", "one\nnew\n"})
	sendEdits(t, w, []text.Edit{{Start: 4, End: 14}})
	accept(t, w, TakeAgents(Letters("A")))
	sendEdits(t, w, w.Snapshot().Applying()[0].Edits)
	if got := theDocument(t, w).Proposed(agentName).String(); got != "one\nnew\nTHREE\n" {
		t.Errorf("%q is proposed", got)
	}
}

// A rejected conflict stands in whole lines where its place has come back, in whatever form it was staged.
func TestRejectedConflictStandsAgain(t *testing.T) {
	w := withLetters(t, "one\ntwo\nthree\n", [2]string{"one", "one\nnew"}, [2]string{"three", "THREE"})
	sendEdits(t, w, []text.Edit{{End: 14}})
	accept(t, w, Reject(Letters("A"), ""))
	sendEdits(t, w, []text.Edit{{New: "two\n"}})
	accept(t, w, Reject(Letters("B"), ""))
	accept(t, w, Unreject(Letters("A")))
	if got := theDocument(t, w).Proposed(agentName).String(); got != "new\ntwo\n" {
		t.Errorf("%q is proposed", got)
	}
}

// What came back behind a line that another letter deletes stays behind its line break, whatever the user does elsewhere.
func TestLettersStayApartAfterAnUndo(t *testing.T) {
	w := withLetters(t, "one\n", [2]string{"one\n", "one\nnew\n"})
	accept(t, w, Apply(Letters("A")))
	sendEdits(t, w, w.Snapshot().Applying()[0].Edits)
	accept(t, w, Replace(Replacement{Meta: Meta{Owner: agentName}, Path: testPath, Old: "one\n", New: ""}))
	sendEdits(t, w, []text.Edit{{Start: 3, End: 7}})
	sendEdits(t, w, []text.Edit{{Start: 0, End: 0, New: "zero\n"}})
	w.OpenDocument(testPath, "f.txt", theDocument(t, w).Base, 2, 1)
	if got := theDocument(t, w).Proposed(agentName).String(); got != "zero\nnew\n" {
		t.Errorf("%q is proposed", got)
	}
}

// New lines behind a line that another letter deletes come in with that one and without it: the editor is asked for each
// letter, and none waits in conflict meanwhile.
func TestNewLinesBehindADeletedOne(t *testing.T) {
	for _, letters := range [][]string{{"A", "B"}, {"A"}, {"B"}} {
		x := newTable(t, "one\ntwo\n").stage("one\n", "").stage("two\n", "new\n")
		x.do(Amend(Amendment{Choice{Letter: "B"}, "new\ntwo\n", true}))
		x.do(Apply(Letters(letters...)))
		asked := told(x.w)
		x.apply() // what the editor is asked for
		if got := told(x.w); strings.Contains(asked, "conflict") || strings.Count(got, "applied") != len(letters) {
			t.Errorf("apply %s: %s, then %s", letters, asked, got)
		}
		if got := x.doc().Proposed("agent").String(); got != "new\ntwo\n" {
			t.Errorf("apply %s: %q is proposed", letters, got)
		}
	}
}

// What becomes of a letter whose lines another one writes over is the same in an editor and in a closed file.
func TestTakenOverTheLinesOfAnother(t *testing.T) {
	for _, way := range ways {
		w, file := begun("end\n  \nx\n  \nlast\n", way.open)
		m := Meta{Owner: "agent"}
		w.Do(Stage(testPath, m, text.Edits{{End: 7}}), file)
		w.Do(Stage(testPath, m, text.Edits{{Start: 5, End: 9, New: "new\n  "}}))
		w.Do(Stage(testPath, m, text.Edits{{Start: 12, End: 12, New: "more\n"}}))
		w = way.make(t, w, "x\n  \nend\n  \n")
		takeAll(t, w, "B")
		if got := told(w); got != "A conflict[new/  /], B applied, C staged" {
			t.Errorf("by %s: %s", way.name, got)
		}
	}
}

// A line break that is put into an empty file is still there when the user types in it.
func TestLineBreakInAnEmptyFile(t *testing.T) {
	for _, new := range []string{"\n", "\n\n", "x\n", "x"} {
		w := New(0)
		w.OpenDocument(testPath, "f.txt", text.New(""), 1, 1)
		accept(t, w, Stage(testPath, Meta{Owner: agentName}, text.Edits{{New: new}}))
		sendEdits(t, w, []text.Edit{{New: "a"}})
		want := map[string]string{"\n": "a\n", "\n\n": "a\n\n", "x\n": "a\nx", "x": "a\nx"}[new]
		if got := theDocument(t, w).Proposed(agentName).String(); got != want {
			t.Errorf("%q is put in and a typed: %q is proposed, want %q", new, got, want)
		}
	}
}
