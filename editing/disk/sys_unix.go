//go:build unix

package disk

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// nonblock keeps an open from waiting for the other end, should a pipe have taken the place of a file.
const nonblock = syscall.O_NONBLOCK

func isNotDir(err error) bool { return errors.Is(err, syscall.ENOTDIR) }

// isTooLong tells a name that no file can have.
func isTooLong(err error) bool { return errors.Is(err, syscall.ENAMETOOLONG) }

func hardLinks(info fs.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Nlink)
	}
	return 1
}

// keepOwner gives f the owner and group of info. That takes rights most users lack, so it says whether both are right
// in the end.
func keepOwner(f *os.File, info fs.FileInfo) bool {
	want, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return false
	}
	now, err := f.Stat()
	if err != nil {
		return false
	}
	if have, ok := now.Sys().(*syscall.Stat_t); ok && have.Uid == want.Uid && have.Gid == want.Gid {
		return true
	}
	return f.Chown(int(want.Uid), int(want.Gid)) == nil
}

// mayChange asks the system whether names in a folder may be replaced.
func mayChange(dir string) error {
	return unix.Access(dir, unix.W_OK|unix.X_OK)
}

// inode is a file's number, and when anything about it changed last: no program can set that.
func inode(path string) (number uint64, changed int64) {
	var st unix.Stat_t
	if unix.Lstat(path, &st) != nil {
		return 0, 0
	}
	return uint64(st.Ino), st.Ctim.Nano()
}

func (d *folder) fd() int { return int(d.self.Fd()) }

// unsupported makes one error of all by which systems say that they do not know a way to rename.
func unsupported(err error) error {
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.ENOTSUP) || errors.Is(err, unix.EOPNOTSUPP) {
		return errors.ErrUnsupported
	}
	return err
}

// rmdir removes an empty folder, and nothing else.
func (d *folder) rmdir(name string) error {
	return unix.Unlinkat(d.fd(), name, unix.AT_REMOVEDIR)
}

// runs reports whether there is such a process.
func runs(pid int) bool { return !errors.Is(unix.Kill(pid, 0), unix.ESRCH) }

// sameLooks reports whether nothing was done to a file between two looks, as far as its times tell.
func sameLooks(a, b fs.FileInfo) bool {
	x, xOK := a.Sys().(*syscall.Stat_t)
	y, yOK := b.Sys().(*syscall.Stat_t)
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime()) && xOK && yOK && x.Mode == y.Mode
}
