package disk

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// exchange changes two files for each other.
var exchange = func(d *folder, name string, e *folder, other string) error {
	return unsupported(unix.Renameat2(d.fd(), name, e.fd(), other, unix.RENAME_EXCHANGE))
}

// renameNew gives a file a name that must be free.
var renameNew = func(d *folder, name string, e *folder, to string) error {
	return unsupported(unix.Renameat2(d.fd(), name, e.fd(), to, unix.RENAME_NOREPLACE))
}

// mounted reports whether a file is mounted at its place: then its name cannot be given to another.
func (d *folder) mounted(name string) bool {
	var file, dir unix.Statx_t
	if unix.Statx(d.fd(), name, unix.AT_SYMLINK_NOFOLLOW, unix.STATX_MNT_ID, &file) != nil ||
		unix.Statx(d.fd(), ".", 0, unix.STATX_MNT_ID, &dir) != nil {
		return false
	}
	if file.Mask&dir.Mask&unix.STATX_MNT_ID == 0 {
		return file.Dev_major != dir.Dev_major || file.Dev_minor != dir.Dev_minor
	}
	return file.Mnt_id != dir.Mnt_id
}

// processSpace tells apart what has the same host name: starts of the machine, and containers.
func processSpace() string {
	boot, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	space, _ := os.Readlink("/proc/self/ns/pid")
	return string(boot) + space
}

// processStart is when a process began, in a measure of the system; 0 if it is over. It is not known of a process that
// this one may not look at.
func processStart(pid int) (start uint64, known bool) {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if errors.Is(err, fs.ErrNotExist) {
		return 0, true
	}
	fields := strings.Fields(string(b[bytes.LastIndexByte(b, ')')+1:])) // the name of the program may hold anything
	if err != nil || len(fields) < 20 {
		return 0, false
	}
	if fields[0] == "Z" || fields[0] == "X" {
		return 0, true
	}
	start, err = strconv.ParseUint(fields[19], 10, 64)
	return start, err == nil
}
