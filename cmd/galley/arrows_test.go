package main_test

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The house of docs/architecture.md as two tables: which room may import which, and which library lives where. They are
// the one place to change when the design changes; the tests below read every import of every Go file against them.

type arrowRoom struct {
	dir   string
	uses  []string
	tests []string // what its tests may use besides all that the room reaches through others
}

// arrowRooms stands from the roof down: an arrow points to a row further down, so nothing ever imports cmd. A room may
// be named here before it is built. A folder named internal belongs to the room it lies in.
var arrowRooms = []arrowRoom{
	{dir: "cmd/galley", uses: []string{
		"lsp", "lsp/dial", "agent", "agent/host", "agent/tools", "agent/session", "agent/offline", "agent/openai", "agent/replay", "agent/model",
		"editing", "editing/text", "editing/view", "tasks", "memory", "testdata",
	}, tests: []string{"lsp/lsptest", "agent/openai/openaitest", "editing/view/viewtest"}},
	{dir: "cmd/modelserver", uses: []string{"agent/openai/openaitest"}},
	{
		dir: "agent", uses: []string{"agent/host", "agent/tools", "agent/session", "agent/model", "memory"},
		// its tests run the loop over the wire, too
		tests: []string{"lsp", "lsp/dial", "agent/offline", "agent/openai", "agent/openai/openaitest", "agent/replay"},
	},
	{dir: "lsp/dial", uses: []string{"lsp", "agent/host", "agent/session", "editing/view", "memory"}},
	{dir: "lsp", uses: []string{"agent/host", "editing", "editing/text", "editing/view", "tasks", "memory"}, tests: []string{"lsp/lsptest", "editing/view/viewtest"}},
	{dir: "lsp/lsptest"}, // the fake editor: it knows the wire, and nothing of the server
	{dir: "agent/host", uses: []string{"agent/session", "editing", "editing/text", "editing/view", "tasks", "memory"}},
	{dir: "agent/tools", uses: []string{"agent/session", "editing", "editing/disk", "editing/text", "editing/view", "tasks", "memory"}},
	{dir: "agent/session", uses: []string{"editing", "editing/disk", "editing/match", "editing/text", "editing/view", "tasks", "memory"}},
	{dir: "agent/offline", uses: []string{"agent/model", "memory"}},
	{dir: "agent/openai", uses: []string{"agent/model", "memory"}, tests: []string{"agent/openai/openaitest"}},
	{dir: "agent/openai/openaitest"}, // a scripted model server: it knows the wire, and nothing of the client
	{dir: "agent/replay", uses: []string{"agent/model", "memory"}},
	{dir: "agent/model", uses: []string{"memory"}},
	{dir: "editing/view", uses: []string{"editing", "editing/text"}, tests: []string{"editing/view/viewtest"}},
	{dir: "editing/view/viewtest", uses: []string{"editing", "editing/text"}},
	{dir: "editing", uses: []string{"editing/match", "editing/text"}, tests: []string{"editing/disk"}},
	{dir: "editing/disk", uses: []string{"editing/text"}},
	{dir: "editing/match", uses: []string{"editing/text"}},
	{dir: "editing/text"},
	{dir: "tasks"},
	{dir: "memory"},
	{dir: "testdata"}, // the sample workspace, embedded
}

// arrowInside are the packages below cmd/galley/internal, with those of them that each may use. Commands use all of them.
var arrowInside = map[string][]string{
	"cli":      {"review", "run", "settings", "setup", "term"},
	"demo":     {"review", "run", "term"},
	"run":      {"review", "term"},
	"review":   {"term"},
	"sessions": {"cli", "setup", "term"},
	"doctor":   {"settings", "term"},
	"setup":    {"settings", "term"},
	"settings": nil,
	"term":     nil,
}

// arrowLeaves never import each other: editing with the rooms below it is one of the three.
var arrowLeaves = []string{"editing", "tasks", "memory"}

type arrowLibrary struct {
	paths []string // with everything below them
	rooms []string
}

// arrowLibraries names every library and the parts of the standard library that are bound to rooms.
// Tests may use what arrowTestLibraries names, and any part of the standard library.
var arrowLibraries = []arrowLibrary{
	{[]string{"go.lsp.dev"}, []string{"lsp", "lsp/dial", "lsp/lsptest"}},
	{[]string{"github.com/sashabaranov/go-openai"}, []string{"agent/openai"}},
	{[]string{"github.com/sergi/go-diff"}, []string{"editing/text"}},
	{[]string{"golang.org/x/text"}, []string{"cmd/galley", "editing/match", "editing/text"}},
	{[]string{"github.com/bmatcuk/doublestar", "github.com/sabhiram/go-gitignore"}, []string{"editing/disk"}},
	{[]string{"github.com/gofrs/flock"}, []string{"editing/disk", "memory"}},
	{[]string{"github.com/google/renameio"}, []string{"editing/disk", "memory"}},
	{[]string{"golang.org/x/sys"}, []string{"cmd/galley", "editing/disk", "memory"}},
	{[]string{"github.com/fsnotify/fsnotify"}, []string{"agent/session"}},
	{[]string{"github.com/tiktoken-go/tokenizer", "github.com/oklog/ulid"}, []string{"memory"}},
	{[]string{"github.com/goccy/go-yaml", "go.yaml.in/yaml"}, []string{"cmd/galley", "agent", "memory"}},
	{[]string{"github.com/invopop/jsonschema", "github.com/google/jsonschema-go"}, []string{"cmd/galley", "agent", "agent/tools"}},
	{[]string{"go.uber.org/zap"}, []string{"cmd/galley", "lsp", "agent"}},
	{[]string{"golang.org/x/sync"}, []string{"cmd/galley", "lsp", "agent", "agent/session"}},
	{
		[]string{"github.com/spf13", "github.com/fatih/color", "github.com/mattn/go-isatty", "golang.org/x/term"},
		[]string{"cmd/galley"},
	},

	// leaves return errors and never log; the table knows no network, and files only through editing/disk and memory
	{[]string{"log"}, []string{"cmd/galley", "lsp", "agent"}},
	{[]string{"net/url"}, []string{"cmd/galley", "lsp", "lsp/lsptest", "agent/tools", "agent/openai"}}, // which reads addresses, and connects to nothing
	{[]string{"net"}, []string{"cmd/galley", "lsp", "lsp/dial", "lsp/lsptest", "agent/openai", "agent/openai/openaitest", "cmd/modelserver"}},
	{[]string{"os"}, []string{"cmd/galley", "cmd/modelserver", "lsp", "lsp/dial", "lsp/lsptest", "agent", "agent/tools", "agent/session", "agent/replay", "editing/disk", "editing/view/viewtest", "memory"}},
}

var arrowTestLibraries = []string{
	"github.com/rogpeppe/go-internal", "pgregory.net/rapid", "go.uber.org/goleak", "github.com/santhosh-tekuri/jsonschema",
}

const (
	arrowModule = "github.com/galley-ls/galley/"
	arrowRoot   = "../.."
)

func TestArrowsHold(t *testing.T) {
	files := 0
	for _, name := range arrowGoFiles(t) {
		files++
		for _, complaint := range arrowCheck(t, name, nil) {
			t.Error(complaint)
		}
	}
	if files == 0 {
		t.Error("no Go file found below " + arrowRoot + ": the walk is broken")
	}
}

func TestArrowsInsideTheCommand(t *testing.T) {
	const inside = "cmd/galley/internal/"
	seen := map[string]bool{}
	for _, name := range arrowGoFiles(t) {
		below, found := strings.CutPrefix(name, inside)
		if !found {
			continue
		}
		from, _, _ := strings.Cut(below, "/")
		uses, known := arrowInside[from]
		if seen[from] = true; !known {
			t.Fatalf("%s is no package of the table", name)
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(arrowRoot, name), nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range file.Imports {
			below, found := strings.CutPrefix(strings.Trim(spec.Path.Value, `"`), arrowModule+inside)
			to, _, _ := strings.Cut(below, "/")
			if found && to != from && !slices.Contains(uses, to) {
				t.Errorf("%s: no arrow leads from %s to %s", name, from, to)
			}
		}
	}
	if len(seen) != len(arrowInside) {
		t.Errorf("the table has %d packages, and there are %d", len(arrowInside), len(seen))
	}
}

// The promises of the design, whatever is written into the tables.
func TestArrowTablesKeepTheDesign(t *testing.T) {
	for i, room := range arrowRooms {
		for _, to := range slices.Concat(room.uses, room.tests) {
			if arrowIndex(to) <= i {
				t.Fatalf("the arrow from %s to %s points up, or to a room that the table does not have", room.dir, to)
			}
		}
	}
	for _, room := range arrowRooms {
		for _, to := range arrowReach(room.dir) {
			loop := arrowIn(to, "agent") && to != "agent/host" && to != "agent/session"
			if arrowIn(room.dir, "lsp") && loop || arrowIn(room.dir, "agent") && arrowIn(to, "lsp") {
				t.Errorf("%s reaches %s: the doors never meet, and an editor's knows neither the loop nor its tools and models", room.dir, to)
			}
			if room.dir == "agent/host" && loop {
				t.Errorf("%s reaches %s: the loop is given to the host", room.dir, to)
			}
			for _, leaf := range arrowLeaves {
				if arrowIn(to, leaf) && arrowLeaf(room.dir) != "" && arrowLeaf(room.dir) != leaf {
					t.Errorf("%s reaches %s: the leaves never import each other", room.dir, to)
				}
			}
		}
	}
	for _, library := range arrowLibraries {
		for _, room := range library.rooms {
			if arrowIndex(room) < 0 {
				t.Errorf("%v is promised to %s, and there is no such room", library.paths, room)
			}
		}
	}
}

func TestArrowCheckerCatches(t *testing.T) {
	const rapid, diff = "pgregory.net/rapid", "github.com/sergi/go-diff/diffmatchpatch"
	tests := []struct{ file, imports, want string }{
		{"editing/session.go", arrowModule + "editing/text", ""},
		{"editing/internal/table/x.go", arrowModule + "editing/text", ""},
		{"editing/session.go", arrowModule + "editing/internal/table", ""},
		{"editing/text/x.go", diff, ""},
		{"editing/text/x_test.go", rapid, ""},
		{"editing/text/x_test.go", "os", ""},
		{"editing/x_test.go", arrowModule + "editing/disk", ""},
		{"agent/x_test.go", arrowModule + "editing/text", ""}, // reached through agent/session
		{"agent/session/x.go", "path/filepath", ""},

		{"editing/x.go", arrowModule + "editing/disk", "no arrow leads from editing to editing/disk"},
		{"editing/x.go", arrowModule + "tasks", "no arrow leads from editing to tasks"},
		{"editing/x_test.go", arrowModule + "memory", "no arrow leads from editing to memory"},
		{"memory/x.go", arrowModule + "tasks", "no arrow leads from memory to tasks"},
		{"lsp/x.go", arrowModule + "agent/session", "no arrow leads from lsp to agent/session"},
		{"lsp/x.go", arrowModule + "agent", "no arrow leads from lsp to agent"},
		{"agent/host/x.go", arrowModule + "agent", "no arrow leads from agent/host to agent"},
		{"agent/x.go", arrowModule + "lsp", "no arrow leads from agent to lsp"},
		{"agent/session/x_test.go", arrowModule + "lsp", "no arrow leads from agent/session to lsp"},
		{"tasks/x.go", arrowModule + "cmd/galley", "no arrow leads from tasks to cmd/galley"},
		{"tasks/x.go", arrowModule + "tasks/tree", "tasks/tree is no room"},
		{"util/x.go", "fmt", "util is no room"},
		{"x.go", "fmt", ". is no room"},
		{"editing/match/x.go", diff, "lives in editing/text"},
		{"editing/match/x_test.go", diff, "lives in editing/text"},
		{"editing/text/x.go", rapid, "has no room"},
		{"editing/text/x.go", "github.com/someone/new", "has no room"},
		{"editing/x.go", "os", "lives in cmd/galley"},
		{"tasks/x.go", "log/slog", "lives in cmd/galley"},
		{"agent/host/x.go", "os/exec", "lives in cmd/galley"},
	}
	for _, test := range tests {
		src := "package x\n\nimport _ " + strconv.Quote(test.imports) + "\n"
		got := strings.Join(arrowCheck(t, test.file, src), "\n")
		if test.want == "" && got != "" || !strings.Contains(got, test.want) {
			t.Errorf("%s importing %s: got %q, want %q", test.file, test.imports, got, test.want)
		}
	}
}

// arrowCheck reads the imports of one file (src instead of the disk's, if given) and complains in whole sentences.
func arrowCheck(t *testing.T, name string, src any) (complaints []string) {
	t.Helper()
	room := arrowRoomOf(path.Dir(name))
	if room < 0 {
		return []string{fmt.Sprintf("%s: %s is no room; put the code where docs/architecture.md says it goes", name, path.Dir(name))}
	}
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(arrowRoot, name), src, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	inTest := strings.HasSuffix(name, "_test.go")
	for _, spec := range file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		var why string
		if dir, ours := strings.CutPrefix(imported, arrowModule); ours {
			why = arrowOurs(arrowRooms[room], dir, inTest)
		} else {
			why = arrowTheirs(arrowRooms[room], imported, inTest)
		}
		if why != "" {
			complaints = append(complaints, fmt.Sprintf("%s imports %s: %s", name, imported, why))
		}
	}
	return complaints
}

func arrowOurs(room arrowRoom, dir string, inTest bool) string {
	to := arrowRoomOf(dir)
	if to < 0 {
		return dir + " is no room of the table in arrows_test.go"
	}
	allowed := room.uses
	if inTest {
		allowed = slices.Concat(arrowReach(room.dir), room.tests)
	}
	if target := arrowRooms[to].dir; target != room.dir && !slices.Contains(allowed, target) {
		return fmt.Sprintf("no arrow leads from %s to %s (from there go: %s)", room.dir, target, strings.Join(allowed, ", "))
	}
	return ""
}

func arrowTheirs(room arrowRoom, imported string, inTest bool) string {
	within := func(library string) bool { return arrowIn(imported, library) }
	first, _, _ := strings.Cut(imported, "/")
	standard := !strings.Contains(first, ".")
	if inTest && (standard || slices.ContainsFunc(arrowTestLibraries, within)) {
		return ""
	}
	for _, library := range arrowLibraries {
		if slices.ContainsFunc(library.paths, within) {
			if slices.Contains(library.rooms, room.dir) {
				return ""
			}
			return fmt.Sprintf("it lives in %s, not in %s", strings.Join(library.rooms, ", "), room.dir)
		}
	}
	if standard {
		return ""
	}
	return "the library has no room; do without it, or give it one in arrows_test.go and docs/architecture.md"
}

func arrowGoFiles(t *testing.T) (names []string) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(arrowRoot), ".", func(name string, entry fs.DirEntry, err error) error {
		switch base := path.Base(name); {
		case err != nil:
			return err
		case entry.IsDir() && name != "." && (base[0] == '.' || base == "node_modules" ||
			base == "testdata" && name != base || path.Dir(name) == "testdata"):
			return fs.SkipDir // what Go does not build, but for the one embedding file in testdata
		case !entry.IsDir() && path.Ext(name) == ".go":
			names = append(names, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// arrowRoomOf finds the room that a folder belongs to, -1 if none.
func arrowRoomOf(dir string) int {
	room, _, _ := strings.Cut(dir+"/", "/internal/")
	return arrowIndex(strings.TrimSuffix(room, "/"))
}

func arrowIndex(dir string) int {
	return slices.IndexFunc(arrowRooms, func(room arrowRoom) bool { return room.dir == dir })
}

// arrowReach is all that a room imports, itself or through others.
func arrowReach(dir string) (reached []string) {
	for _, to := range arrowRooms[arrowIndex(dir)].uses {
		reached = append(append(reached, to), arrowReach(to)...)
	}
	slices.Sort(reached)
	return slices.Compact(reached)
}

func arrowLeaf(dir string) string {
	i := slices.IndexFunc(arrowLeaves, func(leaf string) bool { return arrowIn(dir, leaf) })
	if i < 0 {
		return ""
	}
	return arrowLeaves[i]
}

func arrowIn(dir, tree string) bool { return dir == tree || strings.HasPrefix(dir, tree+"/") }
