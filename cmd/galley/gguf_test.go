package main

import (
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/galley-ls/galley/agent/openai/openaitest"
	"github.com/galley-ls/galley/memory"
)

// modelPlaying is a model file that plays a script, for a real llama.cpp server: sampling, streaming, templates, the parser of
// calls and the counting of the window are the server's, only what is said is known beforehand. One layer of zeros and
// weights that make each token depend on the one before; the chat template ends a prompt with the token that leads into
// the reply. A model file remembers nothing: a reply with `when` comes whenever it fits, any other comes as the n-th where
// the conversation has n replies before. One that is held in the middle says its text again and again. The words of a text
// are tokens of their own, so that requests with these words are about as long as for other models; all else is bytes.
func modelPlaying(s openaitest.Script, words string) ([]byte, error) {
	template, err := os.ReadFile("../../testdata/llama.jinja")
	if err != nil {
		return nil, err
	}
	v := newVocabulary(words)
	var named, counted []string // conditions of the template, and the tokens that they lead to
	for i, r := range s.Replies {
		if err := speakable(r); err != nil {
			return nil, fmt.Errorf("reply %d: %w", i+1, err)
		}
		first, err := v.say(spoken(r), r.HoldAt == openaitest.HoldMiddle)
		if err != nil {
			return nil, fmt.Errorf("reply %d: %w", i+1, err)
		}
		v.token(fmt.Sprintf("<|reply%d|>", i), control, first)
		if condition := conditionOf(r); condition != "" {
			named = append(named, fmt.Sprintf("{%% elif %s %%}<|reply%d|>", condition, i))
		} else {
			counted = append(counted, fmt.Sprintf("{%% elif ns.said == %d %%}<|reply%d|>", len(counted), i))
		}
	}
	replies := "{% if false %}" + strings.Join(append(named, counted...), "") + "{% endif %}"
	return v.file(strings.Replace(string(template), "@replies@", replies, 1)), nil
}

// speakable says what of a reply no model can say.
func speakable(r openaitest.Reply) error {
	rest := r
	rest.When, rest.Text, rest.Calls = nil, "", nil
	if rest.HoldAt == openaitest.HoldMiddle {
		rest.HoldAt = ""
	}
	if !reflect.DeepEqual(rest, openaitest.Reply{}) {
		return fmt.Errorf("a model says text and calls only: allowed are when, text, calls and hold_at %q", openaitest.HoldMiddle)
	}
	if spoken(r) == "" {
		return fmt.Errorf("a model that says nothing")
	}
	return nil
}

// spoken is a reply as the model writes it.
func spoken(r openaitest.Reply) string {
	parts := []string{}
	if r.Text != "" {
		parts = append(parts, r.Text)
	}
	for _, c := range r.Calls {
		parts = append(parts, fmt.Sprintf(`<tool_call>{"name": %s, "arguments": %s}</tool_call>`, inJSON(c.Name), c.ArgumentText()))
	}
	return strings.Join(parts, "\n")
}

// inJSON is a text as JSON writes it, without the escapes that only HTML needs.
func inJSON(text string) string {
	b, _ := memory.Marshal(text) // a text always marshals
	return string(b)
}

// conditionOf is a reply's `when` in the words of the template; "": it has none.
func conditionOf(r openaitest.Reply) string {
	var all []string
	for _, text := range r.When {
		all = append(all, inJSON(text)+" in ns.heard")
	}
	return strings.Join(all, " and ")
}

// The kinds of tokens in a model file.
const (
	unknown  = 2
	control  = 3
	verbatim = 4
	oneByte  = 6
)

const (
	endToken  = 2  // leads out of a reply
	pieceSize = 12 // bytes of text in a token, about
)

// vocabulary is the tokens of a model that plays a script. Each leads to one other, so no two have the same text.
type vocabulary struct {
	texts []string
	kinds []int32
	next  []int
	ids   map[string]int
}

func newVocabulary(words string) *vocabulary {
	v := &vocabulary{ids: map[string]int{}}
	v.token("<unk>", unknown, endToken)
	for _, mark := range []string{"<s>", "</s>", "<|im_start|>", "<|im_end|>"} {
		v.token(mark, control, endToken)
	}
	for _, mark := range []string{"<tool_call>", "</tool_call>"} { // the server looks for these among the tokens
		v.token(mark, verbatim, endToken)
	}
	for b := range 256 {
		v.token(fmt.Sprintf("<0x%02X>", b), oneByte, endToken)
	}
	for _, word := range regexp.MustCompile(` ?[a-zA-Z]{2,}|\W{2,4}`).FindAllString(words, -1) {
		if _, known := v.ids[word]; !known {
			v.token(word, verbatim, endToken)
		}
	}
	return v
}

func (v *vocabulary) token(text string, kind int32, next int) int {
	id := len(v.texts)
	v.texts, v.kinds, v.next = append(v.texts, text), append(v.kinds, kind), append(v.next, next)
	v.ids[text] = id
	return id
}

// say makes the tokens of a text, from its end on, and answers the first.
func (v *vocabulary) say(text string, forever bool) (int, error) {
	next, last := endToken, -1
	if forever {
		next = len(v.texts) // leads to itself until the first is known
	}
	for whole := text; text != ""; {
		at := v.cut(text, next)
		if at < 0 {
			return 0, fmt.Errorf("the beginning %q of %q is a part of other replies: change a word", text, whole)
		}
		id, known := v.ids[text[at:]]
		if !known {
			id = v.token(text[at:], verbatim, next)
		}
		if last < 0 {
			last = id
		}
		next, text = id, text[:at]
	}
	if forever {
		v.next[last] = next
	}
	return next, nil
}

// cut is where the last piece of a text begins: the nearest to the usual length whose text leads nowhere else; -1: none.
func (v *vocabulary) cut(text string, next int) int {
	usual := max(len(text)-pieceSize, 0)
	for off := range len(text) {
		for _, at := range []int{usual - off, usual + off} {
			if at < 0 || at >= len(text) || !utf8.RuneStart(text[at]) {
				continue
			}
			if id, taken := v.ids[text[at:]]; !taken || v.next[id] == next && v.kinds[id] == verbatim {
				return at
			}
		}
	}
	return -1
}
