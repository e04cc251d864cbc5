package settings

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml/ast"
)

// sample is another value than the default, as it is written in JSON, and as it is then.
type sample struct {
	json  string
	value any
	bad   string // JSON that must be refused
}

func samples() map[string]sample {
	return map[string]sample{
		"model.provider":                      {`"openai"`, "openai", `"opnai"`},
		"model.base_url":                      {`"http://localhost:11434/v1"`, "http://localhost:11434/v1", `"localhost:11434"`},
		"model.model":                         {`"qwen3"`, "qwen3", `3`},
		"model.api_key_env":                   {`"MY_KEY"`, "MY_KEY", `"sk-proj-1234567890abcdef"`},
		"model.context_window":                {`32768`, 32768, `-1`},
		"model.max_output_tokens":             {`4096`, 4096, `1.5`},
		"model.temperature":                   {`0`, 0.0, `2.5`},
		"model.profile.api":                   {`"azure"`, "azure", `"aws"`},
		"model.price.input":                   {`3`, 3.0, `-1`},
		"model.price.cached":                  {`0`, 0.0, `"free"`},
		"model.price.output":                  {`15.5`, 15.5, `true`},
		"model.profile.api_version":           {`"2024-10-21"`, "2024-10-21", `true`},
		"model.profile.headers":               {`{"X-Title":"galley"}`, map[string]string{"X-Title": "galley"}, `{"X Title":"galley"}`},
		"model.profile.max_tokens_field":      {`"max_tokens"`, "max_tokens", `"tokens"`},
		"model.profile.max_output":            {`8192`, 8192, `-1`},
		"model.profile.echo_scope":            {`"all"`, "all", `"some"`},
		"model.profile.thinking":              {`"open"`, "open", `"on"`},
		"model.profile.omit_fields":           {`["store"]`, []string{"store"}, `{"store":1}`},
		"model.profile.temperature":           {`false`, false, `"no"`},
		"model.profile.system_role":           {`"developer"`, "developer", `"boss"`},
		"model.profile.tool_only_content":     {`"omit"`, "omit", `0`},
		"model.profile.stream":                {`false`, false, `0`},
		"model.profile.stream_usage":          {`false`, false, `[]`},
		"model.profile.parallel_tool_calls":   {`true`, true, `{}`},
		"model.profile.echo_reasoning":        {`"reasoning"`, "reasoning", `"thoughts"`},
		"model.profile.strict_turns":          {`true`, true, `1`},
		"model.profile.tool_ids":              {`"alnum9"`, "alnum9", `"alnum8"`},
		"model.profile.tool_names":            {`true`, true, `"yes"`},
		"model.profile.text_tool_calls":       {`"promote"`, "promote", `"on"`},
		"model.profile.extra_body":            {`{"top_k":40,"a":{"b":[1,"x"]}}`, map[string]any{"top_k": uint64(40), "a": map[string]any{"b": []any{uint64(1), "x"}}}, `[1]`},
		"model.profile.context_window":        {`8192`, 8192, `"8k"`},
		"model.profile.request_limit":         {`4096`, 4096, `"4k"`},
		"model.profile.first_byte_timeout":    {`"5m"`, 5 * time.Minute, `300`},
		"model.profile.idle_timeout":          {`"90s"`, 90 * time.Second, `"soon"`},
		"agent.max_iterations":                {`7`, 7, `0`},
		"agent.max_cost":                      {`2.5`, 2.5, `-1`},
		"agent.max_tokens":                    {`200000`, 200000, `-5`},
		"agent.system_prompt_file":            {`"/tmp/system.md"`, "/tmp/system.md", `["a"]`},
		"review":                              {`{"docs/**":"auto"}`, ByFile{"default": "ask", "docs/**": "auto"}, `{"docs/**":"aut"}`},
		"editing.auto_preview":                {`false`, false, `"false"`},
		"editing.max_pending_changes":         {`5`, 5, `27`},
		"editing.preview_mode":                {`"stats"`, "stats", `"brief"`},
		"editing.preview_context_lines":       {`0`, 0, `101`},
		"editing.preview_max_length":          {`0`, 0, `-1`},
		"tasks.max_stack_depth":               {`4`, 4, `0`},
		"tasks.auto_pop_on_commit":            {`false`, false, `2`},
		"tasks.show_tree_in_prompt":           {`false`, false, `""`},
		"matching.auto_select_single_match":   {`false`, false, `"x"`},
		"matching.smart_recommendation":       {`false`, false, `{"a":1}`},
		"matching.max_candidates_shown":       {`3`, 3, `0`},
		"history.enable_compression":          {`false`, false, `7`},
		"history.compression_threshold":       {`9`, 9, `1`},
		"history.keep_key_decisions":          {`false`, false, `"true"`},
		"memory.compression.light":            {`0.1`, .1, `1.1`},
		"memory.compression.medium":           {`0.5`, .5, `"half"`},
		"memory.compression.heavy":            {`0.7`, .7, `-0.1`},
		"memory.compression.emergency":        {`1`, 1.0, `100`},
		"memory.compression.auto":             {`true`, true, `"yes"`},
		"memory.inject_history":               {`"recent:5"`, "recent:5", `"sometimes"`},
		"memory.events":                       {`false`, false, `"no"`},
		"memory.carry_over":                   {`false`, false, `1`},
		"memory.overview_budget":              {`4096`, 4096, `100`},
		"memory.tool_summary":                 {`"auto"`, "auto", `"on"`},
		"model.summary_model":                 {`"small"`, "small", `1`},
		"memory.review":                       {`"off"`, "off", `"ask"`},
		"memory.tool_call_cutoff":             {`5`, 5, `0`},
		"context_builder.strategy":            {`"sliding_window"`, "sliding_window", `"zones"`},
		"context_builder.options.window_size": {`80`, 80, `5`},
		"tools.run_command":                   {`"ask"`, "ask", `true`},
		"tools.run_command_timeout":           {`"2m"`, 2 * time.Minute, `"2h"`},
		"tools.deny":                          {`["*.lock","secret/"]`, []string{"*.lock", "secret/"}, `"*.lock"`},
		"git.commit":                          {`true`, true, `"yes"`},
		"tools.allow_read":                    {`[".env.example"]`, []string{".env.example"}, `[1]`},
		"ui.diagnostics":                      {`"off"`, "off", `"none"`},
		"ui.code_lens":                        {`false`, false, `"yes"`},
		"ui.inlay_hints":                      {`false`, false, `"no"`},
		"ui.icons":                            {`false`, false, `0`},
		"log.level":                           {`"debug"`, "debug", `"loud"`},
		"log.file":                            {`"/tmp/galley.log"`, "/tmp/galley.log", `1`},
	}
}

func TestTable(t *testing.T) {
	names, variables := map[string]bool{}, map[string]bool{}
	for _, r := range Table() {
		if names[r.Name] || variables[Variable(r.Name)] {
			t.Errorf("%s or its variable stands in the table twice", r.Name)
		}
		names[r.Name], variables[Variable(r.Name)] = true, true
		if r.Doc == "" || strings.HasSuffix(r.Doc, ".") || r.Doc[0] >= 'A' && r.Doc[0] <= 'Z' {
			t.Errorf("%s: %q does not read like the others", r.Name, r.Doc)
		}
		if (r.Kind == Word) != (len(r.Words) > 0) {
			t.Errorf("%s: a word needs a list, and nothing else does", r.Name)
		}
		if isPlanned(r.Name) {
			t.Errorf("%s is done and planned", r.Name)
		}
		if _, ok := samples()[r.Name]; !ok {
			t.Errorf("%s has no sample in the tests", r.Name)
		}
		got, err := r.read(node(t, jsonText(r.Masked(r.Default()))))
		if optional := r.Default() == nil || r.Default() == ""; !optional && (err != nil || jsonText(r.Masked(got)) != jsonText(r.Masked(r.Default()))) {
			t.Errorf("%s: the default %v is read as %v, %v", r.Name, r.Default(), got, err)
		}
	}
	for _, g := range Groups() {
		schema := built().schema
		for _, key := range strings.Split(g, ".") {
			schema, _ = schema.Properties.Get(key)
		}
		if schema.Description == "" {
			t.Errorf("nothing says what the group %s is for", g)
		}
		if variables[Variable(g)] {
			t.Errorf("the variable of the group %s is that of a setting", g)
		}
	}
	if len(samples()) != len(names) {
		t.Errorf("there are %d samples for %d settings", len(samples()), len(names))
	}
}

// node is a value as a file has it.
func node(t *testing.T, s string) ast.Node {
	t.Helper()
	n, err := parseJSON([]byte(s))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func plainJSON(t *testing.T, s string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(s), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// What Settings has a field for is in the table, and the other way round: nothing is settable that nobody reads.
func TestTableFillsSettings(t *testing.T) {
	s := Default()
	for _, r := range Table() {
		r.set(&s, samples()[r.Name].value)
	}
	for _, r := range Table() {
		if !reflect.DeepEqual(r.Value(s), samples()[r.Name].value) {
			t.Errorf("%s: %v was set, and it is %v", r.Name, samples()[r.Name].value, r.Value(s))
		}
	}
	unlike(t, "Settings", reflect.ValueOf(s), reflect.ValueOf(Default()))
}

func unlike(t *testing.T, name string, a, b reflect.Value) {
	t.Helper()
	for i := range a.NumField() {
		field := name + "." + a.Type().Field(i).Name
		if a.Field(i).Kind() == reflect.Struct {
			unlike(t, field, a.Field(i), b.Field(i))
		} else if reflect.DeepEqual(a.Field(i).Interface(), b.Field(i).Interface()) {
			t.Errorf("%s is set by no row of the table", field)
		}
	}
}

func TestProvider(t *testing.T) {
	for _, test := range []struct {
		m    Model
		want string
	}{
		{Model{}, ProviderOffline},
		{Model{Model: "qwen3"}, ProviderOpenAI},
		{Model{BaseURL: "http://localhost:11434/v1"}, ProviderOpenAI},
		{Model{Provider: ProviderOffline, Model: "qwen3"}, ProviderOffline},
	} {
		if got := test.m.Chosen(); got != test.want {
			t.Errorf("%+v: %s, want %s", test.m, got, test.want)
		}
	}
}
