package openai

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Every sentence is whole: a kind that there is, what happened, what to do next, and no name that nothing stands for.
func TestSentences(t *testing.T) {
	kinds := []Kind{
		KindConnect, KindDNS, KindTLS, KindAuth, KindForbidden, KindModelNotFound, KindNotFound, KindMoved, KindRateLimit, KindQuota, KindServer,
		KindTimeout, KindIdle, KindCut, KindBadRequest, KindNotOpenAI, KindNoTools, KindContentFilter, KindEmpty, KindTooLarge,
	}
	known := strings.Fields("server model name keyname address status code said target text error host proxy firstbyte idle finish limit")
	never := func(string) bool { return false }
	seen := map[string]bool{}
	for _, s := range sentences() {
		if seen[s.name] {
			t.Errorf("[%s] stands twice", s.name)
		}
		seen[s.name] = true
		if s.name == "statuses" || s.name == "too long a reply" {
			continue
		}
		if like := s.text("like", never); like != "" {
			sentenceNamed(like)
			continue
		}
		kind, tries := Kind(s.text("kind", never)), s.text("tries", never)
		if _, ok := triesNamed[tries]; !ok || !slices.Contains(kinds, kind) && s.name != "too long" {
			t.Errorf("[%s] has the kind %q and the tries %q", s.name, kind, tries)
		}
		if len(s.texts("what")) == 0 || s.text("next", never) == "" {
			t.Errorf("[%s] does not say what happened, or what to do next", s.name)
		}
		for _, text := range slices.Concat(s.texts("what"), s.texts("next")) {
			for _, blank := range regexp.MustCompile(`\$\w*`).FindAllString(text, -1) {
				if !slices.Contains(known, strings.TrimPrefix(blank, "$")) {
					t.Errorf("[%s]: nothing stands for %s", s.name, blank)
				}
			}
		}
	}
	for _, s := range sentences() {
		for _, l := range s.lines {
			if !slices.Contains(strings.Fields("kind tries short what next like when words says but limit"), l.name) && s.name != "statuses" {
				t.Errorf("[%s]: nothing looks at %s", s.name, l.name)
			}
		}
	}
}

// Every lesson is in the table or in Go, and all that is in Go is in the table too.
func TestLessonsAreWhole(t *testing.T) {
	steps := len(bySteps)
	for _, l := range lessons() {
		_, step := bySteps[l.name]
		if step {
			steps--
		}
		if learns := len(l.texts("learn")) == 1; learns && len(l.says) == 0 || !learns && !step && l.names == nil {
			t.Errorf("[%s] is never meant, or teaches nothing", l.name)
		}
		if err := l.change.check(); err != nil {
			t.Errorf("[%s]: %v", l.name, err)
		}
		for _, line := range l.lines {
			if !slices.Contains(strings.Fields("says against sent with learn names"), line.name) {
				t.Errorf("[%s]: nothing looks at %s", l.name, line.name)
			}
		}
	}
	if steps != 0 {
		t.Errorf("%d lessons that are written in Go are not in the table", steps)
	}
}

// Every row of the table of servers has an address, and says nothing that nothing looks at.
func TestServersAreWhole(t *testing.T) {
	for i, s := range servers() {
		if places := slices.Concat(s.texts("at"), s.texts("port"), s.texts("local port")); len(places) == 0 && i > 0 {
			t.Errorf("[%s] is nowhere", s.name)
		}
		for _, l := range s.lines {
			if !slices.Contains([]string{"at", "but", "port", "local port", "profile", "reasoning", "windows"}, l.name) {
				t.Errorf("[%s]: nothing looks at %s", s.name, l.name)
			}
		}
	}
}
