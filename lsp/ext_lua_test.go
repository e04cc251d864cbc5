package lsp

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The Neovim plugin mirrors ext.go: every method and command, and nothing else.
func TestExtLuaMirrorsExt(t *testing.T) {
	const name = "../editors/nvim/lua/galley/ext.lua"
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var lua []string
	for _, m := range regexp.MustCompile(`'(galley[/.][A-Za-z]+)'`).FindAllStringSubmatch(string(b), -1) {
		lua = append(lua, m[1])
	}
	own := slices.DeleteFunc(slices.Sorted(maps.Values(constants(t))), func(s string) bool {
		return !strings.HasPrefix(s, "galley/") && !strings.HasPrefix(s, "galley.")
	})
	for _, s := range own {
		if !slices.Contains(lua, s) {
			t.Errorf("%s lacks %q, which ext.go has", name, s)
		}
	}
	for _, s := range lua {
		if !slices.Contains(own, s) {
			t.Errorf("%s has %q, which ext.go has not", name, s)
		}
	}
}
