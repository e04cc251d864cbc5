//go:build linux || darwin

package disk

import (
	"errors"
	"os"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

const accessACL = "system.posix_acl_access"

// copyAttributes gives one file the extended attributes of another, its ACL among them. Those that the system keeps for
// itself may be missing.
func copyAttributes(from, to *os.File) error {
	names, err := attributes(from)
	if err != nil {
		return err
	}
	have, _ := attributes(to)
	if slices.Contains(have, accessACL) && !slices.Contains(names, accessACL) { // by the folder's default ACL
		if err := unix.Fremovexattr(int(to.Fd()), accessACL); err != nil {
			return err
		}
	}
	for _, name := range names {
		value, err := attribute(from, name)
		if err == nil {
			err = unix.Fsetxattr(int(to.Fd()), name, value, 0)
		}
		if err != nil && !strings.HasPrefix(name, "security.") && !strings.HasPrefix(name, "trusted.") {
			return err
		}
	}
	return nil
}

func attributes(f *os.File) ([]string, error) {
	b, err := sized(func(b []byte) (int, error) { return unix.Flistxattr(int(f.Fd()), b) })
	if errors.Is(err, unix.ENOTSUP) || len(b) == 0 {
		return nil, nil
	}
	return strings.Split(strings.TrimRight(string(b), "\x00"), "\x00"), err
}

func attribute(f *os.File, name string) ([]byte, error) {
	return sized(func(b []byte) (int, error) { return unix.Fgetxattr(int(f.Fd()), name, b) })
}

// sized asks for the size, and then for the bytes, until the two agree.
func sized(get func([]byte) (int, error)) ([]byte, error) {
	for {
		n, err := get(nil)
		if err != nil || n == 0 {
			return nil, err
		}
		b := make([]byte, n)
		n, err = get(b)
		if err == nil {
			return b[:n], nil
		}
		if !errors.Is(err, unix.ERANGE) {
			return nil, err
		}
	}
}
