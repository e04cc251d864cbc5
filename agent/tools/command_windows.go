package tools

import (
	"os/exec"
	"strconv"
	"syscall"
)

// shell is a command line for cmd, which takes it as it is: nothing is quoted.
func shell(line string) *exec.Cmd {
	cmd := exec.Command("cmd")
	cmd.SysProcAttr = &syscall.SysProcAttr{
		CmdLine: `cmd /D /S /C "` + line + `"`, CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP, HideWindow: true,
	}
	return cmd
}

// stopGroup has nothing milder to offer than killGroup: there are no signals here.
func stopGroup(cmd *exec.Cmd) { killGroup(cmd, false) }

// killGroup ends a command and all that it started, as far as their parents live.
// What a command that has ended left behind cannot be found any more: its number
// may be another one's by now.
func killGroup(cmd *exec.Cmd, ended bool) {
	if ended {
		return
	}
	_ = exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(cmd.Process.Pid)).Run() // it may be gone already
}

// start starts a command; nothing ends it here when this process is killed.
func start(cmd *exec.Cmd) (over func(), err error) { return func() {}, cmd.Start() }

// unreadable is about systems where one process can read another's environment.
func unreadable() {}

// exitCode is that of a command that has ended.
func exitCode(cmd *exec.Cmd) int { return cmd.ProcessState.ExitCode() }
