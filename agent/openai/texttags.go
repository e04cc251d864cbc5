package openai

import (
	"strings"

	"github.com/galley-ls/galley/memory"
)

// The forms of calls that are written with tags: <function=…>, <invoke name="…">, and a name with keys and values.

var (
	tagHead       = memory.Pattern(`^<(function|invoke)(?:=| name=)"?([^\s">]+)"?\s*>`)
	parameterHead = memory.Pattern(`^<parameter(?:=| name=)"?([^\s">]+)"?(?:\s[^>]*)?>`)
)

// tagged reads <function=name> with <parameter=…> in it, or with JSON, and <invoke name="…"> with <parameter name="…">.
func (p *callParser) tagged() ([]textCall, bool) {
	m := tagHead().FindStringSubmatch(p.text)
	if m == nil {
		return nil, false
	}
	name, shut := p.tools.find(m[2]), "</"+m[1]+">"
	p.text = strings.TrimLeft(p.text[len(m[0]):], " \t\r\n")
	if name == "" {
		return nil, false
	}
	if strings.HasPrefix(p.text, "{") {
		raw, ok := p.value()
		p.text = strings.TrimLeft(p.text, " \t\r\n")
		return []textCall{{name, string(raw)}}, ok && p.closed(shut)
	}
	args := arguments{shape: p.tools[name]}
	for {
		m := parameterHead().FindStringSubmatch(p.text)
		if m == nil {
			break
		}
		p.text = p.text[len(m[0]):]
		value, ok := p.until("</parameter>", shut)
		if !ok {
			return nil, false
		}
		args.add(m[1], value)
	}
	return []textCall{{name, args.String()}}, p.closed(shut)
}

// closed reads the end of a call, which may be missing at the end of the text.
func (p *callParser) closed(shut string) bool {
	return p.skip(shut) || p.text == "" || strings.HasPrefix(p.text, "</tool_call>")
}

// until reads a value up to its end. A value may speak of that end itself, so only one counts that the next parameter,
// or the end of the call, stands behind.
func (p *callParser) until(end, shut string) (string, bool) {
	for from := 0; ; {
		at := strings.Index(p.text[from:], end)
		if at < 0 {
			return "", false
		}
		at += from
		rest := strings.TrimLeft(p.text[at+len(end):], " \t\r\n")
		if rest == "" || parameterHead().MatchString(rest) || strings.HasPrefix(rest, shut) || strings.HasPrefix(rest, "</tool_call>") {
			value := p.text[:at]
			p.text = rest
			return unframed(value), true
		}
		from = at + len(end)
	}
}

// unframed takes away the line ends that templates put around a value.
func unframed(value string) string {
	value = strings.TrimPrefix(strings.TrimPrefix(value, "\r"), "\n")
	return strings.TrimSuffix(strings.TrimSuffix(value, "\n"), "\r")
}

// arguments writes an object in the order in which its parts came.
type arguments struct {
	shape toolShape
	names map[string]bool
	text  strings.Builder
}

func (a *arguments) add(name, value string) {
	if a.names[name] {
		return // said twice: the first counts, because an object can hold it only once
	}
	if a.names == nil {
		a.names = map[string]bool{}
	}
	a.names[name] = true
	if a.text.Len() > 0 {
		a.text.WriteByte(',')
	}
	a.text.Write(encode(name))
	a.text.WriteByte(':')
	a.text.Write(a.shape.value(name, value))
}

func (a *arguments) String() string { return "{" + a.text.String() + "}" }

const (
	keyOpen   = "<arg_key>"
	keyShut   = "</arg_key>"
	valueOpen = "<arg_value>"
	valueShut = "</arg_value>"
)

// keyed reads GLM's form: the name, then keys and values.
func (p *callParser) keyed() ([]textCall, bool) {
	end := strings.IndexAny(p.text, "<\n")
	if end < 0 {
		end = len(p.text)
	}
	name := p.tools.find(p.text[:end])
	if name == "" {
		return nil, false
	}
	p.text = strings.TrimLeft(p.text[end:], " \t\r\n")
	args := arguments{shape: p.tools[name]}
	for p.skip(keyOpen) {
		key, rest, found := strings.Cut(p.text, keyShut)
		p.text = strings.TrimLeft(rest, " \t\r\n")
		if !found || !p.skip(valueOpen) {
			return nil, false
		}
		value, rest, found := strings.Cut(p.text, valueShut)
		if !found {
			return nil, false
		}
		p.text = strings.TrimLeft(rest, " \t\r\n")
		args.add(strings.TrimSpace(key), value)
	}
	return []textCall{{name, args.String()}}, true
}
