//go:build unix

package term

import "golang.org/x/sys/unix"

// keepSignals lets Ctrl-C and Ctrl-Z be what they are everywhere while a line is edited, and lines end as usual for whoever else
// prints.
func keepSignals(fd int) {
	t, err := unix.IoctlGetTermios(fd, getTermios)
	if err != nil {
		return // Ctrl-C ends the question all the same
	}
	t.Lflag |= unix.ISIG
	t.Oflag |= unix.OPOST
	_ = unix.IoctlSetTermios(fd, setTermios, t)
}
