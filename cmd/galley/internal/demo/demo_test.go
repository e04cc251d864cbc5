package demo

import (
	"bytes"
	"context"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/zap"

	"github.com/galley-ls/galley/cmd/galley/internal/term"
)

var update = flag.Bool("update", false, "write docs/demo.txt anew")

// root is the root of the repository.
const root = "../../../.."

// testDemo plays the demo without a terminal.
func testDemo(out io.Writer) Config {
	return Config{Console: term.Console{Out: term.Screen{W: out}, Err: term.Screen{W: out}}, Log: zap.NewNop()}
}

// played is what the demo prints, with its folder under a fixed name.
func played(t *testing.T, walk string) string {
	t.Helper()
	dir, bin := filepath.Join(t.TempDir(), "demo"), t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "galley"), nil, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin)
	shown := filepath.Join("/tmp", "galley-demo")
	var out bytes.Buffer
	f := testDemo(&out)
	f.Dir, f.Walk = shown, walk
	if err := f.play(t.Context(), newStage(f, dir)); err != nil {
		t.Fatalf("galley demo: %v; it printed:\n%s", err, out.String())
	}
	return out.String()
}

// docs/demo.txt is what the demo prints, and what the README shows of it is a part of that.
func TestDemoIsWhatTheDocsShow(t *testing.T) {
	const page = "docs/demo.txt"
	got := played(t, "")
	if *update {
		if err := os.WriteFile(filepath.Join(root, page), []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want := readPage(t, page)
	if got != want {
		t.Errorf("docs/demo.txt is not what galley demo prints; look at it, then run the test with -update:\n%s", got)
	}
	picture := between(readPage(t, "README.md"), "```text\n", "```\n")
	if picture == "" || !strings.Contains(want, picture) {
		t.Errorf("the picture in README.md is no part of docs/demo.txt; copy it anew:\n%s", picture)
	}
}

// innerWords are words that somebody who sees the demo first does not know.
var innerWords = []string{"memo_", "memory_", "galley://", "token", "offline", "folded", "history", "session", "sess-", "base text"}

// Every line must fit a terminal, and the whole must not be a wall.
func TestDemoFitsAScreen(t *testing.T) { // U60
	const most, widest = 60, 96
	for _, walk := range Walks() {
		text := played(t, walk)
		if lines := strings.Count(text, "\n"); lines > most {
			t.Errorf("the walk %s prints %d lines, want %d at most", walk, lines, most)
		}
		for _, line := range strings.Split(text, "\n") {
			if term.ColumnsOf(line) > widest {
				t.Errorf("%d columns, want %d at most: %s", term.ColumnsOf(line), widest, line)
			}
		}
		for _, word := range innerWords {
			if strings.Contains(text, word) {
				t.Errorf("the walk %s says %q, which nobody has explained:\n%s", walk, word, text)
			}
		}
	}
}

func TestDemoFolder(t *testing.T) {
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "mine"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	f := Config{Dir: full}
	if _, err := f.folder(); err == nil || !strings.Contains(err.Error(), "is not empty") {
		t.Errorf("a folder with a file in it: %v", err)
	}
	f = Config{Dir: filepath.Join(t.TempDir(), "a", "b"), Remove: true}
	folder, err := f.folder()
	if err != nil {
		t.Fatal(err)
	}
	if err := f.tidy(folder); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(folder); !os.IsNotExist(err) {
		t.Errorf("the folder should be gone: %v", err)
	}
}

// The demo notices when something goes differently than its script says.
func TestDemoChecks(t *testing.T) {
	const wish = "wish: Do it.\nsay: Yes.\n"
	for script, want := range map[string]string{
		wish:               "",
		"say: Yes.\n":      "the script has no such verb: say",
		"what is this\n":   "line 1 is no line of a script",
		wish + "call: x\n": "line 3: the arguments are no JSON",
		wish + `call: memo_read {"path": "config.json"}` + "\n":                                "the script has no reply left",
		wish + `call: memo_read {"path": "gone.json"}` + "\nsay: Done.\n":                      "a call of memo_read should be answered with success, and is answered not_found",
		wish + `call: memo_read {"path": "gone.json"}` + "\ngets: not_found\nsay: Done.\n":     "",
		wish + `call: memo_read {"path": "config.json"}` + "\ngets: needs_match\nsay: Done.\n": "should be answered needs_match, and is answered ok",
		"look: gone.json 1\n":                           "line 1 of the script: open",
		"look: config.json 1000\n":                      "config.json has no line 1000",
		"save: config.json [\"no such text\", \"x\"]\n": "config.json does not say",
	} {
		folder := t.TempDir()
		var out bytes.Buffer
		g := newStage(testDemo(&out), folder)
		if err := copySample(g.workspace); err != nil {
			t.Fatal(err)
		}
		lines, err := parseWalk(script)
		if err == nil {
			err = g.perform(context.Background(), lines)
		}
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: got %v, want %q", script, err, want)
		}
	}
}

func readPage(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// between is the text from a mark to the next other one; the first mark is not in it.
func between(text, from, to string) string {
	_, text, _ = strings.Cut(text, from)
	text, _, found := strings.Cut(text, to)
	if !found {
		return ""
	}
	return text
}
