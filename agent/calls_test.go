package agent

import (
	"context"
	"strings"
	"testing"

	"github.com/galley-ls/galley/memory"
)

func TestReadOnlyCallsRunSideBySide(t *testing.T) {
	b := newBench(t, calls("write", "read_a", "read_b", "write", "read_a"), says("Ready."))
	met := make(chan struct{})
	b.tools.run["read_a"] = func(_ context.Context, c memory.ToolCall) string {
		if c.ID == "c2" {
			<-met // only read_b, beside it, opens this
		}
		return `{"of":"` + c.ID + `"}`
	}
	b.tools.run["read_b"] = func(_ context.Context, c memory.ToolCall) string {
		close(met)
		return `{"of":"` + c.ID + `"}`
	}
	b.want(Done, "user: go", "assistant:  {c1} {c2} {c3} {c4} {c5}", ok,
		`tool: {"of":"c2"}`, `tool: {"of":"c3"}`, ok, `tool: {"of":"c5"}`, "assistant: Ready.")
	if got := strings.Join(b.started(), " "); got != "c1 c2 c3 c4 c5" {
		t.Errorf("started %s", got)
	}
}

func TestOtherCallsRunAlone(t *testing.T) {
	b := newBench(t, calls("write", "write", "write"), says("Ready."))
	b.want(Done)
	if b.tools.most != 1 {
		t.Errorf("%d writing calls at a time", b.tools.most)
	}
}

func TestFewRunSideBySide(t *testing.T) {
	names := make([]string, 40)
	for i := range names {
		names[i] = "read"
	}
	b := newBench(t, calls(names...), says("Ready."))
	b.want(Done)
	if b.tools.most > sideBySide {
		t.Errorf("%d calls at a time", b.tools.most)
	}
}

func TestCancel(t *testing.T) {
	left := "tool: " + NotRun
	for _, row := range []struct {
		name  string
		calls []string
		on    func(b *bench) // sets up the moment of the cancel
		talk  []string
	}{
		{"before the run", nil, func(b *bench) { b.cancel() }, []string{"user: go"}},
		{"while the request is built", nil, func(b *bench) { b.on["Request"] = b.cancel }, []string{"user: go"}},
		{"while the model answers", nil, func(b *bench) { b.model.replies[0].do = b.cancel }, []string{"user: go"}},
		{"when the reply is journaled", []string{"write", "read"}, func(b *bench) { b.on["Reply"] = b.cancel }, []string{"user: go", "assistant:  {c1} {c2}", left, left}},
		{"in a tool", []string{"write", "write", "read"}, func(b *bench) {
			b.tools.run["write"] = func(ctx context.Context, _ memory.ToolCall) string {
				b.cancel()
				<-ctx.Done()
				return `{"status":"editing"}`
			}
		}, []string{"user: go", "assistant:  {c1} {c2} {c3}", `tool: {"status":"editing"}`, left, left}},
		{"in a group", []string{"read", "read", "write"}, func(b *bench) {
			b.tools.run["read"] = func(ctx context.Context, _ memory.ToolCall) string {
				b.cancel()
				<-ctx.Done()
				return `{"status":"ok"}`
			}
		}, []string{"user: go", "assistant:  {c1} {c2} {c3}", ok, ok, left}},
		{"after the last call", []string{"write"}, func(b *bench) { b.on["Answer"] = b.cancel }, []string{"user: go", "assistant:  {c1}", ok}},
	} {
		t.Run(row.name, func(t *testing.T) {
			b := newBench(t, fakeReply{text: "", calls: calls(row.calls...).calls}, says("Never said."))
			if row.calls == nil {
				b.model.replies[0].text = "Never kept."
			}
			row.on(b)
			b.want(Cancelled, row.talk...)
		})
	}
	t.Run("after the end it is no cancel", func(t *testing.T) {
		b := newBench(t, says("Ready."))
		b.on["Reply"] = b.cancel
		b.want(Done)
	})
}

func TestRepetition(t *testing.T) {
	same := `find {"a":1,"b":2}`
	t.Run("told at three, stopped at five", func(t *testing.T) {
		b := newBench(t, calls(same), calls(same), calls(`find {"b":2, "a":1}`, `find {"a":2}`), calls(same), calls(same, "write"), says("Never said."))
		b.tools.run["find"] = fails
		out := b.want(Repeated)
		if out.Iterations != 5 || !strings.Contains(out.Why, "find failed 5 times") {
			t.Errorf("%+v", out)
		}
		notices := 0
		for _, m := range b.messages {
			if strings.Contains(m.Content, `"notice":"This call has now failed`) {
				notices++
			}
		}
		if notices != 3 || strings.Count(b.talk(), NotRun) != 1 {
			t.Errorf("%d notices in\n%s", notices, b.talk())
		}
	})
	t.Run("in one reply", func(t *testing.T) {
		b := newBench(t, calls(same, same, same, same, same, same, same))
		b.tools.run["find"] = fails
		b.want(Repeated)
		if strings.Count(b.talk(), NotRun) != 2 {
			t.Error(b.talk())
		}
	})
	t.Run("side by side", func(t *testing.T) {
		b := newBench(t, calls("read", "read", "read", "read", "read", "read"))
		b.tools.run["read"] = fails
		b.want(Repeated)
	})
	t.Run("a success between", func(t *testing.T) {
		n := 0
		replies := make([]fakeReply, 0, 9)
		for range 8 {
			replies = append(replies, calls(same))
		}
		b := newBench(t, append(replies, says("Ready."))...)
		b.tools.run["find"] = func(ctx context.Context, c memory.ToolCall) string {
			if n++; n == 4 {
				return `{"status":"editing"}`
			}
			return fails(ctx, c)
		}
		b.want(Done)
	})
	t.Run("success may be repeated", func(t *testing.T) {
		replies := make([]fakeReply, 0, 9)
		for range 8 {
			replies = append(replies, calls("write"))
		}
		newBench(t, append(replies, says("Ready."))...).want(Done)
	})
}

func TestNotice(t *testing.T) {
	for _, row := range []struct{ content, want string }{
		{`{"status":"refused"}`, `{"status":"refused","notice":"a \"b\""}`},
		{"{}\n", `{"notice":"a \"b\""}`},
		{`{ "x": {"y":1} } `, `{ "x": {"y":1} ,"notice":"a \"b\""}`},
		{`plain`, "plain\n\na \"b\""},
		{`[1]`, "[1]\n\na \"b\""},
		{`{"torn":`, "{\"torn\":\n\na \"b\""},
		{``, "\n\na \"b\""},
	} {
		if got := withNotice(row.content, `a "b"`); got != row.want {
			t.Errorf("%q\n got %q\nwant %q", row.content, got, row.want)
		}
	}
}

func TestFailed(t *testing.T) {
	for status, want := range map[string]bool{
		"ok": false, "editing": false, "committed": false, "proposed": false, "reverted": false, "": false,
		"refused": true, "not_found": true, "needs_match": true, "conflict": true, "stale": true,
	} {
		if got := failed(Answer{Status: status}); got != want {
			t.Errorf("%q is failed: %v", status, got)
		}
	}
	if failed(Answer{Content: "no JSON"}) {
		t.Error("an answer without a status is not judged")
	}
}

func TestArgLine(t *testing.T) {
	for _, row := range []struct{ args, want string }{
		{``, ``},
		{`{}`, ``},
		{`{"new_text":"b","old_text":"a","path":"f.go","match_id":"B"}`, `f.go “a” → “b” [B]`},
		{`{"path":"f","old_text":"a","new_text":""}`, `f “a” → “”`},
		{`{"old_span_start":"a","old_span_end":"z","new_text":"n"}`, `“a” … “z” → “n”`},
		{`{"goal":"do\nit","plan":["x"]}`, `“do↵it”`},
		{`{"path":7,"line_numbers":false}`, ``},
		{`{"text":"` + strings.Repeat("é", 50) + `"}`, "“" + strings.Repeat("é", 39) + "…”"},
		{`{"text":"\u001b[31mred\u0000"}`, "“ [31mred ”"},
		{`{"torn": "x`, `{"torn": "x`},
		{"\xff", " "},
	} {
		if got := argLine(row.args); got != row.want {
			t.Errorf("%s\n got %s\nwant %s", row.args, got, row.want)
		}
	}
}
