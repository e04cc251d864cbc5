package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"strconv"
	"sync"

	"github.com/galley-ls/galley/editing/disk"
	"github.com/galley-ls/galley/memory"
)

// countMethod is a message of a test that galley does not see: its points count from there.
const countMethod = "$/test/count"

// countdown ends this process at its n-th point: before a write, fsync, exchange or rename, or when a message has come
// or is about to go.
type countdown struct {
	mu   sync.Mutex // guards left and on: what comes at once is one after the other
	left int
	on   bool
}

func (c *countdown) point(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.on {
		return
	}
	if c.left--; c.left == 0 {
		fmt.Fprintf(os.Stderr, "killed at: %s\n", name)
		me, _ := os.FindProcess(os.Getpid())
		_ = me.Kill()
		select {} // with the lock: nothing else happens
	}
}

// killable makes galley's process one that is killed, where a test says so.
func killable() {
	n, err := strconv.Atoi(os.Getenv("KILL_GALLEY_AT"))
	if err != nil {
		return
	}
	c := &countdown{left: n}
	memory.Point = c.point
	disk.Point = func(name string) error { c.point(name); return nil }
	in, toGalley := pipe()
	fromGalley, out := pipe()
	go c.pass(os.Stdin, toGalley, "message in")
	go c.pass(fromGalley, os.Stdout, "message out")
	os.Stdin, os.Stdout = in, out
}

func pipe() (r, w *os.File) {
	r, w, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	return r, w
}

// pass passes messages on, one at a time.
func (c *countdown) pass(from io.Reader, to io.WriteCloser, name string) {
	defer func() { _ = to.Close() }()
	r := bufio.NewReader(from)
	for {
		header, err := textproto.NewReader(r).ReadMIMEHeader()
		if err != nil {
			return // the end
		}
		n, _ := strconv.Atoi(header.Get("Content-Length"))
		body := make([]byte, n)
		if _, err := io.ReadFull(r, body); err != nil {
			return
		}
		if bytes.Contains(body, []byte(countMethod)) {
			c.mu.Lock()
			c.on = true
			c.mu.Unlock()
			continue
		}
		c.point(fmt.Sprintf("%s %.160s", name, body))
		if _, err := fmt.Fprintf(to, "Content-Length: %d\r\n\r\n%s", n, body); err != nil {
			return
		}
	}
}
