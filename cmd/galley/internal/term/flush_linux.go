package term

import "syscall"

// flushTyped throws away what was typed on a terminal and not read yet.
func flushTyped(fd int) {
	const (
		flush = 0x540b // TCFLSH
		input = 0      // TCIFLUSH
	)
	_, _, _ = syscall.Syscall(syscall.SYS_IOCTL, uintptr(fd), flush, input) // what cannot be thrown away is read
}
