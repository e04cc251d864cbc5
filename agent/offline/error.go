package offline

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Error says which words of a prompt are not understood, where they stand and what would be.
type Error struct {
	Line, Column int    // 1-based, in characters
	Words        string // the words in question, cut to a readable length; empty at the end of the prompt
	Problem      string
	Form         string // the nearest form; empty if none is near
	Example      string
}

// Error implements error.
func (e *Error) Error() string {
	words := "at its end"
	if e.Words != "" {
		words = "“" + e.Words + "”"
	}
	return fmt.Sprintf("line %d, column %d, %s: %s", e.Line, e.Column, words, e.Problem)
}

// newError builds the error for the piece of src from at on.
func newError(src string, at int, words, problem string) *Error {
	before := src[:at]
	line := strings.Count(before, "\n") + 1
	start := strings.LastIndexByte(before, '\n') + 1
	return &Error{
		Line: line, Column: utf8.RuneCountInString(before[start:]) + 1,
		Words: cut(words, 40), Problem: problem,
	}
}

func unclosed(src string, at int) *Error {
	mark, _ := utf8.DecodeRuneInString(src[at:])
	return newError(src, at, src[at:], fmt.Sprintf("the quote %c that opens here is never closed", mark))
}

// about adds the form that the person was near to, if there is one.
func (e *Error) about(f *form) *Error {
	if f != nil {
		e.Form, e.Example = f.shape(), f.example
	}
	return e
}

// cut shortens a text to one line of at most n characters.
func cut(s string, n int) string {
	s = strings.Join(strings.Fields(s), " ")
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	r := []rune(s)
	return string(r[:n-1]) + "…"
}
