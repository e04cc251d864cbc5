//go:build linux || darwin

package doctor

import "syscall"

// unixPermissions tells whether permissions say who can read a folder.
const unixPermissions = true

// freeSpace is how many bytes a user may still write where a folder lies.
func freeSpace(dir string) (bytes uint64, ok bool) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return 0, false
	}
	return s.Bavail * uint64(s.Bsize), true
}
