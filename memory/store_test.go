package memory

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestNames(t *testing.T) {
	long := "/" + strings.Repeat("d/", 200) + "e"
	for _, c := range []struct{ workspace, want string }{
		{"/home/me/app", "--home-me-app--"},
		{"/home/me/app/", "--home-me-app--"},
		{"/home/me/./x/../app", "--home-me-app--"},
		{"/", "----"},
		{"/home/me-app", "--home-me-app--"},
	} {
		if got := filepath.Base(homes("/h", c.workspace)[0]); got != c.want {
			t.Errorf("%s is kept in %s, want %s", c.workspace, got, c.want)
		}
	}
	one, two := filepath.Base(homes("/h", long)[0]), filepath.Base(homes("/h", long+"e")[0])
	if len(one) > 255 || one == two {
		t.Errorf("long names: %d bytes, %q and %q", len(one), one, two)
	}
}

func TestHome(t *testing.T) {
	t.Setenv("GALLEY_HOME", "/somewhere/else")
	if home, err := Home(); home != "/somewhere/else" || err != nil {
		t.Errorf("got %q, %v", home, err)
	}
	t.Setenv("GALLEY_HOME", "")
	t.Setenv("HOME", "/home/me")
	if home, err := Home(); home != "/home/me/.ai" || err != nil {
		t.Errorf("got %q, %v", home, err)
	}
}

func TestFilesOfASession(t *testing.T) {
	p := newPlace(t)
	s := p.create(t)
	play(t, s, "U")
	for name, mode := range map[string]fs.FileMode{
		".": 0o700 | fs.ModeDir, "messages.jsonl": 0o600, "meta.json": 0o600, "lock": 0o600,
		"working-memory": 0o700 | fs.ModeDir, "working-memory/detail": 0o700 | fs.ModeDir,
		"working-memory/archive": 0o700 | fs.ModeDir, "working-memory/overview.md": 0o600,
	} {
		fi, err := os.Stat(filepath.Join(s.Dir(), name))
		if err != nil || fi.Mode() != mode {
			t.Errorf("%s: %v, %v, want %v", name, fi.Mode(), err, mode)
		}
	}
	real, err := filepath.EvalSymlinks(p.workspace)
	ok(t, err)
	if m := s.Meta(); m.Workspace != real || m.Title != "a test" || m.Model != "offline" || m.Version != FormatVersion || m.ID != s.ID() {
		t.Errorf("meta: %+v", m)
	}
	ok(t, s.SetTitle("another"))
	s = p.reopen(t, s)
	if m := s.Meta(); m.Title != "another" || m.Updated.Before(m.Created) {
		t.Errorf("meta after a rename: %+v", m)
	}
}

func TestListAndOpen(t *testing.T) {
	p := newPlace(t)
	if list, err := List(p.home, p.workspace); err != nil || list == nil || len(list) != 0 {
		t.Fatalf("nothing yet: %v, %v", list, err)
	}
	older, newer := p.create(t), p.create(t)
	ok(t, older.Close())
	ok(t, newer.Close())
	yesterday := time.Now().Add(-24 * time.Hour)
	ok(t, os.Chtimes(filepath.Join(older.Dir(), journalFile), yesterday, yesterday))
	list, err := List(p.home, p.workspace)
	ok(t, err)
	if len(list) != 2 || list[0].ID != newer.ID() || list[1].ID != older.ID() || list[0].Title != "a test" {
		t.Fatalf("listed: %+v", list)
	}
	for _, id := range []string{"", "..", "x", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "../" + newer.ID(), newer.ID() + "/."} {
		if _, err := Open(p.home, p.workspace, id); !errors.Is(err, ErrNoSession) {
			t.Errorf("open %q: %v", id, err)
		}
		if _, err := OpenReadOnly(p.home, p.workspace, id); !errors.Is(err, ErrNoSession) {
			t.Errorf("open %q read-only: %v", id, err)
		}
	}
}

func TestLostMetaIsMadeAgain(t *testing.T) {
	for name, spoil := range map[string]func(path string) error{
		"gone":   os.Remove,
		"broken": func(path string) error { return os.WriteFile(path, []byte("{"), 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			s := p.create(t)
			ok(t, s.SetTitle("kept"))
			ok(t, s.Close())
			ok(t, spoil(filepath.Join(s.Dir(), metaFile)))
			if list, err := List(p.home, p.workspace); err != nil || len(list) != 1 {
				t.Errorf("listed: %+v, %v", list, err)
			}
			again := p.reopen(t, s)
			if again.Meta().Title != "kept" || len(again.Warnings()) != 1 {
				t.Errorf("%+v, %q", again.Meta(), again.Warnings())
			}
			ok(t, again.Close())
			if m, err := readMeta(s.Dir()); err != nil || m.Title != "kept" {
				t.Errorf("on disk: %+v, %v", m, err)
			}
		})
	}
}

func TestLegacySession(t *testing.T) {
	p := newPlace(t)
	dir, err := WorkspaceDir(t.Context(), p.home, p.workspace)
	ok(t, err)
	ok(t, os.MkdirAll(dir, 0o700))
	const id = "2025-01-02_old"
	text := `{"type":"session","cwd":"` + p.workspace + `","title":"from before"}
{"role":"user","content":"hello"}
{"type":"message","timestamp":"2025-01-02T03:04:05Z","message":{"role":"assistant","content":[{"type":"text","text":"look"},{"type":"image"}],"tool_calls":[{"id":"c1","function":{"name":"read","arguments":"{}"}}]}}
not json
{"role":"tool","tool_call_id":"c1","content":"found"}
{"seq":9,"type":"user","payload":{"text":"in today's shape"}}
`
	path := filepath.Join(dir, id+".jsonl")
	writeFile(t, text, path)
	writeFile(t, `{"cwd":"/somewhere/else"}`, dir, "other.jsonl")
	list, err := List(p.home, p.workspace)
	ok(t, err)
	if len(list) != 1 || list[0].ID != id || !list[0].Legacy || list[0].Title != "from before" {
		t.Fatalf("listed: %+v", list)
	}
	s, err := Open(p.home, p.workspace, id)
	ok(t, err)
	if got, want := written(s.Messages()), "U:hello A{read} Tread U:in_today's_shape"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	checkRules(t, s.Messages())
	if !s.ReadOnly() || len(s.Warnings()) != 1 || !strings.Contains(s.Warnings()[0], "line 4") || s.Meta().Title != "from before" {
		t.Errorf("%v %q %+v", s.ReadOnly(), s.Warnings(), s.Meta())
	}
	if err := s.AddUser("x"); !errors.Is(err, ErrReadOnly) {
		t.Errorf("an old session was written: %v", err)
	}
	ok(t, s.Close())
	if readFile(t, path) != text {
		t.Error("an old session was changed")
	}
}

func TestQuery(t *testing.T) {
	s := newStore(t)
	play(t, s, "U:Please_fix_the_Parser A{config.json} Tconfig.json A")
	ok(t, s.AddAssistant(Message{ToolCalls: []ToolCall{{ID: "x", Name: "write", Arguments: `{"path":"src/app.go","content":"parser"}`}}}, Usage{}))
	ok(t, s.AddResult("x", `{"status":"ok","files":["src/app.go"]}`))
	before := readFile(t, s.Dir(), journalFile)
	for _, c := range []struct {
		name string
		q    JournalQuery
		want string // types
	}{
		{"all", JournalQuery{}, "meta user assistant tool_result assistant assistant tool_result"},
		{"iterations", JournalQuery{From: 2, To: 2}, "assistant"},
		{"from", JournalQuery{From: 2}, "assistant assistant tool_result"},
		{"types", JournalQuery{Types: []string{TypeUser, TypeMeta}}, "meta user"},
		{"tool calls", JournalQuery{Types: []string{TypeToolCall}}, "assistant assistant"},
		{"text, letter case aside", JournalQuery{Text: "PARSER"}, "user assistant"},
		{"text over a line of JSON", JournalQuery{Text: `"status":"ok"`}, "tool_result"},
		{"file", JournalQuery{File: "config.json"}, "assistant"},
		{"file by the end of its path", JournalQuery{File: "app.go"}, "assistant tool_result"},
		{"no half names", JournalQuery{File: "pp.go"}, ""},
		{"the newest", JournalQuery{Types: []string{TypeAssistant}, Limit: 2}, "assistant assistant"},
		{"together", JournalQuery{Text: "parser", Types: []string{TypeAssistant}}, "assistant"},
	} {
		var types []string
		for _, e := range s.Query(c.q) {
			types = append(types, e.Type)
		}
		if got := strings.Join(types, " "); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
	if readFile(t, s.Dir(), journalFile) != before {
		t.Error("a query wrote")
	}
}
