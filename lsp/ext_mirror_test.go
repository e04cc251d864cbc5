package lsp

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The plugins mirror ext.go: every method and command, and nothing else.
func TestExtIsMirrored(t *testing.T) {
	own := slices.DeleteFunc(slices.Sorted(maps.Values(constants(t))), func(s string) bool {
		return !strings.HasPrefix(s, "galley/") && !strings.HasPrefix(s, "galley.")
	})
	for _, name := range []string{"../editors/nvim/lua/galley/ext.lua", "../editors/vscode/src/ext.ts"} {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var theirs []string
		for _, m := range regexp.MustCompile(`'(galley[/.][A-Za-z]+)'`).FindAllStringSubmatch(string(b), -1) {
			theirs = append(theirs, m[1])
		}
		same(t, name, theirs, own)
	}
}
