package memory

import (
	"strings"
	"testing"
)

func TestView(t *testing.T) {
	for _, c := range []struct{ name, history, want string }{
		{"nothing", "", ""},
		{"a turn", "U A{a} Ta A", "U A{a} Ta A"},
		{"results in the order of the calls", "U A{a,b,c} Tc Ta Tb A", "U A{a,b,c} Ta Tb Tc A"},
		{"an unanswered call", "U A{a,b} Ta U", "U A{a,b} Ta T?b U"},
		{"nothing inside a unit", "U A{a,b} Ta U:more Tb A", "U A{a,b} Ta Tb U:more A"},
		{"the first of two answers", "U A{a} Ta:first Ta:second A", "U A{a} Ta A"},
		{"an orphan result", "U Tx A{a} Ta Ty A", "U A{a} Ta A"},
		{"an answer after the next reply", "U A{a,b} Ta A Tb U", "U A{a,b} Ta T?b A U"},
		{"begins with a reply", "A{a} Ta", "(opener) A{a} Ta"},
		{"a blank reply", "U A:_ U", "U U"},
		{"notices are shown", "U A N A", "U A N A"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPlace(t)
			s := p.create(t)
			play(t, s, c.history)
			if got := written(s.Messages()); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			checkRules(t, s.Messages())
			live := s.Messages()
			again := p.reopen(t, s)
			sameMessages(t, live, again.Messages())
		})
	}
}

// TestJournalOfAnother: one that nobody wrote through a Store. A reply ends the
// batch before it even where no answer says so.
func TestJournalOfAnother(t *testing.T) {
	c := parseJournal(journalFile, []byte(`{"seq":1,"type":"user","payload":{"text":"question"}}
{"seq":2,"type":"assistant","payload":{"tool_calls":[{"id":"a","name":"memo_a"}]}}
{"seq":3,"type":"assistant","payload":{"content":"answer"}}
{"seq":4,"type":"tool_result","payload":{"call_id":"a","content":"too late"}}
{"seq":5,"type":"assistant","payload":"not what it should be"}
{"seq":6,"type":"compact","payload":{"state":"committed","from":3,"to":1}}
{"seq":7,"type":"weather","payload":"sun"}`))
	conv := newConversation()
	for i := range c.entries {
		conv.apply(c.entries, i)
	}
	checkRules(t, conv.messages())
	if got, want := written(conv.messages()), "U A{a} T?a A"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if len(c.entries) != 7 || len(conv.odd) != 2 {
		t.Errorf("%d entries, odd: %q", len(c.entries), conv.odd)
	}
}

// TestCase3CrashBetweenCalls is case 3: the answer that a resumed session gives to a
// call that died stays the same for good.
func TestCase3CrashBetweenCalls(t *testing.T) {
	p := newPlace(t)
	s := p.create(t)
	play(t, s, "U A{a,b} Ta")
	s = p.reopen(t, s)
	if got := written(s.Messages()); got != "U A{a,b} Ta T?b" {
		t.Fatalf("resumed: %s", got)
	}
	play(t, s, "U:go_on")
	want := s.Messages()
	for range 3 {
		s = p.reopen(t, s)
		sameMessages(t, want, s.Messages())
	}
	play(t, s, "Tb:too_late")
	sameMessages(t, want, s.Messages())
	sameMessages(t, want, p.reopen(t, s).Messages())
	if got := written(want); got != "U A{a,b} Ta T?b U:go_on" {
		t.Fatalf("got %s", got)
	}
}

func TestOddIDsAndNames(t *testing.T) {
	long := strings.Repeat("x", 41)
	for _, c := range []struct{ name, id, tool string }{
		{"empty", "", ""}, {"too long", long, long + long}, {"odd letters", "käse/1", "do it!"}, {"line end", "a\nb", "a\nb"}, {"invalid", "a\xff", "\xff"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPlace(t)
			s := p.create(t)
			ok(t, s.AddUser("go"))
			ok(t, s.AddAssistant(Message{ToolCalls: []ToolCall{{ID: c.id, Name: c.tool, Arguments: "{\"a\": 1 }"}, {ID: c.id, Name: c.tool, Arguments: "\xff"}}}, Usage{}))
			ok(t, s.AddResult(c.id, "one"))
			ok(t, s.AddResult(c.id, "two"))
			got := s.Messages()
			checkRules(t, got)
			if got[2].Content != "one" || got[3].Content != "two" {
				t.Fatalf("results of equal ids: %+v", got)
			}
			if a := got[1].ToolCalls; a[0].Arguments != "{\"a\": 1 }" || a[1].Arguments != "\xff" {
				t.Fatalf("arguments changed: %q", a)
			}
			sameMessages(t, got, p.reopen(t, s).Messages())
		})
	}
}

func TestEqualIDsInTwoUnits(t *testing.T) {
	s := newStore(t)
	play(t, s, "U A{a} Ta A{a} Ta A{a} Ta")
	msgs := s.Messages()
	checkRules(t, msgs)
	if msgs[1].ToolCalls[0].ID != "a" {
		t.Fatalf("the first keeps its id: %+v", msgs[1])
	}
}

func TestEmptyResultSaysSo(t *testing.T) {
	s := newStore(t)
	play(t, s, "U A{a} Ta:_")
	if got := s.Messages()[2].Content; got != emptyResultText {
		t.Fatalf("got %q", got)
	}
}

// TestBytesSurvive: what is no UTF-8 comes back as it was, with line ends,
// quotes and all else that a line of JSON could break on.
func TestBytesSurvive(t *testing.T) {
	texts := []string{"\xff\xfe", "a\x00b", "line\nline\r\n", "</tag> & \u2028", "{\"base64\":\"x\"}", strings.Repeat("\xe9", 1<<17), strings.Repeat("long ", 1<<16), "ends"}
	p := newPlace(t)
	s := p.create(t)
	for _, text := range texts {
		ok(t, s.AddUser(text))
		ok(t, s.AddAssistant(Message{Content: text, ToolCalls: []ToolCall{{ID: "c", Name: "f", Arguments: text}}}, Usage{}))
		ok(t, s.AddResult("c", text))
	}
	s = p.reopen(t, s)
	msgs := s.Messages()
	for i, text := range texts {
		m := msgs[3*i:]
		if m[0].Content != text || m[1].Content != text || m[1].ToolCalls[0].Arguments != text || m[2].Content != text {
			t.Errorf("text %d did not survive", i)
		}
	}
	if len(s.Warnings()) != 0 {
		t.Error(s.Warnings())
	}
}
