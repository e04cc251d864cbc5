//go:build !unix

package disk

import (
	"io/fs"
	"os"
)

const nonblock = 0

func isNotDir(error) bool { return false }

func isTooLong(error) bool { return false }

// hardLinks is not known here; a replacement parts them.
func hardLinks(fs.FileInfo) uint64 { return 1 }

// keepOwner has nothing to do: a new file inherits its owner and rights from the folder.
func keepOwner(*os.File, fs.FileInfo) bool { return true }

func mayChange(string) error { return nil }

// inode is not known here.
func inode(string) (number uint64, changed int64) { return 0, 0 }

// rmdir removes an empty folder.
func (d *folder) rmdir(name string) error {
	info, err := d.Lstat(name)
	if err != nil || !info.IsDir() {
		return fs.ErrInvalid
	}
	return d.Remove(name)
}

// runs reports whether there is such a process.
func runs(pid int) bool {
	p, err := os.FindProcess(pid)
	if err == nil {
		_ = p.Release()
	}
	return err == nil
}

// sameLooks reports whether nothing was done to a file between two looks, as far as its times tell.
func sameLooks(a, b fs.FileInfo) bool {
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime()) && a.Mode() == b.Mode()
}
