package settings

import (
	"fmt"
	"strings"
	"testing"
)

// One file, and what is said about it.
func TestWhatIsWrongInAFile(t *testing.T) {
	const yaml = "~/.config/galley/config.yaml"
	for _, test := range []struct{ name, file, text, want string }{
		{"nothing", "config.yaml", "", ""},
		{"comments", "config.yaml", "# nothing yet\n", ""},
		{"a mark only", "config.yaml", "---\n", ""},
		{"windows", "config.yaml", "\xef\xbb\xbfui:\r\n  icons: false\r\n", ""},
		{"empty values", "config.yaml", "model:\n  temperature:\n  base_url: null\nui:\n", ""},
		{"a slip", "config.yaml", "model:\n  temprature: 1\n", "error " + yaml + ":2: there is no setting model.temprature; did you mean model.temperature?"},
		{"a dash", "config.yaml", "model:\n  base-url: http://x\n", "error " + yaml + ":2: there is no setting model.base-url; did you mean model.base_url?"},
		{"camel case", "config.yaml", "model:\n  maxOutputTokens: 3\n", "error " + yaml + ":2: there is no setting model.maxOutputTokens; did you mean model.max_output_tokens?"},
		{"without its group", "config.yaml", "base_url: http://x\n", "error " + yaml + ":1: there is no setting base_url; did you mean model.base_url?"},
		{"in another group", "config.yaml", "openai: \n  base_url: http://x\n", "error " + yaml + ":1: there is no setting openai; galley config show lists them"},
		{"a group that is near", "config.yaml", "modle:\n  model: x\n", "error " + yaml + ":1: there is no setting modle; did you mean model?"},
		{"a key", "config.yaml", "model:\n  api_key: sk-12345678901234567890\n", "error " + yaml + ":2: there is no setting model.api_key; a key stands in an environment variable, and model.api_key_env names that variable"},
		{"a key as variable", "config.yaml", "model.api_key_env: sk-12345678901234567890\n", "error " + yaml + ":1: model.api_key_env is the name of an environment variable, in capitals; the key itself stands in that variable and in no file"},
		{"a group as value", "config.yaml", "tools: off\n", "error " + yaml + ":1: tools is a group of settings; write its keys below it: run_command, run_command_timeout, deny, allow_read"},
		{"a list", "config.yaml", "- a\n", "error " + yaml + `:1: settings are an object of names and values; write "group:" and the keys below it, or "group.key: value"`},
		{"a text", "config.yaml", "hello\n", "error " + yaml + `:1: settings are an object of names and values; write "group:" and the keys below it, or "group.key: value"`},
		{"a word", "config.yaml", "review: atuo\n", "error " + yaml + `:1: review is "atuo"; did you mean "auto"?`},
		{"a word for a glob", "config.yaml", "review:\n  docs/**: atuo\n", "error " + yaml + `:1: review for docs/** is "atuo"; did you mean "auto"?`},
		{"no glob", "config.yaml", `review: {"docs/[": auto}`, "error " + yaml + `:1: review has a name that is no glob: docs/[; write for example "docs/**"`},
		{"a glob twice", "config.yaml", `review: {"*.md": auto, "*.md": ask}`, "error " + yaml + `:1: review has *.md twice; remove one of them`},
		{"a far word", "config.yaml", "review: never\n", "error " + yaml + `:1: review is "never"; it is one of ask, wait, auto`},
		{"out of bounds", "config.yaml", "\n\nediting.max_pending_changes: 30\n", "error " + yaml + ":3: editing.max_pending_changes is 30; it must be 1 to 26"},
		{"huge", "config.yaml", "agent.max_tokens: 99999999999999999999\n", "error " + yaml + ":1: agent.max_tokens must be a whole number, and is \"99999999999999999999\""},
		{"a number as text", "config.yaml", "model.model: 4\n", "error " + yaml + ":1: model.model must be text; put 4 in quotes"},
		{"yes", "config.yaml", "ui.icons: yes\n", "error " + yaml + `:1: ui.icons must be true or false, and is "yes"`},
		{"off is a word", "config.yaml", "tools.run_command: off\nui.diagnostics: off\n", ""},
		{"null is a word", "config.yaml", "model.profile.tool_only_content: null\n", ""},
		{"twice", "config.yaml", "ui:\n  icons: true\n  icons: false\n", "error " + yaml + ":3: ui.icons stands here again, and in line 2; put everything below the first"},
		{"two groups", "config.yaml", "ui:\n  icons: true\nlog: {}\nui:\n  code_lens: true\n", "error " + yaml + ":4: ui stands here again, and in line 1; put everything below the first"},
		{"nested and dotted", "config.yaml", "ui:\n  icons: true\nui.icons: false\n", "error " + yaml + ":3: ui.icons is set twice, here and in line 2; remove one of them"},
		{"one header twice", "config.yaml", "model.profile.headers:\n  A: x\n  A: y\n", "error " + yaml + ":1: model.profile.headers has A twice; remove one of them"},
		{"a tab", "config.yaml", "ui:\n\ticons: true\n", "error " + yaml + ":2: "},
		{"no end", "config.yaml", "ui: {icons: true\n", "error " + yaml + ":1: "},
		{"indented wrongly", "config.yaml", "ui:\n  icons: true\n code_lens: true\n", "error " + yaml + ":"},
		{"two documents", "config.yaml", "ui.icons: true\n---\nui.icons: false\n", "error " + yaml + ":3: there is a second document; put everything into the first"},
		{"an alias", "config.yaml", "tools.deny: &a [x]\ntools.allow_read: *a\n", "error " + yaml + ":1: anchors, aliases and merged keys are not read here; write the value out"},
		{"laughs", "config.yaml", "a: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]\n", "error " + yaml + ":1: anchors, aliases and merged keys are not read here; write the value out"},
		{"a tag", "config.yaml", "model.model: !!str 4\n", "error " + yaml + ":1: tags like !!str are not read here; put text into quotes"},
		{"deep", "config.yaml", strings.Repeat("[", 60) + strings.Repeat("]", 60), "error " + yaml + ":1: it is nested too deep"},
		{"large", "config.yaml", strings.Repeat("# x\n", 20_000), "error " + yaml + ": it is larger than 64 KB"},
		{"no text", "config.yaml", "ui: \xff\xfe\n", "error " + yaml + ": it is not UTF-8 text; save it as UTF-8"},
		{"planned", "config.yaml", "auto_summarize:\n  on: true\nfolding:\n  trigger: cadence\nmemory.overview_position: start\n", "warning " + yaml + ":1: auto_summarize is known, but this version does not do it yet: it has no effect\n" +
			"warning " + yaml + ":3: folding is known, but this version does not do it yet: it has no effect\n" +
			"warning " + yaml + ":5: memory.overview_position is known, but this version does not do it yet: it has no effect"},
		{"a strategy", "config.yaml", "context_builder:\n  strategy: two_layer\n", "error " + yaml + `:2: context_builder.strategy is "two_layer", which is not there yet; it is one of sliding_window`},
		{"a budget", "config.yaml", "model.model: m\nagent.max_cost: 2\n", "warning " + yaml + ":2: agent.max_cost stops nothing, since it is not known what the model costs; set model.price.input and model.price.output"},
		{"levels", "config.yaml", "memory:\n  compression:\n    light: 0.5\n", "error " + yaml + ":3: memory.compression.light is 0.5 and memory.compression.medium is 0.4; let each level begin at or above the one before"},
		{"no such prompt", "config.yaml", "agent.system_prompt_file: system.md\n", "error " + yaml + ":1: agent.system_prompt_file names ~/.config/galley/system.md: cannot be read: no such file or directory; name a file that can be read"},
		{"odd names", "config.yaml", "\"a\\nb\": 1\n", "error " + yaml + `:1: there is no setting "a b"; galley config show lists them`},
		{"JSON", "config.json", "{\n  \"ui\": {\n    \"icon\": false\n  }\n}\n", "error ~/.config/galley/config.json:3: there is no setting ui.icon; did you mean ui.icons?"},
		{"JSON twice", "config.json", "{\"review\": \"ask\",\n\"review\": \"auto\"}", "error ~/.config/galley/config.json:2: review stands here again, and in line 1; put everything below the first"},
		{"JSON, cut off", "config.json", "{\n\"ui\": {\n", "error ~/.config/galley/config.json:2: it is no JSON: it ends too early"},
		{"JSON with a comma", "config.json", "{\n\"review\": \"ask\",\n}\n", "error ~/.config/galley/config.json:3: it is no JSON: "},
		{"JSON and more", "config.json", "{}\n{}", "error ~/.config/galley/config.json:2: there is something behind the end of the object"},
		{"JSON with tabs", "config.json", "{\n\t\"ui\": {\"icons\": false}\n}\n", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := newHouse(t)
			h.user(test.file, test.text)
			got := h.told(h.load(Sources{}))
			open := strings.HasSuffix(test.want, ": ") || strings.HasSuffix(test.want, ":")
			if got != test.want && !(open && strings.HasPrefix(got, test.want) && !strings.Contains(got, "\n")) {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			if strings.Contains(got, "sk-1234") {
				t.Error("the key is told")
			}
		})
	}
}

func TestWhatIsWrongElsewhere(t *testing.T) {
	for _, test := range []struct {
		name string
		src  Sources
		want string
	}{
		{"a variable's value", Sources{Env: []string{"GALLEY_LOG_LEVEL=loud"}}, `error GALLEY_LOG_LEVEL: log.level is "loud"; it is one of debug, info, warn, error`},
		{"a variable's number", Sources{Env: []string{"GALLEY_AGENT_MAX_ITERATIONS=ten"}}, `error GALLEY_AGENT_MAX_ITERATIONS: agent.max_iterations must be a whole number, and is "ten"`},
		{"a variable's list", Sources{Env: []string{"GALLEY_TOOLS_DENY=*.lock"}}, `error GALLEY_TOOLS_DENY: tools.deny must be JSON, like ["*.lock"]`},
		{"a variable's group", Sources{Env: []string{"GALLEY_UI=off"}}, `error GALLEY_UI: ui must be a JSON object, like {"diagnostics": …}`},
		{"a key in a group", Sources{Env: []string{`GALLEY_UI={"icon":true}`}}, `error GALLEY_UI: there is no setting ui.icon; did you mean ui.icons?`},
		{"a slip in a variable", Sources{Env: []string{"GALLEY_MODEL_BASEURL=http://x"}}, `warning GALLEY_MODEL_BASEURL: galley knows no such variable; did you mean GALLEY_MODEL_BASE_URL?`},
		{"another program's", Sources{Env: []string{"GALLEY_PROOFS=1"}}, `warning GALLEY_PROOFS: galley knows no such variable`},
		{"a planned variable", Sources{Env: []string{"GALLEY_CONTEXT_BUILDER_STRATEGY=zones"}}, `error GALLEY_CONTEXT_BUILDER_STRATEGY: context_builder.strategy is "zones", which is not there yet; it is one of sliding_window`},
		{"a flag", Sources{Flags: []Assignment{{"--set", "ui.icon", "false"}}}, `error --set: there is no setting ui.icon; did you mean ui.icons?`},
		{"a flag's value", Sources{Flags: []Assignment{{"--base-url", "model.base_url", "localhost"}}}, `error --base-url: model.base_url must begin with http:// or https://`},
		{"a planned flag", Sources{Flags: []Assignment{{"--set", "memory.overview_position", "end"}}}, `warning --set: memory.overview_position is known, but this version does not do it yet: it has no effect`},
		{"the editor", Sources{Editor: []any{map[string]any{"ui": map[string]any{"icons": "yes"}}}}, `error the editor: ui.icons must be true or false, and is "yes"`},
		{"the editor's nothing", Sources{Editor: []any{nil, map[string]any{"ui": nil, "model": map[string]any{"temperature": nil, "profile": map[string]any{"tool_only_content": nil}}}}}, ``},
	} {
		h := newHouse(t)
		l := h.load(test.src)
		if got := h.told(l); got != test.want {
			t.Errorf("%s:\ngot  %s\nwant %s", test.name, got, test.want)
		}
		if v := l.Settings.Model.Profile.ToolOnlyContent; v != "" {
			t.Errorf("%s: nothing is %v", test.name, v)
		}
	}
}

// One key of an object can be set by itself.
func TestInsideAnObject(t *testing.T) {
	h := newHouse(t)
	h.user("config.yaml", "model:\n  profile:\n    headers: {A: a, B: b}\n    extra_body: {top_k: 1}\nmodel.profile.headers.C: c\n")
	l := h.load(Sources{
		Editor: []any{map[string]any{"model.profile.headers.B": "editor"}},
		Flags:  []Assignment{{"--set", "model.profile.extra_body.top_p", "0.5"}, {"--set", "model.profile.headers.D", "4"}},
	})
	h.quiet(l)
	if got := jsonText(l.Settings.Model.Profile); got != `{"headers":{"A":"a","B":"editor","C":"c","D":"4"},"extra_body":{"top_k":1,"top_p":0.5}}` {
		t.Error(got)
	}
}

func TestTwoFiles(t *testing.T) {
	h := newHouse(t)
	h.user("config.yaml", "ui.icons: false\n")
	h.user("config.json", "{}")
	l := h.load(Sources{})
	if got := h.told(l); got != "warning ~/.config/galley/config.json: it is not read: ~/.config/galley/config.yaml is there; put everything into one of them" {
		t.Error(got)
	}
	if len(l.Files) != 6 || !l.Files[0].Read || l.Files[1].There || l.Files[2].Read || !l.Files[2].There {
		t.Errorf("%+v", l.Files)
	}
}

// A file that is all wrong is not told line by line.
func TestEndlessProblems(t *testing.T) {
	h := newHouse(t)
	var b strings.Builder
	for i := range 4000 {
		fmt.Fprintf(&b, "wrong%d: 1\n", i)
	}
	h.user("config.yaml", b.String())
	if l := h.load(Sources{}); len(l.Errors) != mostProblems {
		t.Errorf("%d problems", len(l.Errors))
	}
}
