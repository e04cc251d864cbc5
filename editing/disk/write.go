package disk

import (
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"

	"github.com/galley-ls/galley/editing/text"
)

// tempPrefix starts the name of a replacement that is not in place yet. A crash can leave one behind.
const tempPrefix = ".galley-tmp-"

// Write puts t in the place of the bytes with the hash want. With an error that wraps ErrChanged, or any other, the
// file is what it was, unless the error says that this could not be kept.
func (r *Roots) Write(path string, want text.Hash, t text.Text) error {
	f, err := r.find(path, true)
	if err != nil {
		return err
	}
	defer f.close()
	if err := f.writable(); err != nil {
		return err
	}
	b := t.Bytes()
	if len(b) > text.MaxSize {
		return tooLarge(path)
	}
	if t.Hash() == want { // nothing to write: not even the time of the file changes
		return f.unchanged(want)
	}
	if hardLinks(f.info) > 1 {
		return f.overwrite(want, b)
	}
	return f.replace(want, b)
}

// replace renames a finished copy over the file. The bytes are compared last, when only the rename is left to do.
func (f *file) replace(want text.Hash, b []byte) error {
	temp, err := f.temp(b)
	if err == nil {
		err = f.swap(temp, want)
	}
	if err != nil {
		_ = f.dir.Remove(temp)
		return failure(f.given, "replace the file", err)
	}
	f.syncDir()
	return nil
}

func (f *file) swap(temp string, want text.Hash) error {
	if err := f.unchanged(want); err != nil {
		return err
	}
	return f.dir.Rename(temp, f.name)
}

// temp writes b to a new file beside f, with its mode and owner, down to the disk.
func (f *file) temp(b []byte) (string, error) {
	name := tempPrefix + rand.Text()
	h, err := f.dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return name, err
	}
	_, err = h.Write(b)
	if err == nil {
		err = h.Chmod(f.modeFor(h))
	}
	if err == nil {
		err = h.Sync()
	}
	if closeErr := h.Close(); err == nil {
		err = closeErr
	}
	return name, err
}

// modeFor hands h to the owner of f and returns the mode to give it: a program that runs as its owner must not come
// to run as somebody else.
func (f *file) modeFor(h *os.File) fs.FileMode {
	mode := f.info.Mode() & (fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky)
	if !keepOwner(h, f.info) {
		mode &^= fs.ModeSetuid | fs.ModeSetgid
	}
	return mode
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
	return nil
}

// syncDir makes the rename last. It is no error if that fails: the file is replaced, and to say otherwise would lie.
func (f *file) syncDir() {
	if d, err := f.dir.Open("."); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}

// overwrite writes into the file itself, so that all its names keep meaning the same file. If that stops halfway, the
// old bytes are put back.
func (f *file) overwrite(want text.Hash, b []byte) error {
	h, err := f.dir.OpenFile(f.name, os.O_RDWR|nonblock, 0)
	if err != nil {
		return failure(f.given, "open the file for writing", err)
	}
	defer h.Close()
	old, err := readAll(f.given, h)
	if err != nil {
		return err
	}
	if info, err := h.Stat(); err != nil || !os.SameFile(info, f.info) || sha256.Sum256(old) != want {
		return changed(f.given)
	}
	if err := fill(h, b); err != nil {
		return f.restore(h, old, err)
	}
	return nil
}

// fill makes b the content of h.
func fill(h *os.File, b []byte) error {
	if _, err := h.WriteAt(b, 0); err != nil {
		return err
	}
	if err := h.Truncate(int64(len(b))); err != nil {
		return err
	}
	return h.Sync()
}

func (f *file) restore(h *os.File, old []byte, cause error) error {
	if err := fill(h, old); err != nil {
		return &Error{
			Code: CodeIO, Path: f.given, Err: cause,
			Hint: fmt.Sprintf("writing stopped halfway (%v) and the old text could not be put back (%v); ask the user to look at the file", cause, err),
		}
	}
	return failure(f.given, "write the file", cause)
}
