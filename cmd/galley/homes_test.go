package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/galley-ls/galley/lsp/lsptest"
)

// Sessions of the version before, which had an A each: the oldest keeps its letters, the others get free ones, and one
// that finds too few stays closed. What was torn, and what a later version wrote, is told. Nothing is lost.
func TestAHomeOfBefore(t *testing.T) {
	files := map[string]string{"a.txt": "one\n", "b.txt": "two\n"}
	for n := 1; n <= 13; n++ {
		files[fmt.Sprintf("f%d.txt", n)] = fmt.Sprintf("line %d\n", n)
	}
	h := newHosted(t, files)
	const first, second, third, fourth, later = "01M8K4PWJDW1MV4KQKZH3VNVY4", "01M8K4PWQXAV2R2Y5XNKS59CPP", "01M8K4PWTRW6SHS2KYXNX4QYNZ", "01M8K4PX6NRMVJFKV3G14PBEMS", "01M8K4PX6NRMVJFKV3G14PBEMZ"
	kept, err := txtar.ParseFile(filepath.Join("..", "..", "testdata", "homes", "before.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	sessions := filepath.Join(h.home, "sessions", "--"+strings.ReplaceAll(strings.TrimPrefix(filepath.ToSlash(h.dir), "/"), "/", "-")+"--")
	write := func(name, content string) {
		path := filepath.Join(sessions, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range kept.Files {
		content := strings.ReplaceAll(string(f.Data), "$WORKSPACE", filepath.ToSlash(h.dir))
		switch f.Name {
		case first + "/messages.jsonl":
			write(later+"/messages.jsonl", strings.ReplaceAll(strings.ReplaceAll(content, first, later), `"version":2`, `"version":99`))
		case second + "/messages.jsonl":
			content += `{"seq":12,"time":"2026-11-2`
		}
		write(f.Name, content)
	}

	e := h.editor(lsptest.VSCode(), h.dir)
	for _, said := range []string{second + ": A in b.txt is B now", third + ": A in f1.txt is ", "was cut off while it was written"} {
		e.Await(t, said, func(s *lsptest.Screen) bool { return s.Message(said) })
	}
	h.stands(e, "A", "staged")
	h.stands(e, "B", "staged")
	for _, letter := range []string{"A", "B"} {
		h.command(e, "galley.apply", letter)
		h.stands(e, letter, "applied")
	}
	if got := h.read("a.txt") + h.read("b.txt"); got != "1\n2\n" {
		t.Errorf("the files hold %q", got)
	}
	for id, what := range map[string]string{fourth: "A, B, C, D, E, F, G, H, I, J, K, L, M", third: "C, D, E, F, G, H, I, J, K, L, M"} {
		if list := h.galley(0, "review", "--list"); !strings.Contains(list, id+"  "+what) {
			t.Errorf("%s has not %s in\n%s", id, what, list)
		}
	}
	if said := h.galley(1, "review", "--session", later); !strings.Contains(said, "99") {
		t.Errorf("a later version's session: %s", said)
	}
	if err := e.Exit(t.Context()); err != nil {
		t.Error(err)
	}
	h.ends()
}
