package openai

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"
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
	short string        // for the news of a wait: "429 from localhost:8080"
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
	case errors.As(err, &odd):
		return m.judgeStrange(odd)
	}
	return m.judgeNetwork(err, p)
}

func (m *Model) judgeStrange(e *strange) verdict {
	what := fmt.Sprintf("%s answered with something else than a reply: %s", m.addr, m.hidden.quote(e.text))
	if e.page {
		what = fmt.Sprintf("%s answered with a web page%s instead of JSON", m.addr, m.quoted(e.text))
	}
	return verdict{err: &Error{Kind: KindNotOpenAI, What: what, Next: m.hintAddress()}, tries: triesOnce}
}

// quoted is a text of the server in quotation marks with a space before; "" for none.
func (m *Model) quoted(text string) string {
	if text = m.hidden.quote(text); text == "" {
		return ""
	}
	return " (“" + text + "”)"
}

// hintAddress says how a base URL looks.
func (m *Model) hintAddress() string {
	if !strings.HasSuffix(m.addr.path, "/v1") && m.Profile().API != apiAzure {
		return fmt.Sprintf("set model.base_url (GALLEY_MODEL_BASE_URL) to where the API begins; most often it ends in /v1: %s/v1", m.addr)
	}
	return "set model.base_url (GALLEY_MODEL_BASE_URL) to the address of an OpenAI-compatible API, and look whether a proxy stands in between"
}

// words of a refusal, by what it is about. They are searched in all that the server said, in lower case.
var (
	saysNoTools = regexp.MustCompile(`does not support (tools|function)|no endpoints found that support tool|enable-auto-tool-choice|tools param requires --jinja|` +
		`(tool|function)[ _-]?(use|calls?|calling)? (is|are) not supported|(tool|function)[ _-]?call(s|ing)? (is|are)? ?(not|un)[ -]?(supported|available)|tool choice requires`)
	saysFilter  = regexp.MustCompile(`content_filter|content management policy|responsibleaipolicy|content policy violation|content_policy`)
	saysAuth    = regexp.MustCompile(`invalid[ _]api[ _]key|api[ _]key (is )?not valid|incorrect api key|api_key_invalid|invalid authentication|no auth credentials`)
	saysQuota   = regexp.MustCompile(`insufficient[ _](quota|balance|credit|funds)|credit balance|exceeded your current quota|out of credits|requires more credits|billing|payment required`)
	saysNoModel = regexp.MustCompile(`model_not_found|model.{0,80}(not found|does not exist|not exist\b|is not available|unknown)|no such model|unknown model|is not a valid model|invalid model|` +
		`deploymentnotfound|no models? loaded|try pulling it`)
	saysNoPath   = regexp.MustCompile(`^\s*(404:? ?)?(page )?not found\W*$|unexpected endpoint|no route|cannot post|invalid url|(unknown|no such) (url|path|endpoint|route)|/chat/completions`)
	saysOverload = regexp.MustCompile(`overloaded|over capacity|no capacity|at capacity|temporarily|try again|timed? ?out|rate.?limit|too many requests|unavailable|request limit reached`)
	saysMisCall  = regexp.MustCompile(`tool_use_failed|failed to call a function`)
)

// judgeFailure puts into words what a server said instead of a reply.
func (m *Model) judgeFailure(f *failure) verdict {
	said := f.said()
	status := f.effective(said)
	f.status = status
	if limit, is := tooLong(f, said); is {
		return verdict{err: m.tooLong(f, limit), tries: triesOnce}
	}
	for _, r := range []struct {
		applies bool
		judge   func(*failure) verdict
	}{
		{f.page && status < 500 && status != 401, m.judgePage},
		{saysNoTools.MatchString(said), m.noTools},
		{saysFilter.MatchString(said), m.filtered},
		{status == 401 || status < 500 && saysAuth.MatchString(said), m.unauthorized},
		{status == 402 || status < 500 && saysQuota.MatchString(said) && !f.comesBack(m.cfg.Clock.Now()), m.unpaid},
		{status == 404 && saysNoPath.MatchString(strings.ToLower(f.words())), m.noPath},
		{status < 500 && saysNoModel.MatchString(said) || status == 404 && strings.Contains(said, "model"), m.noModel},
		{status == 404 && f.message == "", m.noPath},
		{status == 403, m.forbidden},
		{status/100 == 3, m.moved},
		{retried(status), m.busy},
		{saysMisCall.MatchString(said), m.misCalled},
	} {
		if r.applies {
			return r.judge(f)
		}
	}
	return m.refused(f)
}

// retried tells whether a request may be made again after an answer of that status.
func retried(status int) bool {
	switch status {
	case 408, 409, 425, 429:
		return true
	case 501, 505:
		return false
	}
	return status >= 500
}

// effective is the status of an error that came without one: within a stream, what its words say.
func (f *failure) effective(said string) int {
	if f.status >= 300 {
		return f.status
	}
	kind := strings.ToLower(f.kind + " " + f.code)
	for _, k := range []struct {
		word   string
		status int
	}{
		{"rate_limit", 429},
		{"too_many_requests", 429},
		{"resource_exhausted", 429},
		{"overloaded", 529},
		{"unavailable", 503},
		{"authentication", 401},
		{"permission", 403},
		{"not_found", 404},
		{"notfound", 404},
		{"server_error", 500},
		{"internal", 500},
		{"api_error", 500},
		{"timeout", 504},
		{"invalid_request", 400},
		{"badrequest", 400},
		{"bad_request", 400},
		{"invalid_argument", 400},
	} {
		if strings.Contains(kind, k.word) {
			return k.status
		}
	}
	if strings.Contains(said, "unexpected endpoint") || strings.Contains(said, "not found") {
		return 404 // LM Studio says it with 200
	}
	if saysOverload.MatchString(said) {
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
