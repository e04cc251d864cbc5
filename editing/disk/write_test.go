//go:build unix

package disk

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/galley-ls/galley/editing/text"
)

func TestModeIsKept(t *testing.T) {
	for _, mode := range []os.FileMode{0o755, 0o600, 0o666, 0o775 | os.ModeSetgid, 0o640, 0o744} {
		dir := workspace(t, map[string]string{"run.sh": "echo 1\n"})
		at := filepath.Join(dir, "run.sh")
		if err := os.Chmod(at, mode); err != nil {
			t.Fatal(err)
		}
		replaced(t, open(t, dir), "run.sh", "1", "2")
		info, err := os.Stat(at)
		if err != nil || info.Mode() != mode {
			t.Errorf("mode is %v, %v, want %v", info.Mode(), err, mode)
		}
	}
}

// TestOwnerIsKept is about owner and group: U67.
func TestOwnerIsKept(t *testing.T) {
	dir := workspace(t, map[string]string{"f": "1"})
	at := filepath.Join(dir, "f")
	uid := os.Getuid()
	if uid == 0 { // only the superuser can own a file to somebody else; for all others their own must stay
		uid = 12345
		if err := os.Chown(at, uid, uid); err != nil {
			t.Fatal(err)
		}
	}
	replaced(t, open(t, dir), "f", "1", "2")
	info, err := os.Stat(at)
	if err != nil {
		t.Fatal(err)
	}
	if st := info.Sys().(*syscall.Stat_t); int(st.Uid) != uid {
		t.Errorf("the owner is %d, want %d", st.Uid, uid)
	}
}

func TestSymlinkIsWrittenThrough(t *testing.T) {
	dir := workspace(t, map[string]string{"t": "x = 1\n", "sub/l -> ../t": "", "sub/ll -> l": ""})
	replaced(t, open(t, dir), "sub/l", "1", "2")
	replaced(t, open(t, dir), "sub/ll", "2", "3")
	for link, want := range map[string]string{"sub/l": "../t", "sub/ll": "l"} {
		if got, err := os.Readlink(filepath.Join(dir, link)); err != nil || got != want {
			t.Errorf("%s leads to %q, %v, want %q", link, got, err, want)
		}
	}
	if got := content(t, dir, "t"); got != "x = 3\n" {
		t.Errorf("t holds %q", got)
	}
	noLeftovers(t, filepath.Join(dir, "sub"))
}

func TestHardLinkIsWrittenInPlace(t *testing.T) {
	for _, new := range []string{"2", "a longer text", ""} {
		dir := workspace(t, map[string]string{"f": "x = 1\n"})
		if err := os.Link(filepath.Join(dir, "f"), filepath.Join(dir, "g")); err != nil {
			t.Fatal(err)
		}
		replaced(t, open(t, dir), "f", "1", new)
		if f, g := content(t, dir, "f"), content(t, dir, "g"); f != "x = "+new+"\n" || f != g {
			t.Errorf("f holds %q, g %q", f, g)
		}
		wantCode(t, open(t, dir).Write("f", hashOf("other"), text.New("no")), CodeChanged)
	}
}

func TestRestore(t *testing.T) {
	dir := workspace(t, map[string]string{"f": "half"})
	r := open(t, dir)
	f, err := r.find("f", true)
	if err != nil {
		t.Fatal(err)
	}
	defer f.close()
	h, err := os.OpenFile(filepath.Join(dir, "f"), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	if e := wantCode(t, f.restore(h, []byte("old text"), syscall.ENOSPC), CodeIO); strings.Contains(e.Hint, "halfway") {
		t.Errorf("hint %q, though the old text is back", e.Hint)
	}
	if got := content(t, dir, "f"); got != "old text" {
		t.Errorf("f holds %q", got)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	if e := wantCode(t, f.restore(h, []byte("old text"), syscall.ENOSPC), CodeIO); !strings.Contains(e.Hint, "halfway") {
		t.Errorf("hint %q does not say that the old text is not back", e.Hint)
	}
}

func TestReadOnly(t *testing.T) {
	dir := workspace(t, map[string]string{"f": "1", "sub/g": "1", "linked": "1"})
	if err := os.Link(filepath.Join(dir, "linked"), filepath.Join(dir, "sub/other")); err != nil {
		t.Fatal(err)
	}
	chmod := func(name string, mode os.FileMode) {
		if err := os.Chmod(filepath.Join(dir, name), mode); err != nil {
			t.Fatal(err)
		}
	}
	chmod("f", 0o444)
	chmod("sub", 0o555)
	defer chmod("sub", 0o755)
	r := open(t, dir)
	for _, path := range []string{"f", "sub/g"} {
		wantCode(t, r.Check(replacing(path, hashOf("1"))), CodeReadOnly)
		wantCode(t, r.Write(path, hashOf("1"), text.New("2")), CodeReadOnly)
		if got := content(t, dir, path); got != "1" {
			t.Errorf("%s holds %q", path, got)
		}
	}
	if err := r.Write("sub/other", hashOf("1"), text.New("2")); err != nil { // in place: its folder does not matter
		t.Error(err)
	}
	noLeftovers(t, dir)
	noLeftovers(t, filepath.Join(dir, "sub"))
}

// replacing is a step that Check is asked about.
func replacing(path string, before text.Hash) []Step {
	return []Step{{Op: Replace, Path: path, Before: before}}
}

func TestChangedBehind(t *testing.T) {
	dir := workspace(t, map[string]string{"f": "abc"})
	r := open(t, dir)
	at := filepath.Join(dir, "f")
	before, err := os.Stat(at)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at, []byte("abd"), 0o644); err != nil { // same size and, below, same time
		t.Fatal(err)
	}
	if err := os.Chtimes(at, before.ModTime(), before.ModTime()); err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{r.Check(replacing("f", hashOf("abc"))), r.Write("f", hashOf("abc"), text.New("x"))} {
		wantCode(t, err, CodeChanged)
		if !errors.Is(err, ErrChanged) {
			t.Errorf("%v is not ErrChanged", err)
		}
	}
	if got := content(t, dir, "f"); got != "abd" {
		t.Errorf("f holds %q", got)
	}
	noLeftovers(t, dir)
}

// TestChangedWhileWriting changes the file when only the rename is left to do.
func TestChangedWhileWriting(t *testing.T) {
	steps := map[string]func(at string) error{
		"other bytes": func(at string) error { return os.WriteFile(at, []byte("theirs"), 0o644) },
		"other mode":  func(at string) error { return os.Chmod(at, 0o600) },
		"gone":        os.Remove,
		"other file, same bytes": func(at string) error {
			return errors.Join(os.WriteFile(at+"2", []byte("1"), 0o644), os.Rename(at+"2", at))
		},
		"a link":    func(at string) error { return errors.Join(os.Remove(at), os.Symlink("other", at)) },
		"a pipe":    func(at string) error { return errors.Join(os.Remove(at), syscall.Mkfifo(at, 0o644)) },
		"hard link": func(at string) error { return os.Link(at, at+"3") },
	}
	for name, change := range steps {
		t.Run(name, func(t *testing.T) {
			dir := workspace(t, map[string]string{"f": "1", "other": "1"})
			at(t, "exchange", func() error { return change(filepath.Join(dir, "f")) })
			if err := open(t, dir).Write("f", hashOf("1"), text.New("2")); !errors.Is(err, ErrChanged) {
				t.Errorf("got %v, want ErrChanged", err)
			}
			noLeftovers(t, dir)
			if name != "a pipe" && name != "gone" && content(t, dir, "f") == "2" {
				t.Error("the file was written")
			}
		})
	}
}

// TestFolderLedElsewhere puts a link in the place of a folder that was already resolved.
func TestFolderLedElsewhere(t *testing.T) {
	outside := workspace(t, map[string]string{"f": "theirs"})
	dir := workspace(t, map[string]string{"sub/f": "1"})
	b := prepared(t, open(t, dir), Step{Op: Replace, Path: "sub/f", Before: hashOf("1"), After: text.New("2")})
	sub := filepath.Join(dir, "sub")
	if err := errors.Join(os.Rename(sub, sub+"2"), os.Symlink(outside, sub)); err != nil {
		t.Fatal(err)
	}
	if err := b.Commit(t.Context(), "", nil); err != nil {
		t.Fatal(err)
	}
	if got := content(t, dir, "sub2/f"); got != "2" {
		t.Errorf("the file that was meant holds %q", got)
	}
	if got := content(t, outside, "f"); got != "theirs" {
		t.Errorf("the file outside holds %q", got)
	}
}

func TestSameTextTouchesNothing(t *testing.T) {
	dir := workspace(t, map[string]string{"f": "1"})
	before, err := os.Stat(filepath.Join(dir, "f"))
	if err != nil {
		t.Fatal(err)
	}
	if err := open(t, dir).Write("f", hashOf("1"), text.New("1")); err != nil {
		t.Fatal(err)
	}
	after, err := os.Stat(filepath.Join(dir, "f"))
	if err != nil || !os.SameFile(before, after) || !before.ModTime().Equal(after.ModTime()) {
		t.Errorf("the file was written: %v, %v", after, err)
	}
}

// TestNeverHalf reads while another goroutine writes: each time one whole text or the other.
func TestNeverHalf(t *testing.T) {
	dir := workspace(t, map[string]string{"f": strings.Repeat("a", 200_000)})
	r := open(t, dir)
	one, two := text.New(strings.Repeat("a", 200_000)), text.New(strings.Repeat("b", 100_000))
	done := make(chan error, 1)
	go func() {
		var err error
		for range 50 {
			err = errors.Join(err, r.Write("f", one.Hash(), two), r.Write("f", two.Hash(), one))
		}
		done <- err
	}()
	for {
		b, err := os.ReadFile(filepath.Join(dir, "f"))
		if err != nil || !bytes.Equal(b, one.Bytes()) && !bytes.Equal(b, two.Bytes()) {
			t.Fatalf("read %d bytes, %v", len(b), err)
		}
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			return
		default:
		}
	}
}
