package agent

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/galley-ls/galley/memory"
)

// The same call failing this many times is told to the model, and then ends the run.
const (
	tellAt = 3
	stopAt = 5
)

// failing counts failed calls by tool and arguments.
type failing map[string]int

// count notes how a call ended and returns how often it has failed so by now.
func (f failing) count(c memory.ToolCall, failed bool) int {
	key := c.Name + " " + canonical(c.Arguments)
	if !failed {
		delete(f, key)
		return 0
	}
	f[key]++
	return f[key]
}

// failed reports whether a call did not do what it was made for. One that has a code beside a good status is no plain
// success: a command that ran, and said that it failed.
func failed(a Answer) bool {
	switch a.Status {
	case "": // it is not known
		return false
	case "ok", "editing", "committed", "proposed", "reverted":
		return a.Code != ""
	}
	return true
}

// canonical makes arguments equal that differ in blanks or in the order of their keys only.
func canonical(arguments string) string {
	var v any
	if json.Unmarshal([]byte(arguments), &v) != nil {
		return arguments
	}
	b, err := json.Marshal(v)
	if err != nil {
		return arguments
	}
	return string(b)
}

// watch looks for a call that fails again and again, or because it was cut short. The model is told in the answer
// itself, since nothing else may stand between a call and its answer.
func (r *run) watch(c memory.ToolCall, a Answer) string {
	failed := failed(a)
	n := r.failing.count(c, failed)
	if n >= stopAt && r.out.Reason == "" {
		r.stop(Repeated, fmt.Sprintf("stopped: %s failed %d times with the same arguments (%s); prompt again with another way to go", c.Name, n, argLine(r.mask(c.Arguments))))
	}
	var notices []string
	if c.ID == r.odd.call && r.odd.model != "" && (failed || !r.odd.failed) {
		notices = append(notices, r.odd.model)
	}
	if n >= tellAt {
		notices = append(notices, fmt.Sprintf(
			"This call has now failed %d times with the same arguments; at %d the run stops. Do not repeat it: read the text again and call with what is really there, or do something else.", n, stopAt))
	}
	if notices == nil {
		return a.Content
	}
	return withNotice(a.Content, strings.Join(notices, " "))
}

// withNotice adds a notice to an answer without changing the rest of it.
func withNotice(content, notice string) string {
	body := strings.TrimRight(content, " \t\r\n")
	if !json.Valid([]byte(body)) || !strings.HasPrefix(body, "{") {
		return content + "\n\n" + notice
	}
	text, err := json.Marshal(notice)
	if err != nil {
		return content
	}
	comma := ","
	if strings.TrimSpace(body[1:len(body)-1]) == "" {
		comma = ""
	}
	return body[:len(body)-1] + comma + `"notice":` + string(text) + "}"
}
