package editing

import (
	"fmt"
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing/text"
)

// This file writes several files, or none.

// Files is the disk, as far as editing needs it. Paths are absolute. It is
// called outside the lock.
type Files interface {
	// Check answers an error if the file does not hold exactly the bytes with
	// hash want, or cannot be written.
	Check(path string, want text.Hash) error
	// Write replaces the file's bytes, if they still have hash want, as a whole
	// or not at all.
	Write(path string, want text.Hash, t text.Text) error
}

// FileProblem is one file that stopped a commit.
type FileProblem struct {
	Path    string `json:"path"` // as shown to people
	Code    string `json:"code,omitempty"`
	Message string `json:"message"`
}

// WriteError says that a transaction over several files was given up.
type WriteError struct {
	Files []FileProblem
	Lost  []string // files that could not be put back
}

func (e *WriteError) Error() string {
	var ms []string
	for _, f := range e.Files {
		ms = append(ms, f.Path+": "+f.Message)
	}
	s := "nothing was written; " + strings.Join(ms, "; ")
	if len(e.Lost) > 0 {
		s = fmt.Sprintf("%s could not be put back after a failed write, look at it; %s", strings.Join(e.Lost, ", "), strings.Join(ms, "; "))
	}
	return s
}

// coded is what an error of Files may offer beside its sentence.
type coded interface{ ErrorCode() string }

func problem(name string, err error) FileProblem {
	p := FileProblem{Path: name, Message: err.Error()}
	if c, ok := err.(coded); ok {
		p.Code = c.ErrorCode()
	}
	return p
}

// WriteAll writes all targets or none: it checks every file first, and puts the
// written ones back if a write fails. The error is a *WriteError.
func WriteAll(files Files, targets []Target) error {
	var e WriteError
	for _, g := range targets {
		if err := files.Check(g.Path, g.Before.Hash()); err != nil {
			e.Files = append(e.Files, problem(g.Name, err))
		}
	}
	if len(e.Files) > 0 {
		return &e
	}
	for i, g := range targets {
		err := files.Write(g.Path, g.Before.Hash(), g.After)
		if err == nil {
			continue
		}
		e.Files = append(e.Files, problem(g.Name, err))
		for _, w := range slices.Backward(targets[:i]) {
			if err := files.Write(w.Path, w.After.Hash(), w.Before); err != nil {
				e.Lost = append(e.Lost, w.Name)
				e.Files = append(e.Files, problem(w.Name, err))
			}
		}
		return &e
	}
	return nil
}

// Unwrite puts targets back that were written for a plan which was not accepted.
func Unwrite(files Files, targets []Target) error {
	back := make([]Target, len(targets))
	for i, g := range targets {
		back[i] = Target{Path: g.Path, Name: g.Name, Before: g.After, After: g.Before}
	}
	return WriteAll(files, back)
}
