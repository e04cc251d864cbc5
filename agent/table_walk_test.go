package agent_test

import (
	"context"
	"strings"
	"testing"

	"github.com/galley-ls/galley/agent"
	"github.com/galley-ls/galley/agent/offline"
	"github.com/galley-ls/galley/editing"
)

const configFile = "{\n  \"features\": {\n    \"stable\": [\"A\", \"B\", \"C\"],\n    \"experimental\": []\n  }\n}\n"

const services = "# database\ndb:\n  timeout: 30\n\n# api\napi:\n  timeout: 30\n\n# cache\ncache:\n  timeout: 30\n"

// run lets the offline model work on a prompt.
func (b *bench) run(prompt string) agent.Outcome {
	b.t.Helper()
	out, err := agent.Run(context.Background(), agent.RunConfig{Session: agent.Local{Session: b.s.Session}, Model: offline.New(), Prompt: prompt})
	must(b.t, err)
	return out
}

// request is the conversation as the model would see it now.
func (b *bench) request() string {
	b.t.Helper()
	req, _, err := b.s.Request()
	must(b.t, err)
	var sb strings.Builder
	for _, m := range req.Messages {
		sb.WriteString(m.Role + ": " + m.Content + "\n")
	}
	return sb.String()
}

func (b *bench) states() string {
	var out []string
	for _, c := range b.s.Snapshot().Changes() {
		out = append(out, c.Letter+" "+string(c.State))
	}
	return strings.Join(out, ", ")
}

func wantIn(t *testing.T, s string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(s, p) {
			t.Errorf("%q is missing in\n%s", p, s)
		}
	}
}

func wantNot(t *testing.T, s string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if strings.Contains(s, p) {
			t.Errorf("%q should not be in\n%s", p, s)
		}
	}
}

func wantFile(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("file\n got %q\nwant %q", got, want)
	}
}

// The first walk of the design: six messages count, four go.
func TestWalkOne(t *testing.T) {
	b := newBench(t, map[string]string{"config.json": configFile}, editing.Auto)
	out := b.run(`task "enable feature X" then read config.json then replace '"experimental": []' with '"experimental": ["X"]' in config.json then commit "enable X"`)
	wantFile(t, b.file("config.json"), strings.Replace(configFile, "[]", `["X"]`, 1))
	wantIn(t, out.Text, "4 messages folded")
	req := b.request()
	wantIn(t, req, `"history_delta":{"messages_removed":4`, `"task":{"id":"1","state":"completed"}`, `"task_stack":"🌳 Done\n- ✅ #1 enable feature X → enable X"`, `"totals":"1 insertion, +3 chars"`, "summary: enable X", "✅ #1 enable feature X")
	wantNot(t, req, "stable") // the file that was read is folded away
}

// The second walk: candidates keep their letters while others are staged.
func TestWalkTwo(t *testing.T) {
	b := newBench(t, map[string]string{"services.yaml": services}, editing.Auto)
	a := args{"path": "services.yaml", "old_text": "timeout: 30", "new_text": "timeout: 60"}
	o := b.call("memory_notebook_replace", a)
	if o.Status != "needs_match" || len(o.Candidates) != 3 || o.SessionID != "sess-1" {
		t.Fatalf("%s", o.JSON())
	}
	lines := map[string]int{}
	for _, c := range o.Candidates {
		lines[c.ID] = c.Line
	}
	for i, id := range []string{"C", "A", "B"} {
		b.restart() // the list lasts from process to process
		a["match_id"] = id
		o := b.call("memory_notebook_replace", a)
		if o.Status != "editing" || len(o.PendingChanges) != i+1 {
			t.Fatalf("%s: %s", id, o.JSON())
		}
		for _, p := range o.PendingChanges {
			if p.Preview != "" && p.Line != lines[id] {
				t.Errorf("%s stands on line %d, was listed on %d", id, p.Line, lines[id])
			}
		}
	}
	a["match_id"] = "B"
	if o := b.call("memory_notebook_replace", a); o.Code != "match_used" {
		t.Errorf("B again: %s", o.JSON())
	}
	wantFile(t, b.file("services.yaml"), services)
	if o := b.call("memo_commit", args{"summary": "longer timeouts"}); o.Status != "committed" || *o.AppliedChanges != 3 {
		t.Fatalf("%s", o.JSON())
	}
	wantFile(t, b.file("services.yaml"), strings.ReplaceAll(services, "30", "60"))
}

// The third walk: a nested task, one letter applied, one rejected with a reason
// that the agent answers to, and a user's edit that shifts the rest.
func TestWalkThree(t *testing.T) {
	ctx := context.Background()
	b := newBench(t, map[string]string{"services.yaml": services}, editing.Ask)
	b.run(`task "tune the services" then task "the timeouts" then replace "timeout: 30" with "timeout: 60" in services.yaml everywhere then commit "longer timeouts"`)
	if got := b.states(); got != "A staged, B staged, C staged" {
		t.Fatal(got)
	}
	wantIn(t, b.s.TaskTree(), "[#1] tune the services", "✅ #2 the timeouts")
	if o := b.s.Apply(ctx, editing.Letters("B")); o.Status != "ok" {
		t.Fatalf("%s", o.JSON())
	}
	if o := b.s.Reject(ctx, editing.Letters("A"), "the database is slow already"); o.Status != "ok" {
		t.Fatalf("%s", o.JSON())
	}
	b.write("services.yaml", "# written by the user\n\n"+b.file("services.yaml"))
	if o := b.s.Apply(ctx, editing.Letters("C")); o.Status != "ok" {
		t.Fatalf("%s", o.JSON())
	}
	wantFile(t, b.file("services.yaml"), "# written by the user\n\n# database\ndb:\n  timeout: 30\n\n# api\napi:\n  timeout: 60\n\n# cache\ncache:\n  timeout: 60\n")
	b.run(`read services.yaml`)
	wantIn(t, b.request(), "assistant: A was rejected: the database is slow already", "[galley] ", "B applied", "A rejected: 'the database is slow already'", "C applied", "#1 is committed", "the user changed services.yaml at line 1")
	if es := b.s.OpenEdits(); len(es) != 0 {
		t.Errorf("still open: %+v", es[0])
	}
}

// Everything rejected: the task counts as reverted, and no byte is left.
func TestRejectedTask(t *testing.T) {
	b := newBench(t, map[string]string{"config.json": configFile}, editing.Ask)
	b.run(`task "enable X" then read config.json then replace '"experimental": []' with '"experimental": ["X"]' in config.json then commit "enable X"`)
	b.restart()
	b.s.Reject(context.Background(), editing.Letters("A"), "not now")
	b.run(`read config.json`)
	wantFile(t, b.file("config.json"), configFile)
	wantIn(t, b.s.TaskTree(), "↩")
	wantIn(t, b.request(), "tried, reverted", "not now")
}

// A reverted attempt stays as "tried, reverted, why", with none of its text.
func TestRevertFoldsWithoutText(t *testing.T) {
	b := newBench(t, map[string]string{"config.json": configFile}, editing.Ask)
	b.run(`task "enable X" then read config.json then replace "experimental" with "zebra" in config.json then revert "a bad idea"`)
	req := b.request()
	wantIn(t, req, "tried, reverted: a bad idea", "config.json (sha256 ")
	block := req[strings.Index(req, "<editing_session"):strings.Index(req, "</editing_session>")]
	wantNot(t, block, "zebra")
	wantIn(t, b.s.TaskTree(), "↩")
}
