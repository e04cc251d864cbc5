package main_test

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// scaffoldTop is the top level of the repository beside dot files; it is fixed (docs/architecture.md).
var scaffoldTop = []string{
	"CHANGELOG.md", "LICENSE", "Makefile", "README.md", "agent", "cmd", "docs", "editing", "editors", "go.mod", "go.sum",
	"lsp", "memory", "tasks", "testdata",
}

func TestScaffoldTopLevel(t *testing.T) {
	entries, err := os.ReadDir(arrowRoot)
	if err != nil {
		t.Fatal(err)
	}
	ignored := strings.Fields(strings.ReplaceAll(scaffoldRead(t, ".gitignore"), "/", ""))
	for _, entry := range entries {
		isIgnored := func(pattern string) bool {
			matched, _ := path.Match(pattern, entry.Name())
			return matched
		}
		if name := entry.Name(); name[0] != '.' && !slices.Contains(scaffoldTop, name) && !slices.ContainsFunc(ignored, isIgnored) {
			t.Errorf("%s does not belong at the top level; the rooms are fixed, see docs/architecture.md", name)
		}
	}
}

// A document that names a make target or a room that is not there lies.
func TestScaffoldDocsAgree(t *testing.T) {
	targets := map[string]bool{}
	for _, match := range regexp.MustCompile(`(?m)^([a-z0-9-]+):.* ## `).FindAllStringSubmatch(scaffoldRead(t, "Makefile"), -1) {
		targets[match[1]] = true
	}
	documents := []string{"README.md", "CHANGELOG.md", "docs/architecture.md", "docs/contributing.md"}
	for _, document := range documents {
		for _, target := range scaffoldMakeTargets(scaffoldRead(t, document)) {
			if !targets[target] {
				t.Errorf("%s tells people to run `make %s`, and the Makefile has no such target", document, target)
			}
		}
	}
	contributing := scaffoldRead(t, "docs/contributing.md")
	for target := range targets {
		if !strings.Contains(contributing, "make "+target) {
			t.Errorf("docs/contributing.md does not say what `make %s` does", target)
		}
	}
	architecture := scaffoldRead(t, "docs/architecture.md")
	for _, room := range arrowRooms {
		if !strings.Contains(architecture, "`"+room.dir+"`") {
			t.Errorf("docs/architecture.md does not say what the room `%s` is for", room.dir)
		}
	}
}

// scaffoldMakeTargets finds `make a b` in code spans and at the start of lines in code blocks.
func scaffoldMakeTargets(document string) (targets []string) {
	code := regexp.MustCompile("(?ms)^```.*?^```$|`[^`\n]+`").FindAllString(document, -1)
	command := regexp.MustCompile(`(?m)^(?:\$ )?make((?: [a-z0-9-]+)+)`)
	for _, block := range code {
		for _, match := range command.FindAllStringSubmatch(strings.TrimPrefix(block, "`"), -1) {
			targets = append(targets, strings.Fields(match[1])...)
		}
	}
	return targets
}

// The demo's walks rest on these facts; a checkout that changes line endings would break them silently.
func TestScaffoldDemoWorkspace(t *testing.T) {
	guide := scaffoldRead(t, "testdata/demo/docs/guide.md")
	if strings.Count(guide, "\n") != strings.Count(guide, "\r\n") || !strings.Contains(guide, "\r\n") {
		t.Error("testdata/demo/docs/guide.md lost its CRLF line endings; check .gitattributes and check it out again")
	}
	services := scaffoldRead(t, "testdata/demo/services.yaml")
	if got := strings.Count(services, "timeout: 30"); got != 3 {
		t.Errorf("testdata/demo/services.yaml has `timeout: 30` %d times; a walk of the demo takes two of three", got)
	}
	for _, name := range []string{"config.json", "services.yaml", "internal/client/client.go"} {
		if strings.Contains(scaffoldRead(t, "testdata/demo/"+name), "\r") {
			t.Errorf("testdata/demo/%s has a CR; only the guide is a CRLF file", name)
		}
	}
}

func scaffoldRead(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(arrowRoot, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}
