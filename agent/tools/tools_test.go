package tools

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/galley-ls/galley/agent/session"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestSpecs(t *testing.T) {
	var got bytes.Buffer
	e := json.NewEncoder(&got)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(Specs(Options{Commands: true})); err != nil {
		t.Fatal(err)
	}
	const golden = "testdata/specs.json"
	if *update {
		if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), want) {
		t.Errorf("the specs are not those of %s; look at them, then run the test with -update:\n%s", golden, got.Bytes())
	}
}

func TestTable(t *testing.T) {
	var names, readOnly []string
	for _, tool := range All() {
		names = append(names, tool.Name)
		if tool.ReadOnly {
			readOnly = append(readOnly, tool.Name)
		}
	}
	if want := []string{
		"memo_read", "memory_notebook_replace", "memory_notebook_replace_span", "memo_append", "write", "delete_file", "rename_file",
		"memo_preview", "memo_drop", "memo_commit", "memo_commit_auto", "memo_revert", "memo_export_session", "memo_export_diff",
		"memo_begin_task", "memo_update_task", "compact_history", "query_history", "memory_event", "list_files", "search_text", "read", "run_command",
	}; !slices.Equal(names, want) {
		t.Errorf("the tools are %q, want %q", names, want)
	}
	if want := []string{"memo_read", "memo_preview", "query_history", "list_files", "search_text", "read"}; !slices.Equal(readOnly, want) {
		t.Errorf("the tools that change nothing are %q, want %q", readOnly, want)
	}
}

// TestDocs keeps what the model reads short, and true to the arguments.
func TestDocs(t *testing.T) {
	for _, tool := range All() {
		if n := len(strings.Fields(tool.Doc)); n < 15 || n > 120 {
			t.Errorf("%s.md has %d words, want 15 to 120", tool.Name, n)
		}
		var schema struct {
			Type                 string
			Properties           map[string]any
			AdditionalProperties *bool
		}
		if err := json.Unmarshal(tool.Schema, &schema); err != nil {
			t.Fatal(err)
		}
		if schema.Type != "object" || schema.Properties == nil || schema.AdditionalProperties == nil || *schema.AdditionalProperties {
			t.Errorf("the schema of %s is not strict: %s", tool.Name, tool.Schema)
		}
		for name := range schema.Properties {
			if !strings.Contains(tool.Doc, name) && !slices.Contains([]string{"path", "summary", "content"}, name) {
				t.Errorf("%s.md does not say what %s is for", tool.Name, name)
			}
		}
	}
}

// TestWalk plays a session through the tools.
func TestWalk(t *testing.T) {
	s := opened(t)
	steps := []struct{ tool, arguments, status, code string }{
		{"memo_begin_task", `{"goal":"rename one","plan":["look","edit"]}`, "ok", ""},
		{"list_files", `{}`, "ok", ""},
		{"search_text", `{"pattern":"one"}`, "ok", ""},
		{"memo_read", `{"path":"a.txt","start_line":1}`, "ok", ""},
		{"memo_read", `{"path":"none"}`, "not_found", "file_not_found"},
		{"memory_notebook_replace", `{"path":"a.txt","old_text":"one","new_text":"1"}`, "needs_match", "ambiguous"},
		{"memory_notebook_replace", `{"path":"a.txt","old_text":"one","new_text":"1","match_id":"A"}`, "editing", ""},
		{"memory_notebook_replace_span", `{"path":"a.txt","old_span_start":"two","old_span_end":"one","new_text":"2"}`, "editing", ""},
		{"memory_notebook_replace", `{"path":"a.txt","old_text":"","new_text":"1"}`, "refused", "empty_old_text"},
		{"memo_append", `{"path":"a.txt","text":"end\n"}`, "editing", ""},
		{"memo_drop", `{"change_id":"C","reason":"not wanted"}`, "ok", ""},
		{"memo_preview", `{"format":"stats","context_lines":0}`, "ok", ""},
		{"memo_commit", `{"summary":"renamed","decisions":["digits"],"auto_pop_task":false}`, "committed", ""},
		{"memo_commit_auto", ``, "committed", ""},
		{"write", `{"path":"b.go","content":""}`, "editing", ""},
		{"memo_revert", `{"reason":"wrong file"}`, "reverted", ""},
		{"memo_update_task", `{"task_id":"#1","state":"completed"}`, "ok", ""},
		{"memo_export_session", `{"session_id":"sess-1"}`, "ok", ""},
		{"memo_export_diff", `{"session_id":"sess-1","to":"working-memory/detail/d.md"}`, "ok", ""},
		{"read", `{"path":"a.txt"}`, "ok", ""},
		{"run_command", `{"command":"true","timeout_seconds":5,"dir":"."}`, "ok", ""},
		{"run_command", `{"command":"true","dir":"sub"}`, "not_found", "file_not_found"},
	}
	for _, step := range steps {
		if out := call(t, s, step.tool, step.arguments); out.Status != step.status || out.Code != step.code {
			t.Errorf("%s(%s) = %s, want %s %s", step.tool, step.arguments, out.JSON(), step.status, step.code)
		}
	}
	if got, err := os.ReadFile(filepath.Join(s.Workspace(), "a.txt")); err != nil || string(got) != "1\n2\n" {
		t.Errorf("a.txt holds %q: %v", got, err)
	}
}

// TestResultJSON compares results byte for byte: order, empty lists, no escapes for the web.
func TestResultJSON(t *testing.T) {
	s := opened(t)
	for _, c := range []struct{ tool, arguments, want string }{
		{"read", `{"path":"b.go"}`, `{"status":"ok","path":"b.go","total_lines":1,"chars":16,"start_line":1,"end_line":1,"text":"x <- y && z > 1\n"}`},
		{
			"memo_commit", `{"summary":"a < b"}`,
			`{"status":"committed","summary":"a < b","applied_changes":0,"files":[],"decisions":[],"history_delta":{"messages_removed":0,"tokens_saved":0},"task_stack":"(empty)"}`,
		},
		{"search_text", `{"pattern":"<"}`, `{"status":"ok","total":1,"matches":[{"path":"b.go","line":1,"text":"x <- y && z > 1"}]}`},
		{"search_text", `{"pattern":"none"}`, `{"status":"ok","total":0,"matches":[],"hint":"nothing matches in 3 files"}`},
		{"list_files", `{}`, `{"status":"ok","total":3,"files":["a.txt","b.go","key.txt"]}`},
	} {
		if got := call(t, s, c.tool, c.arguments).JSON(); got != c.want {
			t.Errorf("%s(%s) =\n%s, want\n%s", c.tool, c.arguments, got, c.want)
		}
	}
}

// run_command exists where the settings let commands run, and nowhere else.
func TestCommandsMayBeOff(t *testing.T) {
	names := func(o Options) (out []string) {
		for _, s := range Specs(o) {
			out = append(out, s.Name)
		}
		return out
	}
	if slices.Contains(names(Options{}), "run_command") || !slices.Contains(names(Options{Commands: true}), "run_command") {
		t.Errorf("offered are %q, and with commands %q", names(Options{}), names(Options{Commands: true}))
	}
	s := opened(t, func(cfg *session.Config) { cfg.Commands = session.CommandsOff })
	out := call(t, s, "run_command", `{"command":"x"}`)
	if out.Code != CodeBadArguments || strings.Contains(out.Hint, "did you mean") {
		t.Errorf("%+v", out)
	}
	if out = call(t, s, "run", `{}`); strings.Contains(out.Hint, "run_command") {
		t.Errorf("it is suggested: %s", out.Hint)
	}
	for _, mode := range []string{"", session.CommandsOff, "yes"} { // there is a second door behind the first
		s := opened(t, func(cfg *session.Config) { cfg.Commands = mode })
		if o := runCommand().run(t.Context(), s, session.By{}, `{"command":"touch ran"}`); o.Code != CodeDenied {
			t.Errorf("%q: %s", mode, o.JSON())
		}
	}
	s = opened(t)
	if out = call(t, s, "run_comand", `{}`); !strings.Contains(out.Hint, `"run_command"`) {
		t.Errorf("it is not suggested: %s", out.Hint)
	}
}

func TestTextsCanBeReplaced(t *testing.T) {
	specs := Specs(Options{Texts: map[string]string{"memo_read": " Look. \n", "write": " ", "no_such_tool": "x"}})
	if built, ok := Doc("write"); specs[0].Description != "Look." || specs[4].Description != built || !ok {
		t.Errorf("%q, %q", specs[0].Description, specs[4].Description)
	}
	if len(specs) != len(All())-1 {
		t.Errorf("%d specs", len(specs))
	}
	if _, ok := Doc("no_such_tool"); ok {
		t.Error("a text of no tool")
	}
}

// No secret comes out of a tool, and a call that holds one is not made, however it is spelled.
func TestSecretsAreMasked(t *testing.T) {
	s := opened(t)
	if out := call(t, s, "read", `{"path":"key.txt"}`); *out.Text != "key = [secret]\n" {
		t.Errorf("%q", *out.Text)
	}
	out := call(t, s, "memory_notebook_replace", `{"path":"a.txt","old_text":"two","new_text":"hunter2hunter2"}`)
	if out.Status != StatusRefused || out.Code != CodeDenied || len(s.Snapshot().Changes()) > 0 {
		t.Errorf("%+v", out)
	}
	for _, name := range []string{"no_such_hunter2hunter2", strings.Repeat("x", 45) + "hunter2hunter2"} {
		if out := call(t, s, name, `{}`); strings.Contains(out.Hint, "hunt") {
			t.Errorf("%s", out.Hint)
		}
	}
}

func TestDefaultsAreTold(t *testing.T) {
	if a := decoded[ReadArgs](t, "memo_read", `{"path":"a.txt"}`); a.LineNumbers != nil {
		t.Errorf("line_numbers is %v where it was left out", *a.LineNumbers)
	}
	if a := decoded[ReadArgs](t, "memo_read", `{"path":"a.txt","line_numbers":false,"start_line":12.0}`); a.LineNumbers == nil || *a.LineNumbers || a.StartLine != 12 {
		t.Errorf("the arguments came as %+v", a)
	}
}

// A candidate that is named by its letter before the list was shown: the others stay where they are.
func TestCandidateOfAListMadeJustNow(t *testing.T) {
	s := opened(t)
	if o := call(t, s, "memory_notebook_replace", `{"path":"a.txt","match_id":"A","old_text":"one\n","new_text":""}`); o.Status != StatusEditing {
		t.Fatal(o.JSON())
	}
	if o := call(t, s, "memory_notebook_replace", `{"path":"a.txt","match_id":"B","old_text":"one\n","new_text":"1\n"}`); o.Status != StatusEditing || len(o.PendingChanges) != 2 {
		t.Fatal(o.JSON())
	}
	if o := call(t, s, "read", `{"path":"a.txt"}`); o.Text == nil || *o.Text != "two\n1\n" {
		t.Error(o.JSON())
	}
}
