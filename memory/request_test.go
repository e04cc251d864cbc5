package memory

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

func TestRequest(t *testing.T) {
	p := newPlace(t)
	s := p.create(t)
	writeFile(t, "---\nversion: 1\n---\n## Current task\nenable X\n", s.Dir(), memoryDir, overviewFile)
	play(t, s, "U:enable_X A{read} Tread:found_it")
	in := RequestInput{
		System: "You edit files.", Agents: "<agents_md path=\"AGENTS.md\">\nBe brief.\n</agents_md>\n", Tasks: "📊 Tasks (depth 1)\n┌─ [#1] enable X (current) · A\n",
		Pending: "A staged config.json:4", Tools: []ToolSpec{{"memo_read", "reads", json.RawMessage(`{"type":"object"}`)}},
		Window: 1000, Reserve: 100,
	}
	req, meta := s.Request(in)
	var roles []string
	for _, m := range req.Messages {
		roles = append(roles, m.Role)
	}
	if got, want := strings.Join(roles, " "), "system user user assistant tool user"; got != want {
		t.Fatalf("roles %s, want %s", got, want)
	}
	if got, want := req.Messages[1].Content, "<agents_md path=\"AGENTS.md\">\nBe brief.\n</agents_md>"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	want := fmt.Sprintf(`<working_memory path="working-memory/overview.md">
---
version: 1
---
## Current task
enable X
</working_memory>
<tasks>
📊 Tasks (depth 1)
┌─ [#1] enable X (current) · A
</tasks>
<pending_changes>
A staged config.json:4
</pending_changes>
<context_meta>
{ "tokens_used": %d, "tokens_max": 1000, "tokens_percent": %d, "messages_in_history": 3,
  "working_memory_size": 44, "action_hint": "light_compression" }

💡 Remember to update working-memory/overview.md when the current task, a decision or a known fact changes.
</context_meta>`, meta.TokensUsed, meta.TokensPercent)
	if got := req.Messages[5].Content; got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	if len(req.Tools) != 1 || !meta.MaxKnown || !meta.Estimated || meta.Categories.Reserve != 100 || meta.Categories.Sum() != meta.TokensUsed {
		t.Errorf("meta %+v", meta)
	}
	if counted := countRequest(req) + in.Reserve; abs(counted-meta.TokensUsed) > 5 {
		t.Errorf("the request has %d tokens, the meta block says %d", counted, meta.TokensUsed)
	}
	again, meta2 := p.reopen(t, s).Request(in)
	if !reflect.DeepEqual(req, again) || !reflect.DeepEqual(meta, meta2) {
		t.Error("the same journal, files and input give another request")
	}
}

func TestRequestWithoutAnything(t *testing.T) {
	s := newStore(t)
	req, _ := s.Request(RequestInput{})
	if len(req.Messages) != 1 || req.Messages[0].Role != RoleUser || req.Tools != nil {
		t.Errorf("got %+v", req)
	}
	if strings.Contains(req.Messages[0].Content, "<tasks>") || strings.Contains(req.Messages[0].Content, "<pending_changes>") {
		t.Errorf("empty parts are shown:\n%s", req.Messages[0].Content)
	}
}

func countRequest(r Request) int {
	n := 0
	for _, m := range r.Messages {
		n += messageTokens(m)
	}
	for _, t := range r.Tools {
		n += toolOverhead + CountTokens(t.Name) + CountTokens(t.Description) + CountTokens(string(t.Parameters))
	}
	return n
}

func abs(n int) int { return max(n, -n) }

func TestHints(t *testing.T) {
	for _, c := range []struct {
		percent float64
		want    string
	}{
		{0, HintNormal},
		{0.199, HintNormal},
		{0.2, HintLight},
		{0.4, HintMedium},
		{0.599, HintMedium},
		{0.6, HintHeavy},
		{0.75, HintEmergency},
		{2, HintEmergency},
	} {
		if got := (Compression{}).hint(c.percent); got != c.want {
			t.Errorf("%v: %s, want %s", c.percent, got, c.want)
		}
	}
	if got := (Compression{Light: 0.1, Medium: 0.15}).hint(0.16); got != HintMedium {
		t.Errorf("by settings: %s", got)
	}
}

// TestReminderGrows: stronger from half the window on, naming what could go and how; and no
// tool that is not offered.
func TestReminderGrows(t *testing.T) {
	s := newStore(t)
	play(t, s, "U A{small} Tsmall A{big} Tbig:"+strings.Repeat("many_words_", 300)+" A{mid} Tmid:"+strings.Repeat("many_words_", 100)+" A U A{last} Tlast:"+strings.Repeat("many_words_", 400))
	_, meta := s.Request(RequestInput{})
	if meta.MaxKnown {
		t.Error("a window that nobody told is known")
	}
	for _, c := range []struct {
		percent int
		want    string
		names   bool
	}{{10, "💡 Remember", false}, {55, "⚠️ The context is 5", true}, {80, "🛑 The context is ", true}} {
		in := RequestInput{Window: meta.TokensUsed * 100 / c.percent, Finished: []string{"#1 enable X"}}
		if req, _ := s.Request(in); strings.Contains(req.Messages[len(req.Messages)-1].Content, "compact_history") {
			t.Error("a tool is named that is not offered")
		}
		in.Tools = []ToolSpec{{Name: "compact_history"}, {Name: "write"}}
		req, m := s.Request(in)
		block := req.Messages[len(req.Messages)-1].Content
		if !strings.Contains(block, c.want) {
			t.Errorf("at %d %%:\n%s", m.TokensPercent, block[strings.Index(block, "<context_meta>"):])
		}
		for _, named := range []string{
			`compact_history(target: "tools", keep_recent: 1) takes out old results: the result of memo_big (entry 6, 605 tokens); the result of memo_mid (entry 8, 205 tokens).`,
			`compact_history(target: "conversation", keep_recent: 1) takes out the older turns (1) with their steps.`, "may go to working-memory/archive/ (write): #1 enable X.",
		} {
			if strings.Contains(block, named) != c.names {
				t.Errorf("%q at %d %%:\n%s", named, m.TokensPercent, block[strings.Index(block, "<context_meta>"):])
			}
		}
	}
}

// TestCase14R20TokensOfTheServer is case 14: after a reply the number is the server's
// and what came since; after a rewrite it is an estimate.
func TestCase14R20TokensOfTheServer(t *testing.T) {
	p := newPlace(t)
	s := p.create(t)
	in := RequestInput{System: "sys", Reserve: 50}
	play(t, s, bulky("U A{begin} Tbegin A{read} Tread:bulk A{replace} Treplace:bulk"))
	_, before := s.Request(in)
	if !before.Estimated {
		t.Error("no server has said anything yet")
	}
	ok(t, s.AddAssistant(Message{ToolCalls: []ToolCall{{ID: "commit", Name: "memo_commit", Arguments: "{}"}}}, Usage{Input: before.TokensUsed * 3 / 2, Cached: 400, Output: 70}))
	ok(t, s.AddResult("commit", "committed"))
	_, after := s.Request(in)
	result := messageTokens(Message{Role: RoleTool, Content: "committed"})
	if want := before.TokensUsed*3/2 + 70 + result + in.Reserve; after.Estimated || abs(after.TokensUsed-want) > 5 {
		t.Errorf("%d tokens, estimated %v, want %d", after.TokensUsed, after.Estimated, want)
	}
	if after.Categories.Sum() != after.TokensUsed {
		t.Errorf("categories %+v are not %d", after.Categories, after.TokensUsed)
	}
	s = p.reopen(t, s)
	if _, again := s.Request(in); !reflect.DeepEqual(again, after) {
		t.Errorf("reopened %+v, was %+v", again, after)
	}
	if d, err := s.Fold(FoldEdit{BeginCall: "begin", CloseCall: "commit", Block: "B"}); err != nil || d.MessagesRemoved == 0 {
		t.Fatalf("fold: %+v %v", d, err)
	}
	if _, m := s.Request(in); !m.Estimated || m.TokensUsed >= before.TokensUsed || m.Categories.Folds == 0 {
		t.Errorf("after a rewrite: %+v", m)
	}
}

func TestViewEvents(t *testing.T) {
	p := newPlace(t)
	s := p.create(t)
	in := RequestInput{System: "s", Agents: "a", Model: "m"}
	note := func(want bool) {
		t.Helper()
		if breaks, err := s.NoteView(in); err != nil || breaks != want {
			t.Fatalf("the prefix breaks: %v, %v, want %v", breaks, err, want)
		}
	}
	note(false) // the first request breaks nothing
	note(false)
	in.Agents = "b"
	note(true)
	s = p.reopen(t, s)
	note(false)
	in.Model = "n"
	note(false) // another model reads the same bytes; only the counts are void
	in.Tools = []ToolSpec{{Name: "x"}}
	note(true)
	if got := len(s.Query(JournalQuery{Types: []string{TypeView}})); got != 4 {
		t.Errorf("%d view events", got)
	}
}

// TestCase15R26PrefixStability is case 15 over a long random conversation: each request
// minus its last block is where the next begins, but for the view events.
func TestCase15R26PrefixStability(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	p := newPlace(t)
	s := p.create(t)
	in := RequestInput{System: "sys", Agents: "first"}
	var last string
	breaks, events := 0, 0
	ask := func(folded bool) {
		t.Helper()
		moved, err := s.NoteView(in)
		ok(t, err)
		if folded || moved {
			events++
		}
		req, _ := s.Request(in)
		checkRules(t, req.Messages)
		now, err := json.Marshal(req.Messages[:len(req.Messages)-1])
		ok(t, err)
		if !strings.HasPrefix(string(now), last) {
			breaks++
			if !folded && !moved {
				t.Fatalf("the prefix broke without a view event:\nwas %s\nis  %s", last, now)
			}
		}
		last = strings.TrimSuffix(string(now), "]")
	}
	for turn := range 120 {
		if r.IntN(20) == 0 {
			s = p.reopen(t, s)
		}
		if r.IntN(15) == 0 {
			in.Agents = fmt.Sprintf("changed in turn %d", turn)
		}
		randomTurn(t, s, r, turn, ask)
	}
	if breaks != events || breaks < 10 {
		t.Errorf("%d breaks, %d view events", breaks, events)
	}
}

// randomTurn is a few steps of a run: batches whose results come in any order,
// memory that changes, and now and then an editing session that is closed. It
// asks the model wherever a run would.
func randomTurn(t *testing.T, s *Store, r *rand.Rand, turn int, ask func(folded bool)) {
	t.Helper()
	play(t, s, "U")
	ask(false)
	switch r.IntN(4) {
	case 0:
		play(t, s, "A")
	case 1:
		play(t, s, "A{a,b,c} "+[]string{"Ta Tb Tc", "Tc Tb Ta", "Tb Ta Tc"}[r.IntN(3)])
		ask(false)
	case 2:
		ok(t, s.Event(Event{Type: EventDecision, Text: fmt.Sprint("decision ", turn)}))
		play(t, s, "N A")
		ask(false)
	case 3:
		for _, what := range []string{"begin", "read", "replace", "commit"} {
			id := fmt.Sprint(what, turn)
			play(t, s, bulky("A{"+id+"} T"+id+":bulk"))
			if what != "commit" {
				ask(false)
			}
		}
		d, err := s.Fold(FoldEdit{BeginCall: fmt.Sprint("begin", turn), CloseCall: fmt.Sprint("commit", turn), Block: "folded"})
		ok(t, err)
		if d.MessagesRemoved != 4 {
			t.Fatalf("turn %d: %+v", turn, d)
		}
		ask(true)
	}
}

func TestCountTokens(t *testing.T) {
	for text, want := range map[string]int{"": 0, "hello world": 2, "漢字漢字": 4, "😀😀": 2, "\xff": 1} {
		if got := CountTokens(text); got < want || got > want+4 {
			t.Errorf("%q: %d tokens, want about %d", text, got, want)
		}
	}
}

// A number far from our own count is no count of the request: what a server had in its cache, or what it cut off, is not in it.
// That is said once.
func TestU35AUsageFarFromTheEstimateIsNotBelieved(t *testing.T) {
	for share, believed := range map[int]bool{0: false, 1: false, 30: false, 60: true, 90: true, 150: true, 210: false, 1000: false} {
		s := newPlace(t).create(t)
		play(t, s, bulky("U A{read} Tread:bulk"))
		_, before := s.Request(RequestInput{})
		ok(t, s.AddAssistant(Message{Content: "Done."}, Usage{Input: before.TokensUsed * share / 100, Output: 1}))
		_, after := s.Request(RequestInput{})
		if after.Estimated == believed || !believed && abs(after.TokensUsed-before.TokensUsed) > 50 {
			t.Errorf("%d %%: %d tokens of %d, estimated %v", share, after.TokensUsed, before.TokensUsed, after.Estimated)
		}
		if said := after.Doubt != ""; said != (!believed && share > 0) {
			t.Errorf("%d %%: said %q", share, after.Doubt)
		}
		ok(t, s.AddAssistant(Message{Content: "Done."}, Usage{Input: 3, Output: 1}))
		if _, again := s.Request(RequestInput{}); (again.Doubt != "") != (believed || share == 0) {
			t.Errorf("%d %%: said %q at the second time", share, again.Doubt)
		}
	}
}

// What a server counts for one token of ours is learnt from what it tells, for each model, and holds where it has told
// nothing yet: after a rewrite. It is in the journal, so a session that is opened again has it.
func TestRatioIsLearntByModel(t *testing.T) {
	p := newPlace(t)
	s := p.create(t)
	one, two := RequestInput{Model: "one"}, RequestInput{Model: "two"}
	for i := range 30 {
		play(t, s, bulky(fmt.Sprintf("U A{a%d} Ta%d:bulk", i, i)))
		_, err := s.NoteView(one)
		ok(t, err)
		s.Request(one)
		ok(t, s.AddAssistant(Message{Content: "Done."}, Usage{Input: s.lastAsked * 3 / 2, Output: 1}))
	}
	if r := s.conv.ratio().of(1000); abs(r-1500) > 10 {
		t.Errorf("%d of 1000 after the same ratio 30 times", r)
	}
	s.Request(one)
	ok(t, s.AddAssistant(Message{Content: "Done."}, Usage{Input: s.lastAsked, Output: 1}))
	if r := s.conv.ratio().of(1000); r < 1450 || r >= 1500 {
		t.Errorf("%d of 1000 after one other", r)
	}
	_, err := s.ArchiveResults(ReasonAsked, 3, 0)
	ok(t, err)
	_, live := s.Request(one)
	if counted := s.lastAsked; !live.Estimated || live.TokensUsed < counted*14/10 || live.Categories.Sum() != live.TokensUsed {
		t.Errorf("%d tokens of %d counted: %+v", live.TokensUsed, counted, live)
	}
	s = p.reopen(t, s)
	if _, again := s.Request(one); !reflect.DeepEqual(again, live) {
		t.Errorf("reopened %+v, was %+v", again, live)
	}
	_, err = s.NoteView(two)
	ok(t, err)
	if _, other := s.Request(two); other.TokensUsed != s.lastAsked {
		t.Errorf("another model: %d tokens of %d", other.TokensUsed, s.lastAsked)
	}
}

// Case 14: the parts that are named have the category's number, and no more than it.
func TestCase14ContextNamesTheLargestParts(t *testing.T) {
	s := newStore(t)
	in := RequestInput{System: "sys", Agents: "agents", Tools: []ToolSpec{{Name: "read", Description: strings.Repeat("what it does ", 20)}}, Reserve: 10}
	play(t, s, bulky("U A{a} Ta:bulk A{b}"))
	ok(t, s.AddResult("b", bulk+bulk))
	play(t, s, "A")
	_, meta := s.Request(in)
	ok(t, s.AddAssistant(Message{Content: "Done."}, Usage{Input: meta.TokensUsed * 2 / 3, Output: 1}))
	_, meta = s.Request(in)
	c := s.Context(in, 3)
	if !reflect.DeepEqual(c.ContextMeta, meta) || len(c.Parts) != 3 || c.Parts[0].Name != "the result of memo_b in iteration 2" || c.Parts[0].Entry == 0 {
		t.Errorf("%+v\nfor %+v", c, meta)
	}
	sums := map[string]int{}
	for _, part := range s.Context(in, 1000).Parts {
		sums[part.Category] += part.Tokens
	}
	for _, category := range c.Categories.List() {
		if sums[category.Category] > category.Tokens {
			t.Errorf("the parts of %s have %d tokens, it has %d", category.Category, sums[category.Category], category.Tokens)
		}
	}
}
