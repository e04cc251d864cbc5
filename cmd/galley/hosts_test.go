package main

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/galley-ls/galley/lsp/lsptest"
	"github.com/galley-ls/galley/memory"
)

// hosted is a workspace whose editors share a host, which is a process of its own.
type hosted struct {
	*testing.T
	home, dir string
}

func newHosted(t *testing.T, files map[string]string) *hosted {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	h := &hosted{T: t, home: t.TempDir(), dir: root}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(root, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { // whatever the test came to: nothing is left behind
		if now, is := h.host(); is {
			if p, err := os.FindProcess(now.PID); err == nil {
				_ = p.Kill()
			}
		}
		if t.Failed() {
			logs, _ := filepath.Glob(filepath.Join(h.home, "sessions", "*", "host.log"))
			for _, name := range logs {
				said, _ := os.ReadFile(name)
				t.Logf("the host's log:\n%s", said)
			}
		}
	})
	return h
}

// env is for programs of the workspace, which share a host.
func (h *hosted) env() []string {
	return append(os.Environ(), "GALLEY_HOST=", "GALLEY_HOME="+h.home, "HOME="+h.home, "XDG_CONFIG_HOME=", "XDG_CACHE_HOME=", "GORACE=atexit_sleep_ms=0")
}

// editor starts galley serve for an editor, in a folder of the workspace.
func (h *hosted) editor(p lsptest.Profile, folder string) *lsptest.Editor {
	h.Helper()
	e, err := lsptest.Start(h.process(folder, "serve"), p.With("experimental.galley.notifications", true))
	if err != nil {
		h.Fatal(err)
	}
	if err := e.Initialize(h.Context(), lsptest.Init{Root: folder}); err != nil {
		h.Fatal(err)
	}
	return e
}

func (h *hosted) command(e *lsptest.Editor, name string, args ...any) {
	h.Helper()
	if _, err := e.Execute(h.Context(), name, args...); err != nil {
		h.Fatalf("%s %v: %v", name, args, err)
	}
}

// stands waits until an editor is told that a letter is in a state.
func (h *hosted) stands(e *lsptest.Editor, letter, state string) {
	h.Helper()
	e.Await(h.T, letter+" "+state, func(s *lsptest.Screen) bool {
		var now struct {
			Files []struct {
				Changes []struct{ Change, State string }
			}
		}
		if !s.Note("galley/changes", &now) {
			return false
		}
		is := "gone"
		for _, f := range now.Files {
			for _, c := range f.Changes {
				if c.Change == letter {
					is = c.State
				}
			}
		}
		return is == state
	})
}

func (h *hosted) read(name string) string {
	h.Helper()
	is, err := os.ReadFile(filepath.Join(h.dir, name))
	if err != nil {
		h.Fatal(err)
	}
	return string(is)
}

func (h *hosted) host() (memory.Hosting, bool) { return memory.HostOf(h.home, h.dir) }

// ends waits until there is no host any more.
func (h *hosted) ends() {
	h.Helper()
	for end := time.Now().Add(20 * time.Second); ; {
		if _, is := h.host(); !is {
			return
		}
		if time.Now().After(end) {
			h.Fatal("the host outlives its last client")
		}
		<-time.After(10 * time.Millisecond)
	}
}

// Two editors, one in a folder below the other's: A is one thing, decided in one and seen in the other, and no process is
// left when both have gone.
func TestTwoEditorsShareTheirLetters(t *testing.T) {
	h := newHosted(t, map[string]string{"a.txt": "one\n", "b.txt": "two\n"})
	below := filepath.Join(h.dir, "below")
	for _, dir := range []string{below, filepath.Join(h.dir, ".galley")} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	first, second := h.editor(lsptest.VSCode(), h.dir), h.editor(lsptest.Helix(), below)
	was, _ := h.host()
	h.command(first, "galley.ask", map[string]any{"prompt": `replace "one" with "ONE" in a.txt`})
	h.stands(first, "A", "staged")
	h.stands(second, "A", "staged")
	h.command(second, "galley.ask", map[string]any{"prompt": `replace "two" with "TWO" in b.txt`})
	h.stands(first, "B", "staged")

	h.command(second, "galley.apply", "A")
	h.stands(first, "A", "applied")
	if got := h.read("a.txt"); got != "ONE\n" {
		t.Errorf("a.txt holds %q", got)
	}
	uri, err := first.Open(filepath.Join(h.dir, "b.txt"))
	if err != nil {
		t.Fatal(err)
	}
	h.command(second, "galley.apply", "B") // which the first has open, and takes in
	h.stands(second, "B", "applied")
	if got := first.Text(uri); got != "TWO\n" || h.read("b.txt") != "two\n" {
		t.Errorf("the first editor shows %q, and the disk has %q", got, h.read("b.txt"))
	}
	if now, is := h.host(); !is || now.PID != was.PID || now.Epoch != was.Epoch {
		t.Errorf("the host was %+v and is %+v", was, now)
	}
	for _, e := range []*lsptest.Editor{first, second} {
		if err := e.Exit(t.Context()); err != nil {
			t.Error(err)
		}
	}
	h.ends()
}

// process is one of galley, in a folder.
func (h *hosted) process(folder string, words ...string) *exec.Cmd {
	cmd := exec.CommandContext(h.Context(), "galley", words...)
	cmd.Dir = folder
	cmd.Env = h.env()
	return cmd
}

// galley runs a command of the terminal, which must end so.
func (h *hosted) galley(exit int, words ...string) string {
	h.Helper()
	cmd := h.process(h.dir, words...)
	out, err := cmd.CombinedOutput()
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) {
		h.Fatal(err)
	}
	if got := cmd.ProcessState.ExitCode(); got != exit {
		h.Fatalf("galley %s: exit code %d, want %d\n%s", strings.Join(words, " "), got, exit, out)
	}
	return string(out)
}

// A terminal beside an editor: what it stages is seen there, and each can decide what the other staged.
func TestTerminalBesideAnEditor(t *testing.T) {
	h := newHosted(t, map[string]string{"a.txt": "one\n", "b.txt": "two\n", "c.txt": "three\n"})
	e := h.editor(lsptest.VSCode(), h.dir)
	h.command(e, "galley.ask", map[string]any{"prompt": `replace "one" with "ONE" in a.txt`})
	h.stands(e, "A", "staged")
	h.galley(3, "run", `replace "two" with "TWO" in b.txt`)
	h.stands(e, "B", "staged")
	if said := h.galley(0, "tool", "memory_notebook_replace", `{"path":"c.txt","old_text":"three","new_text":"THREE"}`); !strings.Contains(said, `"status":"editing"`) {
		t.Errorf("the tool says %s", said)
	}
	h.stands(e, "C", "staged")

	h.command(e, "galley.apply", "B") // the terminal's
	h.stands(e, "B", "applied")
	list := h.galley(0, "review", "--list")
	if strings.Contains(list, "in use") || strings.Count(list, "\n") != 2 {
		t.Errorf("the list is\n%s", list)
	}
	if said := h.galley(0, "session", "list"); strings.Contains(said, "in use") {
		t.Errorf("the sessions are\n%s", said)
	}
	if said := h.galley(0, "review", "--apply", "C"); !strings.Contains(said, "✓ C applied: c.txt, line 1") {
		t.Errorf("review says\n%s", said)
	}
	h.stands(e, "C", "applied")
	if got := h.read("b.txt") + h.read("c.txt"); got != "TWO\nTHREE\n" {
		t.Errorf("the files hold %q", got)
	}
	if said := h.galley(0, "review", "--reject", "A", "--reason", "no"); !strings.Contains(said, "✗ A rejected") {
		t.Errorf("review says\n%s", said)
	}
	h.stands(e, "A", "rejected")
	if err := e.Exit(t.Context()); err != nil {
		t.Error(err)
	}
	h.ends()
}

// What an agent's own command is decides nothing.
func TestAnAgentApprovesNothing(t *testing.T) {
	h := newHosted(t, map[string]string{"a.txt": "one\n"})
	e := h.editor(lsptest.VSCode(), h.dir)
	h.command(e, "galley.ask", map[string]any{"prompt": `replace "one" with "ONE" in a.txt`})
	h.stands(e, "A", "staged")
	t.Setenv("GALLEY_INSIDE", "run-1")
	if said := h.galley(1, "review", "--apply", "A"); !strings.Contains(said, "which decides about no changes") {
		t.Errorf("review says\n%s", said)
	}
	h.stands(e, "A", "staged")
	if err := e.Exit(t.Context()); err != nil {
		t.Error(err)
	}
	h.ends()
}

// A killed host: the editor's galley says so and ends, and the next one finds everything as it was.
func TestHostIsKilled(t *testing.T) {
	h := newHosted(t, map[string]string{"a.txt": "one\n"})
	e := h.editor(lsptest.VSCode(), h.dir)
	h.command(e, "galley.ask", map[string]any{"prompt": `replace "one" with "ONE" in a.txt`})
	h.stands(e, "A", "staged")
	now, is := h.host()
	if !is {
		t.Fatal("there is no host")
	}
	p, err := os.FindProcess(now.PID)
	if err == nil {
		err = p.Kill()
	}
	if err != nil {
		t.Fatal(err)
	}
	e.Await(t, "word of it", func(s *lsptest.Screen) bool { return s.Message("restart the language server") && s.Ended != nil })
	again := h.editor(lsptest.VSCode(), h.dir)
	h.stands(again, "A", "staged")
	h.command(again, "galley.apply", "A")
	h.stands(again, "A", "applied")
	if got := h.read("a.txt"); got != "ONE\n" {
		t.Errorf("a.txt holds %q", got)
	}
	if err := again.Exit(t.Context()); err != nil {
		t.Error(err)
	}
	h.ends()
}

// A host is not stopped under a run, but by force.
func TestHostIsStopped(t *testing.T) {
	asked := make(chan struct{}, 9)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if r.Method == http.MethodPost {
			asked <- struct{}{}
			<-r.Context().Done()
		}
	}))
	defer server.Close()
	h := newHosted(t, nil)
	run := h.process(h.dir, "run", "--model", "m", "--base-url", server.URL, "wait for it")
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	<-asked
	if said := h.galley(1, "host", "stop"); !strings.Contains(said, `runs go on: "wait for it" in session `) || !strings.Contains(said, "asked for in terminal") {
		t.Errorf("it says\n%s", said)
	}
	e := h.editor(lsptest.VSCode(), h.dir)
	if err := run.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = run.Wait() // it was killed
	e.Await(t, "the end of the run", func(s *lsptest.Screen) bool {
		var now struct{ State string }
		return s.Note("galley/run", &now) && now.State == "cancelled"
	})
	h.galley(0, "host", "stop")
	e.Await(t, "word of it", func(s *lsptest.Screen) bool { return s.Message("restart the language server") && s.Ended != nil })
	h.ends()

	run = h.process(h.dir, "run", "--model", "m", "--base-url", server.URL, "wait again")
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	<-asked
	was, _ := h.host()
	h.galley(0, "host", "stop", "--force")
	for now, is := h.host(); is && now.PID == was.PID; now, is = h.host() {
		<-time.After(10 * time.Millisecond)
	}
	if err := run.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = run.Wait()
	h.ends()
}

// A run ends with the editor that asked for it, and its key is nowhere on the disk.
func TestKeysStayWithTheAsker(t *testing.T) {
	const key = "sk-stays-with-who-asked-0123456789"
	t.Setenv("OPENAI_API_KEY", key)
	h := newHosted(t, map[string]string{"a.txt": "one\n"})
	e := h.editor(lsptest.VSCode(), h.dir)
	h.command(e, "galley.changes")
	if err := e.Exit(t.Context()); err != nil {
		t.Error(err)
	}
	h.ends()
	err := filepath.WalkDir(h.home, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		is, err := os.ReadFile(path)
		if strings.Contains(string(is), key) {
			t.Errorf("%s has the key", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// A terminal is told which editor has a file that it cannot decide about.
func TestWhoHasAFile(t *testing.T) {
	h := newHosted(t, map[string]string{"a.txt": "one\n"})
	e := h.editor(lsptest.Emacs(), h.dir)
	if _, err := e.Open(filepath.Join(h.dir, "a.txt")); err != nil {
		t.Fatal(err)
	}
	h.command(e, "galley.ask", map[string]any{"prompt": `replace "one" with "ONE" in a.txt`})
	h.stands(e, "A", "staged")
	said := h.galley(1, "review", "--apply", "A")
	if !regexp.MustCompile(`Emacs \(galley serve is process [1-9]\d*\) has a\.txt open: decide A in Emacs`).MatchString(said) {
		t.Errorf("review says\n%s", said)
	}
	if err := e.Exit(t.Context()); err != nil {
		t.Error(err)
	}
	h.ends()
}

// When a host is killed under text that is not saved, nothing is written below it before the editor is back.
func TestHostIsKilledUnderText(t *testing.T) {
	h := newHosted(t, map[string]string{"a.txt": "one\n"})
	open := func(e *lsptest.Editor) string {
		uri, err := e.Open(filepath.Join(h.dir, "a.txt"))
		if err != nil {
			t.Fatal(err)
		}
		e.Type(uri, lsptest.Offset(0), "mine\n")
		return uri
	}
	e := h.editor(lsptest.VSCode(), h.dir)
	open(e)
	h.command(e, "galley.ask", map[string]any{"prompt": `replace "one" with "ONE" in a.txt`})
	h.stands(e, "A", "staged")
	now, _ := h.host()
	p, err := os.FindProcess(now.PID)
	if err == nil {
		err = p.Kill()
	}
	if err != nil {
		t.Fatal(err)
	}
	e.Await(t, "word of it", func(s *lsptest.Screen) bool { return s.Ended != nil })
	if said := h.galley(1, "review", "--apply", "A"); !strings.Contains(said, "an editor had a.txt open when its host was killed") {
		t.Errorf("review says\n%s", said)
	}
	if got := h.read("a.txt"); got != "one\n" {
		t.Errorf("a.txt holds %q", got)
	}
	again := h.editor(lsptest.VSCode(), h.dir)
	uri := open(again)
	h.command(again, "galley.apply", "A")
	h.stands(again, "A", "applied")
	if got := again.Text(uri); got != "mine\nONE\n" || h.read("a.txt") != "one\n" {
		t.Errorf("the editor shows %q, and the disk has %q", got, h.read("a.txt"))
	}
	if err := again.Exit(t.Context()); err != nil {
		t.Error(err)
	}
	h.ends()
}

// A host that comes second leaves at once, without an error, and leaves the log of the first alone: that one may be slow to
// start, and whoever started the second goes on trying.
func TestSecondHostLeaves(t *testing.T) {
	h := newHosted(t, nil)
	lock, err := memory.LockHost(t.Context(), h.home, h.dir, memory.Hosting{Command: "galley host"})
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	log := filepath.Join(lock.Dir(), "host.log")
	if err := os.WriteFile(log, []byte("of the first\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := h.process(h.dir, "host").CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v: %s", err, out)
	}
	if is, err := os.ReadFile(log); err != nil || string(is) != "of the first\n" {
		t.Errorf("its log holds %q: %v", is, err)
	}
}
