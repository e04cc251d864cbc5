package memory

import (
	"errors"
	"fmt"
	"os"
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

	Edit      int      `json:"edit,omitempty"`      // edit_closed: its number
	State     string   `json:"state,omitempty"`     // edit_closed: committed or reverted
	Files     []string `json:"files,omitempty"`     // edit_closed: what it changed
	Decisions []string `json:"decisions,omitempty"` // edit_closed: key decisions

	ID       string `json:"id,omitempty"` // issue: an earlier one to change, "" for a new one
	Severity string `json:"severity,omitempty"`
	Status   string `json:"status,omitempty"`
	Proposal string `json:"proposal,omitempty"`

	Path string `json:"path,omitempty"` // the file in detail/ that was written
}

// Types of events.
const (
	EventTaskStarted   = "task_started"
	EventTaskCompleted = "task_completed"
	EventTaskReverted  = "task_reverted"
	EventDecision      = "decision"
	EventIssue         = "issue"
	EventFact          = "fact"
	EventEditClosed    = "edit_closed"
	EventCompacted     = "compacted" // the conversation, into the file Path

	eventDetail = "detail_written"
)

// codeMark ends every line of overview.md that code wrote. Lines without it are
// the model's or the user's, and code leaves them alone.
const codeMark = " <!-- galley -->"

// maxSteps is how many of its own lines code keeps under recent steps.
const maxSteps = 20

// Event brings overview.md up to date. What cannot be updated, such as front
// matter that is no YAML any more, is left as it is; a request says so.
func (s *Store) Event(e Event) error {
	if !knownEvent(e.Type) {
		return fmt.Errorf("no event is called %q", e.Type)
	}
	s.files.Lock()
	defer s.files.Unlock()
	if err := s.writable(); err != nil {
		return err
	}
	return s.eventLocked(e)
}

func knownEvent(typ string) bool {
	return slices.Contains([]string{
		EventTaskStarted, EventTaskCompleted, EventTaskReverted,
		EventDecision, EventIssue, EventFact, EventEditClosed, EventCompacted,
	}, typ)
}

// eventTries is how often an event reads the overview again when somebody else
// has written it meanwhile.
const eventTries = 10

func (s *Store) eventLocked(e Event) error {
	if err := s.ensureOverviewLocked(); err != nil {
		return err
	}
	root, name, err := s.memoryRoot(overviewFile)
	if err != nil {
		return err
	}
	defer root.Close()
	at := s.now()
	for range eventTries {
		hash, after, tried := s.writeEvent(root, name, e, at)
		if err = tried; err == nil {
			s.trail.add(eventStep{hash, after, e, at})
			break
		}
		if stale := (*StaleError)(nil); !errors.As(err, &stale) {
			return err
		}
	}
	if err != nil {
		return err
	}
	return s.note(TypeMemory, memoryPayload{Path: name, Hash: s.trail.last(), Event: &e})
}

func (s *Store) writeEvent(root *os.Root, name string, e Event, at time.Time) (before, after string, err error) {
	text, before, err := readIn(root, name)
	if err != nil {
		return "", "", err
	}
	after, err = swapIn(root, name, s.Mask(e.apply(text, at)), before)
	return before, after, err
}

// apply is the overview with the event in it.
func (e Event) apply(text string, at time.Time) string {
	front, body, err := splitFront(text)
	for _, l := range e.lines() {
		body = addLine(body, l.slot, l.text)
	}
	if err != nil {
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
	case eventDetail:
		return []slotLine{{slotDetail, e.Path + " — " + text}}
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
	case EventTaskCompleted, EventTaskReverted:
		status := "working"
		if e.Current == "" {
			status = "idle"
		}
		keys = append(keys, yaml.MapItem{Key: "status", Value: status}, yaml.MapItem{Key: "task", Value: oneLine(e.Current)})
	case EventIssue:
		if issues, err := e.issues(front); err == nil {
			keys = append(keys, yaml.MapItem{Key: "issues", Value: issues})
		}
	}
	return keys
}

// issues is the list of issues with this one added, or changed if it is there.
// Fields of others that code does not know are kept.
func (e Event) issues(front string) ([]yaml.MapSlice, error) {
	var f struct {
		Issues []yaml.MapSlice `yaml:"issues"`
	}
	if err := decodeFront(front, &f); err != nil {
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
	for i, known := range f.Issues {
		if e.ID != "" && fmt.Sprint(known.ToMap()["id"]) == e.ID {
			f.Issues[i] = overlay(known, given)
			return f.Issues, nil
		}
	}
	fresh := overlay(yaml.MapSlice{{Key: "id", Value: fmt.Sprintf("issue-%d", len(f.Issues)+1)}, {Key: "title", Value: ""}, {Key: "status", Value: "open"}}, given)
	return append(f.Issues, fresh), nil
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
