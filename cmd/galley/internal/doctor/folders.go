package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
	"github.com/galley-ls/galley/editing/text"
	"github.com/galley-ls/galley/memory"
)

// folders looks at where sessions are kept, at the sessions of this workspace, and at what watching files takes.
func (d *doctor) folders(context.Context) {
	home := d.Home
	if d.writable(home) {
		d.private(filepath.Join(home, "sessions"))
		d.space(home)
	}
	d.sessions()
	d.watches("/proc/sys/fs/inotify")
}

// writable tries to write where the sessions are kept, or will be.
func (d *doctor) writable(home string) bool {
	dir, info := nearest(home)
	if info != nil && !info.IsDir() {
		d.bad("move it away, or set GALLEY_HOME to a folder of your own", "%s is a file, and the sessions need a folder there", dir)
		return false
	}
	f, err := os.CreateTemp(dir, ".galley-doctor-*")
	if err == nil {
		err = errors.Join(f.Close(), os.Remove(f.Name()))
	}
	switch {
	case err != nil:
		d.bad("change its permissions, or set GALLEY_HOME to a folder of your own", "sessions cannot be kept in %s: %s", home, plainError(err))
		return false
	case dir != home:
		d.good("sessions will be kept in %s, which the first one makes", home)
	default:
		d.good("sessions are kept in %s", home)
	}
	return true
}

// nearest is what is there of a path: itself, or the nearest folder above it. Without even a root there is no info.
func nearest(path string) (string, os.FileInfo) {
	for {
		info, err := os.Stat(path)
		if err == nil || path == filepath.Dir(path) {
			return path, info
		}
		path = filepath.Dir(path)
	}
}

// plainError leaves the path out of an error: what is told names it already.
func plainError(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// private looks whether others can read the sessions.
func (d *doctor) private(sessions string) {
	info, err := os.Stat(sessions)
	if err != nil || !unixPermissions {
		return // the first session makes it
	}
	if open := info.Mode().Perm() & 0o077; open != 0 {
		d.look("chmod 700 "+term.ShellWord(sessions), "others can look into %s (%s): it holds what you and the agent said", sessions, info.Mode().Perm())
		return
	}
	d.good("nobody else can look into it")
}

func (d *doctor) space(dir string) {
	const scarce, low = 10 << 20, 200 << 20
	dir, _ = nearest(dir)
	switch free, ok := freeSpace(dir); {
	case !ok:
	case free < scarce:
		d.bad("make room there, or set GALLEY_HOME to a folder on another disk", "only %s are free for sessions", size(free))
	case free < low:
		d.look("make room there, or set GALLEY_HOME to a folder on another disk", "only %s are free for sessions", size(free))
	default:
		d.good("%s free", size(free))
	}
}

// size is a number of bytes for people.
func size(n uint64) string {
	for _, unit := range []struct {
		name string
		of   uint64
	}{{"TB", 1e12}, {"GB", 1e9}, {"MB", 1e6}} {
		if n >= 10*unit.of {
			return fmt.Sprintf("%d %s", n/unit.of, unit.name)
		}
	}
	return fmt.Sprintf("%d KB", n/1e3)
}

// sessions tells what there is of this workspace, and who has it open.
func (d *doctor) sessions() {
	all, err := memory.List(d.Home, d.Workspace)
	if err != nil {
		d.bad("look at the folder, or set GALLEY_HOME to another", "%s", err)
		return
	}
	pending, err := session.Pending(d.Home, d.Workspace)
	if err != nil {
		d.bad("look at the folder, or set GALLEY_HOME to another", "look for letters that wait: %s", err)
		return
	}
	line := text.Plural(len(all), "session") + " of this workspace"
	if len(pending) > 0 {
		line += ", " + strconv.Itoa(len(pending)) + " with letters that wait (galley review --list)"
	}
	d.good("%s", line)
	for _, s := range all {
		if s.LockedBy != 0 {
			d.held(s)
		}
	}
}

// held is a session that somebody has open. A lock goes with its process; one that stays behind is another machine's on
// a shared disk, or one that a child of the process has kept.
func (d *doctor) held(s memory.Info) {
	if s.LockedBy > 0 && alive(s.LockedBy) {
		d.good("session %s is in use by process %d%s", s.ID, s.LockedBy, nameOf(s.LockedBy))
		return
	}
	d.look("it may run on another machine that shares the disk; else find who has the file open (lsof "+
		term.ShellWord(filepath.Join(s.Dir, "lock"))+") and end it",
		"session %s is locked, and no such process is here", s.ID)
}

func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	err = p.Signal(syscall.Signal(0))
	return err == nil || errors.Is(err, os.ErrPermission) || !unixPermissions
}

// nameOf is the name of a process where the system tells it.
func nameOf(pid int) string {
	name, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
	if err != nil {
		return ""
	}
	return " (" + term.OneLine(string(name), 40) + ")"
}

// watches looks at the limits of Linux that galley serve meets where it watches files.
func (d *doctor) watches(dir string) {
	for _, limit := range []struct {
		name  string
		least int
	}{{"max_user_watches", 8192}, {"max_user_instances", 128}} {
		text, err := os.ReadFile(filepath.Join(dir, limit.name))
		if err != nil {
			return // another system: it knows no such limit
		}
		n, err := strconv.Atoi(strings.TrimSpace(string(text)))
		if err == nil && n < limit.least {
			d.look(fmt.Sprintf("raise it: sudo sysctl fs.inotify.%s=%d", limit.name, 8*limit.least),
				"fs.inotify.%s is %d: galley serve may not notice files that change", limit.name, n)
			return
		}
	}
	d.good("files can be watched")
}
