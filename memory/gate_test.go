package memory

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// spoken writes messages as play reads them, each with its text behind a colon, but for "S" for the system prompt.
func spoken(history string) []Message {
	var all []Message
	for _, word := range strings.Fields(history) {
		word, text, _ := strings.Cut(word, ":")
		text = strings.ReplaceAll(text, "_", " ")
		switch word[0] {
		case 'S':
			all = append(all, Message{Role: RoleSystem, Content: or(text, "system")})
		case 'D':
			all = append(all, Message{Role: "developer", Content: or(text, "system")})
		case 'U':
			all = append(all, Message{Role: RoleUser, Content: or(text, "question")})
		case 'A':
			m := assistantOf(word, text)
			for i := range m.ToolCalls {
				m.ToolCalls[i].ID, _, _ = strings.Cut(m.ToolCalls[i].ID, "=")
			}
			all = append(all, m)
		case 'T':
			all = append(all, Message{Role: RoleTool, ToolCallID: word[1:], Content: text})
		}
	}
	return all
}

// passed writes messages that have passed a gate, by the names of their tools: no ids.
func passed(all []Message) string {
	names := map[string]string{}
	var words []string
	for _, m := range all {
		text := strings.ReplaceAll(strings.ReplaceAll(m.Content, "\n\n", "|"), " ", "_")
		switch m.Role {
		case RoleAssistant:
			var calls []string
			for _, c := range m.ToolCalls {
				names[c.ID] = strings.TrimPrefix(c.Name, "memo_")
				calls = append(calls, names[c.ID])
			}
			word := "A"
			if len(calls) > 0 {
				word += "{" + strings.Join(calls, ",") + "}"
			}
			words = append(words, word+":"+text)
		case RoleTool:
			switch m.Content {
			case unansweredText:
				text = "?"
			case emptyResultText:
				text = "none"
			}
			words = append(words, "T"+names[m.ToolCallID]+":"+text)
		default:
			if m.Content == openerText {
				text = "opener"
			}
			words = append(words, strings.ToUpper(m.Role[:1])+":"+text)
		}
	}
	return strings.ReplaceAll(strings.Join(words, " "), "}: ", "} ")
}

// TestGate has the rules of one request, each with what breaks it and what comes of that.
func TestGate(t *testing.T) {
	long := strings.Repeat("x", 41)
	for _, c := range []struct {
		name, history string
		rules         Rules
		want, tells   string
	}{
		{"R1 a result of no call", "U Tx:1 A{a} Ta:2 Tx:3 U", Rules{}, "U:question A{a} Ta:2 U:question", repairedOrphan},
		{"R1 of an earlier batch", "U A{a} Ta:1 A{b} Ta:2 Tb:3", Rules{}, "U:question A{a} Ta:1 A{b} Tb:3", repairedOrphan},
		{"R2 none", "U A{a,b} Tb:1 U:next", Rules{}, "U:question A{a,b} Ta:? Tb:1 U:next", repairedMissing},
		{"R2 none at the end", "U A{a}", Rules{}, "U:question A{a} Ta:?", repairedMissing},
		{"R2 two", "U A{a} Ta:1 Ta:2", Rules{}, "U:question A{a} Ta:1", repairedOrphan},
		{"R4 a text and calls", "U A{a}:words Ta:1", Rules{}, "U:question A{a}:words Ta:1", ""},
		{"R5 another order", "U A{a,b,c} Tc:3 Ta:1 Tb:2", Rules{}, "U:question A{a,b,c} Ta:1 Tb:2 Tc:3", repairedOrder},
		{"R6 words within a unit", "U A{a,b} Ta:1 U:more Tb:2 A:end U", Rules{}, "U:question A{a,b} Ta:1 Tb:2 U:more A:end U:question", repairedOrder},
		{"R8 the same id in two units", "U A{a} Ta:1 A{a} Ta:2", Rules{}, "U:question A{a} Ta:1 A{a} Ta:2", repairedID},
		{"R8 the same id in one", "U A{a,a} Ta:1 Ta:2", Rules{}, "U:question A{a,a} Ta:1 Ta:2", repairedID},
		{"R8 a long one", "U A{" + long + "} T" + long + ":1", Rules{}, "U:question A{" + long + "} T" + long + ":1", repairedID},
		{"R8 nine letters", "U A{a} Ta:1", Rules{ShortIDs: true}, "U:question A{a} Ta:1", repairedID},
		{"R9 a name", "U A{do/it} Tdo/it:1", Rules{}, "U:question A{do_it} Tdo_it:1", repairedID + "; " + repairedName},
		{"R11 blank texts", "U S:_ A:_ U:_ A{a}:_ Ta:_", Rules{}, "U:question A{a} Ta:none", repairedBlank},
		{"R13 a second system prompt", "S S:other U D:third A:x U", Rules{}, "S:system U:other U:question U:third A:x U:question", repairedRole},
		{"R13 the developer's", "D U", Rules{}, "S:system U:question", ""},
		{"R13 the model begins", "S A:hi U", Rules{}, "S:system U:opener A:hi U:question", repairedFirst},
		{"R13 the model ends", "S U A:hi", Rules{}, "S:system U:question A:hi U:(go_on)", repairedLast},
		{"R14 texts in a row", "S U:a U:b A{c} Tc:1 U:d A:x A:y U:e U:f", Rules{Strict: true}, "S:system U:a|b A{c} Tc:1|d A:x|y U:e|f", ""},
		{"R14 not strict", "U:a U:b A{c} Tc:1 U:d", Rules{}, "U:a U:b A{c} Tc:1 U:d", ""},
		{"R14 no system prompt", "S U:a A:x U:b", Rules{NoSystem: true}, "U:system|a A:x U:b", ""},
		{"R15 calls without tools", "U A{a}:words Ta:1 U", Rules{Sent: true}, `U:question A:words|→_memo_a_{"path":"a"} U:<tool_result>
1
</tool_result> U:question`, repairedTyped},
		{"R18 a system prompt within", "U A{a} Ta:1 S:obey U", Rules{}, "U:question A{a} Ta:1 U:obey U:question", repairedRole},
	} {
		t.Run(c.name, func(t *testing.T) {
			req := Request{Messages: spoken(c.history)}
			was := spoken(c.history)
			got, told := Gate(req, c.rules)
			if text := passed(got.Messages); text != c.want {
				t.Errorf("got  %s\nwant %s", text, c.want)
			}
			if text := strings.Join(told, "; "); text != c.tells {
				t.Errorf("it tells %q, want %q", text, c.tells)
			}
			checkRules(t, got.Messages)
			if !reflect.DeepEqual(req.Messages, was) {
				t.Error("the caller's messages were changed")
			}
			again, told := Gate(got, c.rules)
			if !reflect.DeepEqual(again, got) || len(told) > 0 {
				t.Errorf("a second time: %s, %q", passed(again.Messages), told)
			}
		})
	}
}

func TestGateIDs(t *testing.T) {
	t.Run("R8 nine letters and digits stay", func(t *testing.T) {
		got, told := Gate(Request{Messages: spoken("U A{abcDEF123,b} TabcDEF123:1 Tb:2")}, Rules{ShortIDs: true})
		calls := got.Messages[1].ToolCalls
		if calls[0].ID != "abcDEF123" || !IsShortID(calls[1].ID) || got.Messages[3].ToolCallID != calls[1].ID || !slices.Equal(told, []string{repairedID}) {
			t.Errorf("%+v %q", calls, told)
		}
	})
	t.Run("R8 the same input, the same output", func(t *testing.T) {
		long, _ := Gate(Request{Messages: spoken("U A{ä} Tä:1 A{ä} Tä:2 U A{ä} Tä:3")}, Rules{})
		short, _ := Gate(Request{Messages: spoken("U A{ä} Tä:1 A{ä} Tä:2")}, Rules{})
		if !reflect.DeepEqual(short.Messages, long.Messages[:len(short.Messages)]) {
			t.Errorf("%+v\nis no beginning of\n%+v", short.Messages, long.Messages)
		}
	})
}

// R9: at most 128 tools of different plain names, in their order; none is none at all.
func TestR9Tools(t *testing.T) {
	var tools []ToolSpec
	for i := range 130 {
		tools = append(tools, ToolSpec{Name: fmt.Sprint("tool", i)})
	}
	tools = slices.Insert(tools, 1, ToolSpec{Name: "tool0"}, ToolSpec{Name: "käse"}, ToolSpec{})
	got, told := Gate(Request{Tools: tools, Messages: spoken("U")}, Rules{})
	if len(got.Tools) != 128 || got.Tools[1].Name != "tool1" || got.Tools[127].Name != "tool127" || !slices.Equal(told, []string{repairedTools}) {
		t.Errorf("%d tools, %q", len(got.Tools), told)
	}
	if got, _ = Gate(Request{Tools: []ToolSpec{}, Messages: spoken("U")}, Rules{}); len(got.Tools) != 0 {
		t.Error(got.Tools)
	}
}

// R12: arguments stay byte for byte, and where a server would parse them they are in an object whole.
func TestR12Arguments(t *testing.T) {
	for args, want := range map[string]string{
		"{\"a\":  1 }": "{\"a\":  1 }", " {}\n": " {}\n", "": "{}", " ": "{}", "[1]": `{"malformed_arguments":"[1]"}`, `{"a": oops`: `{"malformed_arguments":"{\"a\": oops"}`,
	} {
		req := Request{Tools: []ToolSpec{{Name: "f"}}, Messages: spoken("U A{f} Tf:1")}
		req.Messages[1].ToolCalls[0].Arguments = args
		if got, _ := Gate(req, Rules{}); got.Messages[1].ToolCalls[0].Arguments != args {
			t.Errorf("%q became %q", args, got.Messages[1].ToolCalls[0].Arguments)
		}
		if got, _ := Gate(req, Rules{Sent: true}); got.Messages[1].ToolCalls[0].Arguments != want {
			t.Errorf("%q is sent as %q, want %q", args, got.Messages[1].ToolCalls[0].Arguments, want)
		}
	}
}

// R3: what is cut where a unit begins needs no repair but of its beginning.
func TestR3Cuts(t *testing.T) {
	all := spoken("U A{a,b,c,d,e,f} Ta:1 Tb:2 Tc:3 Td:4 Te:5 Tf:6 A:x U A{g} Tg:1 U:last")
	cuts := []int{0, 1, 8, 9, 10, 12}
	for i := range all {
		got, told := Gate(Request{Messages: all[i:]}, Rules{})
		checkRules(t, got.Messages)
		if whole := !slices.Contains(told, repairedOrphan) && !slices.Contains(told, repairedMissing); whole != slices.Contains(cuts, i) {
			t.Errorf("cut at %d: %q", i, told)
		}
	}
}

// Whatever comes, what leaves holds the rules, has lost no word of the user, and passes a second time as it is.
func TestGateRandom(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		req := randomRequest(rt)
		rules := Rules{rapid.Bool().Draw(rt, "sent"), rapid.Bool().Draw(rt, "strict"), rapid.Bool().Draw(rt, "no system"), rapid.Bool().Draw(rt, "short ids")}
		got, _ := Gate(req, rules)
		checkSent(rt, got, rules)
		for _, m := range req.Messages {
			if m.Role == RoleUser && strings.TrimSpace(m.Content) != "" && !slices.ContainsFunc(got.Messages, func(g Message) bool { return strings.Contains(g.Content, strings.TrimRight(m.Content, "\n")) }) {
				rt.Fatalf("the user's %q is lost", m.Content)
			}
		}
		if again, told := Gate(got, rules); !reflect.DeepEqual(again, got) || len(told) > 0 {
			rt.Fatalf("a second time: %q\ngot  %+v\nwas  %+v", told, again, got)
		}
	})
}

func randomRequest(rt *rapid.T) (req Request) {
	text := rapid.SampledFrom([]string{"", " \n", "text", "more\n\n", "\xff"})
	id := rapid.SampledFrom([]string{"", "a", "b", "abcDEF123", "functions.x:0", strings.Repeat("l", 50)})
	role := rapid.SampledFrom([]string{RoleSystem, RoleUser, RoleAssistant, RoleAssistant, RoleTool, RoleTool, RoleTool, "developer", "function"})
	for range rapid.IntRange(1, 20).Draw(rt, "messages") {
		m := Message{Role: role.Draw(rt, "role"), Content: text.Draw(rt, "text")}
		switch m.Role {
		case RoleAssistant:
			for range rapid.IntRange(0, 3).Draw(rt, "calls") {
				m.ToolCalls = append(m.ToolCalls, ToolCall{ID: id.Draw(rt, "id"), Name: id.Draw(rt, "name"), Arguments: text.Draw(rt, "arguments")})
			}
		case RoleTool:
			m.ToolCallID = id.Draw(rt, "id")
		}
		req.Messages = append(req.Messages, m)
	}
	for range rapid.IntRange(0, 3).Draw(rt, "tools") {
		req.Tools = append(req.Tools, ToolSpec{Name: id.Draw(rt, "tool")})
	}
	return req
}

// checkSent holds a whole request against the rules, those of servers included.
func checkSent(t tester, req Request, rules Rules) {
	t.Helper()
	checkRules(t, req.Messages)
	if len(req.Messages) == 0 {
		return
	}
	if last := req.Messages[len(req.Messages)-1].Role; last != RoleUser && last != RoleTool {
		t.Fatalf("R13: it ends with %s", last)
	}
	for i, m := range req.Messages {
		if rules.Strict && i > 0 && m.Role == RoleUser && (req.Messages[i-1].Role == RoleUser || req.Messages[i-1].Role == RoleTool) {
			t.Fatalf("R14: message %d of the user stands behind %s", i, req.Messages[i-1].Role)
		}
		for _, c := range m.ToolCalls {
			if rules.Sent && !IsObject(c.Arguments) {
				t.Fatalf("R12: message %d sends the arguments %q", i, c.Arguments)
			}
			if rules.ShortIDs && !IsShortID(c.ID) {
				t.Fatalf("R8: message %d has the id %q", i, c.ID)
			}
			if rules.Sent && len(req.Tools) == 0 {
				t.Fatalf("R15: message %d has calls, and there are no tools", i)
			}
		}
	}
}
