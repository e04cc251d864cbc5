package agent

import (
	"strings"

	"github.com/galley-ls/galley/agent/tools"
)

// veil hides secrets in events. A model's words come in pieces, so the last word is held back until it is whole: no
// secret has a blank in it.
type veil struct {
	mask func(string) string
	tell func(Event)
	last Event  // a piece of text or of thoughts, whose kind the held word is of; nil: none
	held string // the word that may go on
}

// veiled is how a run tells events.
func veiled(mask func(string) string, tell func(Event)) func(Event) {
	if tell == nil {
		tell = func(Event) {}
	}
	return (&veil{mask: mask, tell: tell}).event
}

func (v *veil) event(e Event) {
	switch e := e.(type) {
	case TextDelta:
		v.piece(e, e.Text)
		return
	case ReasoningDelta:
		v.piece(e, e.Text)
		return
	}
	v.flush()
	v.tell(v.hidden(e))
}

// piece tells what is whole of a piece, behind what was held back.
func (v *veil) piece(e Event, text string) {
	if v.last != nil && v.last.Kind() != e.Kind() {
		v.flush()
	}
	text = v.held + text
	whole := len(strings.TrimRightFunc(text, inWord))
	v.last, v.held = e, text[whole:]
	v.say(text[:whole])
}

// inWord reports whether a secret may go on behind a letter: keys are of plain letters, digits and signs.
func inWord(r rune) bool { return '!' <= r && r <= '~' }

func (v *veil) flush() {
	held := v.held
	v.held = ""
	v.say(held)
	v.last = nil
}

func (v *veil) say(text string) {
	if text == "" {
		return
	}
	if _, thought := v.last.(ReasoningDelta); thought {
		v.tell(ReasoningDelta{Text: v.mask(text)})
		return
	}
	v.tell(TextDelta{Text: v.mask(text)})
}

// hidden is any other event without secrets.
func (v *veil) hidden(e Event) Event { return tools.Masked(e, v.mask) }
