//go:build !linux && !darwin

package doctor

// unixPermissions tells whether permissions say who can read a folder.
const unixPermissions = false

// freeSpace is not known here.
func freeSpace(string) (bytes uint64, ok bool) { return 0, false }
