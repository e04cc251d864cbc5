package session

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// mostMethods is how many methods Session may have: it falls, and never rises. What is not about the order of decisions
// belongs to one of its parts (journal, attention, past, notebook, settings), to editing, or to a face: agent/tools,
// agent/host. The aim is 60.
const mostMethods = 84

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
	}
	if n == 0 || n > mostMethods {
		t.Errorf("Session has %d methods, and may have %d", n, mostMethods)
	}
}
