package tools

import (
	"os"
	"strconv"
	"syscall"
)

// inSession are the processes of the session that a process leads.
func inSession(leader int) (pids []int) {
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if of, _, errno := syscall.RawSyscall(syscall.SYS_GETSID, uintptr(pid), 0, 0); errno == 0 && int(of) == leader {
			pids = append(pids, pid)
		}
	}
	return pids
}

// unreadable keeps a command from reading the keys in this process's environment, and its memory, by way of /proc.
func unreadable() { _, _, _ = syscall.RawSyscall(syscall.SYS_PRCTL, syscall.PR_SET_DUMPABLE, 0, 0) }
