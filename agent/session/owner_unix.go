//go:build unix

package session

import (
	"io/fs"
	"syscall"
)

// sameOwner reports whether two files belong to the same user.
func sameOwner(a, b fs.FileInfo) bool {
	one, ok1 := a.Sys().(*syscall.Stat_t)
	two, ok2 := b.Sys().(*syscall.Stat_t)
	return ok1 && ok2 && one.Uid == two.Uid
}
