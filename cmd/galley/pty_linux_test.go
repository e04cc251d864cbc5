package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"unsafe"
)

// pty is a terminal as the system makes them: what is written to it is typed.
type pty struct {
	*os.File
	other *os.File // the end that programs use
}

func openPty(columns int) (*pty, error) {
	end, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		return nil, err
	}
	p := &pty{File: end}
	var locked, number int32
	if err = p.control(syscall.TIOCSPTLCK, unsafe.Pointer(&locked)); err == nil {
		err = p.control(syscall.TIOCGPTN, unsafe.Pointer(&number))
	}
	if err == nil {
		p.other, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	}
	if err == nil {
		err = p.resize(columns)
	}
	if err != nil {
		end.Close()
		return nil, err
	}
	return p, nil
}

func (p *pty) control(request uintptr, argument unsafe.Pointer) error {
	raw, err := p.SyscallConn()
	if err != nil {
		return err
	}
	var failed syscall.Errno
	err = raw.Control(func(fd uintptr) {
		_, _, failed = syscall.Syscall(syscall.SYS_IOCTL, fd, request, uintptr(argument))
	})
	if err == nil && failed != 0 {
		err = failed
	}
	return err
}

// resize is what a window does when it is drawn wider or narrower.
func (p *pty) resize(columns int) error {
	size := struct{ rows, columns, x, y uint16 }{rows: 50, columns: uint16(columns)}
	return p.control(syscall.TIOCSWINSZ, unsafe.Pointer(&size))
}

// start runs a command on the terminal.
func (p *pty) start(cmd *exec.Cmd) error {
	cmd.Stdin, cmd.Stdout, cmd.Stderr = p.other, p.other, p.other
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	return cmd.Start()
}

// mark writes something behind all that the command wrote. This end stays open: what has been written when the last one
// is closed may be lost.
func (p *pty) mark(text string) error {
	_, err := p.other.WriteString(text)
	return err
}

// Close ends both ends.
func (p *pty) Close() error { return errors.Join(p.other.Close(), p.File.Close()) }
