package main

import (
	"strings"
	"unicode/utf8"
)

// voice prints a text that comes in pieces: whole characters only, and no empty lines before and behind it, of which
// models write many. It belongs to whoever prints.
type voice struct {
	s    screen
	as   style
	mark string // stands before the text

	held   string // the end of what came: a character that is not whole yet, line ends behind which nothing has come
	begun  bool   // something is printed, and its last line is not ended
	column int    // where that line ends, as far as one can tell
}

// say prints what came.
func (v *voice) say(piece string) {
	text := v.held + piece
	if !v.begun {
		text = strings.TrimLeft(text, "\r\n")
	}
	whole := len(strings.TrimRight(text[:wholeCharacters(text)], "\r\n"))
	text, v.held = clean(text[:whole]), text[whole:]
	if text == "" {
		return
	}
	if !v.begun {
		text = v.mark + text
	}
	v.begun = true
	v.s.print(v.s.paint(v.as, text))
	v.move(text)
}

// end ends the line of the text, so that what follows begins its own. It reports whether there was any text.
func (v *voice) end() bool {
	begun := v.begun
	if rest := strings.TrimRight(v.held, "\r\n"); rest != "" {
		v.s.print(clean(rest))
		begun = true
	}
	if begun {
		v.s.println("")
	}
	v.held, v.begun, v.column = "", false, 0
	return begun
}

// move follows the cursor over a text.
func (v *voice) move(text string) {
	const tab = 8
	for _, r := range text {
		switch r {
		case '\n':
			v.column = 0
		case '\t':
			v.column += tab - v.column%tab
		default:
			v.column += columns(r)
		}
	}
}

// wholeCharacters is how much of a text are whole characters: all of it, or all but the beginning of the last one.
func wholeCharacters(text string) int {
	for back := 1; back < utf8.UTFMax && back <= len(text); back++ {
		if at := len(text) - back; utf8.RuneStart(text[at]) {
			if !utf8.FullRuneInString(text[at:]) {
				return at
			}
			break
		}
	}
	return len(text)
}
