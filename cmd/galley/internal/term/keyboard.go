package term

import (
	"bufio"
	"context"
	"io"
	"strings"
)

// Keyboard reads what a person types, line by line.
type Keyboard struct {
	from io.Reader
	r    *bufio.Reader
}

func NewKeyboard(r io.Reader) *Keyboard { return &Keyboard{from: r, r: bufio.NewReader(r)} }

// Forget throws away what was typed before a question was there to be read, where somebody types: a yes must be one to
// what is asked.
func (t *Keyboard) Forget() {
	if fd, ok := terminal(t.from); ok {
		_, _ = t.r.Discard(t.r.Buffered())
		flushTyped(fd)
	}
}

// Line waits for a line. Reading cannot be interrupted: after a cancel the reader is left behind, and nothing may be
// read any more.
func (t *Keyboard) Line(ctx context.Context) (string, bool) {
	type read struct {
		line string
		err  error
	}
	got := make(chan read, 1)
	go func() {
		line, err := t.r.ReadString('\n')
		got <- read{line, err}
	}()
	select {
	case <-ctx.Done():
		return "", false
	case l := <-got:
		return strings.TrimRight(l.line, "\r\n"), l.err == nil || l.line != ""
	}
}
