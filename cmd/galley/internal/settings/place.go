package settings

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// ConfigDir is the folder of a person's settings: $XDG_CONFIG_HOME/galley, else ~/.config/galley, on every system.
func ConfigDir() (string, error) { return galleyDir("XDG_CONFIG_HOME", ".config") }

// CacheDir is the folder of what can be lost: $XDG_CACHE_HOME/galley, else ~/.cache/galley.
func CacheDir() (string, error) { return galleyDir("XDG_CACHE_HOME", ".cache") }

func galleyDir(variable, below string) (string, error) {
	if dir := os.Getenv(variable); filepath.IsAbs(dir) { // relative ones are to be ignored, says the standard
		return filepath.Join(dir, "galley"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("find the home directory: %w: set %s to a folder of your own", err, variable)
	}
	return filepath.Join(home, below, "galley"), nil
}

// WorkspaceDir is the folder of a workspace's own settings.
func WorkspaceDir(workspace string) string { return filepath.Join(workspace, ".galley") }

// fileNames are what a file of settings may be called; one of them may be there.
var fileNames = []string{"config.yaml", "config.yml", "config.json"}

// homely is a path as people write it.
func homely(path string) string {
	home, err := os.UserHomeDir()
	if err != nil || home == "/" {
		return path
	}
	if rest, ok := strings.CutPrefix(path, home+string(filepath.Separator)); ok {
		return "~" + string(filepath.Separator) + rest
	}
	return path
}

// RealPath is a path without symbolic links, as far as it is there.
func RealPath(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	if up := filepath.Dir(path); up != path {
		return filepath.Join(RealPath(up), filepath.Base(path))
	}
	return path
}

// absolute is the file that a path means which was said in a folder.
func absolute(path, folder string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, rest)
		}
	}
	if path == "" || filepath.IsAbs(path) || folder == "" {
		return path
	}
	return filepath.Join(folder, path)
}
