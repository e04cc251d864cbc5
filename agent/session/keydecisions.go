package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
	"github.com/galley-ls/galley/memory"
)

// keyDecisions finds the decisions of the person in what led to an ending, so that they
// last even where the model has noted none; with folded also in what is folded already.
func (s *queue) keyDecisions(e ending, folded bool) []string {
	var out []string
	add := func(what ...string) {
		for _, w := range what {
			if w = s.Mask(shorten(oneLine(w), decisionChars)); w != "" && !slices.Contains(out, w) {
				out = append(out, w)
			}
		}
	}
	for _, n := range e.edits {
		add(s.rejections(n)...)
	}
	add(saidIn(s.store.Led(s.covered(e), folded))...)
	return out[:min(len(out), decisionsMost)]
}

// NamedDecisions are those that a model names of what led to an ending, as far as they stand
// in the text. Where none is asked, or it fails, there are none; it may take its time.
func (s *Session) NamedDecisions(ctx context.Context, by By, e Ending) []string {
	ask := s.set.Load().Decisions
	if ask == nil {
		return nil
	}
	s.mu.Lock()
	task := 0
	if t, ok := s.tasks.Current(); ok {
		task = t.ID
	}
	over := ending{closeCall: by.Call, task: task, beginCall: s.begun[task]}
	if e.Edit != 0 {
		over.edits = []int{e.Edit}
	}
	talk := s.store.Led(s.covered(over), false)
	s.mu.Unlock()
	var sb strings.Builder
	for _, m := range talk {
		writeMessage(&sb, m)
	}
	text := s.Mask(sb.String())
	named, usage, err := ask(ctx, text)
	if err = errors.Join(err, s.store.Spent(usage)); err != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.warn("the summary model named no key decisions: %s", s.Mask(err.Error()))
		return nil
	}
	var out []string
	for _, d := range named {
		d = strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(d), "-*•\"“ "))
		if stands := oneLine(d); strings.Count(stands, " ") > 1 && strings.Contains(oneLine(text), strings.Trim(stands, "\"”")) && !slices.Contains(out, stands) {
			out = append(out, shorten(stands, decisionChars))
		}
	}
	return out[:min(len(out), namedMost)]
}

const namedMost = 10

// A decision found by code is a line; there are not many of them.
const (
	decisionChars = 300
	decisionsMost = 20
)

// rejections are the changes that the person has thrown away with a reason.
func (s *base) rejections(n int) []string {
	var out []string
	for _, c := range s.Snapshot().Of(s.me, n) {
		d := c.Decision()
		if d.State == string(editing.Rejected) && d.Reason != "" && c.By == "" {
			out = append(out, fmt.Sprintf("the user rejected a change of %s: %s", c.Name, d.Reason))
		}
	}
	return out
}

// saidIn finds decisions in a conversation: what the user asked to remember, their
// answers to questions, and the candidates that they picked.
func saidIn(talk []memory.Message) []string {
	var out []string
	said, offer, prompt := "", "", "" // the model's last words, those before the prompt, the prompt
	for _, m := range talk {
		switch m.Role {
		case memory.RoleUser:
			offer, prompt, said = said, m.Content, ""
			if asked := question(offer); asked != "" {
				out = append(out, fmt.Sprintf("asked %q, the user answered %q", shorten(oneLine(asked), 120), shorten(oneLine(prompt), 120)))
			}
			out = append(out, wishes(prompt)...)
		case memory.RoleAssistant:
			said = m.Content
			for _, c := range m.ToolCalls {
				said = ""
				if p := picked(c); naming(offer, p.Match) && naming(prompt, p.Match) {
					out = append(out, fmt.Sprintf("the user picked place %s of %q in %s", p.Match, shorten(oneLine(p.Old), 80), p.Path))
				}
			}
		}
	}
	return out
}

var (
	sentence = text.Pattern(`(?m)\S[^\n]*?(?:[.!?]+(?:\s+|$)|$)`)
	lasting  = text.Pattern(`(?i)\b(?:remember|keep in mind|bear in mind|(?:don't|don’t|do not) forget|from now on|for the future)\b`)
)

// wishes are the sentences by which somebody asks to remember something.
func wishes(prompt string) []string {
	var out []string
	for _, s := range sentence().FindAllString(prompt, -1) {
		if s = strings.TrimSpace(s); lasting().MatchString(s) && !strings.HasSuffix(s, "?") {
			out = append(out, "the user: "+s)
		}
	}
	return out
}

// question is the last sentence of a text, if it asks.
func question(text string) string {
	all := sentence().FindAllString(strings.TrimSpace(text), -1)
	if len(all) == 0 || !strings.HasSuffix(all[len(all)-1], "?") {
		return ""
	}
	return all[len(all)-1]
}

// place is a candidate that a call takes.
type place struct {
	Path  string `json:"path"`
	Match string `json:"match_id"`
	Old   string `json:"old_text"`
}

func picked(c memory.ToolCall) (p place) {
	if json.Unmarshal([]byte(c.Arguments), &p) != nil {
		return place{}
	}
	return p
}

// naming reports whether somebody names a letter, as a word of its own.
func naming(text, letter string) bool {
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return letter != "" && slices.Contains(words, letter)
}
