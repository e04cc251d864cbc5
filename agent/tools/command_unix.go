//go:build unix

package tools

import (
	"os/exec"
	"syscall"
)

// shell is a command line for the shell, as the leader of a session of its own:
// it has a group that can be stopped as a whole, and no terminal to ask at.
func shell(line string) *exec.Cmd {
	cmd := exec.Command("sh", "-c", line)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	return cmd
}

// stopGroup tells a command, and all that it started, to end.
func stopGroup(cmd *exec.Cmd) { signalGroup(cmd, syscall.SIGTERM) }

// killGroup ends them. The group may outlive its leader.
func killGroup(cmd *exec.Cmd, _ bool) { signalGroup(cmd, syscall.SIGKILL) }

// signalGroup is no error where the group is gone already.
func signalGroup(cmd *exec.Cmd, s syscall.Signal) { _ = syscall.Kill(-cmd.Process.Pid, s) }

// exitCode is what a shell would say of a command that has ended.
func exitCode(cmd *exec.Cmd) int {
	if w, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return 128 + int(w.Signal())
	}
	return cmd.ProcessState.ExitCode()
}
