package main

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/galley-ls/galley/agent/openai/openaitest"
	"github.com/galley-ls/galley/lsp/lsptest"
)

// seated is a person at a terminal of their own.
type seated struct {
	*hosted
	p    *pty
	w    *watched
	seen int
	end  chan error
}

func (h *hosted) sits(words ...string) *seated {
	h.Helper()
	p, err := openPty(80)
	if err != nil {
		h.Fatal(err)
	}
	cmd := h.process(h.dir, words...)
	cmd.Env = append(cmd.Env, "TERM=xterm", "NO_COLOR=1")
	if err := p.start(cmd); err != nil {
		h.Fatal(err)
	}
	s := &seated{hosted: h, p: p, w: watchTerminal(p), end: make(chan error, 1)}
	go func() { s.end <- errors.Join(cmd.Wait(), p.mark(endMark)) }()
	h.Cleanup(func() {
		_ = cmd.Process.Kill() // it has ended, if all is well
		<-s.w.over
		_ = p.Close()
	})
	return s
}

func (s *seated) sees(text string) {
	s.Helper()
	at, err := s.w.see(text, s.seen)
	if err != nil {
		s.Fatalf("%v; the terminal shows:\n%s", err, rendered(s.w.text()))
	}
	s.seen = at
}

func (s *seated) keys(text string) {
	s.Helper()
	if _, err := s.p.WriteString(text); err != nil {
		s.Fatal(err)
	}
}

// A review that is open follows the table: what an editor and another terminal do is told above the line that is being typed.
func TestOpenReviewFollowsTheTable(t *testing.T) {
	h := newHosted(t, map[string]string{"a.txt": "one\ntwo\nthree\n"})
	h.galley(3, "run", `replace "one" with "1" in a.txt then replace "two" with "2" in a.txt`)
	e := h.editor(lsptest.VSCode(), h.dir)
	s := h.sits("review")
	s.sees("A, B · ")
	s.keys("n to")
	s.sees("n to")
	h.command(e, "galley.apply", "A")
	s.sees("meanwhile: A is applied: a.txt, line 1")
	s.sees("B · [y]es, [n]o")
	s.sees("> n to")
	h.galley(3, "run", "-c", `replace "three" with "3" in a.txt`)
	s.sees("meanwhile: C waits, too")
	s.sees("B, C · ")
	s.keys("\x15n B too loud\n")
	s.sees("✗ B rejected: a.txt, line 2 · “too loud”")
	s.sees("C · [y]es")
	h.galley(0, "review", "--apply", "C")
	s.sees("meanwhile: C is applied")
	s.sees("nothing waits any more; Enter goes on")
	s.keys("\n")
	if err := <-s.end; err != nil {
		t.Errorf("it ended with %v", err)
	}
	if got := h.read("a.txt"); got != "1\ntwo\n3\n" || strings.Contains(s.w.text(), "panic") {
		t.Errorf("a.txt holds %q; the terminal shows:\n%s", got, rendered(s.w.text()))
	}
	if err := e.Exit(t.Context()); err != nil {
		t.Error(err)
	}
	h.ends()
}

// A commit at the terminal of texts that an editor has open names no editing session, where one is open only.
func TestTerminalCommitsWhatAnEditorHasOpen(t *testing.T) {
	h := newHosted(t, map[string]string{"a.txt": "one\ntwo\n", "b.txt": "three\n"})
	h.galley(3, "run", `replace "one" with "1" in a.txt then replace "two" with "2" in a.txt then replace "three" with "3" in b.txt`)
	e := h.editor(lsptest.VSCode(), h.dir)
	uri, err := e.Open(filepath.Join(h.dir, "a.txt"))
	if err != nil {
		t.Fatal(err)
	}
	h.stands(e, "A", "staged")
	s := h.sits("review")
	s.sees("A, B, C · ")
	s.keys("A\n")
	s.sees("✓ A applied: a.txt, line 1")
	s.keys("c done\n")
	s.sees("✓ #1 committed: done")
	if err := <-s.end; err != nil {
		t.Errorf("it ended with %v", err)
	}
	if shown := rendered(s.w.text()); strings.Contains(shown, "#0") || strings.Contains(shown, "!") {
		t.Errorf("the terminal shows:\n%s", shown)
	}
	if e.Text(uri) != "1\n2\n" || h.read("b.txt") != "3\n" {
		t.Errorf("a.txt is %q in the editor, and b.txt holds %q", e.Text(uri), h.read("b.txt"))
	}
	if err := e.Exit(t.Context()); err != nil {
		t.Error(err)
	}
	h.ends()
}

// A run goes on at the next host when its own is ended: while the model thinks, while letters wait and while the person is asked for
// words.
func TestRunGoesOnAtTheNextHost(t *testing.T) {
	script, err := openaitest.Parse("model", []byte(`{"models": ["m"]}
{"hold": true, "calls": [{"name": "memory_notebook_replace", "arguments": {"path": "a.txt", "old_text": "one", "new_text": "1"}}]}
{"text": "Done."}
{"want": ["once more"], "text": "Done again."}
`))
	if err != nil {
		t.Fatal(err)
	}
	server, err := openaitest.Start(script)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	h := newHosted(t, map[string]string{"a.txt": "one\n"})
	s := h.sits("run", "--model", "m", "--base-url", server.URL(), "begin")
	if err := server.Await(t.Context(), "an answer is held", func(s openaitest.State) bool { return s.Held > 0 }); err != nil {
		t.Fatal(err)
	}
	end := func() {
		was, _ := h.host()
		h.galley(0, "host", "stop", "--force")
		for now, is := h.host(); is && now.Epoch == was.Epoch; now, is = h.host() {
			<-time.After(10 * time.Millisecond)
		}
	}
	end()
	server.Release()
	s.sees("staged A in a.txt")
	s.sees("A · [y]es")
	end()
	s.keys("y\n")
	s.sees("✓ A applied: a.txt, line 1")
	s.sees("words for the agent, or Enter to leave")
	end()
	s.keys("once more\n")
	s.sees("Done again.")
	s.sees("words for the agent, or Enter to leave")
	s.keys("\n")
	if err := <-s.end; err != nil {
		t.Errorf("it ended with %v; the terminal shows:\n%s", err, rendered(s.w.text()))
	}
	if got := h.read("a.txt"); got != "1\n" {
		t.Errorf("a.txt holds %q", got)
	}
	if odd := server.Problems(); len(odd) > 0 {
		t.Error(odd)
	}
	h.ends()
}
