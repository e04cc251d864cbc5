package view

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
	"pgregory.net/rapid"
)

// gitApply applies a patch to files in a fresh directory and returns them.
func gitApply(t *testing.T, files map[string]string, patch string) map[string]string {
	t.Helper()
	dir := t.TempDir()
	for name, s := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(s), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("git", "-c", "core.autocrlf=false", "apply", "--whitespace=nowarn", "-")
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(patch)
	cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git apply: %v\n%s\n%s", err, out, patch)
	}
	got := map[string]string{}
	for name := range files {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		got[name] = string(b)
	}
	return got
}

func TestDiffIsAPatch(t *testing.T) {
	for _, tc := range []struct {
		name, file string
		swaps      []string // old, new, …
	}{
		{"middle of a line", "one\ntwo\nthree\n", []string{"two", "2"}},
		{"several hunks", strings.Repeat("a\n", 9) + "x\n" + strings.Repeat("b\n", 20) + "y\n", []string{"x", "xx", "y\n", ""}},
		{"no final newline", "one\ntwo", []string{"one", "1"}},
		{"final newline added", "one\ntwo", []string{"two", "two\n"}},
		{"final newline taken", "one\ntwo\n", []string{"two\n", "two"}},
		{"lines behind no newline", "one", []string{"one", "one\ntwo"}},
		{"crlf", "one\r\ntwo\r\nthree\r\n", []string{"two", "2", "three\r\n", "three\r\nfour\r\n"}},
		{"crlf to lf", "one\r\ntwo\r\n", []string{"two\r\n", "two\n"}},
		{"mixed endings", "one\ntwo\r\nthree\rfour\n", []string{"four", "4"}},
		{"all gone", "one\ntwo\n", []string{"one\ntwo\n", ""}},
		{"from nothing", "", []string{"", "one\n"}},
		{"top and end", "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n", []string{"one\n", "", "eight\n", "eight\nnine\n"}},
		{"insert at the top", "one\ntwo\n", []string{"one\n", "zero\none\n"}},
		{"mark kept", "\uFEFFone\ntwo\n", []string{"two", "2"}},
		{"first line behind the mark", "\uFEFFone\ntwo\n", []string{"one\n", ""}},
		{"a line before the mark's", "\uFEFFone\ntwo\n", []string{"one\n", "zero\none\n"}},
		{"only the mark", "\uFEFF", []string{"", "one\n"}},
		{"stray bytes", "caf\xe9\ntwo\n", []string{"two", "d\u00e9j\u00e0"}},
		{"form feeds", "one\x0ctwo\u2028three\nfour\n", []string{"four", "4"}},
		{"lines joined", "one\ntwo\nthree\n", []string{"one\ntwo", "one two"}},
		{"side by side", "one\ntwo\nthree\n", []string{"one", "1", "three", "3", "two", "2"}},
	} {
		for _, name := range []string{"f.txt", "dir with blanks/f \"q\".txt", "ümläut/b c.txt"} {
			t.Run(tc.name+"/"+name, func(t *testing.T) {
				d := newScene(t, name, tc.file)
				for i := 0; i < len(tc.swaps); i += 2 {
					if tc.swaps[i] == "" {
						d.stage(name, 0, text.Edits{{New: tc.swaps[i+1]}})
						continue
					}
					d.swap(name, tc.swaps[i], tc.swaps[i+1])
				}
				s := d.w.Snapshot()
				doc, _ := s.Document("/w/" + name)
				want := string(doc.Proposed(agentName).Bytes())
				if got := gitApply(t, map[string]string{name: tc.file}, Diff(s, agentName, 1)); got[name] != want {
					t.Errorf("git made %q\nwant %q\n%s", got[name], want, Diff(s, agentName, 1))
				}
			})
		}
	}
}

func TestDiffWithConflictAndOtherSessions(t *testing.T) {
	d := conflict(t)
	d.stage("notes.md", 2, text.Edits{{Start: 0, End: 0, New: "another session's\n"}})
	s := d.w.Snapshot()
	files := map[string]string{}
	for _, doc := range s.Documents() {
		files[doc.Name] = doc.Base.String()
	}
	patch := Diff(s, agentName, 1)
	if !strings.HasPrefix(patch, "# C is in conflict") {
		t.Errorf("the conflict is not named:\n%s", patch)
	}
	got := gitApply(t, files, patch)
	want := map[string]string{
		"config.json": strings.Replace(files["config.json"], "[]", `["X"]`, 1),
		"notes.md":    strings.Replace(files["notes.md"], "obsolete section\none\ntwo\n\n", "", 1),
	}
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s is %q", name, got[name])
		}
	}
	if got := Diff(s, agentName, 9); got != "" {
		t.Errorf("an unknown session has a diff: %s", got)
	}
}

// sidesOf reads a full-context unified diff of one file back.
func sidesOf(diff string) (old, new string) {
	_, body, _ := strings.Cut(diff, "@@\n")
	var last rune
	for line := range strings.SplitAfterSeq(body, "\n") {
		if line == "" {
			continue
		}
		sign, s := rune(line[0]), line[1:]
		if sign == '\\' {
			if last != '+' {
				old = strings.TrimSuffix(old, "\n")
			}
			if last != '-' {
				new = strings.TrimSuffix(new, "\n")
			}
			continue
		}
		if last = sign; sign != '+' {
			old += s
		}
		if sign != '-' {
			new += s
		}
	}
	return old, new
}

var anyText = rapid.Custom(func(t *rapid.T) string {
	words := []string{"a", "bb", "foo", " ", "  ", "\n", "\n", "\r\n", "é", "{", "}", "\t", "\n\n"}
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 30).Draw(t, "text"), "")
})

// drawEdits makes valid edits of a text on whole code points.
func drawEdits(t *rapid.T, s string) text.Edits {
	var es text.Edits
	at := 0
	for range rapid.IntRange(1, 4).Draw(t, "edits") {
		if at > len(s) {
			break
		}
		start := rapid.IntRange(at, len(s)).Draw(t, "start")
		end := rapid.IntRange(start, min(len(s), start+8)).Draw(t, "end")
		es = append(es, text.Edit{Start: start, End: end, New: anyText.Draw(t, "new")})
		at = end + 1
	}
	return es
}

// anyScene has a file with some staged changes.
func anyScene(rt *rapid.T, t *testing.T) (*scene, string) {
	s := strings.ReplaceAll(anyText.Draw(rt, "file"), "é", "e") // byte offsets are drawn
	d := newScene(t, "f.txt", s)
	for range rapid.IntRange(1, 3).Draw(rt, "changes") {
		doc, _ := d.w.Snapshot().Document("/w/f.txt")
		p := strings.ToValidUTF8(doc.Proposed(agentName).String(), "")
		es := onRunes(p, drawEdits(rt, p))
		es = fine(doc.Proposed(agentName), es)
		if len(es) == 0 {
			continue
		}
		d.w.Do(editing.Stage("/w/f.txt", editing.Meta{Owner: agentName}, es))
	}
	return d, s
}

// onRunes moves offsets off the middle of code points and of \r\n.
func onRunes(s string, es text.Edits) text.Edits {
	for i := range es {
		es[i].Start = onRune(s, es[i].Start)
		es[i].End = max(es[i].Start, onRune(s, es[i].End))
	}
	return slices.DeleteFunc(es, func(e text.Edit) bool { return e.Start == e.End && e.New == "" })
}

func onRune(s string, offset int) int {
	offset = commonStart(s[:offset], s)
	if offset > 0 && offset < len(s) && s[offset-1:offset+1] == "\r\n" {
		offset--
	}
	return offset
}

func TestDiffProperty(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		d, base := anyScene(rt, t)
		s := d.w.Snapshot()
		doc, _ := s.Document("/w/f.txt")
		want := doc.Proposed(agentName).String()
		diff := Preview(s, agentName, 1, Options{Format: FormatDiff, ContextLines: 1 << 20, MaxLength: -1})
		if want == base {
			return
		}
		old, new := sidesOf(diff)
		if old != base || new != want {
			rt.Fatalf("diff reads %q → %q\nwant %q → %q\n%s", old, new, base, want, diff)
		}
	})
}

// TestLinesProperty: with all context, the lines of all changes of a file hold
// the lines of both texts, in order and with their numbers.
func TestLinesProperty(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		d, _ := anyScene(rt, t)
		s := d.w.Snapshot()
		doc, _ := s.Document("/w/f.txt")
		for _, c := range s.Of(agentName, 1) {
			if c.State == editing.Staged {
				v, _ := compared(s, c)
				checkLines(rt, doc.Proposed(c.Owner), v.lines(around(1<<20)))
				alone := alone(doc, c)
				checkLines(rt, alone.new, alone.lines(around(1<<20)))
			}
		}
	})
}

func checkLines(rt *rapid.T, p text.Text, lines Lines) {
	next := 1
	for _, l := range lines {
		for _, m := range l.Marks {
			if m[0] < 0 || m[0] >= m[1] || m[1] > len(l.Text) {
				rt.Fatalf("mark %v outside %q", m, l.Text)
			}
		}
		if l.Sign == Old {
			continue
		}
		if l.New != next {
			rt.Fatalf("line %d where %d should be: %+v", l.New, next, lines)
		}
		if got := strings.Split(l.Text, "⟦")[0]; !strings.HasPrefix(p.Line(next-1), got) {
			rt.Fatalf("line %d is %q, shown as %q", next, p.Line(next-1), l.Text)
		}
		next++
	}
	if next-1 != p.Lines() && len(lines) > 0 {
		rt.Fatalf("%d lines of %d: %+v", next-1, p.Lines(), lines)
	}
}

// TestPreviewOfAnything: whatever the agent, the user and his decisions did, all
// views can be made, and the patch says exactly what would be applied.
func TestPreviewOfAnything(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		d, _ := anyScene(rt, t)
		for range rapid.IntRange(0, 6).Draw(rt, "steps") {
			anyStep(rt, d)
			checkViews(rt, d.w.Snapshot())
		}
	})
}

func anyStep(rt *rapid.T, d *scene) {
	doc, _ := d.w.Snapshot().Document("/w/f.txt")
	base := doc.Base.String()
	letter := editing.Letters(rapid.SampledFrom([]string{"A", "B", "C"}).Draw(rt, "letter"))
	switch rapid.IntRange(0, 5).Draw(rt, "step") {
	case 0, 1:
		es := onRunes(base, drawEdits(rt, base))
		slices.Reverse(es)
		if _, err := d.w.Update("/w/f.txt", 2, es); err != nil {
			rt.Fatal(err)
		}
	case 2:
		d.w.Do(editing.Reject(letter, "no"))
	case 3:
		d.w.Do(editing.Unreject(letter))
	case 4:
		if c, ok := d.w.Snapshot().Change(letter[0].Letter); ok && c.State == editing.Staged {
			es := c.Edits()
			slices.Reverse(es)
			if _, err := d.w.Update("/w/f.txt", 2, es); err != nil {
				rt.Fatal(err)
			}
		}
	case 5:
		d.w.Do(editing.Drop(agentName, letter, "changed my mind"))
	}
}

func checkViews(rt *rapid.T, s *editing.Snapshot) {
	doc, _ := s.Document("/w/f.txt")
	for _, format := range []string{FormatCompact, FormatFull, FormatStats} {
		Preview(s, agentName, 1, Options{Format: format, MaxLength: -1})
		Preview(s, agentName, 1, Options{Format: format, Letter: "A"})
	}
	Pending(s, agentName)
	for _, c := range s.Of(agentName, 1) {
		Of(s, c).Lines.Around(1).First(20)
		if w := WhereIs(s, c); c.State == editing.Staged && (w.Line < 1 || w.EndLine < w.Line || w.Position > doc.Proposed(agentName).Chars()) {
			rt.Fatalf("%s is at %+v", c.Letter, w)
		}
	}
	diff := Preview(s, agentName, 1, Options{Format: FormatDiff, ContextLines: 1 << 20, MaxLength: -1})
	if doc.Proposed(agentName).Equal(doc.Base) {
		return
	}
	if old, new := sidesOf(diff); old != doc.Base.String() || new != doc.Proposed(agentName).String() {
		rt.Fatalf("diff reads %q → %q\nwant %q → %q\n%s", old, new, doc.Base.String(), doc.Proposed(agentName).String(), diff)
	}
}
