package memory

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// after makes a session that carries over what the earlier ones of p know, and answers
// its overview.
func (p place) after(t *testing.T) (*Store, string) {
	t.Helper()
	s := p.create(t)
	s.Hide(NewSecrets([]string{"hunter2hunter2"}))
	ok(t, s.CarryOver(p.home))
	return s, readFile(t, s.Dir(), memoryDir, overviewFile)
}

func slotOf(text, slot string) string {
	_, text, _ = strings.Cut(text, "## "+slot+"\n")
	text, _, _ = strings.Cut(text, "\n## ")
	_, text, _ = strings.Cut(text, "-->\n")
	return strings.TrimRight(text, "\n")
}

// TestCarryOver: a new session knows the project, the principles and the facts of those
// before it, each from where it is; tasks, decisions and steps begin empty.
func TestCarryOver(t *testing.T) {
	p := newPlace(t)
	one, text := p.after(t)
	if first, err := newOverview(one.Meta()); err != nil || text != first || !one.First(p.home) {
		t.Fatalf("the first session knows something:\n%s", text)
	}
	path := filepath.Join(one.Dir(), memoryDir, overviewFile)
	text = strings.NewReplacer(
		`description: ""`, "description: a server", "tech_stack: {}", "tech_stack:\n    language: Go", "key_paths: {}", "key_paths: []",
		"whatever task. -->\n", "whatever task. -->\n- be brief\n- never hunter2hunter2\n",
		"look up again. -->\n", "look up again. -->\n<!-- mine -->\n\n- tests need\n  no network\n```\nmake test\n```\n### Build\n- with make\n",
	).Replace(text)
	writeFile(t, text, path)
	ok(t, one.Event(Event{Type: EventFact, Text: "from an event"}))
	ok(t, one.Event(Event{Type: EventDecision, Text: "a decision"}))
	ok(t, one.Event(Event{Type: EventTaskStarted, Task: 1, Text: "a task"}))

	two, text := p.after(t)
	from := "From session " + one.ID() + " of " + one.Meta().Created.Format(time.DateOnly)
	if want := from + ":\n- be brief\n- never [secret]"; strings.ReplaceAll(slotOf(text, slotPrinciples), carriedMark, "") != want {
		t.Errorf("principles:\n%s", slotOf(text, slotPrinciples))
	}
	facts := from + ":\n- tests need\n  no network\nmake test\n- from an event\n**Build**\n- with make"
	if got := strings.ReplaceAll(slotOf(text, slotFacts), carriedMark, ""); got != facts {
		t.Errorf("facts:\n%s\nwant\n%s", got, facts)
	}
	for _, want := range []string{"# " + from + "\nproject:\n", "  description: a server\n  tech_stack:\n    language: Go\n  key_paths: {}\n", "session_id: " + two.ID(), "status: idle\ntask: \"\"\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	for _, no := range []string{"a decision", "a task", "hunter2"} {
		if strings.Contains(text, no) {
			t.Errorf("%q was carried over", no)
		}
	}
	if taught(text) || two.First(p.home) {
		t.Error("what was carried over counts as the model's own, or this is the first session")
	}
	if o := two.overview(0); len(o.warnings) != 0 {
		t.Errorf("warnings %q", o.warnings)
	}

	// The third knows what the second learnt, and where the rest came from first.
	ok(t, two.Event(Event{Type: EventFact, Text: "learnt later"}))
	three, text := p.after(t)
	got := strings.ReplaceAll(slotOf(text, slotFacts), carriedMark, "")
	if !strings.HasPrefix(got, from+":\n- tests need\n") || !strings.HasSuffix(got, "From session "+two.ID()+" of "+two.Meta().Created.Format(time.DateOnly)+":\n- learnt later") {
		t.Errorf("the third knows\n%s", got)
	}
	ok(t, three.CarryOver(p.home))
	ok(t, two.CarryOver(p.home))
	if readFile(t, three.Dir(), memoryDir, overviewFile) != text {
		t.Error("it is carried over twice")
	}
}

// TestCarryOverOfWhatIsOdd: an overview that is damaged, huge, or another workspace's is
// passed over for the one before it.
func TestCarryOverOfWhatIsOdd(t *testing.T) {
	p := newPlace(t)
	one := p.create(t)
	ok(t, one.Event(Event{Type: EventFact, Text: "worth it"}))
	for name, spoil := range map[string]func(dir string) error{
		"gone": func(dir string) error { return os.Remove(filepath.Join(dir, memoryDir, overviewFile)) },
		"no text": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, memoryDir, overviewFile), []byte("\x00\xff"), 0o600)
		},
		"huge": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, memoryDir, overviewFile), []byte("## Known facts\n"+strings.Repeat("- x\n", 1<<19)), 0o600)
		},
		"of another": func(dir string) error { return writeMeta(dir, Meta{Version: FormatVersion, Workspace: "/elsewhere"}) },
		"broken front": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, memoryDir, overviewFile), []byte("---\nproject: [\n---\n"), 0o600)
		},
	} {
		t.Run(name, func(t *testing.T) {
			odd := p.create(t)
			ok(t, odd.Close())
			ok(t, spoil(odd.Dir()))
			s, text := p.after(t)
			if !strings.Contains(text, "- worth it"+carriedMark) {
				t.Errorf("carried over:\n%s", text)
			}
			ok(t, s.Close())
			ok(t, os.RemoveAll(s.Dir()))
			ok(t, os.RemoveAll(odd.Dir()))
		})
	}
	many := p.create(t)
	ok(t, many.Close())
	writeFile(t, "## Known facts\n"+strings.Repeat("- a fact of some length\n", 500)+"- the newest\n", many.Dir(), memoryDir, overviewFile)
	if _, text := p.after(t); len(text) > 6<<10 || !strings.Contains(text, "- the newest"+carriedMark) {
		t.Errorf("%d bytes", len(text))
	}
}
