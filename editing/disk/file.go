package disk

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/galley-ls/galley/editing/text"
)

// file is an existing regular file, reached through its folder, which is held open: nobody can lead the name
// elsewhere between the check and the use.
type file struct {
	given string
	path  Path
	dir   *os.Root
	name  string
	info  fs.FileInfo
	seen  fs.FileInfo // what it looked like when its bytes were compared last
}

// find resolves a path to a regular file. The caller closes it.
func (r *Roots) find(given string, write bool) (*file, error) {
	p, err := r.Resolve(given, write)
	if err != nil {
		return nil, err
	}
	rootDir, rel := r.rootOf(p)
	if rel == "." {
		return nil, notRegular(given, fs.ModeDir)
	}
	root, err := os.OpenRoot(rootDir)
	if err != nil {
		return nil, failure(given, "open the workspace", err)
	}
	defer root.Close()
	dir, err := root.OpenRoot(filepath.Dir(rel))
	if err != nil {
		return nil, failure(given, "open its folder", err)
	}
	f := &file{given: given, path: p, dir: dir, name: filepath.Base(rel)}
	if f.info, err = f.regular(); err != nil {
		f.close()
		return nil, err
	}
	return f, nil
}

func (f *file) close() { _ = f.dir.Close() }

// regular looks at the name without following or opening it: to open a pipe or a device can already do something.
func (f *file) regular() (fs.FileInfo, error) {
	info, err := f.dir.Lstat(f.name)
	if err != nil {
		return nil, failure(f.given, "look at the file", err)
	}
	if !info.Mode().IsRegular() {
		return nil, notRegular(f.given, info.Mode())
	}
	return info, nil
}

func notRegular(given string, mode fs.FileMode) error {
	switch {
	case mode.IsDir():
		return refuse(CodeNotText, given, "this is a folder; list_files shows the files in it")
	case mode&fs.ModeSymlink != 0: // resolved a moment ago, so it was put there since
		return changed(given)
	}
	return refuse(CodeNotText, given, "this is a pipe, a socket or a device, not a text file; name another file")
}

// read returns the bytes of the file.
func (f *file) read() ([]byte, error) {
	h, err := f.dir.OpenFile(f.name, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, failure(f.given, "open the file", err)
	}
	defer h.Close()
	return readAll(f.given, h)
}

func readAll(given string, h *os.File) ([]byte, error) {
	info, err := h.Stat()
	if err != nil {
		return nil, failure(given, "look at the file", err)
	}
	if !info.Mode().IsRegular() {
		return nil, notRegular(given, info.Mode())
	}
	if info.Size() > text.MaxSize {
		return nil, tooLarge(given)
	}
	var b bytes.Buffer
	b.Grow(int(info.Size()) + bytes.MinRead) // so that it is read without growing
	n, err := io.Copy(&b, io.LimitReader(h, text.MaxSize+1))
	if err != nil {
		return nil, failure(given, "read the file", err)
	}
	if n > text.MaxSize { // it grew meanwhile
		return nil, tooLarge(given)
	}
	return b.Bytes(), nil
}

func tooLarge(given string) error {
	return refuse(CodeTooLarge, given, "the file is larger than %d MiB; use a program made for such files", text.MaxSize>>20)
}

// Read returns the text of a file.
func (r *Roots) Read(path string) (text.Text, error) {
	f, err := r.find(path, false)
	if err != nil {
		return text.Text{}, err
	}
	defer f.close()
	b, err := f.read()
	if err != nil {
		return text.Text{}, err
	}
	t, err := toText(path, b)
	if err == nil {
		err = r.Permit(path, f.path, t, false)
	}
	if err != nil {
		return text.Text{}, err
	}
	return t, nil
}

// Permit refuses a file that is a key by its text, whatever its name is.
func (r *Roots) Permit(given string, p Path, t text.Text, write bool) error {
	if !HoldsKey(t) {
		return nil
	}
	return r.guard.secret(given, fold(p.Rel), write)
}

func toText(path string, b []byte) (text.Text, error) {
	t, err := text.FromBytes(b)
	var large *text.TooLargeError
	switch {
	case errors.As(err, &large):
		return text.Text{}, tooLarge(path)
	case err != nil:
		return text.Text{}, refuse(CodeNotText, path,
			"this is not a text file (it holds NUL or mostly invalid bytes) and is left alone; name another file")
	}
	return t, nil
}

// writable goes by the mode bits first, since they bind no superuser, and then asks the system. What is written in place
// does not need its folder.
func (f *file) writable(inPlace bool) error {
	if f.info.Mode()&0o222 == 0 {
		return f.readOnly("the file is read-only; ask the user to make it writable")
	}
	h, err := f.dir.OpenFile(f.name, os.O_WRONLY|nonblock, 0)
	if err != nil {
		return f.readOnly("the system does not let this file be written; ask the user")
	}
	_ = h.Close()
	if inPlace && hardLinks(f.info) > 1 {
		return nil
	}
	dir := filepath.Dir(f.path.Abs)
	if info, err := f.dir.Stat("."); err != nil || info.Mode()&0o222 == 0 || mayChange(dir) != nil {
		return f.readOnly("the folder of this file is read-only, so it cannot be replaced; ask the user to make it writable")
	}
	return nil
}

func (f *file) readOnly(hint string) error {
	return refuse(CodeReadOnly, f.given, "%s", hint)
}

// unchanged compares the file with what it was when it was found, and with the expected bytes.
func (f *file) unchanged(want text.Hash) error {
	info, err := f.dir.Lstat(f.name)
	if err != nil || !os.SameFile(info, f.info) || info.Mode() != f.info.Mode() || hardLinks(info) != hardLinks(f.info) {
		return changed(f.given)
	}
	b, err := f.read()
	if err != nil {
		return err
	}
	if sha256.Sum256(b) != want {
		return changed(f.given)
	}
	f.seen = info
	return nil
}
