//go:build !unix

package term

// keepSignals would leave Ctrl-C to the system; here it ends the question.
func keepSignals(int) {}
