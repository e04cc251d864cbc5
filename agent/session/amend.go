package session

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/view"
)

// This file is what a person does to the text of a change before they decide.

// Amend gives a staged change a text of the person's.
func Amend(a editing.Amendment) Decision {
	d := onChanges(opAmend, editing.Amend(a), "")
	d.heard = amended
	return d
}

// Split cuts a staged change in two: the lines that part names get a free letter.
func Split(choice editing.Choice, part func(*editing.Document, *editing.Change) editing.Part) Decision {
	d := onChanges(opSplit, editing.Split(choice, part), "")
	d.heard = split
	return d
}

// amended says which change reads otherwise now.
func amended(_ Decision, _ *editing.Snapshot, p *editing.Plan) []string {
	var out []string
	for _, l := range p.Result.Touched {
		if c, ok := p.To().Change(l); ok {
			out = append(out, fmt.Sprintf("the user edited %s (%s): read the place again before you edit there", l, whereIn(p.To(), c)))
		}
	}
	return out
}

// split says which lines have a letter of their own now.
func split(_ Decision, _ *editing.Snapshot, p *editing.Plan) []string {
	if !p.Result.OK() || len(p.Result.Touched) < 2 {
		return nil
	}
	from, l := p.Result.Touched[0], p.Result.Touched[1]
	c, ok := p.To().Change(l)
	if !ok {
		return nil
	}
	return []string{fmt.Sprintf("the user cut %s in two: what it does at %s is %s now", from, whereIn(p.To(), c), l)}
}

func whereIn(s *editing.Snapshot, c *editing.Change) string {
	return view.WhereIs(s, c).Place(c.Name)
}

// Draft makes a file of its own for the lines of a change, in which a person edits them.
func (s *base) Draft(c *editing.Change, lines string) (path string, r editing.Result, err error) {
	if s.Mask(lines) != lines {
		return "", holdsSecret(), nil
	}
	views := filepath.Join(s.store.Dir(), viewsDir)
	if err := os.MkdirAll(views, 0o700); err != nil {
		return "", r, err
	}
	dir, err := os.MkdirTemp(views, c.Letter+"-")
	if err != nil {
		return "", r, err
	}
	path = filepath.Join(dir, filepath.Base(c.Name))
	return path, editing.Result{Status: editing.StatusOK}, os.WriteFile(path, []byte(lines), 0o600)
}

// ReadDraft is what such a file holds, nothing if it cannot be read.
func ReadDraft(path string) []byte {
	b, _ := os.ReadFile(path)
	return b
}

// DraftOf makes a file with what a change makes, for a person to edit; was is what it holds.
func (s *Session) DraftOf(letter string) (path, was string, err error) {
	snap := s.Snapshot()
	c, ok := snap.Change(letter)
	if !ok || c.Owner != s.me {
		return "", "", fmt.Errorf("there is no change %s", letter)
	}
	d, _ := snap.Document(c.Path)
	was, _ = d.Draft(c)
	path, res, err := s.Draft(c, was)
	if err == nil && !res.OK() {
		err = errors.New(res.Hint)
	}
	return path, was, err
}
