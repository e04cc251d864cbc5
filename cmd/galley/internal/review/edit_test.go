package review

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/galley-ls/galley/cmd/galley/internal/term"
)

// editor is a person's editor that does what a line of the shell says to the file "$1".
func editor(t *testing.T, does string) {
	t.Helper()
	at := filepath.Join(t.TempDir(), "editor")
	if err := os.WriteFile(at, []byte("#!/bin/sh\n"+does+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("VISUAL", "")
	t.Setenv("EDITOR", at)
}

func TestReviewEditsAndCuts(t *testing.T) {
	block := func(t *testing.T) *testSession {
		d := newTestSession(t, map[string]string{"a.txt": "a\nb\nc\nd\n"})
		d.replace("a.txt", "b\nc\n", "B\nC\nnew\nlines\n", "")
		return d
	}
	for _, test := range []struct {
		name    string
		editor  string
		answers string
		file    string
		waits   string
		says    []string
	}{
		{"edit", `printf 'B\nmine\n' >"$1"`, "e A\ny", "a B mine d", "", []string{"✎ A is as you wrote it", "because: edited by you", "3│+mine"}},
		{"edit what is shown", `printf 'x\n' >"$1"`, "e\ny", "a x d", "", nil},
		{"edit nothing", `true`, "e A\nq", "a b c d", "A", []string{"A stays as it is"}},
		{"edit all away", `: >"$1"`, "e A\nq", "a b c d", "A", []string{"A stays as it is, since nothing was left; n A refuses it"}},
		{"edit as the file is", `printf 'b\nc\n' >"$1"`, "e A\nq", "a b c d", "A", []string{"! not done: with that text A would change nothing", "what you wrote is in /"}},
		{"an editor that fails", `exit 1`, "e A\nq", "a b c d", "A", []string{"A stays as it is: ", "$EDITOR names another editor"}},
		{"an editor that fails behind", `echo x >"$1"; exit 1`, "e A\nq", "a b c d", "A", []string{"exit status 1", "what you wrote is in /"}},
		{"cut new lines", "", "s A 4-5\ny B\nq", "a b c new lines d", "A", []string{"✂ A is cut: B has these lines, A the rest", "✓ B applied"}},
		{"cut by an old line", "", "s A 2\nB\nn A no", "a B c d", "", []string{"✂ A is cut"}},
		{"cut all", "", "s A 1-9\nq", "a b c d", "A", []string{"! not done: that is all of A"}},
		{"cut nothing", "", "s 1\nq", "a b c d", "A", []string{"! not done: none of these lines"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := block(t)
			editor(t, test.editor)
			d.reviewed(strings.NewReader(test.answers), test.file, test.waits, test.says)
		})
	}
}

// Numbers mean the lines that were drawn with them, also where the file has moved since.
func TestCutAsDrawn(t *testing.T) {
	d := newTestSession(t, map[string]string{"a.txt": "0\n0\n0\n0\na\nz\n"})
	d.replace("a.txt", "a\n", "a\n1\n2\n3\n", "")
	var out strings.Builder
	r := &Reviewer{Console: term.Console{Out: term.Screen{W: &out}}, Session: d}
	r.open()
	d.write("a.txt", "top\n0\n0\n0\n0\na\nz\n")
	r.split(t.Context(), "A", [2]int{7, 7})
	if c, ok := d.Snapshot().Change("B"); !ok || c.Hunks[0].New != "\n2" {
		t.Errorf("B is %+v after\n%s", c, out.String())
	}
}

// Where a number stands before lines in two places, none is guessed.
func TestCutWithANumberTwice(t *testing.T) {
	d := newTestSession(t, map[string]string{"a.txt": "a\nb\nc\nd\ne\nf\ng\nh\n"})
	d.replace("a.txt", "a\nb\nc\nd\ne\nf\ng\nh\n", "a\n1\n2\n3\n4\n5\nb\nc\nd\nE\nf\ng\nh\n", "")
	var out strings.Builder
	r := &Reviewer{Console: term.Console{Out: term.Screen{W: &out}}, Session: d}
	r.open()
	r.split(t.Context(), "A", [2]int{5, 5})
	if !strings.Contains(out.String(), "two lines of A in different places have the number 5") {
		t.Error(out.String())
	}
	r.split(t.Context(), "A", [2]int{10, 10})
	if !strings.Contains(out.String(), "✂ A is cut") {
		t.Error(out.String())
	}
}
