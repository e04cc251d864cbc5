package openai

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/galley-ls/galley/agent/model"
	"github.com/galley-ls/galley/memory"
)

// Kind is what sort of thing went wrong.
type Kind string

// The kinds of errors.
const (
	KindConnect       Kind = "connect"         // no connection
	KindDNS           Kind = "dns"             // no such host
	KindTLS           Kind = "tls"             // no secure connection
	KindAuth          Kind = "auth"            // no key, or a wrong one
	KindForbidden     Kind = "forbidden"       // the key is right, but not for this
	KindModelNotFound Kind = "model_not_found" // the server does not have the model
	KindNotFound      Kind = "not_found"       // nothing is at this address
	KindMoved         Kind = "moved"           // the server points to another one
	KindRateLimit     Kind = "rate_limit"      // too many requests for now
	KindQuota         Kind = "quota"           // paid for no more
	KindServer        Kind = "server"          // the server's own fault
	KindTimeout       Kind = "timeout"         // the reply did not begin in time
	KindIdle          Kind = "idle"            // the reply fell silent; wraps model.ErrCut
	KindCut           Kind = "cut"             // the reply broke off; wraps model.ErrCut once it had begun
	KindBadRequest    Kind = "bad_request"     // the server does not like the request
	KindNotOpenAI     Kind = "not_openai"      // a web page, other JSON
	KindNoTools       Kind = "no_tools"        // the model or its server knows no tools
	KindContentFilter Kind = "content_filter"  // a filter stopped request or reply
	KindEmpty         Kind = "empty"           // a reply with nothing in it
	KindTooLarge      Kind = "too_large"       // more came than anyone can read
)

// Error is what went wrong, for a person: what happened and where, and what to do next. The key never stands in it.
type Error struct {
	Kind   Kind
	Status int // HTTP's, 0: none
	What   string
	Next   string
	cause  error
}

// Error implements error.
func (e *Error) Error() string {
	if e.Next == "" {
		return e.What
	}
	return e.What + "; " + e.Next
}

// Unwrap gives model.ErrCut where the reply had begun and the same request may be made again.
func (e *Error) Unwrap() error { return e.cause }

// verdict is an error with what may be done about it.
type verdict struct {
	err   error
	short string        // what is shown of a wait: "429 from localhost:8080"
	tries int           // how often in all the request is worth making; 1: never again
	after time.Duration // the server wants to be left alone for so long; 0: it did not say
	slow  bool          // it loads a model: a second is no time for it
	fail  *failure      // what the server said, if it said something
}

const (
	triesOnce  = 1
	triesTwice = 2
	triesFew   = 3
	triesAll   = 1 << 20 // as many as the config allows
)

// judge puts into words what ended a try.
func (m *Model) judge(err error, p Profile) verdict {
	var server *failure
	var odd *strange
	switch {
	case errors.As(err, &server):
		v := m.judgeFailure(server)
		v.fail = server
		return v
	case errors.As(err, &odd) && odd.page:
		return m.say("strange page", words{"said": m.quoted(odd.text)})
	case errors.As(err, &odd):
		return m.say("strange", words{"text": m.hidden.quote(odd.text)})
	}
	return m.judgeNetwork(err, p)
}

// quoted is a text of the server in quotation marks with a space before; "" for none.
func (m *Model) quoted(text string) string {
	if text = m.hidden.quote(text); text == "" {
		return ""
	}
	return " (“" + text + "”)"
}

// judgeFailure puts into words what a server said instead of a reply.
func (m *Model) judgeFailure(f *failure) verdict {
	said := f.said()
	f.status = f.effective(said)
	v := words{
		"status": strconv.Itoa(f.status), "code": f.codeWord(), "said": m.quoted(f.words()), "target": "another address", "heard": said,
	}
	if a, err := parseAddress(f.location); err == nil && strings.Contains(f.location, "://") {
		v["target"] = m.hidden.quote(a.String())
	}
	if limit, is := tooLong(f, said); is {
		return verdict{err: &model.TooLongError{Limit: limit, Why: m.say("too long", v).err.Error()}, tries: triesOnce}
	}
	out := m.say(verdictOn(f, said, f.comesBack(m.cfg.Clock.Now())), v)
	out.short = f.codeWord() + " from " + m.addr.host
	e := out.err.(*Error)
	e.Status = f.status
	if out.tries == triesAll {
		out.after = f.retryAfter(m.cfg.Clock.Now())
		out.slow = f.status == 503 && strings.Contains(said, "loading")
	}
	if out.after > waitMost {
		e.What = fmt.Sprintf("%s, and wants to be asked again in %s only", e.What, span(out.after))
		e.Next, out.tries = "prompt again then, or use another server or model", triesOnce
	}
	return out
}

// saysOverload are words of a server that is busy, for errors that came without a status.
var saysOverload = memory.Pattern(`overloaded|over capacity|no capacity|at capacity|temporarily|try again|timed? ?out|rate.?limit|too many requests|unavailable|request limit reached`)

// effective is the status of an error that came without one: within a stream, what its words say.
func (f *failure) effective(said string) int {
	if f.status >= 300 {
		return f.status
	}
	kind := strings.ToLower(f.kind + " " + f.code)
	for _, l := range sentenceNamed("statuses").lines {
		if strings.Contains(kind, l.name) {
			return atoi(l.text)
		}
	}
	if strings.Contains(said, "unexpected endpoint") || strings.Contains(said, "not found") {
		return 404 // LM Studio says it with 200
	}
	if saysOverload().MatchString(said) {
		return 503
	}
	return 500
}

// codeWord is how an answer is named in a sentence.
func (f *failure) codeWord() string {
	if f.inBand {
		return "an error within the reply"
	}
	return fmt.Sprintf("%d", f.status)
}
