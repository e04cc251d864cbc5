//go:build unix

package memory

import (
	"os"
	"path/filepath"

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
	if _, err := f.WriteString(content); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := check(); err != nil {
		return err
	}
	return f.CloseAtomicallyReplace()
}
