package openai

import (
	"strings"
)

// marks are the tags between which models think in the text of a reply.
var marks = []struct{ open, shut string }{
	{"<think>", "</think>"},
	{"<thinking>", "</thinking>"},
	{"<thought>", "</thought>"},
	{"<seed:think>", "</seed:think>"},
	{"[THINK]", "[/THINK]"},
}

// thinker parts the text of a reply into the answer and the thoughts. Thoughts begin with a tag at the very start of
// the text, or behind other thoughts; a tag anywhere else is a word of the answer.
//
// A server whose template has opened the thoughts sends their end only. Nothing tells these thoughts from an answer
// until that end comes, and an answer is shown as it comes: so the first such reply shows them. Its message has them
// where they belong, and the profile learns that replies begin with thoughts ("open"), which from then on are told as
// such. Where they then do not end, there were none: the text was the answer, and is told at the end.
type thinker struct {
	mode   string // of the profile: tags, open, off
	where  place
	shut   string          // the tag that ends the thoughts; "": any of them
	buffer string          // what may be a part of a tag, or white space before one
	said   strings.Builder // the answer, while an end without a beginning may still come
	ended  bool            // thoughts have ended before

	answer   func(string)
	thought  func(string)
	takeBack func() // all of the answer so far was thoughts
}

type place int

const (
	atStart place = iota // nothing but white space so far
	inThoughts
	inAnswer
)

// start is called once, before the first piece.
func (t *thinker) start() {
	if t.mode == thinkOff {
		t.where = inAnswer
	}
}

// add takes the next piece of the text.
func (t *thinker) add(piece string) {
	t.buffer += piece
	for t.step(false) {
	}
}

// end takes what is left as it is.
func (t *thinker) end() {
	for t.step(true) {
	}
	switch t.where {
	case inThoughts:
		t.thought(t.buffer)
	case inAnswer:
		t.say(t.buffer)
	}
	t.buffer = ""
}

// step looks at the buffer and tells whether it got on. At the last one nothing more comes.
func (t *thinker) step(last bool) bool {
	if t.buffer == "" {
		return false
	}
	switch t.where {
	case atStart:
		return t.stepStart(last)
	case inThoughts:
		return t.stepThoughts(last)
	}
	return t.stepAnswer(last)
}

func (t *thinker) stepStart(last bool) bool {
	text := strings.TrimLeft(t.buffer, " \t\r\n")
	for _, m := range marks {
		if rest, found := strings.CutPrefix(text, m.open); found {
			t.where, t.shut, t.buffer = inThoughts, m.shut, rest
			return true
		}
		if !last && strings.HasPrefix(m.open, text) {
			return false
		}
	}
	switch {
	case text == "":
		return false
	case t.mode == thinkOpen && !t.ended:
		t.where, t.shut = inThoughts, ""
	default:
		t.where = inAnswer
		if t.ended {
			t.buffer = text
		}
	}
	return true
}

func (t *thinker) stepThoughts(last bool) bool {
	shut, rest := t.upToShut(last, t.thought)
	if shut == "" {
		return false
	}
	t.buffer, t.where, t.ended = rest, atStart, true
	return true
}

// upToShut passes on what stands before a tag that ends thoughts, and returns the tag and what is behind it. Without
// one it passes on all that is certainly no part of one.
func (t *thinker) upToShut(last bool, pass func(string)) (shut, rest string) {
	at, shut := t.findShut(t.buffer)
	if at < 0 {
		at = len(t.buffer)
		if !last {
			at -= t.partOfShut(t.buffer)
		}
	}
	pass(t.buffer[:at])
	t.buffer = t.buffer[at:]
	return shut, strings.TrimPrefix(t.buffer, shut)
}

func (t *thinker) findShut(text string) (at int, shut string) {
	at = -1
	for _, m := range marks {
		if t.shut != "" && m.shut != t.shut {
			continue
		}
		if i := strings.Index(text, m.shut); i >= 0 && (at < 0 || i < at) {
			at, shut = i, m.shut
		}
	}
	return at, shut
}

// partOfShut is the length of the text's end that may be the beginning of a tag.
func (t *thinker) partOfShut(text string) (most int) {
	for _, m := range marks {
		if t.shut == "" || m.shut == t.shut {
			most = max(most, overlap(text, m.shut))
		}
	}
	return most
}

// overlap is the length of the longest end of text with which word begins.
func overlap(text, word string) int {
	for n := min(len(text), len(word)-1); n > 0; n-- {
		if strings.HasSuffix(text, word[:n]) {
			return n
		}
	}
	return 0
}

// stepAnswer passes the answer on. An end of thoughts in it, where none have begun, turns all of it into thoughts.
func (t *thinker) stepAnswer(last bool) bool {
	if t.mode == thinkOff || t.ended {
		t.say(t.buffer)
		t.buffer = ""
		return false
	}
	t.shut = ""
	shut, rest := t.upToShut(last, t.say)
	if shut == "" {
		return false
	}
	if strings.TrimLeft(rest, " \t\r") == "" && !last {
		return false // what follows decides
	}
	if !isEndOfThoughts(t.said.String(), rest) {
		t.say(shut)
		t.buffer = rest
		return true
	}
	t.takeBack()
	t.buffer, t.where, t.ended = rest, atStart, true
	return true
}

// isEndOfThoughts tells an end of thoughts from a word about it: it stands at the start or the end of a line, and not
// within code.
func isEndOfThoughts(before, after string) bool {
	line := before[strings.LastIndexByte(before, '\n')+1:]
	alone := strings.TrimSpace(line) == "" || after == "" || strings.HasPrefix(strings.TrimLeft(after, " \t\r"), "\n")
	return alone && !inCode(before)
}

// inCode tells whether the end of a text lies within a fence, or between backticks.
func inCode(text string) bool {
	fenced := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimLeft(line, " \t"), "```") {
			fenced = !fenced
		}
	}
	line := text[strings.LastIndexByte(text, '\n')+1:]
	return fenced || strings.Count(line, "`")%2 == 1
}

func (t *thinker) say(text string) {
	if text == "" {
		return
	}
	if !t.ended && t.mode != thinkOff {
		t.said.WriteString(text)
	}
	t.answer(text)
}

// thoughtElsewhere is called when the server tells thoughts apart by itself: then the text is the answer.
func (t *thinker) thoughtElsewhere() {
	if t.where == atStart && t.mode == thinkOpen {
		t.mode = thinkTags
	}
}

// assumed tells whether the profile alone said that the text is thoughts, and nothing in the text has said so.
func (t *thinker) assumed() bool { return t.where == inThoughts && t.shut == "" }
