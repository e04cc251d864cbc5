package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const clientScript = "docs/client.mjs"

// clientFiles are what the walk of docs/client.mjs leaves: A and the commit are in, B and the revert are not.
var clientFiles = map[string]string{
	"limits.txt": "💤 timeout: 60\nretries: 3\ndebug: false\n",
	"notes.txt":  "We wait 60 seconds.\n",
}

// A client that knows only LSP does the whole walk with the real binary.
func TestClientWalk(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatal("docs/client.mjs is run by node, and there is no node on the PATH: install Node 20 or newer and run the test again")
	}
	galley, err := exec.LookPath("galley") // this test binary, see TestMain
	if err != nil {
		t.Fatal(err)
	}
	script, err := filepath.Abs(filepath.Join("../..", filepath.FromSlash(clientScript)))
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	client := exec.CommandContext(ctx, node, script, folder)
	client.Env = append(os.Environ(), "GALLEY="+galley, "GALLEY_HOST=off", "GALLEY_HOME="+t.TempDir(), "HOME="+t.TempDir(), "XDG_CONFIG_HOME=", "XDG_CACHE_HOME=")
	client.WaitDelay = 5 * time.Second // the server goes when its parent does
	got, err := client.CombinedOutput()
	if err != nil {
		t.Fatalf("%s ended with %v after it printed:\n%s", clientScript, err, got)
	}
	checkClientWalk(t, string(got))
	for name, want := range clientFiles {
		if b, err := os.ReadFile(filepath.Join(folder, name)); err != nil || string(b) != want {
			t.Errorf("%s is %q (%v), want %q", name, b, err, want)
		}
	}
}

// checkClientWalk compares with the page: docs/client.txt is what people may expect to see.
func checkClientWalk(t *testing.T, got string) {
	t.Helper()
	const golden = "docs/client.txt"
	if *update {
		writeDoc(t, golden, got)
		return
	}
	if want := readDoc(t, golden); got != want {
		t.Errorf("%s prints\n%s\nand %s says\n%s\nlook at it, then run the test with -update", clientScript, got, golden, want)
	}
}

// That a client is small is a promise of docs/protocol.md.
func TestClientIsSmall(t *testing.T) {
	const most, widest = 100, 160
	lines := strings.Split(strings.TrimRight(readDoc(t, clientScript), "\n"), "\n")
	if len(lines) > most {
		t.Errorf("%s has %d lines; a client is possible in %d", clientScript, len(lines), most)
	}
	for i, line := range lines {
		if len(line) > widest {
			t.Errorf("%s:%d has %d bytes; lines that long do not count as one", clientScript, i+1, len(line))
		}
	}
}
