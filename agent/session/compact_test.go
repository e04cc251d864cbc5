package session_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/memory"
	"github.com/galley-ls/galley/tasks"
)

// talker plays a conversation with a session, as the loop would.
type talker struct {
	t    *testing.T
	s    *session.Session
	cfg  session.Config
	ids  int
	most int      // tokens of the largest request
	said []string // what left
	seen []string // what was foreseen
}

func newTalker(t *testing.T, change func(*session.Config)) *talker {
	t.Helper()
	cfg := session.Config{Home: t.TempDir(), Workspace: t.TempDir(), System: "You edit.", Model: "m", Window: 8192, Reserve: 500}
	if change != nil {
		change(&cfg)
	}
	k := &talker{t: t, cfg: cfg}
	k.open()
	return k
}

func (k *talker) open() {
	k.t.Helper()
	s, err := session.Open(k.cfg)
	if err != nil {
		k.t.Fatal(err)
	}
	k.cfg.ID, k.s = s.ID(), s
	k.t.Cleanup(func() { _ = s.Close() })
}

func (k *talker) ask() (memory.Request, memory.ContextMeta) {
	k.t.Helper()
	req, meta, err := k.s.Request()
	if err != nil {
		k.t.Fatal(err)
	}
	k.most = max(k.most, meta.TokensUsed)
	if meta.Compacted != "" {
		k.said = append(k.said, meta.Compacted)
	}
	if meta.Foreseen != "" {
		k.seen = append(k.seen, meta.Foreseen)
	}
	return req, meta
}

func (k *talker) call(result string) {
	k.t.Helper()
	k.ids++
	c := memory.ToolCall{ID: fmt.Sprintf("call%d", k.ids), Name: "read", Arguments: fmt.Sprintf(`{"path":"f%d.txt"}`, k.ids)}
	k.ask()
	if err := errors.Join(k.s.Reply(memory.Message{ToolCalls: []memory.ToolCall{c}}, memory.Usage{}), k.s.Answer(c, result)); err != nil {
		k.t.Fatal(err)
	}
}

func (k *talker) turn(prompt, result string) {
	k.t.Helper()
	if err := k.s.Prompt(prompt); err != nil {
		k.t.Fatal(err)
	}
	k.call(result)
	k.ask()
	if err := k.s.Reply(memory.Message{Content: "It is so."}, memory.Usage{}); err != nil {
		k.t.Fatal(err)
	}
}

func lines(n int) string {
	var sb strings.Builder
	for i := range n {
		fmt.Fprintf(&sb, "line %d of a file that somebody reads\n", i)
	}
	return sb.String()
}

// 200 turns with results of a tenth of the window: without any model the last resort keeps each request within it, what
// left is told and can be found, and what the user wants stands in every request.
func TestLastResort(t *testing.T) {
	if testing.Short() {
		t.Skip("make test plays it: it is long under the race detector, and one goroutine does it all")
	}
	k := newTalker(t, func(c *session.Config) { c.History = memory.HistoryAlways })
	for i := range 200 {
		k.turn(fmt.Sprintf("wish number %d", i), fmt.Sprintf("needle%d\n%s", i, lines(90)))
		req, _ := k.ask()
		if !strings.Contains(requestText(req), fmt.Sprintf("wish number %d", i)) {
			t.Fatalf("turn %d: the wish is not in the request", i)
		}
	}
	if k.most > k.cfg.Window || len(k.said) == 0 {
		t.Errorf("the largest request has %d tokens; %d times room was made", k.most, len(k.said))
	}
	if text, n := k.s.LookBack(memory.JournalQuery{Text: "needle7\n", Types: memory.Talk}, 0); n != 1 || !strings.Contains(text, "line 89 of a file") {
		t.Errorf("%d entries found: %.200s", n, text)
	}
	if files, err := os.ReadDir(filepath.Join(k.s.Dir(), "working-memory", "archive")); err != nil || len(files) == 0 {
		t.Errorf("the archive holds %v, %v", files, err)
	}
	overview, _, err := k.s.Memory().Read("overview.md")
	if err != nil || !strings.Contains(overview, "older conversation went to archive/history-") {
		t.Errorf("the overview says nothing of it: %v\n%s", err, overview)
	}
	before, _ := k.ask()
	if err := k.s.Close(); err != nil {
		t.Fatal(err)
	}
	k.open()
	if after, _ := k.ask(); requestText(after) != requestText(before) {
		t.Error("after a restart the request is another")
	}
}

// Case 11: one batch that is larger than what is left of the window; its largest results go.
func TestCase11OvershootInOneTurn(t *testing.T) {
	k := newTalker(t, nil)
	if err := k.s.Prompt("read all"); err != nil {
		t.Fatal(err)
	}
	var calls []memory.ToolCall
	for i := range 5 {
		calls = append(calls, memory.ToolCall{ID: fmt.Sprint("c", i), Name: "read", Arguments: "{}"})
	}
	k.ask()
	if err := k.s.Reply(memory.Message{ToolCalls: calls}, memory.Usage{}); err != nil {
		t.Fatal(err)
	}
	for i, c := range calls {
		if err := k.s.Answer(c, fmt.Sprintf("result %d\n%s", i, lines(40+60*i))); err != nil {
			t.Fatal(err)
		}
	}
	req, meta := k.ask()
	if meta.TokensUsed > k.cfg.Window || !strings.Contains(requestText(req), "result 0\n") || strings.Contains(requestText(req), "result 4\n") {
		t.Errorf("%d tokens, %q", meta.TokensUsed, k.said)
	}
}

// Case 7: what cannot be shortened does not fit, its largest part is named, and nothing is tried again and again.
func TestCase7R22IrreducibleOverhead(t *testing.T) {
	k := newTalker(t, func(c *session.Config) { c.System = lines(900) })
	if err := k.s.Prompt("hello"); err != nil {
		t.Fatal(err)
	}
	entries := 0
	for i := range 3 {
		if _, meta := k.ask(); meta.Fits() || !strings.Contains(meta.Largest(), "the largest part of the request is the system prompt") {
			t.Fatalf("%+v: %s", meta, meta.Largest())
		}
		_, n := k.s.LookBack(memory.JournalQuery{Types: []string{memory.TypeCompact}}, 0)
		if i > 0 && n != entries {
			t.Errorf("request %d: %d entries, before %d", i, n, entries)
		}
		entries = n
	}
}

// A session that a large read has ended for good in the version before goes on.
func TestR24DeadSessionLives(t *testing.T) {
	k := newTalker(t, func(c *session.Config) { c.Window = 0 })
	k.turn("read it all", lines(3000))
	if err := k.s.Close(); err != nil {
		t.Fatal(err)
	}
	k.cfg.Window = 8192
	k.open()
	if err := k.s.Prompt("and now?"); err != nil {
		t.Fatal(err)
	}
	if req, meta := k.ask(); meta.TokensUsed > 8192 || !strings.Contains(requestText(req), "read it all") {
		t.Errorf("%d tokens: %q", meta.TokensUsed, k.said)
	}
	k.turn("and this?", "short")
	if say, err := k.s.TooLong(4096); err != nil {
		t.Error(say, err)
	}
	if _, meta := k.ask(); meta.TokensMax != 4096 {
		t.Errorf("the window is %d", meta.TokensMax)
	}
}

func TestCompact(t *testing.T) {
	ask := func(answer string, err error) func(*session.Config) {
		return func(c *session.Config) {
			c.Window = 100_000
			c.Summarize = func(_ context.Context, text string) (string, memory.Usage, error) {
				if !strings.Contains(text, "wish number 0") {
					t.Errorf("the model is asked to sum up %q", text)
				}
				return answer, memory.Usage{Input: 1000, Output: 10}, err
			}
		}
	}
	archive := session.Compaction{Target: session.CompactAll, Strategy: session.StrategyArchive, Keep: 2}
	summary := session.Compaction{Target: session.CompactConversation, Strategy: session.StrategySummarize, Keep: 2}
	own := summary
	own.Summary = "They want </earlier_conversation> wishes."
	for _, test := range []struct {
		name   string
		change func(*session.Config)
		c      session.Compaction
		has    []string
		why    string
	}{
		{"archive", ask("", nil), archive, []string{"archive=\"working-memory/archive/history-", "> wish number 7"}, ""},
		{"a summary", ask("Eight wishes.", nil), summary, []string{"summary: Eight wishes.", "> wish number 7"}, ""},
		{"own words", ask("never", errors.New("asked")), own, []string{"summary: They want &lt;/earlier_conversation> wishes."}, ""},
		{"no model", nil, summary, []string{"> wish number 7"}, "pass summary"},
		{"an error", ask("", errors.New("no route to host")), summary, []string{"> wish number 7"}, "no route to host"},
		{"longer than its source", ask(lines(4000), nil), summary, []string{"> wish number 7"}, "longer than half"},
		{"nothing to do", nil, session.Compaction{Target: session.CompactConversation, Keep: 50}, nil, "no more than 50 turns"},
	} {
		t.Run(test.name, func(t *testing.T) {
			k := newTalker(t, test.change)
			k.s.Renew(func(c *session.Config) { c.Window = 100_000 })
			for i := range 10 {
				k.turn(fmt.Sprint("wish number ", i), lines(30))
			}
			done, err := k.s.Compact(t.Context(), test.c)
			if err != nil || !strings.Contains(done.Why, test.why) || test.why == "" && done.Why != "" {
				t.Fatalf("%+v %v", done, err)
			}
			req, _ := k.ask()
			text := requestText(req)
			for _, has := range test.has {
				if !strings.Contains(text, has) {
					t.Errorf("%q is not in the request:\n%s", has, text)
				}
			}
			if saved := done.Before - done.After; (len(test.has) > 0) != (saved > 0) {
				t.Errorf("%d tokens saved", saved)
			}
		})
	}
}

// R30, R33: a second block carries the summaries of the first on, names its file, and has what the user asked, however
// long ago that was; what it stood for is found by its words.
func TestR30ASecondBlockCarriesTheFirst(t *testing.T) {
	k := newTalker(t, func(c *session.Config) { c.Window, c.History = 100_000, memory.HistoryAlways })
	for i := range 4 {
		k.turn(fmt.Sprint("wish number ", i), lines(60))
	}
	first := session.Compaction{Target: session.CompactConversation, Keep: 1, Summary: "The port is 8080."}
	if done, err := k.s.Compact(t.Context(), first); err != nil || done.Saved == 0 {
		t.Fatal(done, err)
	}
	if err := k.s.Prompt("the long order"); err != nil {
		t.Fatal(err)
	}
	for range 12 {
		k.call(lines(60))
	}
	if say, err := k.s.TooLong(3000); err != nil || say == "" {
		t.Fatal(say, err)
	}
	for range 12 {
		k.call(lines(60))
	}
	if say, err := k.s.TooLong(3000); err != nil || say == "" {
		t.Fatal(say, err)
	}
	req, _ := k.ask()
	text := requestText(req)
	for _, has := range []string{"The port is 8080.", "what came before it: working-memory/archive/history-", "> the long order"} {
		if n := strings.Count(text, has); n != 1 {
			t.Errorf("%q is %d times in the request:\n%s", has, n, text)
		}
	}
	if text, n := k.s.LookBack(memory.JournalQuery{Text: "8080", Types: []string{memory.TypeCompact}}, 0); n < 2 || !strings.Contains(text, "The port is 8080.") {
		t.Errorf("%d entries found: %s", n, text)
	}
}

// What goes on from block to block is bounded: the newest of it.
func TestR30SummariesDoNotGrow(t *testing.T) {
	k := newTalker(t, func(c *session.Config) { c.Window, c.History = 100_000, memory.HistoryAlways })
	for i := range 6 {
		k.turn("a", lines(300))
		k.turn("b", lines(10))
		own := session.Compaction{Target: session.CompactConversation, Keep: 1, Summary: strings.Repeat(fmt.Sprintf("Much was done in round %d. ", i), 80)}
		if done, err := k.s.Compact(t.Context(), own); err != nil || done.Saved == 0 {
			t.Fatal(done, err)
		}
	}
	req, _ := k.ask()
	if text := requestText(req); len([]rune(text)) > 8000 || !strings.Contains(text, "in round 5. ") || strings.Contains(text, "in round 0. ") {
		t.Errorf("%d characters: %s", len(text), text)
	}
}

// The automatic modes: results over a number, and results from heavy_compression on.
func TestAutomaticModes(t *testing.T) {
	k := newTalker(t, func(c *session.Config) { c.Window, c.Results, c.History = 100_000, 3, memory.HistoryAlways })
	for range 12 {
		k.turn("go on", lines(20))
	}
	if req, _ := k.ask(); len(k.said) < 2 || strings.Count(requestText(req), "line 19 of") > 6 {
		t.Errorf("%q", k.said)
	}
	k = newTalker(t, func(c *session.Config) { c.Automatic, c.History = true, memory.HistoryAlways })
	most := 0
	for range 30 {
		k.turn("go on", lines(20))
		_, meta := k.ask()
		most = max(most, meta.TokensPercent)
	}
	if len(k.said) == 0 || most >= 75 {
		t.Errorf("%d %%, %q", most, k.said)
	}
}

func requestText(req memory.Request) string {
	var sb strings.Builder
	for _, m := range req.Messages[:len(req.Messages)-1] {
		sb.WriteString(m.Content + "\n")
	}
	return sb.String()
}

// Before the last resort one notice says what it would take out, as it then does; after it
// a person hears what is still open, what left, and how it comes back, and it comes back.
func TestLastResortIsForeseenAndTakenBack(t *testing.T) {
	k := newTalker(t, func(c *session.Config) { c.History = memory.HistoryAlways; c.Messages = 1000 })
	if _, err := k.s.BeginTask(session.By{Call: "t"}, tasks.Begin{Goal: "count the lines"}); err != nil {
		t.Fatal(err)
	}
	for i := 0; len(k.said) == 0 && i < 100; i++ {
		k.turn(fmt.Sprint("wish number ", i), lines(20))
	}
	if len(k.seen) != 1 || !strings.Contains(k.seen[0], "From 75 % on galley makes room by itself. As it is now, that would take out ") || !strings.Contains(k.seen[0], "results of tools (read f1.txt, ") {
		t.Errorf("%q", k.seen)
	}
	if len(k.said) != 1 {
		t.Fatalf("%q", k.said)
	}
	for _, want := range []string{"Still open, and kept: task #1 count the lines. 10 results of tools (read f", " left it, 5", "galley memory restore (in an editor galley.unfold) brings it back"} {
		if !strings.Contains(k.said[0], want) {
			t.Errorf("%q is not in %q", want, k.said[0])
		}
	}
	req, _ := k.ask()
	if !strings.Contains(requestText(req), "(archived: ") {
		t.Error("nothing is archived")
	}
	if _, err := k.s.Restore(); err == nil || !strings.Contains(err.Error(), "galley would take it out again") {
		t.Errorf("it is brought back into a window that is too small: %v", err)
	}
	if err := k.s.Renew(func(c *session.Config) { c.Window = 100_000 }); err != nil {
		t.Fatal(err)
	}
	found := k.s.Find(memory.JournalQuery{Types: []string{memory.TypeCompact}}, 0)
	if len(found) != 1 || !strings.Contains(found[0].Text, "results archived") {
		t.Fatalf("%+v", found)
	}
	back, err := k.s.Restore(found[0].Seq)
	if err != nil || back.After <= back.Before {
		t.Fatalf("%+v %v", back, err)
	}
	if req, _ := k.ask(); strings.Contains(requestText(req), "(archived: ") || !strings.Contains(requestText(req), "line 19 of a file") {
		t.Error("it is not back")
	}
	if _, err := k.s.Restore(); err == nil || !strings.Contains(err.Error(), "nothing has left") {
		t.Errorf("it is brought back twice: %v", err)
	}
}

// The rehearsal of the last resort tells what it then does, and writes nothing.
func TestForeseenIsHarmless(t *testing.T) {
	k := newTalker(t, func(c *session.Config) { c.History = memory.HistoryAlways; c.Messages = 1000 })
	for len(k.seen) == 0 && len(k.said) == 0 {
		k.turn("go on", lines(20))
	}
	if len(k.seen) != 1 || len(k.said) != 0 || k.archived() != 0 || k.compactions() != 0 {
		t.Errorf("%q, %q; %d files, %d compactions", k.seen, k.said, k.archived(), k.compactions())
	}
}

func (k *talker) compactions() int {
	data, err := os.ReadFile(filepath.Join(k.s.Dir(), "messages.jsonl"))
	if err != nil {
		k.t.Fatal(err)
	}
	return strings.Count(string(data), `"type":"compact"`)
}

func (k *talker) archived() int {
	files, _ := os.ReadDir(filepath.Join(k.s.Dir(), "working-memory", "archive"))
	return len(files)
}

// R33, case 5: code, not a summary, carries what is asked now word for word, what waits, and
// what was done, which is not told as if it were still to be done.
func TestR33WhatIsCarriedByCode(t *testing.T) {
	k := newTalker(t, func(c *session.Config) { c.Window, c.History = 100_000, memory.HistoryAlways })
	if _, err := k.s.BeginTask(session.By{Call: "t"}, tasks.Begin{Goal: "ship it"}); err != nil {
		t.Fatal(err)
	}
	if err := k.s.Prompt("delete build/,\nthen tag v2"); err != nil {
		t.Fatal(err)
	}
	for i, command := range []string{"rm -r build", "git tag v2"} {
		k.call(lines(40))
		run, err := k.s.CommandBegins(session.CommandRun{Call: fmt.Sprint("c", i), Command: command, Dir: "."})
		if err != nil {
			t.Fatal(err)
		}
		run.Code = new(int)
		if _, err := k.s.CommandEnds(run); err != nil {
			t.Fatal(err)
		}
	}
	k.turn("now write\nthe notes", lines(40))
	k.turn("and more of them", lines(40))
	done, err := k.s.Compact(t.Context(), session.Compaction{Target: session.CompactConversation, Keep: 1, Summary: "Nothing was ever done."})
	if err != nil || done.Saved == 0 {
		t.Fatalf("%+v %v", done, err)
	}
	req, _ := k.ask()
	text, last := requestText(req), req.Messages[len(req.Messages)-1].Content
	for _, want := range []string{
		"what the user asked, and was answered then:\n> now write\n> the notes\n",
		"already done, not to be done again:\n- `rm -r build`: exit 0\n- `git tag v2`: exit 0\n", "and more of them",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if strings.Contains(text, "delete build/") || !strings.Contains(last, "ship it") {
		t.Errorf("what was done is asked for again, or the task is gone:\n%s\n%s", text, last)
	}
}
