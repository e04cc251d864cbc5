package main_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestU78HomeIsFull calls a tool on a disk that is full at ever another place of what is journaled: the answer says what
// waits then, and without an answer nothing does.
func TestU78HomeIsFull(t *testing.T) {
	h := newAtHome(t)
	if err := syscall.Mount("tmpfs", h.home, "tmpfs", 0, "size=400k"); err != nil {
		if os.Getenv("NO_SKIP") != "" {
			t.Fatalf("a small disk cannot be mounted: %v", err)
		}
		t.Skipf("not tested on this machine: a full disk; a small one cannot be mounted: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(h.home, syscall.MNT_DETACH) })
	h.write("a.txt", "one\ntwo\n")
	if printed, code := h.galley("tool", "memory_notebook_replace", `{"path":"a.txt","old_text":"one","new_text":"x"}`); code != 0 {
		t.Fatal(printed)
	}
	fill, free := filepath.Join(h.home, "fill"), make([]byte, 1<<20)
	outcomes := map[bool]int{}
	for length := 1; length < 5000; length += 700 {
		n, _ := writeAll(fill, free) // as much as there is room for
		if n == len(free) {
			t.Fatal("the disk is not full")
		}
		cmd := h.command(new(bytes.Buffer), "tool", "memory_notebook_replace", fmt.Sprintf(`{"path":"a.txt","old_text":"two","new_text":%q}`, strings.Repeat("x", length)))
		cmd.Stdout, cmd.Stderr = nil, nil
		out, _ := cmd.Output() // the code says the rest
		if err := os.Remove(fill); err != nil {
			t.Fatal(err)
		}
		var answer struct{ Status string }
		_ = json.Unmarshal(out, &answer) // what is no answer has no status
		var now struct{ Waiting []string }
		printed := new(bytes.Buffer)
		review := h.command(printed, "review", "--json")
		review.Stderr = nil
		_ = review.Run() // what waits has a code of its own
		if err := json.Unmarshal(printed.Bytes(), &now); err != nil || len(now.Waiting) == 0 {
			t.Fatalf("%v in %s", err, printed)
		}
		waits := len(now.Waiting) > 1
		if says := answer.Status == "editing"; says != waits {
			t.Errorf("with a text of %d: it answers %.200q, and it waits: %v", length, out, waits)
		}
		if outcomes[waits]++; waits {
			h.galley("review", "--reject", now.Waiting[1])
		}
	}
	if outcomes[false] == 0 {
		t.Error("the disk was never full")
	}
	t.Logf("staged and not: %v", outcomes)
}

// writeAll writes as much as it can.
func writeAll(name string, b []byte) (int, error) {
	f, err := os.Create(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	return f.Write(b)
}
