package session

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/galley-ls/galley/memory"
	"github.com/galley-ls/galley/tasks"
)

// textOf is the whole text of the next request.
func textOf(t *testing.T, s *Session) (text, last string) {
	t.Helper()
	req, _, err := s.Request()
	must(t, err)
	for _, m := range req.Messages {
		text += m.Content + "\n"
	}
	return text, req.Messages[len(req.Messages)-1].Content
}

// talked plays turns that are long enough to leave.
func talked(t *testing.T, s *Session, turns ...string) {
	t.Helper()
	for i, prompt := range turns {
		must(t, s.Prompt(prompt))
		c := memory.ToolCall{ID: fmt.Sprint("talk", i), Name: "memo_read", Arguments: "{}"}
		must(t, s.Reply(memory.Message{ToolCalls: []memory.ToolCall{c}}, memory.Usage{}))
		must(t, s.Answer(c, strings.Repeat("a line of a file\n", 200)))
		must(t, s.Reply(memory.Message{Content: "done"}, memory.Usage{}))
	}
}

// TestR33CarriedByCode: whatever leaves, the user's last request, the open tasks, the
// letters that wait and what was done stand in the next request, by code and as they were.
func TestR33CarriedByCode(t *testing.T) {
	ws := t.TempDir()
	must(t, os.WriteFile(filepath.Join(ws, "a.txt"), []byte("one\n"), 0o600))
	s, err := Open(Config{Home: t.TempDir(), Workspace: ws, History: memory.HistoryAlways, Commands: CommandsAllow})
	must(t, err)
	defer s.Close()
	const wish = "rename  the `thing`\n- and <keep> its\ttests"
	ran, err := s.CommandBegins(CommandRun{Command: "git tag v2", Dir: "."})
	must(t, err)
	ran.Code = new(int)
	_, err = s.CommandEnds(ran)
	must(t, err)
	talked(t, s, "first", wish)
	_, err = s.BeginTask(By{Call: "b"}, tasks.Begin{Goal: "rename the thing", Plan: []string{"the tests"}})
	must(t, err)
	staged(t, s, "a.txt", "one", "two")
	for _, c := range []Compaction{
		{Target: CompactConversation, Keep: 1, Strategy: StrategySummarize, Summary: "much was said"},
		{Target: CompactTools, Keep: 1},
		{Target: CompactAll, Keep: 1},
	} {
		name := c.Target
		_, err := s.Compact(context.Background(), c)
		must(t, err)
		text, last := textOf(t, s)
		for _, want := range []string{"[#1] rename the thing", "the tests", "[A] staged: replace \"one\" → \"two\" · a.txt"} {
			if !strings.Contains(last, want) {
				t.Errorf("%s: %q is missing in\n%s", name, want, last)
			}
		}
		if !strings.Contains(text, wish) && !strings.Contains(text, memory.Quoted(wish)) {
			t.Errorf("%s: the user's request is gone", name)
		}
		if !strings.Contains(text, "git tag v2") {
			t.Errorf("%s: nothing says that the command has run", name)
		}
	}
	say, err := s.TooLong(0) // the running turn leaves, too
	must(t, err)
	if text, _ := textOf(t, s); !strings.Contains(text, wish) && !strings.Contains(text, memory.Quoted(wish)) {
		t.Errorf("the last resort (%q): the user's request is gone in\n%s", say, text)
	}
}

// TestR34InstructionsAreReadAgain: AGENTS.md is outside of what is compacted, and the
// next request has it as it is on the disk; that is one view event. Case 27.
func TestR34InstructionsAreReadAgain(t *testing.T) {
	ws := t.TempDir()
	agents := filepath.Join(ws, "AGENTS.md")
	must(t, os.WriteFile(agents, []byte("Be brief.\n"), 0o600))
	s, err := Open(Config{Home: t.TempDir(), Workspace: ws, History: memory.HistoryAlways})
	must(t, err)
	defer s.Close()
	talked(t, s, "one", "two", "three")
	textOf(t, s)
	views := len(s.store.Query(memory.JournalQuery{Types: []string{memory.TypeView}}))
	must(t, os.WriteFile(agents, []byte("Be thorough.\n"), 0o600))
	_, err = s.Compact(context.Background(), Compaction{Target: CompactAll, Keep: 1, Strategy: StrategySummarize, Summary: "Be brief was said."})
	must(t, err)
	req, _, err := s.Request()
	must(t, err)
	if got := req.Messages[1].Content; got != "<agents_md path=\"AGENTS.md\">\nBe thorough.\n</agents_md>" {
		t.Errorf("the request has %q", got)
	}
	if n := len(s.store.Query(memory.JournalQuery{Types: []string{memory.TypeView}})); n != views+1 {
		t.Errorf("%d view events, there were %d", n, views)
	}
}

// TestR35AConsolidationMeetsAnEditor is case 17: while a model sums up, somebody writes
// into overview.md and into the archive; all of it is there afterwards, and what the agent
// had seen before is stale to it.
func TestR35AConsolidationMeetsAnEditor(t *testing.T) {
	var s *Session
	add := func(name, line string) {
		path := filepath.Join(s.Dir(), "working-memory", name)
		was, err := os.ReadFile(path)
		must(t, err)
		must(t, os.WriteFile(path, []byte(string(was)+line), 0o600))
	}
	s, err := Open(Config{Home: t.TempDir(), Workspace: t.TempDir(), History: memory.HistoryAlways, Summarize: func(context.Context, string) (string, memory.Usage, error) {
		add("overview.md", "- the user's line\n")
		return "a summary of it", memory.Usage{}, nil
	}})
	must(t, err)
	defer s.Close()
	talked(t, s, "one", "two", "three")
	textOf(t, s) // the agent has seen the overview
	done, err := s.Compact(context.Background(), Compaction{Target: CompactConversation, Keep: 1, Strategy: StrategySummarize})
	must(t, err)
	if done.Saved == 0 {
		t.Fatalf("nothing left: %+v", done)
	}
	text, _, err := s.Memory().Read("overview.md")
	must(t, err)
	for _, want := range []string{"- the user's line\n", "a summary of it <!-- galley -->"} {
		if strings.Count(text, want) != 1 {
			t.Errorf("%q is not there once in\n%s", want, text)
		}
	}
	if e, err := s.Memory().Write("overview.md", "all mine\n"); err != nil || e.OK() || e.Code != "memory_hash" {
		t.Errorf("a write over what the user added: %+v, %v", e, err)
	}
	if _, last := textOf(t, s); !strings.Contains(last, "- the user's line\n") {
		t.Error("the next request has it not")
	}
}
