package agent_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/galley-ls/galley/agent"
	"github.com/galley-ls/galley/agent/model"
	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/memory"
)

// set opens a session with one setting turned.
func set(t *testing.T, files map[string]string, review editing.Policy, change func(cfg *session.Config)) *bench {
	t.Helper()
	b := newBench(t, files, review)
	change(&b.cfg)
	b.restart()
	return b
}

// matching.auto_select_single_match off: a single place is a candidate, too.
func TestNoAutoSelect(t *testing.T) {
	b := set(t, map[string]string{"a.txt": "one\ntwo\n"}, editing.Auto, func(cfg *session.Config) { cfg.NoAutoSelect = true })
	a := args{"path": "a.txt", "old_text": "one", "new_text": "1"}
	o := b.call("memory_notebook_replace", a)
	if o.Status != "needs_match" || o.Code != "ambiguous" || len(o.Candidates) != 1 || o.Candidates[0].ID != "A" || *o.Total != 1 {
		t.Fatalf("%s", o.JSON())
	}
	wantIn(t, o.Hint, "there is one place", "match_id")
	if got := b.states(); got != "" {
		t.Fatalf("staged without a choice: %s", got)
	}
	a["match_id"] = "A"
	if o := b.call("memory_notebook_replace", a); o.Status != "editing" {
		t.Fatalf("%s", o.JSON())
	}
	if o := b.call("memory_notebook_replace", args{"path": "a.txt", "old_text": "one", "new_text": "1"}); o.Status == "editing" {
		t.Errorf("staged twice: %s", o.JSON())
	}
	o = b.call("memory_notebook_replace_span", args{"path": "a.txt", "old_span_start": "two", "old_span_end": "two", "new_text": "2"})
	if o.Status != "needs_match" || len(o.Candidates) != 1 {
		t.Fatalf("a span: %s", o.JSON())
	}
	if o := b.call("memo_commit_auto", args{}); o.Status != "committed" || *o.AppliedChanges != 2 {
		t.Fatalf("%s", o.JSON())
	}
	wantFile(t, b.file("a.txt"), "1\n2\n")
}

// matching.smart_recommendation off: none of several places is advised, and none is taken unasked.
func TestNoRecommendation(t *testing.T) {
	b := set(t, map[string]string{"services.yaml": services}, editing.Auto, func(cfg *session.Config) { cfg.NoRecommendation = true })
	b.call("memo_begin_task", args{"goal": "give the cache more time"})
	o := b.call("memory_notebook_replace", args{"path": "services.yaml", "old_text": "timeout: 30", "new_text": "timeout: 60"})
	if o.Status != "needs_match" || len(o.Candidates) != 3 {
		t.Fatalf("%s", o.JSON())
	}
	for _, c := range o.Candidates {
		if c.Recommended || c.Why != "" {
			t.Errorf("%s is recommended: %s", c.ID, c.Why)
		}
	}
	wantNot(t, o.Hint, "recommended")
	if o := b.call("memo_commit_auto", args{}); o.Status != "reverted" || *o.AppliedChanges != 0 {
		t.Fatalf("%s", o.JSON())
	}
	wantFile(t, b.file("services.yaml"), services)
}

// tasks.show_tree_in_prompt off.
func TestNoTaskTree(t *testing.T) {
	for _, off := range []bool{false, true} {
		b := set(t, map[string]string{"a.txt": "one\n"}, editing.Ask, func(cfg *session.Config) { cfg.NoTaskTree = off })
		b.call("memo_begin_task", args{"goal": "the goal"})
		if got := strings.Contains(b.request(), "<tasks>"); got == off {
			t.Errorf("off %v, and the tree is shown: %v", off, got)
		}
		wantIn(t, b.s.TaskTree(), "the goal") // people see it
	}
}

// tasks.auto_pop_on_commit is what auto_pop_task is, where it is left out.
func TestNoAutoPop(t *testing.T) {
	for _, c := range []struct {
		off  bool
		args args
		tool string
		pops bool
	}{
		{false, args{"summary": "s"}, "memo_commit", true},
		{false, args{"summary": "s", "auto_pop_task": false}, "memo_commit", false},
		{true, args{"summary": "s"}, "memo_commit", false},
		{true, args{"summary": "s", "auto_pop_task": true}, "memo_commit", true},
		{true, args{}, "memo_commit_auto", false},
		{true, args{"reason": "r"}, "memo_revert", true},
	} {
		b := set(t, map[string]string{"a.txt": "one\n"}, editing.Auto, func(cfg *session.Config) { cfg.NoAutoPop = c.off })
		b.call("memo_begin_task", args{"goal": "g"})
		b.replace("a.txt", "one", "1")
		o := b.call(c.tool, c.args)
		if popped := o.Task != nil; popped != c.pops {
			t.Errorf("%+v: %s", c, o.JSON())
		}
	}
}

// folded plays a task to its end and returns what the model is asked then.
func folded(t *testing.T, change func(cfg *session.Config)) (tools.Outcome, string) {
	t.Helper()
	b := set(t, map[string]string{"a.txt": numbered(100)}, editing.Auto, change)
	b.call("memo_begin_task", args{"goal": "g"})
	b.call("memo_read", args{"path": "a.txt"})
	b.replace("a.txt", "line 3\n", "three\n")
	b.replace("a.txt", "line 4\n", "four\n")
	o := b.call("memo_commit", args{"summary": "numbers", "decisions": []string{"digits are words"}})
	if o.Status != "committed" || o.HistoryDelta == nil {
		t.Fatalf("%s", o.JSON())
	}
	b.restart()
	return o, b.request()
}

// history.enable_compression off: the messages stay.
func TestNoFolding(t *testing.T) {
	o, req := folded(t, func(cfg *session.Config) { cfg.NoFolding = true })
	if o.HistoryDelta.MessagesRemoved != 0 || !strings.Contains(req, "line 50") || strings.Contains(req, "<editing_session") {
		t.Errorf("%s\n%s", o.JSON(), req)
	}
	o, req = folded(t, func(*session.Config) {})
	if o.HistoryDelta.MessagesRemoved == 0 || strings.Contains(req, "line 50") {
		t.Errorf("%s\n%s", o.JSON(), req)
	}
}

// history.keep_key_decisions off: the folded history does not have them.
func TestNoKeyDecisions(t *testing.T) {
	for _, off := range []bool{false, true} {
		_, req := folded(t, func(cfg *session.Config) { cfg.NoKeyDecisions = off })
		block := req[strings.Index(req, "<editing_session"):strings.Index(req, "</editing_session>")]
		if got := strings.Contains(block, "key decisions: digits are words"); got == off {
			t.Errorf("off %v: %s", off, block)
		}
	}
}

// The reserve and the levels reach the number that everybody sees.
func TestReserveAndLevels(t *testing.T) {
	b := set(t, nil, editing.Ask, func(cfg *session.Config) {
		cfg.Window, cfg.Reserve, cfg.Compression = 100_000, 3000, memory.Compression{Light: .01, Medium: .02, Heavy: .03, Emergency: .9}
	})
	m := b.s.Context()
	if m.Categories.Reserve != 3000 || m.TokensMax != 100_000 || m.ActionHint != "heavy_compression" {
		t.Errorf("%+v", m)
	}
	wantIn(t, b.request(), `"action_hint": "heavy_compression"`)
}

// Whatever a model reads, no request over the window that the settings name is sent.
func TestU32NoRequestOverAKnownWindow(t *testing.T) {
	line := strings.Repeat("all work and no play ", 5) + "\n"
	for _, window := range []int{1000, 8192, 30_000, 200_000} {
		b := set(t, map[string]string{"a.txt": strings.Repeat(line, 1900)}, editing.Ask, func(cfg *session.Config) { cfg.Window = window })
		read := memory.Message{Content: "Reading.", ToolCalls: []memory.ToolCall{{ID: "c", Name: "read", Arguments: `{"path":"a.txt"}`}}}
		m := &scripted{replies: []memory.Message{read, {Content: "Read."}, {Content: "And on."}}}
		fits := true
		for _, prompt := range []string{"read a.txt", "go on"} {
			_, err := agent.Run(t.Context(), agent.RunConfig{Session: agent.Local{Session: b.s.Session}, Model: m, Prompt: prompt})
			var long *model.TooLongError
			if errors.As(err, &long) != (err != nil) {
				t.Errorf("window %d: %v", window, err)
			}
			fits = fits && err == nil
		}
		if fits != (window > 1000) { // long results are cut, and older ones go
			t.Errorf("window %d: all is sent: %v", window, fits)
		}
		for i, req := range m.asked {
			n := 0
			for _, m := range req.Messages {
				n += memory.CountTokens(m.Content)
			}
			for _, tool := range req.Tools {
				n += memory.CountTokens(tool.Description + string(tool.Parameters))
			}
			if n > window {
				t.Errorf("window %d: request %d has %d tokens", window, i+1, n)
			}
		}
	}
}

// A session that is open takes new settings from its next step on; where it is stays.
func TestRenew(t *testing.T) {
	b := newBench(t, map[string]string{"a.txt": "one\n", "b.txt": "one\n"}, editing.Ask)
	dir, id := b.s.Workspace(), b.s.ID()
	if b.s.Settings().MayRun() {
		t.Fatal("commands are on")
	}
	must(t, b.s.Renew(func(cfg *session.Config) {
		cfg.Workspace, cfg.Home, cfg.ID, cfg.Review = "/elsewhere", "/elsewhere", "other", editing.Auto
		cfg.Commands, cfg.CommandTimeout, cfg.Deny, cfg.Secrets, cfg.System = session.CommandsAllow, time.Second, []string{"b.txt"}, []string{"hunter2hunter2"}, ""
		cfg.Model = "of hunter2hunter2"
	}))
	if !b.s.Settings().MayRun() || b.s.Workspace() != dir || b.s.ID() != id {
		t.Errorf("commands %v in %s", b.s.Settings().MayRun(), b.s.Workspace())
	}
	if o := b.call("memory_notebook_replace", args{"path": "b.txt", "old_text": "one", "new_text": "1"}); o.Code != "denied" {
		t.Errorf("%s", o.JSON())
	}
	b.replace("a.txt", "one", "1")
	if o := b.call("memo_commit", args{"summary": "s"}); o.Status != "committed" {
		t.Errorf("%s", o.JSON())
	}
	must(t, b.s.Prompt("say hunter2hunter2"))
	req := b.request()
	wantIn(t, req, "say [secret]", "*staged*")
	wantNot(t, req, "hunter2hunter2")
}
