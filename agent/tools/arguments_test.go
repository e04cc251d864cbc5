package tools

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/galley-ls/galley/agent/session"
)

func TestBadArguments(t *testing.T) {
	const replace = "memory_notebook_replace"
	cases := []struct{ tool, arguments, hint string }{
		// no such tool
		{"functions.memo_reed", `{}`, `there is no tool "functions.memo_reed"; did you mean "memo_read"?`},
		{"memo_read.write", `{}`, `there is no tool "memo_read.write"`},
		{"<|memo_read|>", `{}`, `there is no tool "<|memo_read|>"`},
		{"memo_reed", `{}`, `there is no tool "memo_reed"; did you mean "memo_read"?`},
		{"MemoCommit", `{}`, `did you mean "memo_commit"?`},
		{"notebook_replace", `{}`, `did you mean "memory_notebook_replace"?`},
		{"str_replace_based_edit", `{}`, `the tools are memo_read, memory_notebook_replace, `},
		{"", `{}`, `the tools are `},
		{strings.Repeat("x", 1000), `{}`, `…"; the tools are `},
		// no JSON object
		{"memo_read", `{"path":"a.t`, "the arguments end in the middle, after 12 bytes"},
		{"memo_read", `{`, "end in the middle"},
		{"memo_read", `{"path":"a.txt"`, "end in the middle"},
		{"memo_read", `{'path':'a.txt'}`, `no JSON: invalid character '\''`},
		{"memo_read", `{"path":"a.txt"}}`, "no JSON"},
		{"memo_read", `{"path":"a.txt"}{"path":"b.txt"}`, `at byte 16, behind "{\"path\":\"a.txt\"}"`},
		{"memo_read", "{\"path\":\"a\nb\"}", "no JSON"},
		{"memo_read", `path: a.txt`, "no JSON"},
		{"memo_read", `[{"path":"a.txt"}]`, "the arguments are a list; send one JSON object"},
		{"memo_read", `"{\"path\":\"a.txt\"}"`, "the arguments are a string; send one JSON object"},
		{"memo_read", `null`, "the arguments are null"},
		{"memo_read", `7`, "the arguments are a number"},
		{"memo_read", strings.Repeat("[", 20000), "no JSON"},
		// text that the decoder would mend in silence
		{"memo_read", "{\"path\":\"caf\xe9\"}", "not valid UTF-8"},
		{replace, `{"old_text":"\ud83d","new_text":"x"}`, `hold \ud83d, half of a character`},
		{replace, `{"old_text":"\ude00\ud83d","new_text":"x"}`, `hold \ude00`},
		{replace, `{"old_text":"\ud83dx","new_text":"x"}`, `hold \ud83d`},
		{replace, `{"old_text":"a\u0000b","new_text":"x"}`, `the argument "old_text" holds a NUL character`},
		{"memo_read", `{"path":"a.txt","path":"b.txt"}`, `the argument "path" comes twice`},
		// names
		{"memo_read", `{"file_path":"a.txt"}`, `there is no argument "file_path"; did you mean "path" (a string)?`},
		{"memo_read", `{"Path":"a.txt"}`, `did you mean "path"`},
		{"memo_read", `{"offset":3}`, "the arguments are path, start_line, end_line, line_numbers"},
		{replace, `{"oldText":"a","newText":"b"}`, `there is no argument "newText"; did you mean "new_text" (a string)?; there is no argument "oldText"; did you mean "old_text" (a string)?; correct`},
		{replace, `{"old_string":"a","new_string":"b"}`, `did you mean "new_text" (a string)?; there is no argument "old_string"; did you mean "old_text"`},
		{replace, `{"old_text":"a"}`, `the argument "new_text" (a string) is missing; correct this and call memory_notebook_replace again`},
		{replace, `{}`, `the argument "old_text" (a string) is missing; the argument "new_text" (a string) is missing`},
		{replace, ` `, `the argument "old_text"`},
		{replace, `{"a":1,"b":2,"c":3,"d":4}`, `there is no argument "a" or "b" or "c"; the arguments are path, old_text`},
		{"memo_commit_auto", `{"summary":"x"}`, `there is no argument "summary"; this tool takes none`},
		// values
		{"memo_read", `{"path":7}`, `the argument "path" must be a string, not a number`},
		{replace, `{"old_text":null,"new_text":"x"}`, `the argument "old_text" must be a string, not null: leave it out instead`},
		{"memo_read", `{"start_line":"twelve"}`, `the argument "start_line" must be an integer, not a string`},
		{"memo_read", `{"start_line":"\"12\""}`, `the argument "start_line" must be an integer, not a string`},
		{"memo_read", `{"start_line":"0"}`, `the argument "start_line" must be at least 1, not 0`},
		{"memo_read", `{"start_line":"1.5"}`, `must be an integer, not a number`},
		{"memo_read", `{"start_line":1.5}`, `must be an integer, not a number`},
		{"memo_read", `{"start_line":0}`, `the argument "start_line" must be at least 1, not 0`},
		{"memo_read", `{"start_line":1e300}`, `the argument "start_line" is too large`},
		{"memo_read", `{"start_line":1e999}`, "a number that is too large"},
		{"memo_read", `{"start_line":1e-999999999}`, `at least 1, not 0`},
		{"memo_read", `{"line_numbers":"no"}`, `the argument "line_numbers" must be a boolean, not a string`},
		{"memo_read", `{"line_numbers":"0"}`, `the argument "line_numbers" must be a boolean, not a number`},
		{"memo_preview", `{"format":"Full"}`, `the argument "format" must be one of compact, full, stats, diff, not "Full"`},
		{"memo_preview", `{"context_lines":-1}`, `at least 0, not -1`},
		{"memo_commit", `{"summary":"s","decisions":"one"}`, `the argument "decisions" must be a list of strings, not a string`},
		{"memo_commit", `{"summary":"s","decisions":["one",2]}`, `the argument "decisions/1" must be a string, not a number`},
		{"memo_commit", `{"summary":"s","decisions":"[\"one\", 2]"}`, `the argument "decisions/1" must be a string, not a number`},
		{"write", `{"path":"a.txt","content":{"a":1}}`, `the argument "content" must be a string, not an object`},
		{"write", `{"path":"a.json","content":null}`, `the argument "content" must be a string, not null`},
		{"memo_commit", `{"summary":"s","session_id":"3"}`, `the argument "session_id" must be a string like sess-3, not "3"`},
		{"memo_update_task", `{"task_id":4}`, `the argument "task_id" must be a string like 2, not a number`},
		{"memo_update_task", `{"task_id":"four"}`, `the argument "task_id" must be a string like 2, not "four"`},
		{"memo_update_task", `{"task_id":"4","state":"active"}`, `must be one of waiting, completed, reverted, not "active"`},
	}
	s := opened(t)
	for _, c := range cases {
		out := call(t, s, c.tool, c.arguments)
		if out.Status != StatusRefused || out.Code != CodeBadArguments || !strings.Contains(out.Hint, c.hint) {
			t.Errorf("%s(%.80s) = %s %s\n%s, want\n%s", c.tool, c.arguments, out.Status, out.Code, out.Hint, c.hint)
		}
		if len(out.Hint) > 450 {
			t.Errorf("%s(%.80s): the hint has %d bytes: %s", c.tool, c.arguments, len(out.Hint), out.Hint)
		}
	}
	if n := len(s.Snapshot().Changes()) + len(s.Tasks()); n > 0 {
		t.Error("a call was made")
	}
}

func TestGoodText(t *testing.T) {
	for _, text := range []string{"😀", `\ud83d`, "\u2028<&>", "\ufffd", "$& $1 \\n", "a\r\nb\x7f", "\ufeff"} {
		raw, err := json.Marshal(map[string]string{"old_text": text, "new_text": ""})
		if err != nil {
			t.Fatal(err)
		}
		if a := decoded[ReplaceArgs](t, "memory_notebook_replace", string(raw)); a.OldText != text {
			t.Errorf("%q came as %+v", text, a)
		}
	}
	if a := decoded[ReplaceArgs](t, "memory_notebook_replace", `{"old_text":"\ud83d\ude00\\ud83d","new_text":"\u00e9"}`); a.OldText != `😀\ud83d` || a.NewText != "é" {
		t.Errorf("escapes came as %+v", a)
	}
}

// TestArgumentsArrive sends any arguments and compares what the tool gets.
func TestArgumentsArrive(t *testing.T) {
	str := rapid.StringMatching(`[^\x00]{0,20}`)
	rapid.Check(t, func(rt *rapid.T) {
		want := ReplaceArgs{
			Path: rapid.StringMatching(`[^\x00\s"'<>“”„‘’«»\x60:]{0,20}`).Draw(rt, "path"), OldText: str.Draw(rt, "old"), NewText: str.Draw(rt, "new"), SearchAfter: str.Draw(rt, "after"),
			MatchID: str.Draw(rt, "match"), ShowAllMatches: rapid.Bool().Draw(rt, "all"), LineKey: str.Draw(rt, "key"), Reason: str.Draw(rt, "reason"),
		}
		raw, err := json.Marshal(want)
		if err != nil {
			rt.Fatal(err)
		}
		if got := decoded[ReplaceArgs](t, "memory_notebook_replace", string(raw)); !reflect.DeepEqual(got, want) {
			rt.Fatalf("%s came as %+v", raw, got)
		}
	})
}

func TestNearest(t *testing.T) {
	names := []string{"path", "old_text", "new_text", "search_after", "match_id", "reason"}
	for word, want := range map[string]string{
		"paht": "path", "filepath": "path", "OLD-TEXT": "old_text", "oldtxt": "old_text", "after": "search_after", "id": "", "text": "old_text",
		"matchId": "match_id", "zzz": "", "": "", "__": "", "raeson": "reason", "é": "",
	} {
		if got := nearest(word, names); got != want {
			t.Errorf("nearest(%q) = %q, want %q", word, got, want)
		}
	}
}

func FuzzArguments(f *testing.F) {
	for _, s := range []string{
		``, `{}`, `{"path":"a.txt"}`, `{"path":"a`, `[]`, `null`, `{"old_text":"\ud83d\ude00","new_text":"\ud83d"}`, `{"start_line":1e999999}`,
		`{"start_line":1e-99999999}`, `{"a":{"b":[1,{}]}}`, `{"decisions":["a",1]}`, "{\"path\":\"\xff\"}", `{"change_id":"A","reason":"r"}`,
	} {
		f.Add(uint8(1), s)
	}
	s := opened(f, func(cfg *session.Config) { cfg.Commands = session.CommandsOff })
	f.Fuzz(func(t *testing.T, which uint8, arguments string) {
		name := All()[int(which)%len(All())].Name
		if which == 255 {
			name = arguments
		}
		out := call(t, s, name, arguments)
		if out.Code == CodeBadArguments && out.Hint == "" {
			t.Errorf("%s(%q) is refused without a hint", name, arguments)
		}
	})
}

// A schema is found wherever the program was started: in a folder that is no part of an address, or that is gone.
func TestSchemaInAnyFolder(t *testing.T) {
	for _, name := range []string{"100% done", "new\nline", "a#b?c", "gone"} {
		dir := filepath.Join(t.TempDir(), name)
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		t.Chdir(dir)
		if name == "gone" {
			if err := os.Remove(dir); err != nil {
				t.Fatal(err)
			}
		}
		_, c := schemaOf("memo_append", AppendArgs{})
		if wrong := c.explain(map[string]any{"text": "x"}); wrong != "" {
			t.Errorf("%q: %v", name, wrong)
		}
	}
}
