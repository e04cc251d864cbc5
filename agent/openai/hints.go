package openai

import (
	"fmt"
	"strings"

	"github.com/galley-ls/galley/agent/model"
)

// The errors that a server's refusal becomes, each with what to do next.

func (m *Model) verdict(f *failure, kind Kind, tries int, what, next string) verdict {
	e := &Error{Kind: kind, Status: f.status, What: what, Next: next}
	return verdict{err: e, tries: tries, short: f.codeWord() + " from " + m.addr.host}
}

// keySource says where the key comes from, and whether there was one.
func (m *Model) keySource() string {
	name := m.cfg.KeyName
	switch {
	case name == "" && m.cfg.Key == "":
		return "no key is set (model.api_key_env names the variable that holds it)"
	case name == "":
		return "look whether the key is the right one for this server"
	case m.cfg.Key == "":
		return fmt.Sprintf("the environment variable %s is empty: put the key there, or name another variable with model.api_key_env", name)
	}
	return fmt.Sprintf("look whether the key in the environment variable %s is the right one for this server (model.api_key_env names the variable)", name)
}

func (m *Model) unauthorized(f *failure) verdict {
	what := fmt.Sprintf("%s does not accept the key (%s)%s", m.addr, f.codeWord(), m.quoted(f.words()))
	if m.cfg.Key == "" {
		what = fmt.Sprintf("%s wants a key, and none was sent (%s)%s", m.addr, f.codeWord(), m.quoted(f.words()))
	}
	return m.verdict(f, KindAuth, triesOnce, what, m.keySource())
}

func (m *Model) forbidden(f *failure) verdict {
	return m.verdict(f, KindForbidden, triesOnce, fmt.Sprintf("%s forbids this (403)%s", m.addr, m.quoted(f.words())),
		fmt.Sprintf("see in your account there whether the key may use %s, and whether the server can be used from here", m.cfg.Model))
}

func (m *Model) unpaid(f *failure) verdict {
	return m.verdict(f, KindQuota, triesOnce, fmt.Sprintf("%s: the account has no credit or quota left (%s)%s", m.addr, f.codeWord(), m.quoted(f.words())),
		"see billing and limits of your account there, or use another server (model.base_url) or model (model.model)")
}

// noPath is a page that is not there, because the base URL is wrong.
func (m *Model) noPath(f *failure) verdict {
	return m.verdict(f, KindNotFound, triesOnce, fmt.Sprintf("there is no API at %s (%s)%s", m.addr, f.codeWord(), m.quoted(f.words())), m.hintAddress())
}

func (m *Model) noModel(f *failure) verdict {
	next := "set model.model to one that it has; galley doctor lists them"
	switch m.row {
	case rowOllama:
		next = fmt.Sprintf("get it with `ollama pull %s`, or set model.model to one of `ollama list`", m.cfg.Model)
	case rowLMStudio:
		next = "load the model in LM Studio, or set model.model to one that is loaded; galley doctor lists them"
	case "Azure":
		next = "set model.model to the name of the deployment, not of the model; the portal of Azure lists them"
	}
	return m.verdict(f, KindModelNotFound, triesOnce, fmt.Sprintf("%s does not have the model %s (%s)%s", m.addr, m.cfg.Model, f.codeWord(), m.quoted(f.words())), next)
}

func (m *Model) moved(f *failure) verdict {
	target := "another address"
	if a, err := parseAddress(f.location); err == nil && strings.Contains(f.location, "://") {
		target = m.hidden.quote(a.String())
	}
	return m.verdict(f, KindMoved, triesOnce, fmt.Sprintf("%s points to %s (%d); the key and your text are not sent there unasked", m.addr, target, f.status),
		"if that is right, set model.base_url to it")
}

func (m *Model) noTools(f *failure) verdict {
	next := "use a model that can call tools"
	said := f.said()
	switch {
	case strings.Contains(said, "--jinja"):
		next = "start llama-server with --jinja, and a chat template that knows tools"
	case strings.Contains(said, "enable-auto-tool-choice") || strings.Contains(said, "tool choice requires"):
		next = "start vLLM with --enable-auto-tool-choice and the --tool-call-parser of the model"
	case m.row == rowOllama:
		next = "use a model that can: `ollama show NAME` lists “tools” under its capabilities, qwen3 is one of them"
	}
	return m.verdict(f, KindNoTools, triesOnce, fmt.Sprintf("%s cannot call tools with the model %s, and galley works with tools only%s", m.addr, m.cfg.Model, m.quoted(f.words())), next)
}

func (m *Model) filtered(f *failure) verdict {
	return m.verdict(f, KindContentFilter, triesOnce, fmt.Sprintf("a content filter of %s stopped the request%s", m.addr, m.quoted(f.words())),
		"say it in other words, leave out the file that it is about, or use another model")
}

func (m *Model) judgePage(f *failure) verdict {
	what := fmt.Sprintf("%s answered %d with a web page%s instead of JSON", m.addr, f.status, m.quoted(f.words()))
	if f.status == 403 || f.status == 407 {
		return m.verdict(f, KindForbidden, triesOnce, what, "a proxy or a firewall stands in between, or model.base_url is not where the API is")
	}
	if f.status == 408 || f.status == 429 {
		return m.busy(f)
	}
	if f.status/100 == 3 {
		return m.moved(f)
	}
	return m.verdict(f, KindNotOpenAI, triesOnce, what, m.hintAddress())
}

// busy is a server that may answer the next time.
func (m *Model) busy(f *failure) verdict {
	kind, what := KindServer, fmt.Sprintf("%s has an error (%s)%s", m.addr, f.codeWord(), m.quoted(f.words()))
	next := "try again later; if it stays, look into the log of the server"
	if f.status == 429 {
		kind, what = KindRateLimit, fmt.Sprintf("%s takes no more requests for now (%s)%s", m.addr, f.codeWord(), m.quoted(f.words()))
		next = "try again later, or raise the limit in your account there"
	}
	v := m.verdict(f, kind, triesAll, what, next)
	v.after = f.retryAfter(m.cfg.Clock.Now())
	v.slow = f.status == 503 && strings.Contains(f.said(), "loading")
	if v.after > waitMost {
		e := &Error{Kind: kind, Status: f.status, What: fmt.Sprintf("%s, and wants to be asked again in %s only", what, span(v.after)), Next: "prompt again then, or use another server or model"}
		v.err, v.tries = e, triesOnce
	}
	return v
}

// misCalled is Groq's refusal of what its own model wrote; the next time that writes something else.
func (m *Model) misCalled(f *failure) verdict {
	return m.verdict(f, KindBadRequest, triesFew, fmt.Sprintf("the model %s wrote a tool call that %s could not read%s", m.cfg.Model, m.addr, m.quoted(f.words())),
		"prompt again, or use another model")
}

func (m *Model) refused(f *failure) verdict {
	return m.verdict(f, KindBadRequest, triesOnce, fmt.Sprintf("%s refuses the request (%s)%s", m.addr, f.codeWord(), m.quoted(f.words())),
		"if it names a field, the switches of model.profile can leave it out (omit_fields) or change it; galley doctor shows the profile in force")
}

func (m *Model) tooLong(f *failure, limit int) error {
	why := fmt.Sprintf("the request does not fit into the context window of %s at %s%s", m.cfg.Model, m.addr, m.quoted(f.words()))
	next := "compact the history, or use a model with a larger window"
	switch m.row {
	case rowOllama:
		next += " (Ollama: OLLAMA_CONTEXT_LENGTH)"
	case rowLlamaCPP:
		next += " (llama.cpp: --ctx-size)"
	case rowLMStudio:
		next += " (LM Studio: load the model with a larger context length)"
	}
	return &model.TooLongError{Limit: limit, Why: why + "; " + next}
}
