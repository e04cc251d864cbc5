package editing

import (
	"strings"
	"testing"

	"github.com/galley-ls/galley/editing/text"
	"pgregory.net/rapid"
)

// asked is a text with one operation staged, and what came of it.
func asked(was string, op Op) (*Workspace, Result) {
	w := New(0)
	res := w.Do(op, NewDocument(testPath, "f.txt", text.New(was)))
	return w, res
}

func TestFormOfWhatIsStaged(t *testing.T) {
	replace := func(old, now string) Op {
		return Replace(Replacement{Meta: Meta{Owner: "agent"}, Path: testPath, Old: old, New: now})
	}
	add := func(s, after string) Op {
		return Append(Appending{Meta: Meta{Owner: "agent"}, Path: testPath, Text: s, After: after})
	}
	span := func(from, to, now string) Op {
		return Replace(Replacement{Meta: Meta{Owner: "agent"}, Path: testPath, Old: from, End: to, New: now})
	}
	for _, c := range []struct {
		name, was string
		op        Op
		want      string
	}{
		{"U12 a mark in old and new", "say \x93hi\x94 now\n", replace("say ⟦93⟧hi⟦94⟧", "say ⟦93⟧hello⟦94⟧"), "say \x93hello\x94 now\n"},
		{"U12 a mark in new, of another place", "say \x93hi\nx = 1\n", replace("x = 1", "x = ⟦93⟧"), "say \x93hi\nx = \x93\n"},
		{"U12 a mark that is text", "a ⟦93⟧ b\n\x93\n", replace("a ⟦93⟧ b", "a ⟦93⟧ c"), "a ⟦93⟧ c\n\x93\n"},
		{"U12 a mark in a span", "a \x93\nb\nc \xff\nd\n", span("a ⟦93⟧", "c ⟦FF⟧", "new ⟦FF⟧"), "new \xff\nd\n"},
		{"U12 a mark in a file without", "a\n", replace("a", "⟦93⟧"), "⟦93⟧\n"},
		{"U12 a mark in what is appended", "a \x93\n", add("b ⟦93⟧", ""), "a \x93\nb \x93\n"},
		{"U14 prefixes in new", "a\nb\n", replace("a\nb", "1:ca97  │A\n2:3e23 B│B"), "A\nB\n"},
		{"U14 prefixes in new, old with them too", "a\nb\n", replace("1:ca97  │a\n2:3e23  │b", "1:ca97  │A\n2:3e23  │B"), "A\nB\n"},
		{"U14 prefixes in what is appended", "a\n", add("2:8ff4  │x\n3:8ff4  │y\n", ""), "a\nx\ny\n"},
		{"U14 prefixes in a span", "a\nb\nc\n", span("a", "b", "1:8ff4  │x"), "x\nc\n"},
		{"U16 only CR, over two lines", "one\rtwo\rthree\r", replace("one\ntwo", "one\nTWO"), "one\rTWO\rthree\r"},
		{"U16 only CR, new lines", "one\rtwo\rthree", replace("two\n", "two\nnew\n"), "one\rtwo\rnew\rthree"},
		{"U16 only CR, in CRLF", "one\rtwo\rthree", replace("one\r\ntwo", "1\r\ntwo"), "1\rtwo\rthree"},
		{"U16 only CR, a span", "one\rtwo\rthree", span("one", "two", "1\n2"), "1\r2\rthree"},
		{"U16 only CR, appended", "one\rtwo\r", add("three\n", ""), "one\rtwo\rthree\r"},
		{"U16 a CR among others", "one\ntwo\rthree\nfour\n", replace("two\nthree", "two\n3"), "one\ntwo\r3\nfour\n"},
		{"U18 to an empty file", "", add("x", ""), "x\n"},
		{"U18 to one without last newline", "a\nb", add("x\ny", ""), "a\nb\nx\ny\n"},
		{"U18 to one with CRLF without the last", "a\r\nb", add("x", ""), "a\r\nb\r\nx\r\n"},
		{"U18 to a section at the end", "# A\n- a", add("- b", "# A"), "# A\n- a\n- b\n"},
		{"U18 to a section before the end", "# A\n- a\n# B\nb", add("- b\n", "# A"), "# A\n- a\n- b\n# B\nb"},
		{"U18 with a last newline", "a\n", add("x\n", ""), "a\nx\n"},
		{"U18 one blank line", "\n", add("x", ""), "x\n"},
	} {
		w, res := asked(c.was, c.op)
		if res.Status != StatusEditing {
			t.Errorf("%s: %+v", c.name, res)
			continue
		}
		takeAll(t, w, res.Touched...)
		if got := mustDoc(w.Snapshot()).Base.String(); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// Whatever staged it, a letter goes by its lines: the file is saved with other endings
// before it is taken in, or after.
func TestU10EveryWayOfStaging(t *testing.T) {
	const was = "one\ntwo\nthree\nfour\n"
	meta := Meta{Owner: "agent"}
	crlf := func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }
	for name, op := range map[string]Op{
		"replace": Replace(Replacement{Meta: meta, Path: testPath, Old: "two\nthree\n", New: "2\nnew\n3\n"}),
		"delete":  Replace(Replacement{Meta: meta, Path: testPath, Old: "two\nthree\n"}),
		"span":    Replace(Replacement{Meta: meta, Path: testPath, Old: "one", End: "three", New: "all\nof it"}),
		"append":  Append(Appending{Meta: meta, Path: testPath, Text: "five\nsix"}),
		"insert":  Append(Appending{Meta: meta, Path: testPath, Text: "new\n", After: "two"}),
		"write":   Write(Writing{Meta: meta, Path: testPath, Content: "ONE\ntwo\nnew\nfour\nfive\n"}),
	} {
		for _, before := range []string{was, crlf(was)} {
			after := crlf(was)
			if before != was {
				after = was
			}
			straight, res := asked(after, op)
			takeAll(t, straight, res.Touched...)
			want := mustDoc(straight.Snapshot()).Base.String()

			w, _ := asked(before, op)
			w.OpenDocument(testPath, "f.txt", text.New(after), 0, Disk)
			takeAll(t, w, res.Touched...)
			if got := mustDoc(w.Snapshot()).Base.String(); got != want {
				t.Errorf("%s, then saved: %q, want %q", name, got, want)
			}
			w, _ = asked(before, op)
			w = restored(t, w, after)
			takeAll(t, w, res.Touched...)
			if got := mustDoc(w.Snapshot()).Base.String(); got != want {
				t.Errorf("%s, then saved while nothing ran: %q, want %q", name, got, want)
			}
			w, _ = asked(before, op)
			takeAll(t, w, res.Touched...)
			w.OpenDocument(testPath, "f.txt", text.New(want), 0, Disk)
			if got := told(w); strings.Contains(got, "staged") || strings.Contains(got, "conflict") {
				t.Errorf("%s, taken in and saved: %s", name, got)
			}
			n := w.Snapshot().Sessions("agent")[0].N
			if res := w.Do(Commit("agent", n, "", nil)); !res.OK() {
				t.Fatalf("%+v", res)
			}
			back := w.Plan(UndoClosed("agent", n), NewDocument(testPath, "f.txt", text.New(want)))
			if len(back.Targets) != 1 || back.Targets[0].After.String() != after {
				t.Errorf("%s, committed, saved and taken back: %+v", name, back.Result)
			}
		}
	}
}

// The letters of candidates mean the same places after a save with other endings.
func TestU10Candidates(t *testing.T) {
	const was = "x\ny\n1\nx\ny\n2\nx\ny\n3\n"
	r := Replacement{Meta: Meta{Owner: "agent"}, Path: testPath, Old: "x\ny\n", New: "z\n"}
	for _, way := range []string{"saved", "changed and saved", "while nothing ran"} {
		w, res := asked(was, Replace(r))
		if res.Status != StatusNeedsMatch || len(res.Candidates) != 3 {
			t.Fatalf("%+v", res)
		}
		r := r
		r.MatchID = "A"
		w.Do(Replace(r))
		now := strings.ReplaceAll(was, "\n", "\r\n")
		if way == "changed and saved" {
			now = strings.Replace(now, "3", "three", 1)
		}
		w.OpenDocument(testPath, "f.txt", text.New(now), 0, Disk)
		r.MatchID = "C"
		res = w.Do(Replace(r))
		if res.Status != StatusEditing {
			t.Errorf("%s: %+v", way, res)
			continue
		}
		takeAll(t, w, waitingIn(w)...)
		want := strings.Replace("z\r\n"+now[len("x\r\ny\r\n"):], "2\r\nx\r\ny\r\n", "2\r\nz\r\n", 1)
		if got := mustDoc(w.Snapshot()).Base.String(); got != want {
			t.Errorf("%s: %q, want %q", way, got, want)
		}
	}
}

// Whole files too are the same files with other line ends.
func TestU10WholeFiles(t *testing.T) {
	meta := Meta{Owner: "agent"}
	for _, c := range []struct {
		name      string
		restarted bool
	}{{"", false}, {"restarted", true}} {
		g := newGrove(t, "gone", "a\nb\n", "old", "a\nb\n")
		g.do(DeleteFile(Deletion{Meta: meta, Path: at("gone")}))
		g.do(Write(Writing{Meta: meta, Path: at("new"), Name: "new", Content: "x\ny\n"}))
		g.files["gone"], g.files["new"] = "a\r\nb\r\n", "x\r\ny\r\n"
		if c.restarted {
			g.restart()
		} else {
			g.look()
		}
		if got := g.states(); got != "A staged, B applied by you" && got != "B applied by you, A staged" {
			t.Errorf("%s: %s", c.name, got)
		}
		g.do(Apply(Letters("A")))
		if got := tree(g.files); got != "new=x\r,y\r old=a,b" {
			t.Errorf("%s: %q, %s", c.name, got, g.said)
		}
		n := g.w.Snapshot().Sessions("agent")[0].N
		g.do(UndoApplied("agent", n))
		if got := g.files["gone"]; got != "a\r\nb\r\n" {
			t.Errorf("%s: taken back it holds %q", c.name, got)
		}
	}
}

// Two people do the same to the same text, one of whom uses any line ends, and changes
// them again and again: all letters are the same, and so are the lines.
func TestU10RandomLineEnds(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		ends := func(s string) string {
			of := rapid.SampledFrom(endings).Draw(rt, "endings")
			return withEndings(s, of)
		}
		s := rapid.SampledFrom([]string{"a\nb\nc\nd\ne\nf\n", "a\na\nb\nb\nc", "one two three\nfour five\n\nsix\n"}).Draw(rt, "text")
		plain, ended := New(0), New(0)
		plain.OpenDocument(testPath, "f.txt", text.New(s), 0, 1)
		ended.OpenDocument(testPath, "f.txt", text.New(ends(s)), 0, 1)
		both := func(op Op) {
			a, b := plain.Do(op), ended.Do(op)
			if a.Status != b.Status || a.Code != b.Code {
				rt.Fatalf("%+v, and with other line ends %+v", a, b)
			}
		}
		word := rapid.SampledFrom([]string{"a", "b", "c", "two", "x", "y y", ""})
		for range rapid.IntRange(1, 12).Draw(rt, "steps") {
			base := mustDoc(plain.Snapshot()).Base
			switch rapid.IntRange(0, 6).Draw(rt, "step") {
			case 0, 1:
				p := mustDoc(plain.Snapshot()).Proposed("agent")
				from := rapid.IntRange(0, p.Lines()).Draw(rt, "from")
				to := rapid.IntRange(from, min(p.Lines(), from+2)).Draw(rt, "to")
				both(Replace(Replacement{
					Meta: Meta{Owner: "agent"}, Path: testPath, Old: p.Slice(p.LineStart(from), p.LineStart(to)),
					New: strings.Join(rapid.SliceOfN(word, 0, 3).Draw(rt, "new"), "\n") + "\n",
				}))
			case 2, 3:
				e := text.Edit{Start: rapid.IntRange(0, base.Len()).Draw(rt, "start"), New: strings.Join(rapid.SliceOfN(word, 0, 3).Draw(rt, "typed"), "\n")}
				e.End = rapid.IntRange(e.Start, min(base.Len(), e.Start+4)).Draw(rt, "end")
				now := base.MustApply(text.Edits{e}).String()
				typeAll(rt, plain, now)
				typeAll(rt, ended, ends(now))
			case 4:
				typeAll(rt, ended, ends(base.String()))
			case 5:
				both(Reject(Letters("A"), ""))
			case 6:
				both(Unreject(Letters("A")))
			}
			if a, b := told(plain), strings.ReplaceAll(told(ended), "\r", ""); a != b {
				rt.Fatalf("%s, and with other line ends %s", a, b)
			}
			a, b := mustDoc(plain.Snapshot()), mustDoc(ended.Snapshot())
			if a.Proposed("agent").String() != b.Proposed("agent").Plain().String() {
				rt.Fatalf("%q, and with other line ends %q", a.Proposed("agent").String(), b.Proposed("agent").String())
			}
		}
	})
}

// typeAll makes a text another one, as whoever replaces all of it does.
func typeAll(rt *rapid.T, w *Workspace, now string) {
	if _, err := w.Update(testPath, 0, []text.Edit{{End: mustDoc(w.Snapshot()).Base.Len(), New: now}}); err != nil {
		rt.Fatal(err)
	}
}
