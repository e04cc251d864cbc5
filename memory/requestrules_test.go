package memory

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// R7: the unit whose calls run is in no compaction, of results or of turns, nor in a fold.
func TestR7WhatRunsIsNotTouched(t *testing.T) {
	s := newStore(t)
	bulkyTurns(t, s, 2)
	play(t, s, bulky("U:now A{compact,read} Tread:bulk"))
	was := s.Messages()
	running := was[len(was)-3:]
	if _, err := s.ArchiveResults(ReasonAsked, 0, 0); err != nil {
		t.Fatal(err)
	}
	if l, leaves := s.Leaves(0); leaves {
		if _, err := s.Replace(l, ReasonAsked, Block{Text: "block"}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Fold(FoldEdit{Edit: 1, Touched: []string{"c0", "read"}, Block: "folded", Threshold: 2}); err != nil {
		t.Fatal(err)
	}
	is := s.Messages()
	if !reflect.DeepEqual(is[len(is)-3:], running) {
		t.Errorf("%s, was %s", written(is), written(was))
	}
	play(t, s, "Tcompact")
	if got := written(s.Messages()); !strings.HasSuffix(got, "A{compact,read} Tcompact Tread") {
		t.Error(got)
	}
}

// R16: what a model thought, and what its server sent along, goes back to it as it was, and to no other model.
func TestR16ThoughtsStayWithTheirModel(t *testing.T) {
	p := newPlace(t)
	s := p.create(t)
	one, two := RequestInput{Model: "one"}, RequestInput{Model: "two"}
	ask := func(in RequestInput) string {
		t.Helper()
		_, err := s.NoteView(in)
		ok(t, err)
		req, _ := s.Request(in)
		checkRules(t, req.Messages)
		text, err := json.Marshal(req.Messages[:len(req.Messages)-1])
		ok(t, err)
		return string(text)
	}
	play(t, s, "U")
	ask(one)
	ok(t, s.AddAssistant(Message{Reasoning: "thought \xff", ToolCalls: []ToolCall{{ID: "a", Name: "read", Arguments: "{}", Extra: json.RawMessage(`{"signature":"x/+="}`)}}}, Usage{}))
	ok(t, s.AddResult("a", "found"))
	own := ask(one)
	const thought = "dGhvdWdodCD/" // what is no UTF-8 stands in JSON as base64
	if !strings.Contains(own, thought) || !strings.Contains(own, `"signature":"x/+="`) {
		t.Error(own)
	}
	other := ask(two)
	if strings.Contains(other, thought) || strings.Contains(other, "signature") || !strings.Contains(other, "found") {
		t.Error(other)
	}
	ok(t, s.AddAssistant(Message{Content: "Done.", Reasoning: "another"}, Usage{}))
	s = p.reopen(t, s)
	if again := ask(two); !strings.HasPrefix(again, strings.TrimSuffix(other, "]")) || !strings.Contains(again, "another") {
		t.Error(again)
	}
	if back := ask(one); !strings.HasPrefix(back, strings.TrimSuffix(own, "]")) || strings.Contains(back, "another") {
		t.Error(back)
	}
}

// R19: all that is in a request is counted, and the room for the reply.
func TestR19EverythingIsCounted(t *testing.T) {
	s := newStore(t)
	play(t, s, "U A{a} Ta A")
	_, bare := s.Request(RequestInput{})
	more := strings.Repeat("words of it ", 50)
	for name, in := range map[string]RequestInput{
		"system": {System: more}, "agents": {Agents: more}, "tasks": {Tasks: more}, "pending": {Pending: more},
		"tools": {Tools: []ToolSpec{{Name: "x", Description: more}}}, "schema": {Tools: []ToolSpec{{Name: "x", Parameters: json.RawMessage(`{"description":"` + more + `"}`)}}},
		"reserve": {Reserve: 150},
	} {
		if _, m := s.Request(in); m.TokensUsed < bare.TokensUsed+150 || m.Categories.Sum() != m.TokensUsed {
			t.Errorf("%s: %d tokens, without it %d", name, m.TokensUsed, bare.TokensUsed)
		}
	}
	for name, add := range map[string]func(){
		"a prompt": func() { play(t, s, "U:x") }, "a reply": func() { play(t, s, "A:x") }, "arguments": func() {
			ok(t, s.AddAssistant(Message{ToolCalls: []ToolCall{{ID: "b", Name: "f", Arguments: "{}"}}}, Usage{}))
		}, "the overview": func() {
			writeFile(t, readFile(t, s.Dir(), memoryDir, overviewFile)+more, s.Dir(), memoryDir, overviewFile)
		},
	} {
		_, before := s.Request(RequestInput{})
		add()
		if _, after := s.Request(RequestInput{}); after.TokensUsed <= before.TokensUsed+messageOverhead {
			t.Errorf("%s: %d tokens, before it %d", name, after.TokensUsed, before.TokensUsed)
		}
	}
}

// Case 14, R21: the number that the model is told is the one that triggers, and the one that is shown.
func TestCase14R21OneNumber(t *testing.T) {
	s := newStore(t)
	in := RequestInput{System: "sys", Reserve: 100, Window: 6000}
	used := regexp.MustCompile(`"tokens_used": (\d+), "tokens_max": (\d+), "tokens_percent": (\d+)`)
	check := func(when string) ContextMeta {
		t.Helper()
		req, meta := s.Request(in)
		told := used.FindStringSubmatch(req.Messages[len(req.Messages)-1].Content)
		want := []string{strconv.Itoa(meta.TokensUsed), "6000", strconv.Itoa(meta.TokensPercent)}
		shown := s.Context(in, 3)
		if told == nil || !reflect.DeepEqual(told[1:], want) || shown.TokensUsed != meta.TokensUsed || meta.Categories.Sum() != meta.TokensUsed ||
			meta.ActionHint != in.Compression.hint(float64(meta.TokensUsed)/6000) {
			t.Errorf("%s: the model is told %q; %+v; shown %+v", when, told, meta, shown)
		}
		return meta
	}
	bulkyTurns(t, s, 6)
	before := check("before any reply")
	ok(t, s.AddAssistant(Message{Content: "Done."}, Usage{Input: before.TokensUsed * 5 / 4, Output: 3}))
	counted := check("after a reply")
	if want := before.TokensUsed*5/4 + 3 + in.Reserve; counted.Estimated || abs(counted.TokensUsed-want) > 40 { // the last block says other words now
		t.Errorf("%d tokens, the server's %d", counted.TokensUsed, want)
	}
	_, err := s.ArchiveResults(ReasonAsked, 1, 0)
	ok(t, err)
	if m := check("after a compaction"); !m.Estimated || m.TokensPercent == 0 || m.TokensUsed >= counted.TokensUsed {
		t.Errorf("%+v", m)
	}
	ok(t, s.Spent(Usage{Input: 100_000, Output: 500})) // of a summary
	if m := check("after a summary"); m.TokensUsed > counted.TokensUsed {
		t.Errorf("the summary's count is taken for the request's: %+v", m)
	}
}

// R28: no clock, no chance and no order of a map is in a request: two sessions with the same journal and files ask the same.
func TestR28SameInputSameBytes(t *testing.T) {
	var asked [2]string
	for i := range asked {
		s := newStore(t)
		writeFile(t, "---\nversion: 1\nproject:\n  commands: {b: x, a: y, c: z}\n---\n## Current task\nX\n", s.Dir(), memoryDir, overviewFile)
		bulkyTurns(t, s, 3)
		_, err := s.ArchiveResults(ReasonAsked, 1, 0)
		ok(t, err)
		in := RequestInput{System: "s", Tools: []ToolSpec{{Name: "b"}, {Name: "a"}}, Tasks: "t"}
		req, _ := s.Request(in)
		text, err := json.Marshal(req)
		ok(t, err)
		asked[i] = string(text)
		if req.Tools[0].Name != "b" {
			t.Error("the tools are in another order")
		}
	}
	if asked[0] != asked[1] {
		t.Errorf("%s\nis not\n%s", asked[0], asked[1])
	}
}

// R27: a fold is frozen: what comes later adds to the request, and changes no byte of it.
func TestR27FoldsAreFrozen(t *testing.T) {
	s := newStore(t)
	edit := func(i int) {
		t.Helper()
		play(t, s, bulky(fmt.Sprintf("U A{begin%d} Tbegin%d A{edit%d} Tedit%d:bulk A{commit%d} Tcommit%d", i, i, i, i, i, i)))
		d, err := s.Fold(FoldEdit{Edit: i, BeginCall: fmt.Sprint("begin", i), CloseCall: fmt.Sprint("commit", i), Block: fmt.Sprintf("edit %d", i), Threshold: 2})
		if err != nil || d.MessagesRemoved == 0 {
			t.Fatal(d, err)
		}
	}
	edit(1)
	was := s.Messages()
	edit(2)
	play(t, s, "U A")
	if is := s.Messages(); !reflect.DeepEqual(is[:len(was)], was) {
		t.Errorf("%s\ndoes not begin as\n%s", written(is), written(was))
	}
}

// Case 13: what is counted of Chinese, of signs and of base64 is what a tokenizer counts: a budget of tokens is kept.
func TestCase13CJKBudget(t *testing.T) {
	if testing.Short() {
		t.Skip("make test plays it: it is long under the race detector, and one goroutine does it all")
	}
	for name, text := range map[string]string{"CJK": strings.Repeat("漢字仮名交じり文。", 6), "emoji": strings.Repeat("😀👍🏽", 12), "base64": strings.Repeat("aGVsbG8gd29ybGQh", 8)} {
		t.Run(name, func(t *testing.T) {
			s := newStore(t)
			for i := range 400 {
				play(t, s, fmt.Sprintf("U:%d_%s A:%s", i, text, text))
			}
			_, meta := s.Request(RequestInput{})
			reference := 0
			for _, m := range s.Messages() {
				reference += CountTokens(m.Content) + messageOverhead
			}
			if got := meta.Categories.History; got < reference*95/100 || got > reference*105/100 {
				t.Errorf("%d tokens, a tokenizer counts %d", got, reference)
			}
			half := meta.TokensUsed / 2
			for turns := 400; ; turns -= 5 { // what stays is as large as it is counted
				l, leaves := s.Leaves(turns)
				if leaves {
					_, err := s.Replace(l, ReasonAsked, Block{Text: "block"})
					ok(t, err)
				}
				if _, meta = s.Request(RequestInput{}); meta.TokensUsed <= half {
					break
				}
			}
			reference = 0
			for _, m := range s.Messages() {
				reference += CountTokens(m.Content) + messageOverhead
			}
			if got := meta.Categories.History + meta.Categories.Folds; got < reference*95/100 || got > reference*105/100 {
				t.Errorf("after a cut: %d tokens, a tokenizer counts %d", got, reference)
			}
		})
	}
}
