package memory

import (
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
)

// The library for this knows no Windows.

// replaceFile swaps in a whole new file; a reader sees the old one or the new.
func replaceFile(path string, data []byte) error {
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer root.Close()
	return replaceIn(root, filepath.Base(path), string(data), func() error { return nil })
}

// replaceIn does so below a root, if check agrees when only the swap is left to do.
func replaceIn(root *os.Root, file, content string, check func() error) error {
	temp := file + "." + rand.Text()
	f, err := root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return err
	}
	_, err = f.WriteString(content)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = check()
	}
	if err == nil {
		err = root.Rename(temp, file)
	}
	if err != nil {
		_ = root.Remove(temp)
	}
	return err
}

// identity is not asked of Windows: nobody looks for moved folders there.
func identity(string) (device, inode uint64) { return 0, 0 }
