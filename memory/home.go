package memory

import (
	"fmt"
	"os"
	"path/filepath"
)

const (
	dirMode  = 0o700
	fileMode = 0o600
)

// Home is the directory of all sessions' data: GALLEY_HOME, or ~/.ai.
func Home() (string, error) {
	if home := os.Getenv("GALLEY_HOME"); home != "" {
		return filepath.Abs(home)
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("find the home directory: %w: set GALLEY_HOME to a directory of your own", err)
	}
	return filepath.Join(home, ".ai"), nil
}

// canonical is the one name of a workspace, links resolved where it exists.
func canonical(workspace string) string {
	abs, err := filepath.Abs(workspace)
	if err != nil {
		return filepath.Clean(workspace)
	}
	if resolved, err := filepath.EvalSymlinks(abs); err == nil {
		return resolved
	}
	return abs
}
