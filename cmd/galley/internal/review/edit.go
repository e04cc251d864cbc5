package review

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
	"github.com/galley-ls/galley/editing/view"
)

// This file has a person alter letters before they decide: edit what one makes, or cut one in two.

// edit opens what a letter makes in the person's editor. What comes back is the change.
func (r *Reviewer) edit(ctx context.Context, letter string) {
	amend := session.Verdict{Op: session.VerdictAmend, Choices: r.choices([]string{letter})}
	path, was, err := r.Session.Draft(ctx, letter)
	if err != nil {
		r.warn("! not done: " + err.Error())
		return
	}
	amend.Text = was
	if o := r.outcome(ctx, amend); !Succeeded(o.Status) { // it cannot be edited, whatever comes
		r.say(o)
		_ = os.RemoveAll(filepath.Dir(path))
		return
	}
	fault := r.Console.Edit(path)
	switch amend.Text = string(session.ReadDraft(path)); {
	case fault != nil && amend.Text == was:
		r.warn(fmt.Sprintf("%s stays as it is: %v", letter, fault))
	case fault != nil:
		r.warn(fmt.Sprintf("%s stays as it is: %v; what you wrote is in %s", letter, fault, path))
		return
	case amend.Text == "":
		r.warn(letter + " stays as it is, since nothing was left; n " + letter + " refuses it")
	case amend.Text == was:
		r.warn(letter + " stays as it is")
	default:
		o := r.outcome(ctx, amend)
		if r.altered(o); !Succeeded(o.Status) {
			r.warn("  what you wrote is in " + path)
			return
		}
	}
	_ = os.RemoveAll(filepath.Dir(path)) // one more file in the session's folder harms nobody
}

// split cuts lines off a letter, by the numbers that stand before them.
func (r *Reviewer) split(ctx context.Context, letter string, lines [2]int) {
	r.altered(r.outcome(ctx, r.cut(letter, lines)))
}

// cut is the decision to cut lines off a letter, as it was drawn last.
func (r *Reviewer) cut(letter string, lines [2]int) session.Verdict {
	drawn, ok := r.drew[letter]
	for _, c := range r.letters().Changes {
		if !ok && c.Letter == letter {
			drawn = c.Lines
		}
	}
	return session.Verdict{Op: session.VerdictSplit, Choices: r.choices([]string{letter}), Lines: lines, Drawn: drawn}
}

// altered tells of letters that make something else now, and draws them.
func (r *Reviewer) altered(o tools.Outcome) {
	if !Succeeded(o.Status) {
		r.say(o)
		return
	}
	var letters []string
	for _, d := range o.Decisions {
		letters = append(letters, d.Letter)
	}
	line := "✎ " + letters[0] + " is as you wrote it"
	if len(letters) > 1 {
		line = fmt.Sprintf("✂ %s is cut: %s has these lines, %s the rest", letters[0], letters[1], letters[0])
	}
	r.Console.Out.Println(r.Console.Out.Paint(term.Good, line))
	r.Console.Out.Print(r.drawn(slices.DeleteFunc(r.all(), func(c view.Change) bool { return !slices.Contains(letters, c.Letter) })) + "\n")
}

// Cuts are lines of letters, as a flag names them: A:3-5.
type Cuts []cut

type cut struct {
	letter string
	lines  [2]int
}

// Set takes a flag in, which may come several times.
func (cs *Cuts) Set(text string) error {
	letter, lines, _ := strings.Cut(text, ":")
	from, to, ok := lineRange(lines)
	if !isLetter(letter) || !ok {
		return term.Usage("", "lines of a letter look like A:3-5")
	}
	*cs = append(*cs, cut{letter, [2]int{from, to}})
	return nil
}

// Texts are files with the texts of letters, as a flag names them: A=FILE.
type Texts []given

type given struct{ letter, file, text string }

// Set takes a flag in, which may come several times.
func (ts *Texts) Set(text string) error {
	letter, file, _ := strings.Cut(text, "=")
	if !isLetter(letter) || file == "" {
		return term.Usage("", "a letter and the file with its text look like A=FILE, or A=- for stdin")
	}
	*ts = append(*ts, given{letter: letter, file: file})
	return nil
}

// read reads the files, before anything is decided.
func (ts Texts) read(stdin io.Reader) error {
	for i := range ts {
		read := func() ([]byte, error) { return os.ReadFile(ts[i].file) }
		if ts[i].file == "-" {
			read = func() ([]byte, error) { return io.ReadAll(stdin) }
		}
		b, err := read()
		if err != nil {
			return term.Usage("", "the text of %s cannot be read: %v", ts[i].letter, err)
		}
		ts[i].text = string(b)
	}
	return nil
}
