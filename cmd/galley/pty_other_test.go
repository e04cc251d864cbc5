//go:build !linux

package main

import (
	"errors"
	"os"
	"os/exec"
)

// pty is a terminal; only on Linux are there any for tests.
type pty struct{ *os.File }

func openPty(int) (*pty, error)        { return nil, errors.New("no terminal for tests on this system") }
func (*pty) resize(int) error          { return nil }
func (*pty) mark(string) error         { return nil }
func (*pty) start(cmd *exec.Cmd) error { return cmd.Start() }
