//go:build unix

package disk

import (
	"crypto/sha256"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"pgregory.net/rapid"

	"github.com/galley-ls/galley/editing/text"
)

func hashOf(s string) text.Hash { return sha256.Sum256([]byte(s)) }

// content reads a file past the package.
func content(t *testing.T, dir, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// replaced writes the text of path with old for new, and fails the test if that does not work.
func replaced(t *testing.T, r *Roots, path, old, new string) {
	t.Helper()
	before, err := r.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	at := strings.Index(before.String(), old)
	after, err := before.Apply(text.Edits{{Start: at, End: at + len(old), New: new}})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Check(replacing(path, before.Hash())); err != nil {
		t.Fatal(err)
	}
	if err := r.Write(path, before.Hash(), after); err != nil {
		t.Fatal(err)
	}
}

func noLeftovers(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), tempPrefix) {
			t.Errorf("%s was left behind", e.Name())
		}
	}
}

func TestReadRefuses(t *testing.T) {
	dir := workspace(t, map[string]string{
		"a.txt": "a", "sub/b.txt": "b", "nul.bin": "a\x00b", "noise.bin": strings.Repeat("\xff\xfe\x80\x81", 200),
		"tofifo -> fifo": "",
	})
	if err := syscall.Mkfifo(filepath.Join(dir, "fifo"), 0o644); err != nil {
		t.Fatal(err)
	}
	sock, err := net.Listen("unix", filepath.Join(dir, "sock"))
	if err != nil {
		t.Fatal(err)
	}
	defer sock.Close()
	big, err := os.Create(filepath.Join(dir, "big.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(big.Truncate(text.MaxSize+1), big.Close()); err != nil {
		t.Fatal(err)
	}
	r := open(t, dir)
	for path, code := range map[string]string{
		"nul.bin": CodeNotText, "noise.bin": CodeNotText, "sub": CodeNotText, ".": CodeNotText,
		"fifo": CodeNotText, "tofifo": CodeNotText, "sock": CodeNotText,
		"big.txt": CodeTooLarge, "none.txt": CodeFileNotFound, "none/x.txt": CodeFileNotFound,
		"../x": CodeOutsideRoots, ".env": CodeDenied,
	} {
		_, err := r.Read(path)
		wantCode(t, err, code)
		if path == "nul.bin" || path == "noise.bin" {
			continue // bytes that are no text are refused when they are read
		}
		wantCode(t, r.Check(replacing(path, text.Hash{})), code)
		wantCode(t, r.Write(path, text.Hash{}, text.New("x")), code)
	}
	noLeftovers(t, dir)
}

func TestDevice(t *testing.T) {
	r := open(t, "/dev")
	for _, name := range []string{"null", "zero", "tty"} {
		_, err := r.Read(name)
		wantCode(t, err, CodeNotText)
	}
}

func TestBytesAreKept(t *testing.T) {
	cases := map[string][2]string{
		"latin-1":          {"# caf\xe9 \xa9\nx = 1\n", "# caf\xe9 \xa9\nx = 2\n"},
		"crlf":             {"a\r\nx = 1\r\nb\r\n", "a\r\nx = 2\r\nb\r\n"},
		"mixed":            {"a\nx = 1\r\nb\r", "a\nx = 2\r\nb\r"},
		"bom":              {"\xef\xbb\xbfx = 1\n", "\xef\xbb\xbfx = 2\n"},
		"bom and crlf":     {"\xef\xbb\xbfx = 1\r\n", "\xef\xbb\xbfx = 2\r\n"},
		"no final newline": {"x = 1", "x = 2"},
		"trailing blanks":  {"x = 1  \n\n\n", "x = 2  \n\n\n"},
		"form feed":        {"x = 1\f\u2028\n", "x = 2\f\u2028\n"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			dir := workspace(t, map[string]string{"f": c[0]})
			replaced(t, open(t, dir), "f", "1", "2")
			if got := content(t, dir, "f"); got != c[1] {
				t.Errorf("got %q, want %q", got, c[1])
			}
			noLeftovers(t, dir)
		})
	}
}

func TestWriteThenReadIsTheSameText(t *testing.T) {
	dir := workspace(t, map[string]string{"f": "start"})
	r := open(t, dir)
	rapid.Check(t, func(rt *rapid.T) {
		before, err := r.Read("f")
		if err != nil {
			rt.Fatal(err)
		}
		want := text.New(rapid.StringMatching(`(\x{feff})?[a-zé😀\r\n ]{0,60}`).Draw(rt, "text"))
		if err := r.Write("f", before.Hash(), want); err != nil {
			rt.Fatal(err)
		}
		got, err := r.Read("f")
		if err != nil || !got.Equal(want) {
			rt.Fatalf("got %q, %v, want %q", got.Bytes(), err, want.Bytes())
		}
	})
	noLeftovers(t, dir)
}
