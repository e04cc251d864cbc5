package tools

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/galley-ls/galley/agent/session"
)

func TestU33ArgumentsAreTakenAsMeant(t *testing.T) {
	for _, c := range []struct {
		tool, arguments, want string // want: the same call by the book
	}{
		{"memo_read", `{"path":"a.txt","start_line":null,"end_line":null,"line_numbers":null}`, `{"path":"a.txt"}`},
		{"memo_read", `{"path":"a.txt","start_line":"2"}`, `{"path":"a.txt","start_line":2}`},
		{"memo_read", `{"path":"a.txt","start_line":" 2 ","end_line":"3.0"}`, `{"path":"a.txt","start_line":2,"end_line":3}`},
		{"memo_read", `{"path":"a.txt","line_numbers":"false"}`, `{"path":"a.txt","line_numbers":false}`},
		{"memo_read", `{"path":"a.txt","line_numbers":"False","start_line":"null","end_line":""}`, `{"path":"a.txt","line_numbers":false}`},
		{"memo_preview", `{"format":"","context_lines":"2"}`, `{"context_lines":2}`},
		{"memory_notebook_replace", `{"path":"a.txt","old_text":"two","new_text":"false","preview_only":"true","match_id":null,"reason":null}`, `{"path":"a.txt","old_text":"two","new_text":"false","preview_only":true}`},
		{"memory_notebook_replace", `{"path":"a.txt","old_text":"two","new_text":"[\"x\"]","preview_only":true}`, `{"path":"a.txt","old_text":"two","new_text":"[\"x\"]","preview_only":true}`},
		{"search_text", `{"pattern":"3","regex":"TRUE"}`, `{"pattern":"3","regex":true}`},
		{"list_files", `{"glob":null}`, `{}`},
	} {
		got, want := call(t, opened(t), c.tool, c.arguments), call(t, opened(t), c.tool, c.want)
		if got.JSON() != want.JSON() || got.Code == CodeBadArguments {
			t.Errorf("%s(%s) = %s, want as for %s: %s", c.tool, c.arguments, got.JSON(), c.want, want.JSON())
		}
	}
}

func TestU33ListsInTexts(t *testing.T) {
	for arguments, want := range map[string]string{
		`{"goal":"g","plan":"[\"x\", \"y\"]"}`:                        "x y",
		`{"goal":"g","plan":"[]"}`:                                    "",
		`{"goal":"g","plan":"null"}`:                                  "",
		`{"goal":"g","plan":null,"task_id":"","parent_task_id":null}`: "",
	} {
		if a := decoded[BeginTaskArgs](t, "memo_begin_task", arguments); a.Goal != "g" || strings.Join(a.Plan, " ") != want || a.TaskID+a.ParentTaskID != "" {
			t.Errorf("%s came as %+v", arguments, a)
		}
	}
	if a := decoded[CommitArgs](t, "memo_commit", `{"summary":"s","decisions":"[\"d\"]","session_id":"","auto_pop_task":"False"}`); len(a.Decisions) != 1 || a.SessionID != "" || a.AutoPopTask == nil || *a.AutoPopTask {
		t.Errorf("came as %+v", a)
	}
}

func TestU33AnObjectIsTheTextOfAFileOfJSON(t *testing.T) {
	for _, c := range []struct{ path, content, want string }{
		{"new.json", `{"b": 1.0, "a": [12345678901234567890, "ü<"], "b2":{}}`, "{\n  \"b\": 1.0,\n  \"a\": [\n    12345678901234567890,\n    \"ü<\"\n  ],\n  \"b2\": {}\n}\n"},
		{"tsconfig.JSON", `[1,2]`, "[\n  1,\n  2\n]\n"},
		{"map.geojson", `{}`, "{}\n"},
		{"flag.json", `true`, "true\n"},
		{"text.json", `"{\"a\":1}"`, `{"a":1}`},
	} {
		dir := t.TempDir()
		s := opened(t, func(cfg *session.Config) { cfg.Workspace = dir })
		if o := call(t, s, "write", `{"path":"`+c.path+`","content":`+c.content+`}`); o.Status != StatusEditing {
			t.Fatalf("%s: %s", c.path, o.JSON())
		}
		if o := call(t, s, "memo_commit", `{"summary":"s"}`); o.Status != StatusCommitted {
			t.Fatalf("%s: %s", c.path, o.JSON())
		}
		if got, err := os.ReadFile(filepath.Join(dir, c.path)); err != nil || string(got) != c.want {
			t.Errorf("%s holds %q, want %q (%v)", c.path, got, c.want, err)
		}
	}
}

func TestU33NamesOfTools(t *testing.T) {
	for _, name := range []string{
		"functions.memo_read", "default_api:memo_read", "default_api.memo_read", "functions.memo_read:0", "tools/memo_read", "mcp__galley__memo_read",
		"memo_read<|channel|>commentary", "functions.memo_read<|constrain|>json", "to=functions.memo_read", " memo_read ", "galley::memo_read",
	} {
		if o := call(t, opened(t), name, `{"path":"a.txt"}`); o.Status != StatusOK || o.Path != "a.txt" {
			t.Errorf("%s = %s", name, o.JSON())
		}
	}
	for _, name := range []string{"functions.", "memo_read.memo_preview", "", "<|memo_read", "x memo_read"} {
		if tool, ok := Find(name); ok {
			t.Errorf("%q is %s", name, tool.Name)
		}
	}
}
