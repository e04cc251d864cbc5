package session

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/galley-ls/galley/editing/disk"
	"github.com/galley-ls/galley/editing/text"
	"github.com/galley-ls/galley/editing/view"
)

// TestU73AnOpenKeyIsClosed has a key in the editor, and one that comes into a file with a letter.
func TestU73AnOpenKeyIsClosed(t *testing.T) {
	const key = "-----BEGIN PRIVATE KEY-----\nc3VwZXI-secret\n-----END PRIVATE KEY-----\n"
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	for _, name := range []string{"open.txt", "closed.txt"} {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte("one\n"), 0o600))
	}
	s, err := Open(Config{Home: t.TempDir(), Workspace: dir, AllowRead: []string{"mine.txt"}})
	must(t, err)
	t.Cleanup(func() { _ = s.Close() })
	staged(t, s, "closed.txt", "one", "1")
	must(t, os.WriteFile(filepath.Join(dir, "closed.txt"), []byte(key), 0o600))
	s.ws.OpenDocument(filepath.Join(dir, "open.txt"), "open.txt", text.New(key), 1, 1)
	s.ws.OpenDocument(filepath.Join(dir, "mine.txt"), "mine.txt", text.New(key), 1, 1)
	for _, look := range []struct {
		name          string
		write, closed bool
	}{{"open.txt", false, true}, {"open.txt", true, true}, {"closed.txt", false, true}, {"closed.txt", true, true}, {"mine.txt", false, false}, {"mine.txt", true, true}} {
		_, err := s.Look(look.name, look.write)
		var denied *disk.Error
		if closed := errors.As(err, &denied) && denied.Code == disk.CodeDenied; closed != look.closed || err != nil && !closed {
			t.Errorf("Look(%s, %v): %v", look.name, look.write, err)
		}
	}
	must(t, s.Refresh(t.Context()))
	if shown := view.Preview(s.Snapshot(), s.ID(), 1, view.Options{Format: "full"}); strings.Contains(shown, "c3VwZXI") {
		t.Errorf("the preview shows it:\n%s", shown)
	}

	// it comes into a text that is open, and where a letter waits already
	open := filepath.Join(dir, "waits.txt")
	s.ws.OpenDocument(open, "waits.txt", text.New("one\n"), 1, 1)
	staged(t, s, "waits.txt", "one", "1")
	_, err = s.ws.Update(open, 2, []text.Edit{{New: key}})
	must(t, err)
	for _, format := range []string{view.FormatCompact, view.FormatFull, view.FormatStats, view.FormatDiff} {
		o := s.Settings().Preview
		o.Format = format
		shown := view.Preview(s.Snapshot(), s.ID(), 1, o)
		if strings.Contains(shown, "c3VwZXI") || !strings.Contains(shown, "[B] waits in waits.txt, which holds a private key now") {
			t.Errorf("the preview, %s, shows:\n%s", format, shown)
		}
	}
	c, _ := s.Snapshot().Change("B")
	if shown := view.Places(s.Snapshot(), c, s.Settings().Preview); shown != "" {
		t.Errorf("its places show:\n%s", shown)
	}
}
