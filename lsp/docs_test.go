package lsp

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/galley-ls/galley/agent/host"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/memory"
)

// docs/protocol.md tells people how to write a client: it must name all that
// the code has, and nothing that it has not.

func readPage(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile("../docs/protocol.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// sources are the package's files without its tests.
func sources(t *testing.T) map[string]string {
	t.Helper()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out[name] = string(b)
	}
	return out
}

// constants are the texts that ext.go has names for.
func constants(t *testing.T) map[string]string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "ext.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, decl := range file.Decls {
		gen, ok := decl.(*ast.GenDecl)
		if !ok || gen.Tok != token.CONST {
			continue
		}
		for _, spec := range gen.Specs {
			v, _ := spec.(*ast.ValueSpec)
			lit, ok := v.Values[0].(*ast.BasicLit)
			if !ok {
				t.Fatalf("%s in ext.go is no plain text", v.Names[0].Name)
			}
			if out[v.Names[0].Name], err = strconv.Unquote(lit.Value); err != nil {
				t.Fatal(err)
			}
		}
	}
	return out
}

// part is what stands below a heading, up to the next of its level or above; all
// of it, or without what has a heading of its own.
func part(t *testing.T, page, heading string, all bool) string {
	t.Helper()
	_, rest, found := strings.Cut("\n"+page, "\n"+heading+"\n")
	if !found {
		t.Fatalf("docs/protocol.md has no heading %q", heading)
	}
	most := len(heading) - len(strings.TrimLeft(heading, "#"))
	if !all {
		most = 6
	}
	if next := regexp.MustCompile(`(?m)^#{1,` + strconv.Itoa(most) + `} `).FindStringIndex(rest); next != nil {
		rest = rest[:next[0]]
	}
	return rest
}

// rows are the names in the first cells of the tables.
func rows(section string) []string {
	var out []string
	for _, m := range regexp.MustCompile("(?m)^\\| (`[^|]*`) \\|").FindAllStringSubmatch(section, -1) {
		for name := range strings.SplitSeq(m[1], ", ") {
			out = append(out, strings.Trim(name, "`"))
		}
	}
	return out
}

// same compares what a file lists with what the code has.
func same(t *testing.T, where string, got, want []string) {
	t.Helper()
	for _, name := range want {
		if !slices.Contains(got, name) {
			t.Errorf("%s does not name %q", where, name)
		}
	}
	for _, name := range got {
		if !slices.Contains(want, name) {
			t.Errorf("%s names %q, which the code does not have", where, name)
		}
	}
}

func TestDocsNames(t *testing.T) {
	page, known := readPage(t), constants(t)
	for name, value := range known {
		if !strings.Contains(page, value) {
			t.Errorf("docs/protocol.md does not say %q (%s in ext.go)", value, name)
		}
	}
	values := append(slices.Collect(maps.Values(known)), MethodAttach, MethodReview, MethodLetters, MethodMoved, MethodWhose, MethodJudge, MethodDraft, MethodGoing, MethodHistory, MethodUndo)
	for _, name := range regexp.MustCompile(`\bgalley[./][a-zA-Z]+`).FindAllString(page, -1) {
		if !slices.Contains(values, name) {
			t.Errorf("docs/protocol.md names %s, which is not in ext.go", name)
		}
	}
	over := []string{MethodRunCancel, MethodRunSummarize, MethodRunDecisions, MethodReview}
	over = slices.AppendSeq(over, maps.Keys(runRequests()))
	same(t, "docs/protocol.md, over the socket,", rows(part(t, page, "## Over the socket", false)), over)
	same(t, "docs/protocol.md, commands,", rows(part(t, page, "## Commands", false)), commandNames())
}

func TestDocsFields(t *testing.T) {
	page := readPage(t)
	for heading, of := range map[string]reflect.Type{
		"#### `data` of a diagnostic":   reflect.TypeFor[shownLetter](),
		"### All fields of an argument": reflect.TypeFor[args](),
		"### A decision":                reflect.TypeFor[decidedChange](),
		"### An outcome":                reflect.TypeFor[outcome](),
		"#### One of `decisions`":       reflect.TypeFor[editing.Decision](),
		"### One of `galley.sessions`":  reflect.TypeFor[wireAgentSession](),
		"### `galley/changes`":          reflect.TypeFor[changesMessage](),
		"#### `latest`":                 reflect.TypeFor[wireLatest](),
		"#### One of `edits`":           reflect.TypeFor[wireSession](),
		"#### One of `files`":           reflect.TypeFor[wireFile](),
		"#### One of `changes`":         reflect.TypeFor[wireChange](),
		"#### One of `lines`":           reflect.TypeFor[wireLine](),
		"#### `conflict`":               reflect.TypeFor[wireConflict](),
		"### `galley/tasks`":            reflect.TypeFor[tasksMessage](),
		"#### One of `tree`":            reflect.TypeFor[wireTask](),
		"### `galley/context`":          reflect.TypeFor[contextMessage](),
		"#### `categories`":             reflect.TypeFor[memory.Categories](),
		"### A rewind":                  reflect.TypeFor[rewound](),
		"### `galley/memory`":           reflect.TypeFor[memoryMessage](),
		"### `galley/run`":              reflect.TypeFor[runMessage](),
		"#### One of `calls`":           reflect.TypeFor[host.Call](),
		"### `galley/attach`":           reflect.TypeFor[Attach](),
		"### `galley/run/open`":         reflect.TypeFor[RunOpen](),
		"### Fields about a run":        reflect.TypeFor[RunParams](),
		"### Answers about a run":       reflect.TypeFor[RunResult](),
		"#### `answer`":                 reflect.TypeFor[host.Answer](),
	} {
		same(t, "docs/protocol.md, "+heading+",", rows(part(t, page, heading, false)), fieldsOf(of))
	}
	for _, n := range regexp.MustCompile("(?m)^#{3,4} .*`galley/(\\w+)`").FindAllStringSubmatch(page, -1) {
		if name := "galley/" + n[1]; name != MethodAttach && !slices.Contains(slices.Collect(maps.Values(constants(t))), name) {
			t.Errorf("docs/protocol.md describes galley/%s, which is not in ext.go", n[1])
		}
	}
}

// U86: the status that an outcome may have is told, whatever it is.
func TestU86DocsStatuses(t *testing.T) {
	section := part(t, readPage(t), "### An outcome", false)
	for _, status := range []string{editing.StatusCommitted, statusCommitting, editing.StatusReverted, host.StatusReverting} {
		if !strings.Contains(section, "`"+status+"`") {
			t.Errorf("docs/protocol.md: an outcome has no status %s", status)
		}
	}
}

func fieldsOf(of reflect.Type) []string {
	var out []string
	for i := range of.NumField() {
		if f := of.Field(i); f.Anonymous {
			out = append(out, fieldsOf(f.Type)...)
		} else if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && name != "-" {
			out = append(out, name)
		}
	}
	return out
}

// Every code that this package makes is told, and every code that is told is
// made here or by the sessions behind the host.
func TestDocsCodes(t *testing.T) {
	section := part(t, readPage(t), "## Errors", true)
	data := fieldsOf(reflect.TypeFor[failure]())
	got := rows(section)
	same(t, "docs/protocol.md, data of an error,", got[:len(data)], data)
	got = got[len(data):]
	made := regexp.MustCompile(`(?:[cC]ode\w+ += |refused\(|Code: )"(\w+)"`)
	var here []string
	beside, err := os.ReadFile("../agent/host/clients.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, source := range append(slices.Collect(maps.Values(sources(t))), string(beside)) {
		for _, m := range made.FindAllStringSubmatch(source, -1) {
			here = append(here, m[1])
		}
	}
	if len(here) < 8 {
		t.Fatalf("only the codes %q were found in the source", here)
	}
	var behind []byte
	for _, name := range []string{"../agent/tools/outcome.go", "../agent/host/undo.go", "../editing/takeback.go"} {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		behind = append(behind, source...)
	}
	for _, code := range got {
		if !slices.Contains(here, code) && !strings.Contains(string(behind), `= "`+code+`"`) {
			t.Errorf("docs/protocol.md names the code %s, which nobody makes", code)
		}
	}
	for _, code := range here {
		if !slices.Contains(got, code) {
			t.Errorf("docs/protocol.md does not name the code %s", code)
		}
	}
}

// What a client says of itself is told, and nothing else.
func TestDocsClient(t *testing.T) {
	galley := rows(part(t, readPage(t), "## Lifecycle", true))
	for _, name := range galley {
		if !strings.Contains(sources(t)["client.go"], `g.at("`+name+`")`) {
			t.Errorf("docs/protocol.md names experimental.galley.%s, which client.go does not read", name)
		}
	}
	for _, m := range regexp.MustCompile(`g\.at\("(\w+)"\)`).FindAllStringSubmatch(sources(t)["client.go"], -1) {
		if !slices.Contains(galley, m[1]) {
			t.Errorf("docs/protocol.md does not name experimental.galley.%s", m[1])
		}
	}
}

// The methods of LSP that the page names are used, and all that is answered is
// named.
func TestDocsMethods(t *testing.T) {
	page := readPage(t)
	for method := range requests() {
		if !strings.Contains(page, "`"+method+"`") {
			t.Errorf("docs/protocol.md does not say that %s is answered", method)
		}
	}
	flat := func(s string) string { return strings.ToLower(strings.NewReplacer("/", "", "$", "").Replace(s)) }
	used := map[string]bool{"exit": true}
	for method := range requests() {
		used[flat(method)] = true
	}
	for method := range notifications() {
		used[flat(method)] = true
	}
	for _, source := range sources(t) {
		for _, m := range regexp.MustCompile(`protocol\.Method(\w+)`).FindAllStringSubmatch(source, -1) {
			used[flat(m[1])] = true
		}
	}
	for _, m := range regexp.MustCompile("`((?:textDocument|workspace|window|client)/[a-zA-Z/]+)`").FindAllStringSubmatch(page, -1) {
		if !used[flat(m[1])] {
			t.Errorf("docs/protocol.md names %s, which galley neither answers nor sends", m[1])
		}
	}
}
