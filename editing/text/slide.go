package text

import "strings"

// Slide gives an insertion of whole lines its one form: behind the line before, so "\nX" at the end of that line (with \r\n: "\r\nX") and not
// "X\n" at the start of the next. The text after the edit is the same. An insertion stays as it is at the very start of the text, and where
// the two lines end differently; so does every other edit.
func Slide(old string, e Edit) Edit {
	if !e.insertion() || e.Start == 0 {
		return e
	}
	eol := ending(old[:e.Start])
	if eol == "" || ending(e.New) != eol {
		return e
	}
	at := e.Start - len(eol)
	return Edit{Start: at, End: at, New: eol + strings.TrimSuffix(e.New, eol)}
}
