package openai

import (
	_ "embed"
	"errors"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/galley-ls/galley/memory"
)

// refusal is what a lesson looks at: what the server said, what was sent, and the profile it was sent with.
type refusal struct {
	said string
	sent map[string]bool
	p    Profile
}

//go:embed lessons.txt
var lessonsText string

// lesson is one thing that a refusal can teach.
type lesson struct {
	section
	says   []*regexp.Regexp
	names  []*regexp.Regexp // find the field that is meant
	change Profile
}

var lessons = sync.OnceValue(func() (all []lesson) {
	for _, s := range readSections(lessonsText) {
		all = append(all, lesson{section: s, says: patterns(s.texts("says")), names: patterns(s.texts("names")), change: s.profile("learn")})
	}
	return all
})

// bySteps are the lessons that take more than a table: what they make of a profile, nil if they are not meant.
var bySteps = map[string]func(refusal) func(*Profile){
	"max output":        learnMaxOutput,
	"max_tokens field":  learnMaxTokens,
	"reasoning missing": learnEcho,
	"content":           learnContent,
}

// taught is what a refusal teaches by this lesson; nil: nothing.
func (l lesson) taught(r refusal) func(*Profile) {
	if learn, ok := bySteps[l.name]; ok {
		return learn(r)
	}
	if l.names != nil {
		return l.field(r)
	}
	lacks := func(says *regexp.Regexp) bool { return !says.MatchString(r.said) }
	sent := strings.Fields(l.text("sent", nil))
	switch {
	case slices.ContainsFunc(l.says, lacks), l.text("against", nil) != "" && !saysUnsupported().MatchString(r.said):
		return nil
	case len(sent) > 0 && !slices.ContainsFunc(sent, func(field string) bool { return r.sent[field] }):
		return nil
	}
	if field, value, ok := strings.Cut(l.text("with", nil), " "); ok && value != scalar(objectOf(encode(r.p))[field]) {
		return nil
	}
	return func(p *Profile) { *p = l.change.over(*p) }
}

var (
	saysUnsupported = memory.Pattern(`not supported|unsupported|does not support|not support|only the default|is not allowed|not permitted|deprecated|unknown|unrecognized|unexpected|extra|must be omitted|invalid`)
	saysMissing     = memory.Pattern(`missing|must be passed|is required|field required|must include|must be provided|must be present|not provided`)
	saysContent     = memory.Pattern(`\bcontents?\b`)
	saysNullBad     = memory.Pattern(`null|none\b|nil|must be a string|valid string|expected a? ?string|type: string|string_type|string type`)
	saysEmptyBad    = memory.Pattern(`non-?empty|not be empty|be empty|is empty|empty (text|content|string)|at least 1 char|too_short|blank`)
	saysReasoning   = memory.Pattern(`reasoning_content|['"\x60.]reasoning['"\x60]|\breasoning (field|content)`)
)

func learnMaxOutput(r refusal) func(*Profile) {
	most := outputLimit(r.said)
	if most == 0 || !r.sent[fieldMaxTokens] && !r.sent[fieldMaxCompletion] {
		return nil
	}
	return func(p *Profile) { p.MaxOutput = most }
}

// learnMaxTokens takes the other name of the limit. Where both are refused, none is sent.
func learnMaxTokens(r refusal) func(*Profile) {
	name := r.p.MaxTokensField
	if !r.sent[name] || !strings.Contains(r.said, name) || !saysUnsupported().MatchString(r.said) {
		return nil
	}
	other := fieldNone
	switch {
	case name == fieldMaxTokens && strings.Contains(r.said, fieldMaxCompletion):
		other = fieldMaxCompletion
	case name == fieldMaxCompletion:
		other = fieldMaxTokens
	}
	return func(p *Profile) { p.MaxTokensField = other }
}

// learnEcho sends thoughts back: those of the loop, and if they were there, those of older turns too.
func learnEcho(r refusal) func(*Profile) {
	if !saysReasoning().MatchString(r.said) || !saysMissing().MatchString(r.said) {
		return nil
	}
	if r.p.EchoReasoning != echoOff {
		return func(p *Profile) { p.EchoScope = echoAll }
	}
	name := echoContent
	if !strings.Contains(r.said, echoContent) {
		name = echoReasoning
	}
	return func(p *Profile) { p.EchoReasoning = name }
}

// learnContent is about replies without a text, which servers want in three ways.
func learnContent(r refusal) func(*Profile) {
	null, empty := saysNullBad().MatchString(r.said), saysEmptyBad().MatchString(r.said)
	if !r.sent["tool_calls"] || !saysContent().MatchString(r.said) || !null && !empty && !saysMissing().MatchString(r.said) {
		return nil
	}
	next := contentEmpty
	switch {
	case r.p.ToolOnlyContent == contentEmpty:
		next = contentNull
	case r.p.ToolOnlyContent == contentNull && (!null || empty):
		next = contentOmit
	}
	return func(p *Profile) { p.ToolOnlyContent = next }
}

// field leaves out the refused field, if it was sent and can be done without.
func (l lesson) field(r refusal) func(*Profile) {
	for _, re := range l.names {
		for _, m := range re.FindAllStringSubmatch(r.said, -1) {
			parts := strings.FieldsFunc(m[1], func(c rune) bool { return c == '.' || c == '[' || c == ']' })
			for _, name := range slices.Backward(parts) {
				if r.sent[name] && !slices.Contains(needed, name) {
					return func(p *Profile) { p.OmitFields = union(p.OmitFields, []string{name}) }
				}
			}
		}
	}
	return nil
}

// teaches tells whether answers of that status are about the request itself. 500 is llama.cpp's for what its template
// does not like.
func teaches(f *failure) bool {
	switch f.status {
	case 400, 404, 415, 422, 500, 501:
		return true
	}
	return false
}

// learn looks what a refusal teaches, and tells whether the request is worth repeating. No lesson is learnt twice for one
// request, so nothing goes round in circles. A refusal that is clearly about something else teaches nothing.
func (t *talk) learn(v verdict, a attempt) bool {
	var e *Error
	if v.fail == nil || !teaches(v.fail) || !errors.As(v.err, &e) || e.Kind != KindBadRequest && e.Kind != KindServer && e.Kind != KindNotFound {
		return false
	}
	r := refusal{said: v.fail.said(), sent: a.sent, p: a.profile}
	for _, l := range lessons() {
		change := l.taught(r)
		if change == nil {
			continue
		}
		key := l.name + " " + meaning(change)
		if t.taught[key] {
			continue
		}
		t.taught[key] = true
		learnt := append(slices.Clone(t.lessons), change)
		if !reflect.DeepEqual(a.profile, t.m.profileWith(learnt)) { // what the settings say stays
			t.lessons = learnt
			return true
		}
	}
	return false
}

// keep remembers the lessons of a request once the server has taken it: those that did not help are forgotten.
func (t *talk) keep() {
	if len(t.lessons) == 0 {
		return
	}
	t.m.change(func(p *Profile) {
		for _, learn := range t.lessons {
			learn(p)
		}
	})
}

// change learns something for good, and tells whoever keeps it, unless it changes nothing.
func (m *Model) change(learn func(*Profile)) {
	m.mu.Lock()
	changed := m.learnt
	learn(&changed)
	grew := !reflect.DeepEqual(m.inForce(m.learnt), m.inForce(changed))
	if grew {
		m.learnt = changed
	}
	m.mu.Unlock()
	if grew && m.cfg.Learn != nil {
		m.cfg.Learn(changed)
	}
}

// meaning is a word for what a lesson changes.
func meaning(learn func(*Profile)) string {
	var p Profile
	learn(&p)
	return string(encode(p))
}
