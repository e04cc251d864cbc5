package settings

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// Later sources win, and each value knows where it comes from.
func TestSourcesInTheirOrder(t *testing.T) {
	h := newHouse(t)
	h.user("config.yaml", "tasks.max_stack_depth: 4\nediting:\n  preview_mode: compact\nlog: {level: warn}\nmatching:\n  max_candidates_shown: 6\nui:\n  icons: false\n")
	h.own("config.yaml", "tasks: {max_stack_depth: 5}\nediting: {preview_mode: full}\nlog.level: error\nmatching.max_candidates_shown: 7\n")
	l := h.load(Sources{
		Editor: []any{
			map[string]any{"tasks.max_stack_depth": 6.0, "editing": map[string]any{"preview_mode": "diff"}},
			map[string]any{"tasks": map[string]any{"max_stack_depth": 7.0}},
		},
		Env:   []string{"GALLEY_TASKS_MAX_STACK_DEPTH=8", "GALLEY_LOG_LEVEL=debug", "PATH=/bin", "GALLEY_HOME=/x", "GALLEY_LOG_FILE="},
		Flags: []Assignment{{"--set", "tasks.max_stack_depth", "9"}},
	})
	h.quiet(l)
	s := l.Settings
	if s.Tasks.MaxStackDepth != 9 || s.Editing.PreviewMode != "diff" || s.Log.Level != "debug" || s.Matching.MaxCandidatesShown != 7 || s.UI.Icons {
		t.Errorf("%+v", s)
	}
	for name, want := range map[string]string{
		"tasks.max_stack_depth": "--set", "editing.preview_mode": "the editor", "log.level": "GALLEY_LOG_LEVEL",
		"matching.max_candidates_shown": h.workspace + "/.galley/config.yaml:4", "ui.icons": "~/.config/galley/config.yaml:8",
		"review": "default",
	} {
		if got := l.Origin(name).String(); got != want {
			t.Errorf("%s comes from %q, want %q", name, got, want)
		}
	}
}

// Every setting can be said in every way.
func TestEverySettingInEveryWay(t *testing.T) {
	for _, r := range Table() {
		s := samples()[r.Name]
		group, key := "", r.Name
		if i := strings.LastIndexByte(r.Name, '.'); i >= 0 {
			group, key = r.Name[:i], r.Name[i+1:]
		}
		nested := s.json
		for _, name := range slices.Backward(strings.Split(r.Name, ".")) {
			nested = fmt.Sprintf("{%q: %s}", name, nested)
		}
		bare := strings.Trim(s.json, `"`)
		ways := map[string]func(h *house) Sources{
			"yaml, nested": func(h *house) Sources { h.user("config.yaml", nested); return Sources{} },
			"yaml, dotted": func(h *house) Sources { h.user("config.yml", r.Name+": "+s.json+" # why\n"); return Sources{} },
			"json":         func(h *house) Sources { h.user("config.json", nested); return Sources{} },
			"editor":       func(*house) Sources { return Sources{Editor: []any{plainJSON(t, nested)}} },
			"dotted":       func(*house) Sources { return Sources{Editor: []any{map[string]any{r.Name: plainJSON(t, s.json)}}} },
			"variable":     func(*house) Sources { return Sources{Env: []string{Variable(r.Name) + "=" + bare}} },
			"flag":         func(*house) Sources { return Sources{Flags: []Assignment{{"--set", r.Name, bare}}} },
		}
		if group != "" {
			ways["block"] = func(h *house) Sources {
				text := ""
				for i, name := range strings.Split(group, ".") {
					text += strings.Repeat("  ", i) + name + ":\n"
				}
				h.user("config.yaml", text+strings.Repeat("  ", strings.Count(group, ".")+1)+key+": "+s.json+"\n")
				return Sources{}
			}
			ways["group's variable"] = func(*house) Sources {
				return Sources{Env: []string{Variable(group) + "=" + fmt.Sprintf("{%q: %s}", key, s.json)}}
			}
		}
		for _, way := range slices.Sorted(maps.Keys(ways)) {
			h := newHouse(t)
			l := h.load(ways[way](h))
			told := h.told(l)
			if r.Name == "agent.system_prompt_file" { // it names no file that is there
				told = ""
			}
			if got := r.Value(l.Settings); told != "" || !reflect.DeepEqual(got, s.value) {
				t.Errorf("%s by %s: %#v, want %#v; told %q", r.Name, way, got, s.value, told)
			}
		}
	}
}

func TestEveryBadValueIsRefused(t *testing.T) {
	for _, r := range Table() {
		h := newHouse(t)
		h.user("config.yaml", "# one\n\n"+r.Name+": "+samples()[r.Name].bad+"\n")
		l := h.load(Sources{})
		if told := h.told(l); !strings.HasPrefix(told, "error ~/.config/galley/config.yaml:3: "+r.Name+" ") || strings.Contains(told, "\n") {
			t.Errorf("%s: %q", r.Name, told)
		}
		if !reflect.DeepEqual(r.Value(l.Settings), r.Default()) {
			t.Errorf("%s was set to %v all the same", r.Name, r.Value(l.Settings))
		}
	}
}

// A variable's name comes from anywhere, and begins no line of its own.
func TestOddVariable(t *testing.T) {
	h := newHouse(t)
	l := h.load(Sources{Env: []string{"GALLEY_X\n\x1b[31mY=1"}})
	if len(l.Warnings) != 1 {
		t.Fatal(h.told(l))
	}
	checkLoaded(t, l)
}
