package openaitest

import (
	_ "embed"
	"fmt"
	"strings"
)

//go:embed doc.go
var documentation string

// Help is the format of scripts, as the package's documentation has it, and all faults.
func Help() string {
	var b strings.Builder
	_, format, _ := strings.Cut(documentation, "# Script\n")
	for line := range strings.Lines(format) {
		if text, ok := strings.CutPrefix(line, "//"); ok {
			b.WriteString(strings.TrimPrefix(text, " "))
		}
	}
	b.WriteString("\nFaults, and what a robust client makes of them:\n\n")
	for _, f := range Faults() {
		fmt.Fprintf(&b, "  %-24s %-8s %s\n", f.Name, f.Kind, f.Doc)
	}
	return b.String()
}
