//go:build !unix

package term

// keepSignals would leave Ctrl-C to the system; here it ends the question.
func keepSignals(int) {}

// flushTyped would throw away what was typed on a terminal and not read yet; here that is not known how.
func flushTyped(int) {}
