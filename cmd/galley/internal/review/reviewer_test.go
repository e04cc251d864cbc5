package review

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
	"github.com/galley-ls/galley/cmd/galley/internal/term/termtest"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/memory"
)

// testSession is a real session in a folder of its own.
type testSession struct {
	Local
	t   *testing.T
	dir string
}

func newTestSession(t *testing.T, files map[string]string) *testSession {
	t.Helper()
	d := &testSession{t: t, dir: t.TempDir()}
	for name, content := range files {
		d.write(name, content)
	}
	s, err := session.Open(session.Config{Home: t.TempDir(), Workspace: d.dir, Review: editing.Ask})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	d.Local = Local{s}
	return d
}

func (d *testSession) write(name, content string) {
	d.t.Helper()
	if err := os.WriteFile(filepath.Join(d.dir, name), []byte(content), 0o644); err != nil {
		d.t.Fatal(err)
	}
}

func (d *testSession) read(name string) string {
	d.t.Helper()
	content, err := os.ReadFile(filepath.Join(d.dir, name))
	if err != nil {
		d.t.Fatal(err)
	}
	return string(content)
}

func (d *testSession) call(tool string, args any) tools.Outcome {
	d.t.Helper()
	raw, err := json.Marshal(args)
	if err != nil {
		d.t.Fatal(err)
	}
	return tools.Run(context.Background(), d.Session, memory.ToolCall{Name: tool, Arguments: string(raw)})
}

func (d *testSession) replace(path, old, new, reason string) {
	d.t.Helper()
	o := d.call("memory_notebook_replace", tools.ReplaceArgs{Path: path, OldText: old, NewText: new, Reason: reason})
	if o.Status != tools.StatusEditing {
		d.t.Fatalf("stage %q → %q: %s", old, new, o.JSON())
	}
}

// three stages A, B and C in one file, and proposes them.
func three(t *testing.T) *testSession {
	d := newTestSession(t, map[string]string{"a.txt": "one\ntwo\nthree\nfour\nfive\n"})
	d.replace("a.txt", "one", "ONE", "")
	d.replace("a.txt", "three", "THREE", "louder")
	d.replace("a.txt", "five", "FIVE", "")
	if o := d.call("memo_commit", tools.CommitArgs{Summary: "louder"}); o.Status != tools.StatusProposed {
		t.Fatal(o.JSON())
	}
	return d
}

// reviewed reviews with these answers: what a.txt holds then, by its words, what waits, and what was said.
func (d *testSession) reviewed(answers io.Reader, file, waits string, said []string) {
	d.t.Helper()
	var out strings.Builder
	r := &Reviewer{Console: term.Console{Out: term.Screen{W: &out}, Err: term.Screen{W: &out}}, Session: d, Keyboard: term.NewKeyboard(answers)}
	if err := r.Review(d.t.Context()); err != nil {
		d.t.Fatal(err)
	}
	if got := strings.Join(strings.Fields(d.read("a.txt")), " "); got != file {
		d.t.Errorf("the file is %q, want %q", got, file)
	}
	if got := strings.Join(LettersOf(r.Waiting()), " "); got != waits {
		d.t.Errorf("%q waits, want %q", got, waits)
	}
	for _, says := range said {
		if !strings.Contains(out.String(), says) {
			d.t.Errorf("it does not say %q", says)
		}
	}
	if d.t.Failed() {
		d.t.Log(out.String())
	}
}

// What a commit or a revert closes is told once: what was decided before is not told again.
func TestReviewTellsDecisionsOnce(t *testing.T) {
	for answers, want := range map[string]string{"A\nr B no\nc loud enough": "✓ C applied: ", "A\nr B no\nv no": "↩ #1 reverted"} {
		d := three(t)
		var out strings.Builder
		r := &Reviewer{Console: term.Console{Out: term.Screen{W: &out}}, Session: d, Keyboard: term.NewKeyboard(strings.NewReader(answers))}
		if err := r.Review(context.Background()); err != nil {
			t.Fatal(err)
		}
		for _, says := range []string{"✓ A applied: ", "✗ B rejected: ", want} {
			if strings.Count(out.String(), says) != 1 {
				t.Errorf("%q: it does not say %q once:\n%s", answers, says, out.String())
			}
		}
	}
}

// In a conversation what is no answer is for the agent. Nobody commits or reverts by the first word of a sentence.
func TestReviewTakesWords(t *testing.T) {
	for _, test := range []struct{ answers, said, waits string }{
		{"louder still", "louder still", "A B C"},
		{"  B is too loud ", "B is too loud", "A B C"},
		{"A\nno, not that one\nq", "no, not that one", "B C"},
		{"commit what is left, please", "commit what is left, please", "A B C"},
		{"revert all of it", "revert all of it", "A B C"},
		{"no too loud", "no too loud", "A B C"},
		{"reject B too loud\nq", "", "A C"},
		{"c loud enough", "", ""},
		{"x\nok\ny A please\nZ\n\nq", "", "A B C"},
	} {
		d := three(t)
		var out strings.Builder
		r := &Reviewer{Console: term.Console{Out: term.Screen{W: &out}}, Session: d, Keyboard: term.NewKeyboard(strings.NewReader(test.answers)), Talks: true}
		if err := r.Review(context.Background()); err != nil {
			t.Fatal(err)
		}
		if waits := strings.Join(LettersOf(r.Waiting()), " "); r.Said != test.said || waits != test.waits {
			t.Errorf("%q: it said %q and %q waits, want %q and %q\n%s", test.answers, r.Said, waits, test.said, test.waits, out.String())
		}
	}
}

func TestReviewAnswers(t *testing.T) {
	tests := []struct {
		name    string
		answers string
		file    string
		waits   string
		says    []string
	}{
		{"all", "a", "ONE two THREE four FIVE", "", []string{"#1 proposed: louder", "because: louder", "✓ A applied: a.txt, line 1\n", "✓ C applied: a.txt, line 5\n"}},
		{"some, the rest kept", "A,C\nq", "ONE two three four FIVE", "B", []string{"[a]pply all 3, letters (A,C)", "B · [y]es, [n]o, "}},
		{"the input ends", "A", "ONE two three four five", "B C", nil},
		{"reject one with a reason", "r B keep it\na", "ONE two three four FIVE", "", []string{"✗ B rejected: a.txt, line 3 · “keep it”\n"}},
		{"asked which and why", "r\nA,B\ntoo loud\nq", "one two three four five", "C", []string{"reject which?", "why?", "✗ A rejected: a.txt, line 1 · “too loud”", "✗ B rejected: a.txt, line 3 · “too loud”"}},
		{"reject all without a reason", "r\n\n\n", "one two three four five", "", []string{"✗ C rejected: a.txt, line 5\n"}},
		{"no letters, nothing rejected", "r\nnonsense\nq", "one two three four five", "A B C", []string{"nothing is rejected"}},
		{"one by one", "o\ny\nn\nno\nd\nq", "ONE two three four five", "C", []string{"A (1 of 3) · [y]es, [n]o, [s]kip", "✗ B rejected: a.txt, line 3 · “no”", "+FIVE"}},
		{"one by one to the end", "o\ny\ns\nn too loud", "ONE two three four five", "B", []string{"✗ C rejected: a.txt, line 5 · “too loud”"}},
		{"the last one skipped", "o\ns\ns\ns\na", "one two three four five", "A B C", nil},
		{"back and forth", "p\np\ns\nr no\nq", "one two three four five", "A B", []string{"✗ C rejected: a.txt, line 5 · “no”"}},
		{"U51: all, after one by one, asks", "o\nn no\na\n\nq", "one two three four five", "B C", []string{"apply all 2: B, C? [y]es; Enter: no", "nothing is applied"}},
		{"U51: all, after one by one, when it is meant", "o\nn no\na\ny", "one two THREE four FIVE", "", []string{"✓ B applied"}},
		{"U51: no letter is shown", "y\nn\nm\nq", "one two three four five", "A B C", []string{"which letter? y A names one", "which letter? n A", "which letter? m A"}},
		{"U51: what is decided asks for no reason", "A\nr A\nq", "ONE two three four five", "B C", []string{"! not done: change A is applied"}},
		{"a range, a file", "y A-B\nn a.txt no", "ONE two THREE four five", "", []string{"✗ C rejected"}},
		{"a remark", "k B why?\no\ns\nk\nwhat for?\nk\n\nq", "one two three four five", "A B C", []string{"→ B: the agent hears it", "what? The agent hears it", "nothing is said"}},
		{"U9: a revert of several asks", "v no\nn\nq", "one two three four five", "A B C", []string{"revert throws 3 changes away: A, B, C. Do it? [y]es; Enter: no", "nothing is reverted"}},
		{"bring back", "r A no\nu A\nA\nq", "ONE two three four five", "B C", []string{"↺ A waits again", "✓ A applied"}},
		{"commit", "r B no\nc loud enough", "ONE two three four FIVE", "", []string{"✓ #1 committed: loud enough (2 changes in a.txt)"}},
		{"revert", "A\nv not wanted\ny", "ONE two three four five", "", []string{"↩ #1 reverted"}},
		{"what is not there", "Z\nu B\nx\nq", "one two three four five", "A B C", []string{"there is no letter Z; there are A, B, C", "! not done", `"x" is not understood`}},
		{"lists and letters again", "l\nd B\n?\nq", "one two three four five", "A B C", []string{"  [C] replace", "   3│+THREE", "this list"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := three(t)
			d.reviewed(strings.NewReader(test.answers), test.file, test.waits, test.says)
		})
	}
}

func TestReviewOfConflicts(t *testing.T) {
	tests := []struct{ answers, file, waits, says string }{
		{"m B\nq", "one two Three four five", "A C", "✗ B rejected"},
		{"t B\nq", "one two THREE four five", "A C", "✓ B applied"},
		{"g B\nq", "one two Three four five", "A B C", "conflict: - is your text, + is the agent's"},
		{"B\nq", "one two Three four five", "A B C", "! not done"},
		{"a\nq", "ONE two Three four FIVE", "B", "conflict: [m]ine [t]ake the agent's a[g]ain"},
	}
	for _, test := range tests {
		d := three(t)
		d.write("a.txt", "one\ntwo\nThree\nfour\nfive\n")
		var out strings.Builder
		r := &Reviewer{Console: term.Console{Out: term.Screen{W: &out}}, Session: d, Keyboard: term.NewKeyboard(strings.NewReader(test.answers))}
		if err := r.Review(context.Background()); err != nil {
			t.Fatal(err)
		}
		file, waits := strings.Join(strings.Fields(d.read("a.txt")), " "), strings.Join(LettersOf(r.Waiting()), " ")
		if file != test.file || waits != test.waits || !strings.Contains(out.String(), test.says) {
			t.Errorf("%q: the file is %q, %q waits; want %q, %q and %q in\n%s", test.answers, file, waits, test.file, test.waits, test.says, out.String())
		}
	}
}

// Typing it back ends a conflict, also while the question stands.
func TestReviewSeesConflictsHeal(t *testing.T) {
	d := three(t)
	d.write("a.txt", "one\ntwo\nThree\nfour\nfive\n")
	if err := d.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	d.write("a.txt", "zero\none\ntwo\nthree\nfour\nfive\n")
	var out strings.Builder
	r := &Reviewer{Console: term.Console{Out: term.Screen{W: &out}}, Session: d, Keyboard: term.NewKeyboard(strings.NewReader("B\nq"))}
	if err := r.Review(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := d.read("a.txt"); got != "zero\none\ntwo\nTHREE\nfour\nfive\n" {
		t.Errorf("the file is %q after\n%s", got, out.String())
	}
}

func TestReviewOfManyLettersGoesOneByOne(t *testing.T) {
	var lines []string
	for i := range 12 {
		lines = append(lines, "line "+string(rune('a'+i)))
	}
	d := newTestSession(t, map[string]string{"a.txt": strings.Join(lines, "\n") + "\n"})
	for _, l := range lines {
		d.replace("a.txt", l, strings.ToUpper(l), "")
	}
	var out strings.Builder
	r := &Reviewer{Console: term.Console{Out: term.Screen{W: &out}}, Session: d, Keyboard: term.NewKeyboard(strings.NewReader("a A\nr\nno\nq"))}
	if err := r.Review(context.Background()); err != nil {
		t.Fatal(err)
	}
	shown := strings.Count(out.String(), "│+LINE")
	if got := LettersOf(r.Waiting()); len(got) != 10 || got[0] != "C" || shown != 3 {
		t.Errorf("%v wait, and %d letters were shown by themselves:\n%s", got, shown, out.String())
	}
}

// U68: all are those that were shown, and who takes another by its name hears what was not.
func TestU68AllIsWhatWasShown(t *testing.T) {
	many := func(t *testing.T) *testSession {
		var lines []string
		for i := range 12 {
			lines = append(lines, "line "+string(rune('a'+i)))
		}
		d := newTestSession(t, map[string]string{"a.txt": strings.Join(lines, "\n") + "\n"})
		for _, l := range lines {
			d.replace("a.txt", l, strings.ToUpper(l), "")
		}
		return d
	}
	long := func(t *testing.T) *testSession {
		d := newTestSession(t, map[string]string{"a.txt": "one\ntwo\n"})
		d.replace("a.txt", "one", strings.Repeat("x", 50_123), "")
		d.replace("a.txt", "two", "2", "")
		return d
	}
	for _, test := range []struct {
		name    string
		make    func(t *testing.T) *testSession
		answers string
		waits   string
		says    []string
	}{
		{"listed only", many, "s\na\ny\nq", "C D E F G H I J K L", []string{"✓ A applied", "✓ B applied", "not among them: not all was shown of C, D, "}},
		{"all in a patch", many, "d\na\ny\nq", "", []string{"✓ L applied"}},
		{"commit", many, "c done\nq", "A B C D E F G H I J K L", []string{"nothing is committed: not all was shown of B, C"}},
		{"named", many, "K\nq", "A B C D E F G H I J L", []string{"✓ K applied"}},
		{"a very long line", long, "a\nq", "A", []string{"x⟦… 123 chars⟧", "✓ B applied", "not all was shown of A; d shows it"}},
		{"a very long line, named", long, "A\nq", "B", []string{"✓ A applied: a.txt, line 1\n  of A 123 chars not shown\n"}},
		{"a very long line, as a patch", long, "d\na\nq", "", []string{"✓ A applied: a.txt, line 1\n"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := test.make(t)
			var out strings.Builder
			r := &Reviewer{Console: term.Console{Out: term.Screen{W: &out}}, Session: d, Keyboard: term.NewKeyboard(strings.NewReader(test.answers))}
			if err := r.Review(t.Context()); err != nil {
				t.Fatal(err)
			}
			if waits := strings.Join(LettersOf(r.Waiting()), " "); waits != test.waits {
				t.Errorf("%s wait, want %s", waits, test.waits)
			}
			for _, says := range test.says {
				if !strings.Contains(out.String(), says) {
					t.Errorf("it does not say %q", says)
				}
			}
		})
	}
}

// An interrupt ends the question, not the letters.
func TestReviewIsInterrupted(t *testing.T) {
	d := three(t)
	ctx, cancel := context.WithCancel(context.Background())
	keyboard, _ := io.Pipe()
	out := termtest.Watch{For: "[q]uit", Call: cancel}
	r := &Reviewer{Console: term.Console{InIsTerm: true, Out: term.Screen{W: out}}, Session: d, Keyboard: term.NewKeyboard(keyboard)}
	if err := r.Review(ctx); err != nil {
		t.Fatal(err)
	}
	if got := LettersOf(r.Waiting()); len(got) != 3 {
		t.Errorf("%v wait after an interrupt", got)
	}
}
