//go:build !linux

package term

// flushTyped would throw away what was typed on a terminal and not read yet; here that is not known how.
func flushTyped(int) {}
