package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/galley-ls/galley/agent/model"
	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/editing/text"
	"github.com/galley-ls/galley/lsp/lsptest"
	"github.com/galley-ls/galley/memory"
)

// listener is a model that answers at once, and keeps what it was asked.
type listener struct {
	mu   sync.Mutex // guards last
	last memory.Request
}

func (*listener) Name() string { return "listener" }

func (m *listener) Stream(_ context.Context, req memory.Request, _ func(model.Delta)) (model.Reply, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.last = req
	return model.Reply{Message: memory.Message{Content: "heard"}, Finish: model.FinishStop}, nil
}

func (m *listener) heard() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.last.Messages[len(m.last.Messages)-1].Content
}

// page is a virtual document of the current session.
func (w *wire) page(t testing.TB, name string) string {
	t.Helper()
	text, err := w.Content(context.Background(), "galley:/sessions/current/"+name)
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, w.Dump())
	}
	return text
}

// memoryFile is where a file of the memory lies, as the lens asks for it.
func (w *wire) memoryFile(t testing.TB, name string) string {
	t.Helper()
	var at struct{ Path string }
	if err := json.Unmarshal(w.command(t, "galley.memory", map[string]any{"path": name}), &at); err != nil {
		t.Fatal(err)
	}
	return at.Path
}

func edit(t testing.TB, path string, change func(string) string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	if err := os.WriteFile(path+"~", []byte(change(string(data))), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+"~", path); err != nil {
		t.Fatal(err)
	}
}

// awaitPage does something and waits until the editor was told to fetch documents again, and one of them is as wanted.
func (w *wire) awaitPage(t testing.TB, name string, do func(), wanted func(string) bool) {
	t.Helper()
	const refresh = "workspace/textDocumentContent/refresh"
	was := 0
	w.Look(func(s *lsptest.Screen) { was = s.Refreshes[refresh] })
	do()
	for text := ""; !wanted(text); {
		w.Await(t, name+" is refreshed", func(s *lsptest.Screen) bool { return s.Refreshes[refresh] > was })
		w.Look(func(s *lsptest.Screen) { was = s.Refreshes[refresh] })
		text = w.page(t, name)
	}
}

func has(part string) func(string) bool {
	return func(text string) bool { return strings.Contains(text, part) }
}

// What a person writes into the real files of the memory is in the pages at once, is told, and is in the next request.
func TestWireUserEditsOfTheMemoryReachTheNextRequest(t *testing.T) {
	m := &listener{}
	w := newWire(t, lsptest.VSCode().With("experimental.galley.notifications", true), wireOptions{model: m})
	defer w.close(t)
	w.ask(t, "begin")
	if page := w.page(t, "overview.md"); !strings.Contains(page, "## Known facts") {
		t.Fatalf("the overview is\n%s", page)
	}
	w.awaitPage(t, "overview.md", func() {
		edit(t, w.memoryFile(t, "overview.md"), func(s string) string {
			return strings.Replace(s, "## Known facts\n", "## Known facts\n- the port is 8080, says the user\n", 1)
		})
	}, has("the port is 8080"))
	w.Await(t, "galley/memory tells of it", func(s *lsptest.Screen) bool {
		var told struct{ Path, Hash string }
		return s.Note("galley/memory", &told) && told.Path == "overview.md" && told.Hash != ""
	})
	if page := w.page(t, "prompt.md"); !strings.Contains(page, "the port is 8080") {
		t.Errorf("the next request is\n%s", page)
	}
	w.ask(t, "go on")
	if !strings.Contains(m.heard(), "the port is 8080, says the user") {
		t.Errorf("the model was asked\n%s", m.heard())
	}
}

// A file that a person puts beside the overview is listed, told and indexed; one that goes, goes.
func TestWireMemoryFilesComeAndGo(t *testing.T) {
	w := newWire(t, lsptest.VSCode().With("experimental.galley.notifications", true), wireOptions{model: &listener{}})
	defer w.close(t)
	w.ask(t, "begin")
	if page := w.page(t, "detail/"); !strings.Contains(page, "Nothing is here yet") {
		t.Errorf("the list is\n%s", page)
	}
	path := w.memoryFile(t, "detail/ports.md")
	w.awaitPage(t, "detail/", func() { edit(t, path, func(string) string { return "# The ports\n" }) }, has("- detail/ports.md (12 bytes): The ports"))
	if page := w.page(t, "detail/ports.md"); page != "# The ports\n" {
		t.Errorf("the page is %q", page)
	}
	w.awaitPage(t, "detail/", func() {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}, has("Nothing is here yet"))
	w.Await(t, "galley/memory tells that it went", func(s *lsptest.Screen) bool {
		var told struct {
			Path, Hash string
			Size       int
		}
		return s.Note("galley/memory", &told) && (told.Path != "detail/ports.md" || told.Hash == "")
	})
}

// R21: the number is the same everywhere: in the last block of the request, in what the editor is told, in the page, and
// for who looks at the session from another process.
func TestR21OneNumberEverywhere(t *testing.T) {
	w := newWire(t, lsptest.VSCode().With("experimental.galley.notifications", true), wireOptions{
		files: map[string]string{"a.txt": strings.Repeat("a line of a file that is read\n", 500)},
	})
	defer w.close(t)
	w.ask(t, toolCall("memo_read", tools.ReadArgs{Path: "a.txt"}), replace("a.txt", "nothing like it", "y"))
	var told struct {
		TokensUsed, TokensMax int
		Session               string
		Categories            map[string]int
	}
	if err := json.Unmarshal(w.command(t, "galley.context"), &told); err != nil {
		t.Fatal(err)
	}
	sum := 0
	for _, n := range told.Categories {
		sum += n
	}
	home := w.memoryFile(t, "overview.md") // HOME/sessions/--…--/ID/working-memory/overview.md
	for range 5 {
		home = filepath.Dir(home)
	}
	s, err := session.Open(session.Config{Home: home, Workspace: w.root, ID: told.Session, Specs: tools.Specs(tools.Options{}), ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	inspected := s.Context().TokensUsed
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	n := told.TokensUsed
	if sum != n || inspected != n || n < 1000 {
		t.Errorf("%d are told, the categories have %d, and another process sees %d", n, sum, inspected)
	}
	if page := w.page(t, "context.md"); !strings.Contains(page, text.Thousands(n)+" of "+text.Thousands(told.TokensMax)+" tokens") {
		t.Errorf("%d are told, and the page is\n%s", n, page)
	}
	if page := w.page(t, "prompt.md"); !strings.Contains(page, fmt.Sprintf(`{ "tokens_used": %d, "tokens_max": %d,`, n, told.TokensMax)) {
		t.Errorf("%d are told, and the request is\n%s", n, page)
	}
}

// Sessions by command, over the wire: another name, back to an entry, compacted, gone.
func TestWireSessionCommands(t *testing.T) {
	w := newWire(t, lsptest.VSCode(), wireOptions{model: &listener{}})
	defer w.close(t)
	w.ask(t, "the first words")
	w.ask(t, "the second words")
	w.command(t, "galley.renameSession", "a name")
	var list []struct {
		Session, Title string
		Current        bool
	}
	if err := json.Unmarshal(w.command(t, "galley.sessions"), &list); err != nil || len(list) != 1 || list[0].Title != "a name" {
		t.Fatalf("%+v, %v", list, err)
	}
	history := w.page(t, "history.md")
	to := 0
	head := history[:strings.Index(history, "the second words")]
	if _, err := fmt.Sscanf(head[strings.LastIndex(head, "## "):], "## %d", &to); err != nil {
		t.Fatal(err)
	}
	answer := w.command(t, "galley.rewind", map[string]any{"seq": to - 1})
	if !strings.Contains(string(answer), "were not moved") {
		t.Errorf("%s", answer)
	}
	if page := w.page(t, "prompt.md"); strings.Contains(page, "the second words") || !strings.Contains(page, "the first words") {
		t.Errorf("the next request is\n%s", page)
	}
	if answer := w.command(t, "galley.compact", "tools"); !strings.Contains(string(answer), `"tokens_saved":0`) || !strings.Contains(string(answer), `"hint":"`) {
		t.Errorf("%s", answer)
	}
	if answer := w.command(t, "galley.export", "journal"); !strings.Contains(string(answer), "*rewound*") {
		t.Errorf("%s", answer)
	}
	w.command(t, "galley.deleteSession", list[0].Session)
	if got := string(w.command(t, "galley.sessions")); got != "[]" {
		t.Errorf("%s", got)
	}
	w.ask(t, "in a new one")
}

// From a memory file that a person saves to the word that its page is another, with a document of each kind open.
func BenchmarkWireDocumentFresh(b *testing.B) {
	w := newWire(b, lsptest.VSCode(), wireOptions{model: &listener{}})
	w.ask(b, "begin")
	for _, name := range []string{"overview.md", "context.md", "history.md", "prompt.md", "detail/", "tasks.md"} {
		w.page(b, name)
	}
	path := w.memoryFile(b, "overview.md")
	n := 0
	for b.Loop() {
		n++
		fact := fmt.Sprintf("- fact %d\n", n)
		w.awaitPage(b, "overview.md", func() { edit(b, path, func(s string) string { return s + fact }) }, has(fact))
	}
	b.ReportMetric(100, "aim-ms")
	b.ReportMetric(b.Elapsed().Seconds()*1000/float64(b.N), "ms")
}
