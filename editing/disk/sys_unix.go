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
