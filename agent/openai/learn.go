package openai

import (
	"errors"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// refusal is what a lesson looks at: what the server said, what was sent, and the profile it was sent with.
type refusal struct {
	said string
	sent map[string]bool
	p    Profile
}

// lesson is one thing that a refusal can teach: when it is meant, and what changes.
type lesson struct {
	name  string
	means func(r refusal) bool
	learn func(r refusal, p *Profile)
}

var (
	saysUnsupported = regexp.MustCompile(`not supported|unsupported|does not support|not support|only the default|is not allowed|not permitted|deprecated|unknown|unrecognized|unexpected|extra|must be omitted|invalid`)
	saysMissing     = regexp.MustCompile(`missing|must be passed|is required|field required|must include|must be provided|must be present|not provided`)
	saysTurns       = regexp.MustCompile(`roles must alternate|role 'user' after role 'tool'|role "user" after role "tool"|user.{0,20}after.{0,20}tool|unexpected role|must alternate|consecutive user`)
	saysToolID      = regexp.MustCompile(`tool[ _]?call[ _]?id.{0,120}(length|a-z|pattern|format|characters|alphanumeric|too long)|length of 9|tool_calls\[\d+\]\.id.{0,80}(too long|maximum length)`)
	saysContent     = regexp.MustCompile(`\bcontents?\b`)
	saysNullBad     = regexp.MustCompile(`null|none\b|nil|must be a string|valid string|expected a? ?string|type: string|string_type|string type`)
	saysEmptyBad    = regexp.MustCompile(`non-?empty|not be empty|be empty|is empty|empty (text|content|string)|at least 1 char|too_short|blank`)
	saysNoStream    = regexp.MustCompile(`stream(ing)?\b.{0,30}(not .{0,15}|un)(supported|available)|does(n't| not) support stream|must be verified to stream|stream.{0,20}must be false|stream=true|tools with stream`)
	saysNoSystem    = regexp.MustCompile(`system role (is )?not supported|does not support ['"]?system|system messages? (is|are) not supported|got system|unsupported.{0,40}['"]system['"]`)
	saysDeveloper   = regexp.MustCompile(`\bdeveloper\b`)
)

// lessons is the table, the surest first.
func lessons() []lesson {
	no := false
	return []lesson{
		{"max_output", meansOutput, func(r refusal, p *Profile) { p.MaxOutput = outputLimit(r.said) }},
		{"max_tokens_field", meansMaxTokens, func(r refusal, p *Profile) { p.MaxTokensField = otherMaxTokens(r) }},
		{"reasoning_effort", func(r refusal) bool { // OpenAI: tools or thoughts, not both
			return strings.Contains(r.said, "reasoning_effort") && strings.Contains(r.said, "tools") && r.sent["tools"]
		}, func(_ refusal, p *Profile) {
			p.ExtraBody = layered(map[string]any{"reasoning_effort": "none"}, p.ExtraBody)
		}},
		{"reasoning_missing", func(r refusal) bool {
			return namesReasoning(r.said) && saysMissing.MatchString(r.said)
		}, learnEcho},
		{"reasoning_refused", func(r refusal) bool {
			return namesReasoning(r.said) && (r.sent[echoContent] || r.sent[echoReasoning])
		}, func(_ refusal, p *Profile) { p.EchoReasoning = echoOff }},
		{"stream_usage", names("stream_options", "include_usage"), func(_ refusal, p *Profile) { p.StreamUsage = &no }},
		{"temperature", names("temperature"), func(_ refusal, p *Profile) { p.Temperature = &no }},
		{"parallel_tool_calls", names("parallel_tool_calls"), omits("parallel_tool_calls")},
		{"strict_turns", func(r refusal) bool { return saysTurns.MatchString(r.said) }, func(_ refusal, p *Profile) { yes := true; p.StrictTurns = &yes }},
		{"tool_ids", func(r refusal) bool { return saysToolID.MatchString(r.said) }, func(_ refusal, p *Profile) { p.ToolIDs = idsAlnum9 }},
		{"developer", func(r refusal) bool {
			return r.p.SystemRole == roleDeveloper && saysDeveloper.MatchString(r.said)
		}, func(_ refusal, p *Profile) { p.SystemRole = "system" }},
		{"system", func(r refusal) bool {
			return r.p.SystemRole == "system" && saysNoSystem.MatchString(r.said)
		}, func(_ refusal, p *Profile) { p.SystemRole = "user" }},
		{"stream", func(r refusal) bool {
			return on(r.p.Stream) && saysNoStream.MatchString(strings.ReplaceAll(r.said, "stream_options", ""))
		}, func(_ refusal, p *Profile) { p.Stream = &no }},
		{"content", meansContent, learnContent},
		{"field", func(r refusal) bool { return unknownField(r) != "" }, func(r refusal, p *Profile) { omits(unknownField(r))(r, p) }},
	}
}

// names tells whether a field that was sent is named together with a word against it.
func names(fields ...string) func(refusal) bool {
	return func(r refusal) bool {
		return saysUnsupported.MatchString(r.said) && slices.ContainsFunc(fields, func(f string) bool {
			return strings.Contains(r.said, f) && (r.sent[f] || f == "include_usage" && r.sent["stream_options"])
		})
	}
}

func omits(field string) func(refusal, *Profile) {
	return func(_ refusal, p *Profile) { p.OmitFields = union(p.OmitFields, []string{field}) }
}

func meansOutput(r refusal) bool {
	return (r.sent[fieldMaxTokens] || r.sent[fieldMaxCompletion]) && outputLimit(r.said) > 0
}

func meansMaxTokens(r refusal) bool {
	return r.sent[r.p.MaxTokensField] && strings.Contains(r.said, r.p.MaxTokensField) && saysUnsupported.MatchString(r.said)
}

// otherMaxTokens is the other name of the limit. Where both are refused, none is sent.
func otherMaxTokens(r refusal) string {
	switch {
	case r.p.MaxTokensField == fieldMaxTokens && strings.Contains(r.said, fieldMaxCompletion):
		return fieldMaxCompletion
	case r.p.MaxTokensField == fieldMaxCompletion:
		return fieldMaxTokens
	}
	return fieldNone
}

func namesReasoning(said string) bool {
	return strings.Contains(said, echoContent) || regexpReasoning.MatchString(said)
}

var regexpReasoning = regexp.MustCompile(`['"\x60.]reasoning['"\x60]|\breasoning (field|content)`)

// learnEcho sends thoughts back: those of the loop, and if they were there, those of older turns too.
func learnEcho(r refusal, p *Profile) {
	if r.p.EchoReasoning != echoOff {
		p.EchoScope = echoAll
		return
	}
	p.EchoReasoning = echoContent
	if !strings.Contains(r.said, echoContent) {
		p.EchoReasoning = echoReasoning
	}
}

// meansContent is about replies without a text, which servers want in three ways.
func meansContent(r refusal) bool {
	return r.sent["tool_calls"] && saysContent.MatchString(r.said) &&
		(saysNullBad.MatchString(r.said) || saysEmptyBad.MatchString(r.said) || saysMissing.MatchString(r.said))
}

func learnContent(r refusal, p *Profile) {
	switch r.p.ToolOnlyContent {
	case contentEmpty:
		p.ToolOnlyContent = contentNull
	case contentNull:
		p.ToolOnlyContent = contentOmit
		if saysNullBad.MatchString(r.said) && p.ToolOnlyContent != contentEmpty && !saysEmptyBad.MatchString(r.said) {
			p.ToolOnlyContent = contentEmpty
		}
	default:
		p.ToolOnlyContent = contentEmpty
	}
}

// fieldNames find the field that a server does not know, in the words of the usual parsers.
var fieldNames = []*regexp.Regexp{
	regexp.MustCompile(`(?:unrecognized|unknown|unsupported|unexpected|invalid) (?:request )?(?:argument|parameter|field|property|key|name|input)s?(?: supplied)?:? ?['"\x60]?([\w.\[\]]+)`),
	regexp.MustCompile(`property ['"\x60]?([\w.\[\]]+)['"\x60]? is (?:unsupported|not allowed|not supported)`),
	regexp.MustCompile(`['"\x60]([\w.\[\]]+)['"\x60] (?:was unexpected|is not (?:supported|permitted|allowed)|is unsupported|does not exist)`),
	regexp.MustCompile(`argument not supported(?: on this model)?: ['"\x60]?([\w.\[\]]+)`),
	regexp.MustCompile(`extra inputs are not permitted[^(]{0,40}\(([\w.\[\]]+)\)`),
	regexp.MustCompile(`\(([\w.\[\]]+)\)[^(]{0,40}extra inputs are not permitted`),
	regexp.MustCompile(`([\w.\[\]]+):? extra inputs are not permitted`),
	regexp.MustCompile(`parameter[:=] ?['"\x60]?([\w.\[\]]+)`),
}

// unknownField is the refused field, if it was sent and can be done without; "": there is none.
func unknownField(r refusal) string {
	for _, re := range fieldNames {
		for _, m := range re.FindAllStringSubmatch(r.said, -1) {
			parts := strings.FieldsFunc(m[1], func(c rune) bool { return c == '.' || c == '[' || c == ']' })
			for _, name := range slices.Backward(parts) {
				if r.sent[name] && !slices.Contains(needed, name) {
					return name
				}
			}
		}
	}
	return ""
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
		if !l.means(r) {
			continue
		}
		change := func(p *Profile) { l.learn(r, p) }
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
