//go:build unix

package dial

import (
	"io/fs"
	"os"
	"syscall"
)

// owned reports whether a folder is the user's, and closed to everybody else.
func owned(info fs.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(s.Uid) == os.Geteuid() && info.Mode().Perm()&0o077 == 0
}
