package run

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/galley-ls/galley/agent"
)

// docs/terminal.md names every event of galley run --json with its fields.
func TestEventsPage(t *testing.T) {
	page, err := os.ReadFile("../../../../docs/terminal.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "\n### Events\n")
	table, _, _ = strings.Cut(table, "\n## ")
	lines := map[string]any{
		"opened": opened{}, "command_started": commandLine{}, "stopping": interrupted{}, "ended": ending{},
	}
	for _, e := range append(everyEvent(), agent.Started{}) {
		lines[e.Kind()] = e
	}
	for kind, line := range lines {
		_, row, found := strings.Cut(table, "\n| `"+kind+"` | ")
		row, _, _ = strings.Cut(row, "\n")
		for i := range reflect.TypeOf(line).NumField() {
			name, _, _ := strings.Cut(reflect.TypeOf(line).Field(i).Tag.Get("json"), ",")
			if name != "event" && name != "-" && !strings.Contains(row, "`"+name+"`") && !strings.Contains(row, name+" ") {
				t.Errorf("docs/terminal.md: the event %s does not name %s", kind, name)
			}
		}
		if !found {
			t.Errorf("docs/terminal.md does not name the event %s", kind)
		}
	}
	if strings.Count(table, "\n| `") != len(lines)+1 {
		t.Errorf("docs/terminal.md has events that are none")
	}
}
