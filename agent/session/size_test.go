package session

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// mostMethods is how many methods Session may have: it falls, and never rises. What is not about the agent's work belongs
// to one of its parts (queue, road, base, attention, past, Notebook), to editing, or to a face: agent/tools, agent/host.
const mostMethods = 49

// No part reaches back for the whole, nor does a function take it: that would be a method under another name. What opens
// a session, and its recovery, end before anybody else has it.
func TestSessionIsNoGod(t *testing.T) {
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		source, err := os.ReadFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		n += len(regexp.MustCompile(`(?m)^func \(\w+ \*?Session\) `).FindAll(source, -1))
		if f.Name() == "replay.go" {
			continue
		}
		for _, line := range regexp.MustCompile(`(?m)^func (\(\w+ \*?\w+\) )?\w+\([^)]*\*Session\b.*$|^\t(\w+ +)?\*Session\b.*$`).FindAllString(string(source), -1) {
			t.Errorf("%s: %s", f.Name(), line)
		}
	}
	if n == 0 || n > mostMethods {
		t.Errorf("Session has %d methods, and may have %d", n, mostMethods)
	}
}
