package main

import (
	"os"
	"path/filepath"
	"testing"
)

// settingsHome is a home directory of its own, with a folder for settings.
type settingsHome struct {
	t      *testing.T
	config string
}

func newSettingsHome(t *testing.T) *settingsHome {
	t.Helper()
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("XDG_CACHE_HOME", "")
	return &settingsHome{t: t, config: filepath.Join(home, ".config", "galley")}
}

// user writes a file below the folder of settings.
func (h *settingsHome) user(name, content string) {
	h.t.Helper()
	writeAll(h.t, filepath.Join(h.config, name), content)
}

func writeAll(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}
