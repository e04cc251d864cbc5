package memory

import (
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// tester is what both a test and a property can fail with.
type tester interface {
	Helper()
	Fatalf(format string, args ...any)
}

// checkRules holds a view against the rules of chat APIs, by their numbers.
func checkRules(t tester, msgs []Message) {
	t.Helper()
	ids := map[string]bool{}
	for i := 0; i < len(msgs); i++ {
		m := msgs[i]
		switch m.Role {
		case RoleSystem:
			if i != 0 {
				t.Fatalf("R13: system message at %d", i)
			}
			continue
		case RoleUser:
			if strings.TrimSpace(m.Content) == "" || len(m.ToolCalls) > 0 || m.ToolCallID != "" {
				t.Fatalf("R11: user message %d is %+v", i, m)
			}
			continue
		case RoleAssistant:
		default:
			t.Fatalf("R1: message %d, %q, stands in no unit", i, m.Role)
		}
		if i == 0 || msgs[0].Role == RoleSystem && i == 1 {
			t.Fatalf("R13: the first message is the assistant's")
		}
		if m.Content == "" && len(m.ToolCalls) == 0 || m.Content != "" && strings.TrimSpace(m.Content) == "" {
			t.Fatalf("R11: assistant message %d is blank", i)
		}
		for k, c := range m.ToolCalls {
			checkCall(t, c, ids)
			i++
			if i >= len(msgs) || msgs[i].Role != RoleTool || msgs[i].ToolCallID != c.ID {
				t.Fatalf("R2, R5: call %d of message %d has no result behind it", k, i)
			}
			if strings.TrimSpace(msgs[i].Content) == "" {
				t.Fatalf("R11: result %d is blank", i)
			}
		}
	}
}

func checkCall(t tester, c ToolCall, ids map[string]bool) {
	t.Helper()
	if !plain(c.ID, 40) || ids[c.ID] {
		t.Fatalf("R8: call id %q, seen before: %v", c.ID, ids[c.ID])
	}
	ids[c.ID] = true
	if !plain(c.Name, 64) {
		t.Fatalf("R9: function name %q", c.Name)
	}
}

func sameMessages(t tester, want, got []Message) {
	t.Helper()
	if len(want) != len(got) {
		t.Fatalf("%d messages, want %d\ngot  %s\nwant %s", len(got), len(want), written(got), written(want))
	}
	for i := range want {
		if !reflect.DeepEqual(want[i], got[i]) {
			t.Fatalf("message %d\ngot  %+v\nwant %+v", i, got[i], want[i])
		}
	}
}

// TestRandomHistories is case 28 for what there is: any order of messages,
// results, folds and crashes gives a view that holds the rules, twice the same,
// and the same again from the journal.
func TestRandomHistories(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p := place{home: t.TempDir(), workspace: t.TempDir()}
		s, err := Create(p.home, p.workspace, Meta{})
		if err != nil {
			rt.Fatalf("create: %v", err)
		}
		defer func() { s.Close() }()
		for range rapid.IntRange(0, 60).Draw(rt, "steps") {
			if rapid.IntRange(0, 30).Draw(rt, "crash") == 0 {
				s.Close()
				if s, err = Open(p.home, p.workspace, s.ID()); err != nil {
					rt.Fatalf("open: %v", err)
				}
			}
			randomStep(rt, s)
			live := s.Messages()
			checkRules(rt, live)
			sameMessages(rt, live, s.Messages())
		}
		live := s.Messages()
		again, err := OpenReadOnly(p.home, p.workspace, s.ID())
		if err != nil {
			rt.Fatalf("open read-only: %v", err)
		}
		sameMessages(rt, live, again.Messages())
		req, meta := again.Request(RequestInput{System: "s", Agents: "a"})
		checkRules(rt, req.Messages)
		if last := req.Messages[len(req.Messages)-1].Role; last != RoleUser || meta.TokensUsed != meta.Categories.Sum() {
			rt.Fatalf("R13: it ends with %s; %+v", last, meta)
		}
		if odd := again.convLocked().odd; len(odd) != 0 {
			rt.Fatalf("odd entries: %v", odd)
		}
	})
}

func randomStep(rt *rapid.T, s *Store) {
	id := rapid.SampledFrom([]string{"a", "b", "c", "d", "", "ä", strings.Repeat("l", 50)})
	text := rapid.SampledFrom([]string{"", " \n", "some text", "\xff", "x\ny", strings.Repeat("long enough to be worth it ", 40)})
	var err error
	switch rapid.IntRange(0, 15).Draw(rt, "what") {
	case 10:
		_, err = s.ArchiveResults(ReasonAsked, rapid.IntRange(0, 3).Draw(rt, "keep"), rapid.IntRange(0, 300).Draw(rt, "need"))
	case 11, 12:
		if l, leaves := s.Leaves(rapid.IntRange(0, 4).Draw(rt, "turns")); leaves {
			_, err = s.Replace(l, ReasonAsked, Block{Text: "r"})
		}
	case 13:
		mode := rapid.SampledFrom([]string{HistoryAuto, HistoryAlways, HistoryNever, "recent:1", "recent:3"}).Draw(rt, "mode")
		_, err = s.NoteView(RequestInput{History: mode, Messages: rapid.IntRange(1, 12).Draw(rt, "messages")})
	case 15:
		before := len(s.Entries())
		if id := s.Compactions(); len(id) > 0 && s.Restore([]int64{rapid.SampledFrom(id).Draw(rt, "compaction").ID}) != nil && len(s.Entries()) != before {
			rt.Fatalf("R29: what could not be restored is journaled")
		}
	case 14:
		err = s.Amend(Element("editing_session", text.Draw(rt, "what became of it"), "id", "1"))
	case 0:
		err = s.AddUser(text.Draw(rt, "text"))
	case 1:
		err = s.AddNotice(text.Draw(rt, "text"))
	case 2, 3, 4:
		m := Message{Content: text.Draw(rt, "text")}
		for range rapid.IntRange(0, 3).Draw(rt, "calls") {
			m.ToolCalls = append(m.ToolCalls, ToolCall{ID: id.Draw(rt, "id"), Name: id.Draw(rt, "name"), Arguments: text.Draw(rt, "arguments")})
		}
		err = s.AddAssistant(m, Usage{Input: rapid.SampledFrom([]int{0, 10, 400, 2000}).Draw(rt, "usage"), Output: 5})
	case 5, 6, 7:
		err = s.AddResult(id.Draw(rt, "id"), text.Draw(rt, "text"))
	case 8:
		_, err = s.Append(TypeEdit, map[string]int{"n": 1})
	case 9:
		_, err = s.Fold(FoldEdit{
			Edit: 1, BeginCall: id.Draw(rt, "begin"), CloseCall: id.Draw(rt, "close"),
			Touched: rapid.SliceOfN(id, 0, 3).Draw(rt, "touched"), Block: Element("editing_session", "b", "id", "1"), Threshold: rapid.IntRange(1, 6).Draw(rt, "threshold"),
		})
	}
	if err != nil {
		rt.Fatalf("step: %v", err)
	}
}
