package openaitest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// refusal is the plain HTTP answer of a fault that has one for this request, else nil.
func (f Fault) refusal(a *ask) *answer {
	if f.http == nil {
		return nil
	}
	found, refused := f.refused(a)
	if !refused {
		return nil
	}
	return f.plainAnswer(found.with(values{"key": quoted(a.key), "model": quoted(a.model)}))
}

// plainAnswer is the HTTP answer of a fault.
func (f Fault) plainAnswer(v values) *answer {
	switch f.http[0] {
	case "HTTP reset":
		return &answer{end: endReset}
	case "HTTP closed":
		return &answer{end: endCut}
	}
	status, _ := strconv.Atoi(strings.TrimPrefix(f.http[0], "HTTP "))
	headers, body, _ := strings.Cut("\n"+strings.Join(f.http[1:], "\n"), "\n\n")
	out := jsonAnswer(status, f.expand(strings.TrimSpace(body), v))
	for line := range strings.Lines(headers) {
		if name, value, ok := strings.Cut(line, ":"); ok {
			out.header.Set(name, strings.TrimSpace(value))
		}
	}
	return out
}

// own is an answer of the server's own.
func own(name string, v values) *answer {
	all := ownAnswers()
	return all[slices.IndexFunc(all, func(f Fault) bool { return f.Name == name })].plainAnswer(v)
}

// refused looks for what the fault refuses in the outline of a request; the values are what it found.
func (f Fault) refused(a *ask) (values, bool) {
	if f.refuse == nil {
		return values{}, true
	}
	for _, found := range f.refuse.FindAllStringSubmatch(a.outline(), -1) {
		if f.unless != nil && f.unless.MatchString(found[0]) {
			continue
		}
		v := values{}
		for i, name := range f.refuse.SubexpNames() {
			v[name] = found[i]
		}
		return v, true
	}
	return nil, false
}

// outline is what refusals look at: the path, the fields, and the messages, a line each.
func (a *ask) outline() string {
	var b strings.Builder
	fmt.Fprintf(&b, "path %s\n", a.path)
	for _, field := range sortedFields(a.json) {
		if field != "messages" {
			fmt.Fprintf(&b, "field %s=%s\n", field, encode(a.json[field]))
		}
	}
	b.WriteString("messages\n")
	for i, m := range a.messages {
		fmt.Fprintf(&b, "message %d %s\n", i, encode(m))
	}
	return b.String()
}
