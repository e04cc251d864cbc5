//go:build unix && !linux && !aix && !solaris

package term

import "golang.org/x/sys/unix"

const (
	getTermios = unix.TIOCGETA
	setTermios = unix.TIOCSETA
)

// flushTyped would throw away what was typed on a terminal and not read yet; here that is not known how.
func flushTyped(int) {}
