package lsptest

import (
	"fmt"
	"strings"
)

// Line is one message of the wire log.
type Line struct {
	ToServer bool
	Body     []byte
}

// Log is everything that was on the wire, in order.
func (e *Editor) Log() []Line {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]Line(nil), e.log...)
}

const (
	logShown = 120  // lines printed when something fails
	logWidth = 1200 // bytes printed of a line
)

// dumpLocked is what a person needs who reads a failure: the screen, then the end of the wire log.
func (e *Editor) dumpLocked() string {
	var b strings.Builder
	b.WriteString(e.screen.String())
	first := max(0, len(e.log)-logShown)
	fmt.Fprintf(&b, "wire log (%d of %d messages):\n", len(e.log)-first, len(e.log))
	for _, line := range e.log[first:] {
		arrow := "<-"
		if line.ToServer {
			arrow = "->"
		}
		fmt.Fprintf(&b, "  %s %s\n", arrow, clip(string(line.Body), logWidth))
	}
	if e.stderr != nil {
		fmt.Fprintf(&b, "stderr:\n%s\n", e.stderr.String())
	}
	return b.String()
}

func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return fmt.Sprintf("%s… (%d bytes)", strings.ToValidUTF8(s[:n], ""), len(s))
}
