package lsptest

import "strings"

// form is what a buffer remembers of its file's line endings.
type form struct {
	eol    string // what inserted lines get; "" leaves them
	hidden bool   // the file has CRLF, the buffer LF
	lone   bool   // a lone \r in an edit is a line ending
	bom    bool
}

const bom = "\ufeff"

// load turns a file's bytes into a buffer's text, as an editor does.
func load(rule Lines, raw string) (string, form) {
	text, marked := strings.CutPrefix(raw, bom)
	f := form{bom: marked}
	crlf := strings.Count(text, "\r\n")
	lf := strings.Count(text, "\n") - crlf
	switch rule {
	case LinesOne:
		f.eol, f.lone = "\n", true
		if crlf > lf {
			f.eol = "\r\n"
		}
		text = f.insert(text)
	case LinesFormat:
		f.eol, f.lone = "\n", true
		if crlf > 0 && lf == 0 {
			f.eol = "\r\n"
		}
	case LinesHidden:
		if crlf > 0 && lf == 0 {
			f.eol, f.hidden = "\n", true
			text = f.insert(text)
		}
	}
	return text, f
}

// insert gives text that comes into the buffer the buffer's line endings.
func (f form) insert(s string) string {
	if f.eol == "" {
		return s
	}
	s = strings.ReplaceAll(s, "\r\n", "\n")
	if f.lone {
		s = strings.ReplaceAll(s, "\r", "\n")
	}
	return strings.ReplaceAll(s, "\n", f.eol)
}

// file is what is written to disk.
func (f form) file(text string) string {
	if f.hidden {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	if f.bom {
		return bom + text
	}
	return text
}
