package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/galley-ls/galley/agent/offline"
	"github.com/galley-ls/galley/agent/tools"
)

var update = flag.Bool("update", false, "write the pages and golden files anew that are made from the program")

func readDoc(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("../..", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func writeDoc(t *testing.T, name, content string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join("../..", filepath.FromSlash(name)), []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// pages are the documents that people read, and that must be true.
func pages(t *testing.T) []string {
	t.Helper()
	found, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"README.md", "CHANGELOG.md"}
	for _, f := range found {
		names = append(names, "docs/"+filepath.Base(f))
	}
	return names
}

// The second half of docs/tools.md is made from what the model reads; the first names every status, code and field.
func TestToolsPage(t *testing.T) {
	const page, mark = "docs/tools.md", "TestToolsPage -update -->\n"
	head, rest, found := strings.Cut(readDoc(t, page), mark)
	if !found {
		t.Fatalf("%s has lost the line that the made part begins behind: %q", page, mark)
	}
	made := toolsPage(t)
	if *update {
		writeDoc(t, page, head+mark+made)
	} else if rest != made {
		t.Errorf("%s is not what agent/tools says; look at it, then run the test with -update:\n%s", page, made)
	}
	for _, word := range slices.Concat(outcomeWords(t), outcomeFields()) {
		if !strings.Contains(head, "`"+word+"`") {
			t.Errorf("%s does not name %q", page, word)
		}
	}
}

func toolsPage(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	for _, tool := range tools.All() {
		fmt.Fprintf(&b, "\n### %s\n\n", tool.Name)
		if args := argumentList(t, tool.Schema); args != "" {
			b.WriteString(args + "\n\n")
		}
		b.WriteString(tool.Doc + "\n")
	}
	return b.String()
}

// argumentList names the arguments in the order of the schema.
func argumentList(t *testing.T, schema json.RawMessage) string {
	t.Helper()
	var s struct {
		Properties json.RawMessage
		Required   []string
	}
	if err := json.Unmarshal(schema, &s); err != nil {
		t.Fatal(err)
	}
	var names []string
	d := json.NewDecoder(bytes.NewReader(s.Properties))
	for depth := 0; ; {
		token, err := d.Token()
		if err != nil {
			break
		}
		switch token := token.(type) {
		case json.Delim:
			depth += map[json.Delim]int{'{': 1, '[': 1, '}': -1, ']': -1}[token]
		case string:
			if depth != 1 {
				continue
			}
			if !slices.Contains(s.Required, token) {
				token += "?"
			}
			names = append(names, "`"+token+"`")
			var value json.RawMessage
			if err := d.Decode(&value); err != nil {
				t.Fatal(err)
			}
		}
	}
	return strings.Join(names, ", ")
}

// outcomeWords are the statuses and codes that agent/tools has constants for, but the one that only commands have.
func outcomeWords(t *testing.T) []string {
	t.Helper()
	source := readDoc(t, "agent/tools/outcome.go")
	var words []string
	for _, m := range regexp.MustCompile(`(?m)^\t(?:Status|Code)\w+ += "(\w+)"`).FindAllStringSubmatch(source, -1) {
		if m[1] != tools.StatusCommitting {
			words = append(words, m[1])
		}
	}
	if len(words) < 30 {
		t.Fatalf("only %q found in agent/tools/outcome.go", words)
	}
	return words
}

func outcomeFields() []string {
	var names []string
	outcome := reflect.TypeFor[tools.Outcome]()
	for i := range outcome.NumField() {
		if name, _, _ := strings.Cut(outcome.Field(i).Tag.Get("json"), ","); name != "" && name != "-" {
			names = append(names, name)
		}
	}
	return names
}

func TestOfflinePage(t *testing.T) {
	if !strings.HasPrefix(readDoc(t, "docs/offline.md"), strings.TrimRight(offline.Grammar, "\n")+"\n") {
		t.Error("docs/offline.md does not begin with agent/offline/grammar.md; copy it anew")
	}
}

// docs/terminal.md names every command and flag, and no page names one that is not there.
func TestTerminalPage(t *testing.T) {
	page := readDoc(t, "docs/terminal.md")
	known := []string{"--help"}
	root := newRoot()
	root.InitDefaultCompletionCmd()
	each := func(f *pflag.Flag) { known = append(known, "--"+f.Name) }
	root.PersistentFlags().VisitAll(each)
	for _, cmd := range root.Commands() {
		if !strings.Contains(page, "galley "+cmd.Name()) && cmd.Name() != "help" {
			t.Errorf("docs/terminal.md does not name galley %s", cmd.Name())
		}
		cmd.LocalFlags().VisitAll(each)
		for _, sub := range cmd.Commands() {
			if cmd.Name() == "completion" { // cobra's own
				break
			}
			sub.LocalFlags().VisitAll(each)
		}
	}
	for _, flag := range known {
		if !strings.Contains(page, flag) {
			t.Errorf("docs/terminal.md does not name %s", flag)
		}
	}
	for _, name := range pages(t) {
		for _, line := range galleyLines(readDoc(t, name)) {
			for _, flag := range regexp.MustCompile(`--[a-z][a-z-]+`).FindAllString(line, -1) {
				if !slices.Contains(known, flag) {
					t.Errorf("%s tells people to use %s, which no command has: %s", name, flag, line)
				}
			}
			checkCommand(t, root, name, line)
		}
	}
}

// galleyLines are the command lines of a page: in code spans, and in code blocks.
func galleyLines(page string) []string {
	var lines []string
	for _, code := range regexp.MustCompile("(?ms)^```.*?^```$|`[^`\n]+`").FindAllString(page, -1) {
		for line := range strings.Lines(strings.Trim(code, "`")) {
			if strings.HasPrefix(line, "galley ") {
				lines = append(lines, strings.TrimRight(line, "\n"))
			}
		}
	}
	return lines
}

// checkCommand looks for the command of a documented command line.
func checkCommand(t *testing.T, root *cobra.Command, page, line string) {
	t.Helper()
	word := strings.Fields(line)[1]
	if strings.ToUpper(word) == word || strings.HasPrefix(word, "-") { // COMMAND, or a flag
		return
	}
	if cmd, _, err := root.Find([]string{word}); err != nil || cmd == root {
		t.Errorf("%s tells people to run galley %s, and there is no such command", page, word)
	}
}

// A link that leads nowhere helps nobody.
func TestDocsLinks(t *testing.T) {
	for _, page := range pages(t) {
		for _, m := range regexp.MustCompile(`\]\(([^)]+)\)`).FindAllStringSubmatch(readDoc(t, page), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			file, anchor, _ := strings.Cut(m[1], "#")
			target := page
			if file != "" {
				target = filepath.ToSlash(filepath.Join(filepath.Dir(page), file))
			}
			if _, err := os.Stat(filepath.Join("../..", target)); err != nil {
				t.Errorf("%s links to %s, which is not there", page, m[1])
				continue
			}
			if anchor != "" && !slices.Contains(anchors(readDoc(t, target)), anchor) {
				t.Errorf("%s links to %s, and %s has no such heading", page, m[1], target)
			}
		}
	}
}

// anchors are the headings of a page, as links name them.
func anchors(page string) []string {
	var out []string
	for _, m := range regexp.MustCompile(`(?m)^#+ (.+)$`).FindAllStringSubmatch(page, -1) {
		plain := regexp.MustCompile(`[^a-z0-9 _-]`).ReplaceAllString(strings.ToLower(m[1]), "")
		out = append(out, strings.ReplaceAll(plain, " ", "-"))
	}
	return out
}
