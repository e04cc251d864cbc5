//go:build unix

package memory

import (
	"os"
	"path/filepath"
	"syscall"

	"github.com/google/renameio/v2"
)

// replaceFile swaps in a whole new file; a reader sees the old one or the new.
func replaceFile(path string, data []byte) error {
	return renameio.WriteFile(path, data, fileMode,
		renameio.WithTempDir(filepath.Dir(path)), renameio.WithStaticPermissions(fileMode))
}

// replaceIn does so below a root, if check agrees when only the swap is left to do.
func replaceIn(root *os.Root, file, content string, check func() error) error {
	f, err := renameio.NewPendingFile(file, renameio.WithRoot(root), renameio.WithStaticPermissions(fileMode))
	if err != nil {
		return err
	}
	defer f.Cleanup()
	point(file, "is written beside")
	if _, err := f.WriteString(content); err != nil {
		return err
	}
	point(file, "is synced")
	if err := f.Sync(); err != nil {
		return err
	}
	if err := check(); err != nil {
		return err
	}
	point(file, "is replaced")
	defer point(file, "was replaced")
	return f.CloseAtomicallyReplace()
}

// identity is the device and inode of a folder, 0 if it is not there.
func identity(path string) (device, inode uint64) {
	fi, err := os.Stat(path)
	if err != nil {
		return 0, 0
	}
	st, ok := fi.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0
	}
	return uint64(st.Dev), st.Ino // Dev is an int32 on some systems
}
