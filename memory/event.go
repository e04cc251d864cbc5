package memory

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
)

// Event is something that overview.md should know without the model having to
// write it.
type Event struct {
	Type string `json:"type"`
	Text string `json:"text"` // the goal, decision, issue, fact or summary

	Task    int    `json:"task,omitempty"`    // task_…: its number
	Summary string `json:"summary,omitempty"` // task_completed, task_reverted: how it ended
	Current string `json:"current,omitempty"` // task_…: the goal of the task that goes on after it
	Next    []Next `json:"next,omitempty"`    // task_…: what waits behind it

	Edit      int      `json:"edit,omitempty"`      // edit_closed: its number
	State     string   `json:"state,omitempty"`     // edit_closed: committed or reverted
	Files     []string `json:"files,omitempty"`     // edit_closed: what it changed
	Decisions []string `json:"decisions,omitempty"` // edit_closed: key decisions

	ID       string `json:"id,omitempty"` // issue: an earlier one to change, "" for a new one
	Severity string `json:"severity,omitempty"`
	Status   string `json:"status,omitempty"`
	Proposal string `json:"proposal,omitempty"`

	Path string `json:"path,omitempty"` // compacted: the file that has the text

	Index []string `json:"-"` // indexed: the files beside the overview, and what they hold
}

// Next is a task that waits.
type Next struct {
	Task int    `json:"task"`
	Goal string `json:"goal"`
}

// Types of events.
const (
	EventTaskStarted   = "task_started"
	EventTaskCompleted = "task_completed"
	EventTaskReverted  = "task_reverted"
	EventTaskPlanned   = "task_planned" // one that waits has another goal
	EventDecision      = "decision"
	EventIssue         = "issue"
	EventFact          = "fact"
	EventEditClosed    = "edit_closed"
	EventCompacted     = "compacted" // the conversation, into the file Path

	eventIndexed = "indexed" // the files in detail/ and archive/; never journaled
)

// codeMark ends every line of overview.md that code wrote. Lines without it are
// the model's or the user's, and code leaves them alone.
const codeMark = " <!-- galley -->"

// carriedMark ends every line that was carried over from an earlier session.
const carriedMark = " <!-- galley: carried over -->"

// Asked is what of the event the agent asked for, or passed: the rest is what galley saw.
func (e Event) Asked() (all []Event) {
	switch e.Type {
	case EventDecision, EventIssue, EventFact, EventCompacted:
		return []Event{e}
	}
	for _, d := range e.Decisions {
		all = append(all, Event{Type: EventDecision, Text: d})
	}
	return all
}

// maxSteps is how many of its own lines code keeps under recent steps.
const maxSteps = 20

// Event brings overview.md up to date with events, now or as soon as it can be written.
func (s *Store) Event(events ...Event) error {
	for _, e := range events {
		if !knownEvent(e.Type) {
			return fmt.Errorf("no event is called %q", e.Type)
		}
	}
	s.files.Lock()
	defer s.files.Unlock()
	if err := s.writable(); err != nil {
		return err
	}
	return s.updateLocked(false, events...)
}

func knownEvent(typ string) bool {
	return slices.Contains([]string{
		EventTaskStarted, EventTaskCompleted, EventTaskReverted, EventTaskPlanned,
		EventDecision, EventIssue, EventFact, EventEditClosed, EventCompacted,
	}, typ)
}

// apply is the overview with the event in it.
func (e Event) apply(text string, at time.Time) string {
	front, body, err := splitFront(text)
	was := body
	for _, l := range e.lines() {
		body = addLine(body, l.slot, l.text)
	}
	switch {
	case e.Type == eventIndexed:
		body = setIndex(body, e.Index)
		return text[:len(text)-len(was)] + body
	case err != nil:
		return body
	}
	for _, k := range e.keys(front, at) {
		changed, err := setKey(front, k.Key.(string), k.Value)
		if err != nil {
			break // the request warns of it; half a front matter is worse
		}
		front = changed
	}
	return joinFront(text, front, body)
}

type slotLine struct{ slot, text string }

// lines is what the event adds to the slots.
func (e Event) lines() []slotLine {
	text := e.Text
	if e.Summary != "" && e.Summary != e.Text {
		text += " → " + e.Summary
	}
	switch e.Type {
	case EventTaskStarted:
		return []slotLine{{slotSteps, fmt.Sprintf("started #%d: %s", e.Task, text)}}
	case EventTaskCompleted:
		return []slotLine{{slotSteps, fmt.Sprintf("completed #%d: %s", e.Task, text)}}
	case EventTaskReverted:
		return []slotLine{{slotSteps, fmt.Sprintf("tried and reverted #%d: %s", e.Task, text)}}
	case EventDecision:
		return []slotLine{{slotDecisions, text}}
	case EventFact:
		return []slotLine{{slotFacts, text}}
	case EventIssue:
		if e.ID == "" {
			return []slotLine{{slotSteps, "found: " + text}}
		}
		return []slotLine{{slotSteps, strings.Join(slices.DeleteFunc([]string{e.ID, e.Status, text}, func(s string) bool { return s == "" }), ": ")}}
	case EventCompacted:
		return []slotLine{{slotSteps, "older conversation went to " + e.Path + ": " + text}}
	case EventEditClosed:
		return e.editLines()
	}
	return nil
}

func (e Event) editLines() []slotLine {
	step := fmt.Sprintf("edit #%d %s: %s", e.Edit, e.State, e.Text)
	if len(e.Files) > 0 {
		step += " (" + strings.Join(e.Files, ", ") + ")"
	}
	lines := []slotLine{{slotSteps, step}}
	for _, d := range e.Decisions {
		lines = append(lines, slotLine{slotDecisions, d})
	}
	return lines
}

// keys is what the event changes in the front matter.
func (e Event) keys(front string, at time.Time) yaml.MapSlice {
	keys := yaml.MapSlice{{Key: "last_updated", Value: stamp(at)}}
	switch e.Type {
	case EventTaskStarted:
		keys = append(keys, yaml.MapItem{Key: "status", Value: "working"}, yaml.MapItem{Key: "task", Value: fmt.Sprintf("#%d %s", e.Task, oneLine(e.Text))})
		keys = append(keys, e.nextActions(front)...)
	case EventTaskPlanned:
		keys = append(keys, e.nextActions(front)...)
	case EventTaskCompleted, EventTaskReverted:
		status := "working"
		if e.Current == "" {
			status = "idle"
		}
		keys = append(keys, yaml.MapItem{Key: "status", Value: status}, yaml.MapItem{Key: "task", Value: oneLine(e.Current)})
		keys = append(keys, e.nextActions(front)...)
	case EventIssue:
		if issues, err := e.issues(front); err == nil {
			keys = append(keys, yaml.MapItem{Key: "issues", Value: issues})
		}
	}
	return keys
}

// ofTask begins a next action that code wrote.
var ofTask = Pattern(`^#[0-9]+ `)

// nextActions are those that somebody wrote, and the tasks that wait; none if they are
// what stands there.
func (e Event) nextActions(front string) yaml.MapSlice {
	var f struct {
		NextActions []any `yaml:"next_actions"`
	}
	if decodeFront(front, &f) != nil {
		return nil
	}
	next := slices.DeleteFunc(slices.Clone(f.NextActions), func(a any) bool {
		text, ok := a.(string)
		return ok && ofTask().MatchString(text)
	})
	for _, n := range e.Next {
		next = append(next, fmt.Sprintf("#%d %s", n.Task, oneLine(n.Goal)))
	}
	if len(next) == 0 && len(f.NextActions) == 0 || reflect.DeepEqual(next, f.NextActions) {
		return nil
	}
	return yaml.MapSlice{{Key: "next_actions", Value: append([]any{}, next...)}}
}

// issues is the list of issues with this one added, or changed if it is there.
// Fields of others that code does not know are kept.
func (e Event) issues(front string) ([]yaml.MapSlice, error) {
	issues, err := issuesOf(front)
	if err != nil {
		return nil, err
	}
	given := yaml.MapSlice{}
	for _, kv := range []struct{ key, value string }{
		{"id", e.ID}, {"title", oneLine(e.Text)}, {"severity", e.Severity}, {"status", e.Status}, {"proposal", oneLine(e.Proposal)},
	} {
		if kv.value != "" {
			given = append(given, yaml.MapItem{Key: kv.key, Value: kv.value})
		}
	}
	for i, known := range issues {
		if e.ID != "" && fmt.Sprint(known.ToMap()["id"]) == e.ID {
			issues[i] = overlay(known, given)
			return issues, nil
		}
	}
	last := 0
	for _, known := range issues {
		var n int
		_, _ = fmt.Sscanf(fmt.Sprint(known.ToMap()["id"]), "issue-%d", &n) // others have ids of their own
		last = max(last, n)
	}
	fresh := overlay(yaml.MapSlice{{Key: "id", Value: fmt.Sprintf("issue-%d", last+1)}, {Key: "title", Value: ""}, {Key: "status", Value: "open"}}, given)
	return append(issues, fresh), nil
}

func overlay(base, over yaml.MapSlice) yaml.MapSlice {
	out := slices.Clone(base)
	for _, kv := range over {
		i := slices.IndexFunc(out, func(have yaml.MapItem) bool { return have.Key == kv.Key })
		if i < 0 {
			out = append(out, kv)
			continue
		}
		out[i].Value = kv.Value
	}
	return out
}

// oneLine puts a text on one line that cannot end a comment or begin one.
func oneLine(s string) string {
	s = strings.ReplaceAll(strings.ReplaceAll(s, "<!--", "<! --"), "-->", "-- >")
	return strings.Join(strings.Fields(strings.ToValidUTF8(s, "�")), " ")
}
