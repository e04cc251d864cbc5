package term

import (
	"strings"
	"unicode/utf8"
)

// Text prints a text that comes in pieces: whole characters only, and no empty lines before and behind it, of which
// models write many. It belongs to whoever prints.
type Text struct {
	S    Screen
	As   Style
	Mark string // stands before the text

	held   string // the end of what came: a character that is not whole yet, line ends behind which nothing has come
	Begun  bool   // something is printed, and its last line is not ended
	Column int    // where that line ends, as far as one can tell
}

// Say prints what came.
func (v *Text) Say(piece string) {
	text := v.held + piece
	if !v.Begun {
		text = strings.TrimLeft(text, "\r\n")
	}
	whole := len(strings.TrimRight(text[:wholeCharacters(text)], "\r\n"))
	text, v.held = Clean(text[:whole]), text[whole:]
	if text == "" {
		return
	}
	if !v.Begun {
		text = v.Mark + text
	}
	v.Begun = true
	v.S.Print(v.S.Paint(v.As, text))
	v.move(text)
}

// End ends the line of the text, so that what follows begins its own. It reports whether there was any text.
func (v *Text) End() bool {
	begun := v.Begun
	if rest := strings.TrimRight(v.held, "\r\n"); rest != "" {
		v.S.Print(Clean(rest))
		begun = true
	}
	if begun {
		v.S.Println("")
	}
	v.held, v.Begun, v.Column = "", false, 0
	return begun
}

// move follows the cursor over a text.
func (v *Text) move(text string) {
	const tab = 8
	for _, r := range text {
		switch r {
		case '\n':
			v.Column = 0
		case '\t':
			v.Column += tab - v.Column%tab
		default:
			v.Column += Columns(r)
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
