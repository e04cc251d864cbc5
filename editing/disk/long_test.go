//go:build unix

package disk

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/galley-ls/galley/editing/text"
)

// long says that tests do all their rounds, not a share (make long).
func long() bool { return os.Getenv("GALLEY_LONG") != "" }

// rounds is how many of n rounds are done.
func rounds(t *testing.T, n int) int {
	t.Helper()
	if long() {
		return n
	}
	t.Logf("%d of %d rounds; all with GALLEY_LONG=1", n/50, n)
	return n / 50
}

// every is how many cases one step goes on.
func every(t *testing.T, n int) int {
	t.Helper()
	if long() {
		return 1
	}
	return n
}

// TestGalleyChild is another galley: it raises the number of a file, time and again.
func TestGalleyChild(t *testing.T) {
	dir := os.Getenv("GALLEY_TEST_GALLEY")
	if dir == "" {
		return // started by hand, not by another test
	}
	n, _ := strconv.Atoi(os.Getenv("GALLEY_TEST_ROUNDS"))
	raise(t, dir, n)
}

// raise raises the second number of a file n times, or, where n is 0, until there is a file named stop.
func raise(t *testing.T, dir string, n int) {
	t.Helper()
	r := open(t, dir)
	conflicts := 0
	for done := 0; n == 0 || done < n; {
		if _, err := os.Stat(filepath.Join(dir, "stop")); n == 0 && err == nil {
			t.Logf("%d rounds, %d conflicts", done, conflicts)
			return
		}
		before, err := r.Read("f")
		var theirs, ours int
		if _, scanErr := fmt.Sscanf(before.String(), "%d %d\n", &theirs, &ours); err != nil || scanErr != nil {
			continue // somebody writes it just now
		}
		b, err := r.Prepare("", []Step{{Op: Replace, Path: "f", Before: before.Hash(), After: text.New(fmt.Sprintf("%d %d\n", theirs, ours+1))}})
		if err == nil {
			err = b.Commit(t.Context(), filepath.Join(dir, "lock"), nil)
		}
		switch {
		case err == nil:
			done++
		case errors.Is(err, ErrChanged):
			conflicts++
		case n > 0:
			t.Fatal(err)
		}
	}
}

func startGalley(t *testing.T, dir string, n int) *exec.Cmd {
	t.Helper()
	c := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestGalleyChild$", "-test.count=1", "-test.timeout=1h", "-test.v")
	c.Env = append(os.Environ(), "GALLEY_TEST_GALLEY="+dir, "GALLEY_TEST_ROUNDS="+strconv.Itoa(n))
	c.Stdout, c.Stderr = os.Stderr, os.Stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	return c
}

// TestTwoGalleysLong lets two galleys write one file: neither writes over what the other wrote.
func TestTwoGalleysLong(t *testing.T) {
	dir := workspace(t, map[string]string{"f": "0 0\n"})
	n := rounds(t, 10_000) / 2
	one, two := startGalley(t, dir, n), startGalley(t, dir, n)
	if err := errors.Join(one.Wait(), two.Wait()); err != nil {
		t.Fatal(err)
	}
	if got, want := content(t, dir, "f"), fmt.Sprintf("0 %d\n", 2*n); got != want {
		t.Errorf("after %d rounds the file holds %q", 2*n, got)
	}
	noTraces(t, dir)
}

// TestForeignWriterLong lets another program save the file that a galley writes. It keeps the galley's number as it read
// it; the galley never takes the program's number back.
func TestForeignWriterLong(t *testing.T) {
	for name, write := range map[string]func(at string, b []byte) error{
		"replaces": func(at string, b []byte) error {
			return errors.Join(os.WriteFile(at+"~", b, 0o644), os.Rename(at+"~", at))
		},
		"writes in place": func(at string, b []byte) error { return os.WriteFile(at, b, 0o644) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := workspace(t, map[string]string{"f": "0 0\n"})
			galley := startGalley(t, dir, 0)
			n, lost := rounds(t, 10_000), 0
			for i := 1; i <= n; i++ {
				for range rand.IntN(100) { // at any moment of the galley's round
					numbers(dir)
				}
				_, ours := numbers(dir)
				if err := write(filepath.Join(dir, "f"), fmt.Appendf(nil, "%d %d\n", i, ours)); err != nil {
					t.Fatal(err)
				}
				if !stays(dir, i) {
					lost++
				}
			}
			if err := errors.Join(os.WriteFile(filepath.Join(dir, "stop"), nil, 0o644), galley.Wait()); err != nil {
				t.Fatal(err)
			}
			_, ours := numbers(dir)
			t.Logf("%d saves, %d lost; the galley's number is %d", n, lost, ours)
			if name == "replaces" && lost > 0 || lost > n/20 {
				t.Errorf("%d of %d saves are lost", lost, n)
			}
			noTraces(t, dir)
		})
	}
}

func numbers(dir string) (theirs, ours int) {
	b, _ := os.ReadFile(filepath.Join(dir, "f"))
	_, _ = fmt.Sscanf(string(b), "%d %d\n", &theirs, &ours)
	return theirs, ours
}

// stays reports whether the program's number is, and for some of the galley's rounds remains, in the file. For a moment
// the galley's text may stand there: it is taken back when what came out is seen.
func stays(dir string, want int) bool {
	_, before := numbers(dir)
	for until := time.Now().Add(time.Second); time.Now().Before(until); {
		if theirs, ours := numbers(dir); theirs == want && ours > before {
			return true
		}
	}
	theirs, _ := numbers(dir)
	return theirs == want
}
