package memory

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestNewOverview(t *testing.T) {
	m := Meta{ID: "01ARZ3NDEKTSV4RRFFQ69G5FAV", Workspace: "/home/me/app", Created: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	text, err := newOverview(m)
	ok(t, err)
	if want := readFile(t, "testdata", "overview.md"); text != want {
		t.Errorf("got:\n%s\nwant:\n%s", text, want)
	}
	front, _, err := splitFront(text)
	ok(t, err)
	f, err := parseFront(front)
	ok(t, err)
	if f.Version != 1 || f.SessionID != m.ID || f.Project.Name != "app" || f.Status != "idle" {
		t.Errorf("front matter: %+v", f)
	}
}

// TestEvents plays every event on the template; each changes what it says.
func TestEvents(t *testing.T) {
	for _, c := range []struct {
		name   string
		events []Event
		want   []string
	}{
		{"task started", []Event{{Type: EventTaskStarted, Task: 4, Text: "update: configuration"}}, []string{
			"status: working\n", "task: \"#4 update: configuration\"\n", "later. -->\n- started #4: update: configuration <!-- galley -->\n",
		}},
		{"task completed, its parent goes on", []Event{{Type: EventTaskCompleted, Task: 4, Text: "configure", Summary: "done", Current: "#2 add Y"}}, []string{
			"status: working\n", "task: \"#2 add Y\"\n", "- completed #4: configure → done <!-- galley -->\n",
		}},
		{"task reverted, nothing goes on", []Event{{Type: EventTaskReverted, Task: 4, Text: "configure", Summary: "broke the build"}}, []string{
			"status: idle\n", "task: \"\"\n", "- tried and reverted #4: configure → broke the build <!-- galley -->\n",
		}},
		{"decision", []Event{{Type: EventDecision, Text: "keep the\nold name"}, {Type: EventDecision, Text: "keep the old name"}}, []string{
			"Newest last. -->\n- keep the old name <!-- galley -->\n\n## Known facts",
		}},
		{"fact", []Event{{Type: EventFact, Text: "tests need --> no network"}}, []string{"- tests need -- > no network <!-- galley -->\n"}},
		{"issues", []Event{
			{Type: EventIssue, Text: "flaky test", Severity: "low", Proposal: "await the port"},
			{Type: EventIssue, Text: "slow build"},
			{Type: EventIssue, ID: "issue-1", Status: "closed"},
		}, []string{
			"issues:\n  - id: issue-1\n    title: flaky test\n    status: closed\n    severity: low\n    proposal: await the port\n  - id: issue-2\n    title: slow build\n    status: open\n",
		}},
		{"edit closed", []Event{{Type: EventEditClosed, Edit: 3, State: "committed", Text: "X on", Files: []string{"a.json", "b.go"}, Decisions: []string{"Y stays off"}}}, []string{
			"- edit #3 committed: X on (a.json, b.go) <!-- galley -->\n", "- Y stays off <!-- galley -->\n",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStore(t)
			for _, e := range c.events {
				ok(t, s.Event(e))
			}
			text := readFile(t, s.Dir(), memoryDir, overviewFile)
			for _, want := range append(c.want, "last_updated: \"2026-01-02T03:04:05Z\"\n") {
				if !strings.Contains(strings.ReplaceAll(text, "newest last. -->", "later. -->"), want) {
					t.Errorf("%q is missing in\n%s", want, text)
				}
			}
			if o := s.overview(0); len(o.warnings) != 0 {
				t.Errorf("warnings: %q", o.warnings)
			}
			if got := len(s.Query(JournalQuery{Types: []string{TypeMemory}})); got != len(c.events) {
				t.Errorf("%d events are journaled", got)
			}
		})
	}
	if err := newStore(t).Event(Event{Type: "party"}); err == nil {
		t.Error("an unknown event is taken")
	}
}

func TestRecentStepsStayFew(t *testing.T) {
	s := newStore(t)
	text, hash, err := s.ReadMemory(overviewFile)
	ok(t, err)
	_, err = s.WriteMemory(overviewFile, strings.Replace(text, "## Recent steps\n", "## Recent steps\n- my own step\n", 1), hash)
	ok(t, err)
	for n := range 2 * maxSteps {
		ok(t, s.Event(Event{Type: EventTaskStarted, Task: n, Text: "x"}))
	}
	text = readFile(t, s.Dir(), memoryDir, overviewFile)
	if n := strings.Count(text, "- started #"); n != maxSteps || !strings.Contains(text, "- my own step\n") || !strings.Contains(text, fmt.Sprintf("#%d:", 2*maxSteps-1)) {
		t.Errorf("%d steps in\n%s", n, text)
	}
}

func TestDetailIndex(t *testing.T) {
	s := newStore(t)
	one, err := s.WriteMemory("detail/api.md", "---\n# The API — as it is\ntext", "")
	ok(t, err)
	_, err = s.WriteMemory("detail/api.md", "# The API, anew\n", one)
	ok(t, err)
	_, err = s.WriteMemory("archive/old.md", "# Old\n", "")
	ok(t, err)
	ok(t, s.Tend(true))
	text := readFile(t, s.Dir(), memoryDir, overviewFile)
	if !strings.HasSuffix(text, "needed. -->\n- detail/api.md — The API, anew <!-- galley -->\n- archive/old.md — Old <!-- galley -->\n") {
		t.Errorf("the index in\n%s", text)
	}
}

// TestFrontMatterKeepsWhatIsNotCodes: other keys, their order, comments, styles
// and line endings stay byte for byte.
func TestFrontMatterKeepsWhatIsNotCodes(t *testing.T) {
	const front = "# mine\nversion: 1\nmood:   {good: yes,  bad: no}\ntask: |\n  two\n  lines\n\n# about the status\nstatus: idle # for now\nlist:\n- a\n-  b\n"
	got, err := setKey(front, "task", "#1 x")
	ok(t, err)
	want := strings.Replace(front, "task: |\n  two\n  lines\n", "task: \"#1 x\"\n", 1)
	if got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	if got, err = setKey(front, "fresh", []string{"a"}); err != nil || got != front+"fresh:\n  - a\n" {
		t.Errorf("a new key: %v\n%s", err, got)
	}
	if got, err = setKey(front, "list", []string{}); err != nil || got != strings.Replace(front, "list:\n- a\n-  b\n", "list: []\n", 1) {
		t.Errorf("the last key: %v\n%s", err, got)
	}
	crlf := strings.ReplaceAll(front, "\n", "\r\n")
	if got, err = setKey(crlf, "task", "#1 x"); err != nil || got != strings.ReplaceAll(want, "\n", "\r\n") {
		t.Errorf("CRLF: %v\n%q", err, got)
	}
	if got, err = setKey("", "task", "x"); err != nil || got != "task: x\n" {
		t.Errorf("empty: %v %q", err, got)
	}
	if got, err = setKey("a: [\n", "task", "x"); err == nil || got != "a: [\n" {
		t.Errorf("invalid: %v %q", err, got)
	}
}

// TestEventsNeverTouchProse: whatever a model made of the overview, an event
// adds lines of its own and changes front matter; all else stays.
func TestEventsNeverTouchProse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.SampledFrom([]string{
			"## Current task", "## Key decisions", "# Recent steps", "## recent steps", "## Detail index", "```", "# not in a fence",
			"- mine", "prose", "", "  ", "---", "task: prose", "- old <!-- galley -->", "<!-- a comment", "-->", "\t#x",
		})
		eol := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "eol")
		body := strings.Join(rapid.SliceOfN(line, 0, 15).Draw(t, "body"), eol)
		text := body
		if rapid.Bool().Draw(t, "front") {
			text = "---" + eol + "version: 1" + eol + "mine: {a: 1}" + eol + "task: x" + eol + "---" + eol + body
		}
		e := Event{Type: rapid.SampledFrom([]string{EventTaskStarted, EventDecision, EventFact, EventIssue, EventEditClosed, eventIndexed}).Draw(t, "type"), Text: "t", Path: "detail/x.md", State: "committed", Index: []string{"detail/x.md — x", "archive/y.md — y"}}
		after := e.apply(text, time.Unix(0, 0))
		if got, want := prose(after), prose(text); !strings.HasPrefix(got, want) {
			t.Fatalf("event %s\nbefore %q\nafter  %q", e.Type, text, after)
		}
		if again := e.apply(after, time.Unix(0, 0)); e.Type != EventIssue && again != after {
			t.Fatalf("event %s twice\nonce  %q\ntwice %q", e.Type, after, again)
		}
	})
}

// prose is an overview without what code may change: its own lines, the keys of
// the front matter that are its, and blanks.
func prose(text string) string {
	front, body, err := splitFront(text)
	if err != nil {
		front = ""
	}
	var kept []string
	for l := range strings.Lines(front) {
		if !strings.HasPrefix(l, "task:") && !strings.HasPrefix(l, "status:") && !strings.HasPrefix(l, "last_updated:") && !strings.HasPrefix(l, "issues:") && !strings.HasPrefix(l, "  ") {
			kept = append(kept, strings.TrimSpace(l))
		}
	}
	for l := range strings.Lines(body) {
		if l = strings.TrimRight(l, "\r\n"); !isCode(l) && strings.TrimSpace(l) != "" {
			kept = append(kept, l)
		}
	}
	return strings.Join(kept, "\n")
}

// TestU62TheOverviewIsMadeAnew: it is there again after it was removed or emptied, with
// the next event or request, in the middle of a session and at its opening.
func TestU62TheOverviewIsMadeAnew(t *testing.T) {
	for name, spoil := range map[string]func(path string) error{
		"removed": os.Remove,
		"emptied": func(path string) error {
			return errors.Join(os.WriteFile(path, nil, 0o600), os.Chtimes(path, time.Time{}, time.Unix(1e9, 0)))
		},
		"blank":                  func(path string) error { return os.WriteFile(path, []byte("\ufeff \r\n\n"), 0o600) },
		"its folder was removed": func(path string) error { return os.RemoveAll(filepath.Dir(path)) },
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			s := p.create(t)
			path := filepath.Join(s.Dir(), memoryDir, overviewFile)
			template := readFile(t, path)
			ok(t, spoil(path))
			ok(t, s.Tend(true))
			if readFile(t, path) != template {
				t.Errorf("tended:\n%s", readFile(t, path))
			}
			ok(t, spoil(path))
			ok(t, s.Event(Event{Type: EventFact, Text: "x"}))
			if got := readFile(t, path); !strings.Contains(got, "- x <!-- galley -->") || !strings.HasPrefix(got, "---\nversion: 1\n") {
				t.Errorf("with an event:\n%s", got)
			}
			_, seen, err := s.ReadMemory(overviewFile)
			ok(t, err)
			if _, err := s.WriteMemory(overviewFile, " \n", seen); err != nil || readFile(t, path) != template {
				t.Errorf("written blank: %v", err)
			}
			ok(t, spoil(path))
			p.reopen(t, s)
			if readFile(t, path) != template {
				t.Error("an opening makes it as it was")
			}
		})
	}
}

// FuzzOverview: no text that a model or an editor may leave makes an event or a
// request stumble, or lose a line of it.
func FuzzOverview(f *testing.F) {
	f.Add("---\nversion: 1\nissues:\n- id: a\n---\n## Recent steps\n", "text")
	f.Add("---\n&a [*a, {? x: !!y z}]\n---\n", "## x")
	f.Add("---\nissues:\n- 5: a key that the YAML library panics on\n---\n", "x")
	f.Add("---\na: |\n  b\n...\n---\n```\n", "")
	f.Fuzz(func(t *testing.T, text, what string) {
		for _, typ := range []string{EventTaskStarted, EventIssue, EventEditClosed} {
			after := Event{Type: typ, Text: what, State: "committed"}.apply(text, time.Unix(0, 0))
			_, body, _ := splitFront(text)
			for l := range strings.Lines(body) {
				if l = strings.TrimRight(l, "\r\n"); !isCode(l) && !strings.Contains(after, l) {
					t.Fatalf("%q is lost", l)
				}
			}
		}
		if readable(text) {
			front, body, err := splitFront(text)
			_, _ = parseFront(front)
			if err == nil && joinFront(text, front, body) == "" {
				t.Fatal("it is lost")
			}
			if front, body := unclosed(text); !strings.HasSuffix(text, front+body) {
				t.Fatalf("%q and %q are no end of it", front, body)
			}
			indexed := setIndex(body, []string{"detail/a.md — " + oneLine(what)})
			if again := setIndex(indexed, []string{"detail/a.md — " + oneLine(what)}); again != indexed || prose(indexed) != prose(body) && !strings.HasPrefix(prose(indexed), prose(body)) {
				t.Fatalf("the index in\n%q\nis\n%q\nand\n%q", body, indexed, again)
			}
			cutLines(text, 50)
		}
	})
}
