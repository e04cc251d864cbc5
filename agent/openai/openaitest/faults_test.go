package openaitest

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// timed are faults that change when something comes, not what: they have tests of their own, in time_test.go.
var timed = []string{"one_write", "odd_writes", "slow_bytes", "done_open", "idle", "idle_start", "idle_header"}

func TestEveryFaultOnTheWire(t *testing.T) {
	tested := map[string]bool{}
	for _, name := range timed {
		tested[name] = true
	}
	for name, want := range wires {
		tested[name] = true
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			checkWire(t, name, want)
		})
	}
	for name := range refusals {
		tested[name] = true
	}
	for _, f := range Faults() {
		if !tested[f.Name] {
			t.Errorf("the fault %s has no row in wires or refusals", f.Name)
		}
		delete(tested, f.Name)
	}
	for name := range tested {
		t.Errorf("there is no fault %s", name)
	}
}

func checkWire(t *testing.T, name string, want wire) {
	fault, _ := faultNamed(name)
	s := start(t, Script{Replies: []Reply{fault.Sample()}, Forgive: []string{"the key"}})
	request := post(t, s.URL(), plainBody(true))
	request.Header.Set("Authorization", "Bearer sk-secret")
	request.Header.Set("Accept-Encoding", "gzip")
	got := exchange(t, request)
	for _, pattern := range want.has {
		if text, ok := strings.CutPrefix(pattern, "said "); ok {
			if all, _, _ := said(t, got); !strings.Contains(all, text) {
				t.Errorf("the deltas do not add up to %q but to %q", text, all)
			}
		} else if text, ok := strings.CutPrefix(pattern, times300); ok {
			if n := strings.Count(got, text); n != 300 {
				t.Errorf("%s comes %d times", text, n)
			}
		} else if !regexp.MustCompile("(?s)" + pattern).MatchString(got) {
			t.Errorf("nothing like %s in\n%.6000s", pattern, got)
		}
	}
	for _, pattern := range want.not {
		if regexp.MustCompile("(?s)" + pattern).MatchString(got) {
			t.Errorf("there is %s in\n%.6000s", pattern, got)
		}
	}
	if strings.Contains(got, "${") {
		t.Errorf("a name in it is no value: %.6000s", got)
	}
	if problems := s.Problems(); len(problems) > 0 {
		t.Error(problems)
	}
}

// Without stream every fault either shows in the JSON, or is a status, or a body cut short, or shows nothing.
func TestEveryFaultWithoutStream(t *testing.T) {
	for _, f := range Faults() {
		t.Run(f.Name, func(t *testing.T) {
			t.Parallel()
			s := start(t, Script{Replies: []Reply{f.Sample()}})
			s.Release()
			got := exchange(t, post(t, s.URL(), plainBody(false)))
			if strings.Contains(got, "${") {
				t.Errorf("a name in it is no value: %.6000s", got)
			}
			_, body, _ := strings.Cut(got, "\n\n")
			body, end, _ := strings.Cut(body, "<end: ")
			good := strings.HasPrefix(got, "HTTP 200\n") && end == "whole>"
			if good && f.Name != "html_200" && f.Name != "gzip" && f.Name != "empty_200" && decodeObject([]byte(body)) == nil {
				t.Errorf("no JSON: %s", got)
			}
			if f.Kind == Right && f.Name != "http_307" && !good && f.Name != "cut_after_finish" {
				t.Errorf("it must be right: %s", got)
			}
			if f.Kind == Retried && strings.Contains(got, "Hello there, friend.") && end == "whole>" && !strings.HasPrefix(f.Name, "idle") {
				t.Errorf("nothing is wrong with it: %s", got)
			}
		})
	}
}

// Scripts may name every fault that there ever was.
func TestNoFaultIsLost(t *testing.T) {
	text, err := os.ReadFile("testdata/fault_names.txt")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range Faults() {
		got = append(got, f.Name)
	}
	if want := strings.Fields(string(text)); !slices.Equal(got, want) || len(got) < 241 {
		t.Errorf("%d faults: %s\nwant %d: %s", len(got), got, len(want), want)
	}
}

// What the files of faults say is all known: a name that is none would be passed over in silence.
func TestFaultsSayNothingUnknown(t *testing.T) {
	known := strings.Fields("tokens end needs begun ids ends always limit allows refuse unless form bytes writes id signature thought unthought written " +
		"parameter ending uncounted why")
	steps := strings.Fields("role reasoning text calls finish counted usage half rest arguments wait hold cut reset trim answer close")
	for _, f := range append(Faults(), plain()) {
		plan := strings.Fields(strings.ReplaceAll(f.text("send"), "300*", "") + " " + f.text("unstreamed"))
		for _, word := range plan {
			if _, ok := f.lookup(word); !ok && !slices.Contains(steps, word) {
				t.Errorf("%s sends %q, which is neither a step nor a text", f.Name, word)
			}
		}
		for name := range f.texts {
			_, plainly := plain().texts[name]
			_, instead := instead[name]
			beside := strings.HasPrefix(name, "beside ") || strings.HasPrefix(name, "no ")
			if !plainly && !instead && !beside && !slices.Contains(known, name) && !slices.Contains(plan, name) {
				t.Errorf("%s says %q, which nothing looks at", f.Name, name)
			}
		}
	}
}

func TestFaultsAreDescribed(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range Faults() {
		if seen[f.Name] || !regexp.MustCompile(`^[a-z0-9_]+$`).MatchString(f.Name) {
			t.Errorf("the name %q stands twice or is none", f.Name)
		}
		seen[f.Name] = true
		if f.Doc == "" || strings.HasSuffix(f.Doc, ".") || strings.Contains(f.Doc, "\n") {
			t.Errorf("%s: the doc %q is no sentence without its full stop", f.Name, f.Doc)
		}
		switch f.Kind {
		case Right, Retried, Learnt, Failing:
		default:
			t.Errorf("%s: there is no kind %q", f.Name, f.Kind)
		}
	}
}

// The public reports that the faults were made from stay named.
func TestFaultsNameTheirReports(t *testing.T) {
	reports := []string{
		"opencode #14972", "#20719", "ollama PR 5995", "OVMS #3927", "mastra PR 14187", "OmniRoute #7800", "ollama #7881", "openai-python #2806",
		"ollama #15457", "litellm #33678", "continue #13225", "llama.cpp PR 12379", "opencode #1680", "zed #53034", "mentat #429",
		"semantic-router #2215", "OmniRoute PR 8210", "local-operator PR 223", "goose PR 8027", "litellm PR 39748", "openagent #2206",
		"openhuman #3548", "cheetahclaws PR 72", "lmstudio #261", "vercel/ai PR 15378", "vercel/ai #7863", "PI-Desktop #30", "cloudflare-os #154",
		"hermes PR 83023", "PR 50279", "qwen-code #10692", "llama.cpp PR 28261",
	}
	help := Help()
	for _, report := range reports {
		if !strings.Contains(help, report) {
			t.Errorf("no fault names %s", report)
		}
	}
}

func TestHelpHoldsTheFormat(t *testing.T) {
	help := Help()
	for _, field := range append(fieldsOf(Script{}), fieldsOf(Reply{})...) {
		if !regexp.MustCompile(`\b` + field + `\b`).MatchString(help) {
			t.Errorf("the help does not tell of the field %s", field)
		}
	}
	if regexp.MustCompile(`(?m)^//`).MatchString(help) {
		t.Error("the help has comment signs in it")
	}
}
