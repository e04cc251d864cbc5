package lsptest

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestScreen(t *testing.T) {
	e := dial(t, Neovim012().Galley(true))
	e.OpenText(doc, "a\n")
	e.Pick("Later")
	send(t, e,
		note("textDocument/publishDiagnostics", map[string]any{"uri": "file:///w/d%6Fc.txt", "diagnostics": []any{
			map[string]any{"range": Range{}, "code": "A", "message": "[A] x\n-a\n+b"},
		}}),
		note("window/showMessage", map[string]any{"type": 1, "message": "B was refused: the file changed"}),
		ask("1", "window/showMessageRequest", map[string]any{"type": 3, "message": "Commit?", "actions": []any{
			map[string]any{"title": "Review"}, map[string]any{"title": "Later"},
		}}),
		ask("2", "window/showMessageRequest", map[string]any{"type": 3, "message": "Run?", "actions": []any{map[string]any{"title": "Run"}}}),
		ask("3", "window/workDoneProgress/create", map[string]any{"token": "t"}),
		note("$/progress", map[string]any{"token": "t", "value": map[string]any{"kind": "begin", "title": "galley", "percentage": 1}}),
		note("$/progress", map[string]any{"token": "t", "value": map[string]any{"kind": "report", "message": "step 2", "percentage": 40}}),
		note("galley/run", map[string]any{"run": "r1", "session": "s", "seq": 1, "state": "thinking", "step": 2}),
		ask("4", "workspace/configuration", map[string]any{"items": []any{map[string]any{"section": "galley"}, map[string]any{"section": "x"}}}),
		ask("5", "window/showDocument", map[string]any{"uri": "galley:/sessions/current/tasks.md"}),
	)
	e.Await(t, "all is shown", func(s *Screen) bool {
		var run struct{ Step int }
		return s.Diagnostic(doc, "A") != nil && slices.Equal(s.Codes(doc), []string{"A"}) && s.Message("refused", "changed") &&
			s.Progress["t"].Percentage == 40 && s.Note("galley/run", &run) && run.Step == 2 && s.Runs["r1"] != nil
	})
	e.Look(func(s *Screen) {
		if q := s.Questions; q[0].Open || q[0].Answer != "Later" || !q[1].Open || len(s.Shown) != 1 || !s.Shown[0].OK {
			t.Errorf("%+v %+v", q, s.Shown)
		}
	})
	e.Press("Run?", "Run")
	Conform(t, e)
	answers := ""
	for _, line := range e.Log() {
		if line.ToServer && strings.Contains(string(line.Body), `"result"`) {
			answers += string(line.Body) + "\n"
		}
	}
	for _, want := range []string{
		`"id":"1","result":{"title":"Later"}`, `"id":"2","result":{"title":"Run"}`, `"id":"4","result":[{"a":1},null]`,
		`"id":"5","result":{"success":true}`,
	} {
		if !strings.Contains(answers, want) {
			t.Errorf("no %s in\n%s", want, answers)
		}
	}
}

func TestVirtualDocuments(t *testing.T) {
	const uri = "galley:/sessions/current/tasks.md"
	for _, c := range []struct {
		profile Profile
		ok      bool
		text    string
	}{{VSCode(), true, "content"}, {Neovim010(), true, ""}, {Helix(), false, ""}, {Emacs(), false, ""}} {
		e := dial(t, c.profile)
		send(t, e, ask("1", "window/showDocument", map[string]any{"uri": uri}))
		e.Await(t, "shown", func(s *Screen) bool { return s.Settled() && s.Shown[0].OK == c.ok && s.Virtual[uri] == c.text })
		if got, err := e.Content(t.Context(), uri); got != "content" || err != nil {
			t.Errorf("by hand: %q, %v", got, err)
		}
	}
}

func TestDroppedDiagnostics(t *testing.T) {
	publish := note("textDocument/publishDiagnostics", map[string]any{"uri": "file:///w/%C3%BC.txt", "diagnostics": []any{}})
	for _, p := range []Profile{Emacs(), Helix()} {
		e := dial(t, p)
		send(t, e, publish)
		e.Look(func(s *Screen) {
			if shown := s.Diagnostics["file:///w/ü.txt"].Times == 1; shown == p.KeepsNames {
				t.Errorf("%s shows it: %t", p.Name, shown)
			}
		})
	}
}

func TestSavesAndWatches(t *testing.T) {
	e := dial(t, Emacs().Galley(false))
	path := filepath.Join(t.TempDir(), "f.txt")
	if err := os.WriteFile(path, []byte("a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	uri, err := e.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	e.Type(uri, Offset(0), "b")
	if e.FileChanged(path, 2) {
		t.Error("told of a change without a registration")
	}
	send(t, e,
		ask("1", "client/registerCapability", map[string]any{"registrations": []any{map[string]any{
			"id": "w", "method": "workspace/didChangeWatchedFiles",
			"registerOptions": map[string]any{"watchers": []any{map[string]any{"globPattern": "**"}}},
		}}}),
		ask("2", "galley/save", map[string]any{"uris": []string{uri}}))
	if b := e.Buffer(uri); b.Dirty {
		t.Error("galley/save did not save")
	}
	if got := methods(e); !slices.Contains(got, "workspace/didChangeWatchedFiles") || !slices.Contains(got, "textDocument/didSave") {
		t.Errorf("sent %q", got)
	}
	Conform(t, e)
}

// A wait that fails says what was waited for, what is on the screen, and what was on the wire.
func TestFailedWaitTellsAll(t *testing.T) {
	e := dial(t, Plain())
	e.OpenText(doc, "some text")
	ctx, cancel := context.WithCancel(t.Context())
	calls := 0
	err := e.Wait(ctx, "pigs fly", func(*Screen) bool {
		calls++
		cancel()
		return false
	})
	for _, want := range []string{`await "pigs fly": context canceled`, `buffer file:///w/doc.txt version 1`, "some text", "-> {", "<- {", "textDocument/didOpen"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in\n%v", want, err)
		}
	}
	if !errors.Is(err, context.Canceled) || calls == 0 {
		t.Errorf("%v after %d looks", err, calls)
	}
}

func TestWaitEndsWithTheConnection(t *testing.T) {
	e := dial(t, Plain())
	call := e.BeginCommand("park")
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := call.Result(t.Context()); err == nil || !strings.Contains(err.Error(), "connection ended") {
		t.Error(err)
	}
}

func TestActions(t *testing.T) {
	var actions []Action
	if err := json.Unmarshal([]byte(`[{"title":"Apply A","kind":"quickfix.galley","command":{"title":"Apply A","command":"galley.apply","arguments":[{"change":"A"}]}},
		{"title":"Bare","command":"galley.next"},{"title":"None"}]`), &actions); err != nil {
		t.Fatal(err)
	}
	if actions[0].Command.Command != "galley.apply" || actions[1].Command.Command != "galley.next" || actions[2].Command != nil {
		t.Errorf("%+v", actions)
	}
	titles := []string{"Apply A", "Apply all", "Next"}
	for title, want := range map[string]int{"Apply A": 0, "Apply al": 1, "N": 2} {
		if i, err := pick(titles, title); i != want || err != nil {
			t.Errorf("pick %q: %d, %v", title, i, err)
		}
	}
	for _, title := range []string{"Apply", "Reject"} {
		if _, err := pick(titles, title); err == nil {
			t.Errorf("picked %q", title)
		}
	}
}

func TestChooseAndClick(t *testing.T) {
	e := dial(t, VSCode())
	e.OpenText(doc, "a\n")
	for _, title := range []string{"Apply A", "Reject"} {
		if _, err := e.Choose(t.Context(), doc, Offset(0), End(), title); err != nil {
			t.Error(err)
		}
	}
	e.Await(t, "a lens", func(s *Screen) bool { return slices.Equal(s.LensTitles(doc), []string{"Apply A"}) })
	if _, err := e.Click(t.Context(), doc, "Apply"); err != nil {
		t.Error(err)
	}
	e.Look(func(s *Screen) {
		if len(s.Messages) != 3 || !s.Message("Apply A") || !s.Message("Reject A") {
			t.Errorf("%+v", s.Messages)
		}
	})
	Conform(t, e)
}

// A program that only copies its input: the editor sees its own initialize come back as a request.
func TestStart(t *testing.T) {
	e, err := Start(exec.Command("cat"), Plain())
	if err != nil {
		t.Fatal(err)
	}
	e.Notify("window/showMessage", map[string]any{"type": 1, "message": "echo"})
	e.Await(t, "the echo", func(s *Screen) bool { return s.Message("echo") })
	if err := e.Close(); err != nil {
		t.Error(err)
	}
	if e, err = Start(exec.Command("cat"), Plain()); err != nil {
		t.Fatal(err)
	}
	if err := e.Kill(); err != nil {
		t.Error(err)
	}
}
