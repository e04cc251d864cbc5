package host

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// entry is the number of the entry of history.md that has a text.
func entry(t *testing.T, page, text string) int64 {
	t.Helper()
	head := page[strings.LastIndex(page[:strings.Index(page, text)], "\n## "):]
	n, err := strconv.ParseInt(strings.Fields(head)[1], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func (p *place) page(h *Host, id, name string) string {
	p.t.Helper()
	page, err := h.Document(context.Background(), id, name)
	if err != nil {
		p.t.Fatalf("%s: %v", name, err)
	}
	return page
}

// R32: a rewind moves the conversation and nothing else, and says so; the agent hears it.
func TestR32RewindMovesTheConversationOnly(t *testing.T) {
	ctx := context.Background()
	p := newPlace(t, map[string]string{"a.txt": "one\n"})
	h := p.open()
	p.ask(h, "the first thing")
	to := entry(t, p.page(h, "", "history.md"), "the first thing")
	p.ask(h, "a.txt: one → 1")
	before := p.page(h, "", "prompt.md")
	r, err := h.Rewind(ctx, "", to)
	if err != nil || r.Messages == 0 || !strings.Contains(r.String(), "were not moved") {
		t.Fatalf("%+v %v", r, err)
	}
	now := p.page(h, "", "prompt.md")
	if !strings.Contains(before, "one → 1") || strings.Contains(now, "one → 1") || !strings.Contains(now, "the first thing") {
		t.Errorf("the next request is\n%s", now)
	}
	if state(h.Workspace().Snapshot(), "A") != "staged" || !strings.Contains(now, "A") {
		t.Error("the letter went with it")
	}
	if page := p.page(h, "", "history.md"); !strings.Contains(page, "*rewound*") || !strings.Contains(page, "one → 1") || !strings.Contains(page, "taken back to entry") {
		t.Errorf("the history is\n%s", page)
	}
	id := h.Current()
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	h = p.open()
	if again := p.page(h, id, "prompt.md"); strings.Contains(again, "one → 1") {
		t.Errorf("after a restart it is back:\n%s", again)
	}
	p.ask(h, "go on")
	if now := p.page(h, id, "prompt.md"); !strings.Contains(now, "[galley] the user took the conversation back") {
		t.Errorf("the agent does not hear of it:\n%s", now)
	}
	if _, err := h.Rewind(ctx, "", 9999); err == nil {
		t.Error("there is no such entry")
	}
}

func TestRewindWaitsForTheRun(t *testing.T) {
	p := newPlace(t, nil)
	h := p.open()
	run, id, err := h.Ask(context.Background(), Prompt{Text: "do wait", Start: -1, End: -1})
	if err != nil {
		t.Fatal(err)
	}
	<-p.puppet.entered
	if _, err := h.Rewind(context.Background(), id, 1); err == nil || !strings.Contains(err.Error(), "cancel its run first") {
		t.Errorf("while the agent works: %v", err)
	}
	if _, err := h.DeleteSession(context.Background(), id, false); err == nil || !strings.Contains(err.Error(), "cancel its run first") {
		t.Errorf("while the agent works: %v", err)
	}
	close(p.puppet.let)
	p.over(h, run)
}

func TestRenameAndDeleteSessions(t *testing.T) {
	ctx := context.Background()
	p := newPlace(t, map[string]string{"a.txt": "one\n"})
	elsewhere := p.staged("a.txt", "one", "1") // opened by the host, since a letter waits
	h := p.open()
	here, err := h.NewSession(ctx, "the old name")
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{here, elsewhere} {
		if err := h.RenameSession(ctx, id, "name of "+id); err != nil {
			t.Errorf("rename: %v", err)
		}
	}
	list, err := h.Sessions(ctx)
	if err != nil || len(list) != 2 || list[0].Title != "name of "+list[0].ID || list[1].Title != "name of "+list[1].ID {
		t.Errorf("%+v, %v", list, err)
	}
	if _, err := h.DeleteSession(ctx, elsewhere, false); err == nil || !strings.Contains(err.Error(), "1 change that wait") {
		t.Errorf("with a letter that waits: %v", err)
	}
	thrown, err := h.DeleteSession(ctx, elsewhere, true)
	if _, there := os.Stat(thrown); err != nil || there != nil || len(h.Workspace().Snapshot().Changes()) != 0 {
		t.Errorf("a session that was removed with its letters: %v %v, %v", err, there, h.Workspace().Snapshot().Changes())
	}
	path, err := h.DeleteSession(ctx, here, false)
	if _, there := os.Stat(filepath.Join(path, "messages.jsonl")); err != nil || there != nil {
		t.Fatalf("%s: %v %v", path, err, there)
	}
	if list, _ := h.Sessions(ctx); len(list) != 0 || h.Serves(here) || h.Current() == here {
		t.Errorf("it is still there: %+v", list)
	}
	if _, err := h.DeleteSession(ctx, here, false); err == nil {
		t.Error("it goes twice")
	}
	p.ask(h, "something else")
}

// Pages of a session that is not open here can be read; nothing of it is written or locked.
func TestDocumentsOfAClosedSession(t *testing.T) {
	p := newPlace(t, map[string]string{"a.txt": "one\n"})
	s := p.session("", "a.txt", "one", "1") // and keeps it open
	t.Cleanup(func() { _ = s.Close() })
	h := p.open()
	if h.Serves(s.ID()) {
		t.Fatal("the host took it up")
	}
	for name, part := range map[string]string{
		"overview.md": "##", "tasks.md": "# Tasks", "context.md": "tokens", "history.md": "A staged: a.txt", "prompt.md": "A",
		"detail/": "Nothing is here yet", "archive": "# working-memory/archive/",
	} {
		if page := p.page(h, s.ID(), name); !strings.Contains(page, part) {
			t.Errorf("%s lacks %q:\n%s", name, part, page)
		}
	}
	if _, err := h.Document(context.Background(), "01ARZ3NDEKTSV4RRFFQ69G5FAV", "tasks.md"); err == nil {
		t.Error("there is no such session")
	}
}

// Names that step out are refused, whichever way.
func TestDocumentNamesStayInside(t *testing.T) {
	p := newPlace(t, nil)
	h := p.open()
	id, err := h.NewSession(context.Background(), "")
	if err != nil {
		t.Fatal(err)
	}
	s, err := h.session(id)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(s.Dir(), "secret.md"), []byte("outside"), 0o600); err != nil {
		t.Fatal(err)
	}
	detail := filepath.Join(s.Dir(), "working-memory", "detail")
	for link, to := range map[string]string{"link.md": filepath.Join(s.Dir(), "secret.md"), "up": s.Dir()} {
		if err := os.Symlink(to, filepath.Join(detail, link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(detail, "..dots.md"), []byte("# inside"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{
		"../secret.md", "detail/../../secret.md", "detail/../secret.md", "detail/link.md", "detail/up/secret.md", "detail//../overview.md",
		"detail/./x.md", "/etc/passwd", "messages.jsonl", "detail/a\x00b", `detail\..\..\secret.md`, "..", "", "archive/nope.md",
	} {
		if page, err := h.Document(context.Background(), id, name); err == nil {
			t.Errorf("%q is\n%s", name, page)
		}
	}
	if page := p.page(h, id, "detail/..dots.md"); page != "# inside" {
		t.Errorf("%q", page)
	}
}
