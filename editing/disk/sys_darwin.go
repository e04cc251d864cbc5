package disk

import "golang.org/x/sys/unix"

// exchange changes two files for each other.
var exchange = func(d *folder, name string, e *folder, other string) error {
	return unsupported(unix.RenameatxNp(d.fd(), name, e.fd(), other, unix.RENAME_SWAP))
}

// renameNew gives a file a name that must be free.
var renameNew = func(d *folder, name string, e *folder, to string) error {
	return unsupported(unix.RenameatxNp(d.fd(), name, e.fd(), to, unix.RENAME_EXCL))
}
