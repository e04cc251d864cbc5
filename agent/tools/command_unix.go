//go:build unix

package tools

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// shell is a command line for the shell, as the leader of a session of its own:
// it has a group that can be stopped as a whole, and no terminal to ask at. It
// begins when start says so.
func shell(line string) *exec.Cmd {
	cmd := exec.Command("sh", "-c", `read -r begin <&3 && exec 3<&- && exec sh -c "$0"`, line)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	return cmd
}

// stopGroup tells a command, and all that it started, to end.
func stopGroup(cmd *exec.Cmd) { signalGroup(cmd, syscall.SIGTERM) }

// killGroup ends them. The group may outlive its leader.
func killGroup(cmd *exec.Cmd, _ bool) { signalGroup(cmd, syscall.SIGKILL) }

// signalGroup is no error where the group is gone already. What took a group of its own within the session, as timeout
// does, hears it too.
func signalGroup(cmd *exec.Cmd, s syscall.Signal) {
	_ = syscall.Kill(-cmd.Process.Pid, s)
	for _, pid := range inSession(cmd.Process.Pid) {
		_ = syscall.Kill(pid, s)
	}
}

// start starts a command that ends with this process, however that ends: a shell beside it waits for the end of its input,
// which nobody else holds, and the command begins when that one knows it. It has none of the environment, which the command
// could read. The group ends as a whole; what took another one is looked for twice, since it may be just beginning more. Some
// shells know no "--" here.
func start(cmd *exec.Cmd) (over func(), err error) {
	beside := exec.Command("sh", "-c", `read -r pid || exit; read -r end; kill -KILL "-$pid"; pkill -KILL -s "$pid"; pkill -KILL -s "$pid"`)
	beside.Env, beside.SysProcAttr = []string{"PATH=" + os.Getenv("PATH")}, &syscall.SysProcAttr{Setsid: true}
	told, err := beside.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err = beside.Start(); err != nil {
		return nil, err
	}
	over = func() {
		_ = beside.Process.Kill()
		_ = beside.Wait()
	}
	gate, opener, err := os.Pipe()
	if err == nil {
		defer gate.Close()
		defer opener.Close()
		cmd.ExtraFiles = []*os.File{gate}
		err = cmd.Start()
	}
	if err == nil {
		_, err = fmt.Fprintln(told, cmd.Process.Pid)
	}
	if err == nil {
		_, err = opener.WriteString("\n")
	}
	if err != nil {
		over()
	}
	return over, err
}

// exitCode is what a shell would say of a command that has ended.
func exitCode(cmd *exec.Cmd) int {
	if w, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return 128 + int(w.Signal())
	}
	return cmd.ProcessState.ExitCode()
}
