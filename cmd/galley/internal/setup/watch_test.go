package setup

import (
	"testing"
)

func TestConcerns(t *testing.T) {
	folders := settingsFolders("/home/me/.config/galley", "/home/me/shop")
	for path, want := range map[string]bool{
		"":                                     true,
		"/home/me/.config/galley/config.yaml":  true,
		"/home/me/.config/galley/trusted.json": true,
		"/home/me/.config/galley":              true,
		"/home/me/.config":                     true,
		"/home/me/.config/galley/prompts/tools/read.md": true,
		"/home/me/.config/galley/skills/pdf":            true,
		"/home/me/shop/.galley":                         true,
		"/home/me/shop/.galley/config.json":             true,
		"/home/me/shop/main.go":                         false,
		"/home/me/.config/other":                        false,
		"/home/me/shop/.galleys":                        false,
	} {
		if got := concerns(path, folders); got != want {
			t.Errorf("%q: %v", path, got)
		}
	}
}
