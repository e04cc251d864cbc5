package main

import (
	"bufio"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// emacsProgram is the real Emacs 30 that make test brings.
const emacsProgram = "../../.cache/emacs/emacs"

// emacs is a real Emacs without a screen. It evaluates what is sent to its socket, as emacsclient does.
type emacs struct {
	h      *hosted
	socket string
}

// emacs starts one in the workspace, with the configuration that galley has for it, beside a host.
func (h *hosted) emacs(program string) *emacs {
	h.Helper()
	short, err := os.MkdirTemp("", "e") // a socket's path must not be long
	if err != nil {
		h.Fatal(err)
	}
	h.Cleanup(func() { _ = os.RemoveAll(short) })
	config, err := filepath.Abs("../../editors/emacs/galley.el")
	if err != nil {
		h.Fatal(err)
	}
	e := &emacs{h, filepath.Join(short, "s")}
	cmd := exec.Command(program, "-Q", "--fg-daemon="+e.socket, "--eval", "(setq native-comp-jit-compilation nil)", "-l", config)
	cmd.Dir, cmd.Env = h.dir, h.env()
	var said strings.Builder
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		h.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	h.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-ended
		if h.Failed() {
			h.Logf("Emacs said:\n%s", &said)
		}
	})
	for end := time.Now().Add(20 * time.Second); ; <-time.After(10 * time.Millisecond) {
		if c, err := net.Dial("unix", e.socket); err == nil {
			_ = c.Close()
			return e
		}
		if time.Now().After(end) {
			h.Fatal("Emacs does not listen")
		}
	}
}

// Words on the socket are apart by spaces.
var (
	emacsQuote   = strings.NewReplacer("&", "&&", "-", "&-", "\n", "&n", " ", "&_")
	emacsUnquote = strings.NewReplacer("&&", "&", "&-", "-", "&n", "\n", "&_", " ")
)

// eval answers what an expression is, printed.
func (e *emacs) eval(expression string) string {
	e.h.Helper()
	c, err := net.Dial("unix", e.socket)
	if err != nil {
		e.h.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(20 * time.Second))
	if _, err := c.Write([]byte("-eval " + emacsQuote.Replace(expression) + "\n")); err != nil {
		e.h.Fatal(err)
	}
	var out strings.Builder
	for lines := bufio.NewScanner(c); lines.Scan(); {
		word, rest, _ := strings.Cut(lines.Text(), " ")
		switch word {
		case "-print", "-print-nonl":
			out.WriteString(emacsUnquote.Replace(rest))
		case "-error":
			e.h.Fatalf("%s: %s", expression, emacsUnquote.Replace(rest))
		}
	}
	return strings.TrimSpace(out.String())
}

// A file that a real Emacs holds, with typing that the server has not heard of: a terminal's decision is refused and
// leaves all as it is, and goes through when Emacs has closed the file.
func TestEmacsHoldsAFile(t *testing.T) {
	program := needsEmacs(t)
	h := newHosted(t, map[string]string{"a.txt": "one\ntwo\n"})
	e := h.emacs(program)
	e.eval(`(progn (find-file "a.txt") (setq eglot-send-changes-idle-time 3600) (apply #'eglot (eglot--guess-contact)))`)
	h.galley(3, "run", "--review", "keep", `replace "one" with "ONE" in a.txt`)
	e.eval(`(with-current-buffer "a.txt" (goto-char (point-max)) (insert "typed"))`)

	said := h.galley(1, "review", "--json", "--apply", "A")
	if !regexp.MustCompile(`"held_by_editor","hint":"Emacs \(galley serve is process \d+\) has a\.txt open: decide A in Emacs, or close the file there"`).MatchString(said) {
		t.Errorf("the terminal says %s", said)
	}
	if is := e.eval(`(with-current-buffer "a.txt" (buffer-substring-no-properties (point-min) (point-max)))`); is != `"one\ntwo\ntyped"` {
		t.Errorf("Emacs has %s", is)
	}
	if is := h.read("a.txt"); is != "one\ntwo\n" {
		t.Errorf("the file is %q", is)
	}

	e.eval(`(with-current-buffer "a.txt"
  (let ((server (eglot-current-server)))
    (set-buffer-modified-p nil)
    (kill-buffer)
    (jsonrpc-request server :workspace/executeCommand '(:command "galley.changes" :arguments []))))`) // which comes behind the close
	h.galley(0, "review", "--apply", "A")
	if is := h.read("a.txt"); is != "ONE\ntwo\n" {
		t.Errorf("the file is %q", is)
	}
}

// needsEmacs skips a test where there is no Emacs 30, and says so.
func needsEmacs(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("make test drives it: no race detector looks into another process")
	}
	program, err := filepath.Abs(emacsProgram)
	if err == nil {
		_, err = os.Stat(program)
	}
	switch {
	case err != nil && os.Getenv("CI") == "true":
		t.Fatalf("there is no Emacs, .ci/provision.sh emacs brings it: %v", err)
	case err != nil:
		t.Skip("not tested on this machine: a real Emacs; .ci/provision.sh emacs brings it, or says why not")
	}
	return program
}
