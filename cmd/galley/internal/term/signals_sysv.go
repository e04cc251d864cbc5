//go:build linux || aix || solaris

package term

import "golang.org/x/sys/unix"

const (
	getTermios = unix.TCGETS
	setTermios = unix.TCSETS
)

// flushTyped throws away what was typed on a terminal and not read yet.
func flushTyped(fd int) {
	_ = unix.IoctlSetInt(fd, unix.TCFLSH, unix.TCIFLUSH) // what cannot be thrown away is read
}
