//go:build !linux && !darwin

package disk

import (
	"errors"
	"os"
)

// exchange is not known here.
var exchange = func(*folder, string, *folder, string) error { return errors.ErrUnsupported }

// renameNew is not known here.
var renameNew = func(*folder, string, *folder, string) error { return errors.ErrUnsupported }

// copyAttributes is not known here.
func copyAttributes(_, _ *os.File) error { return nil }
