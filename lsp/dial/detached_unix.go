//go:build unix

package dial

import "syscall"

// detached has a process outlive the terminal and the editor that it was started from.
func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
