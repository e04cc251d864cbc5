package main

import (
	"bufio"
	"context"
	"io"
	"strings"
)

// typed reads what a person types, line by line.
type typed struct {
	from io.Reader
	r    *bufio.Reader
}

func newTyped(r io.Reader) *typed { return &typed{from: r, r: bufio.NewReader(r)} }

// forget throws away what was typed before a question was there to be read, where somebody types: a yes must be one to
// what is asked.
func (t *typed) forget() {
	if fd, ok := terminal(t.from); ok {
		_, _ = t.r.Discard(t.r.Buffered())
		flushTyped(fd)
	}
}

// line waits for a line. Reading cannot be interrupted: after a cancel the reader is left behind, and nothing may be
// read any more.
func (t *typed) line(ctx context.Context) (string, bool) {
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
