package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/galley-ls/galley/cmd/galley/internal/cli"
)

// The exit codes are one table in the code, and the same one in the docs; each row is of a command that there is.
func TestExitCodesAreInTheDocs(t *testing.T) {
	_, section, _ := strings.Cut(readDoc(t, "docs/terminal.md"), "\n## Exit codes\n")
	var docs, code []string
	for line := range strings.Lines(section) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "| ") && !strings.HasPrefix(line, "| code") {
			docs = append(docs, line)
		}
	}
	root := newRoot()
	for _, row := range cli.ExitTable {
		of := "any command"
		if row.Of != "" {
			of = "`" + row.Of + "`"
			if cmd, _, err := root.Find(strings.Fields(row.Of)); err != nil || cmd.CommandPath() != "galley "+row.Of {
				t.Errorf("there is no command %q", row.Of)
			}
		}
		code = append(code, fmt.Sprintf("| %d | %s | %s |", row.Code, of, row.Means))
	}
	if got, want := strings.Join(docs, "\n"), strings.Join(code, "\n"); got != want {
		t.Errorf("docs/terminal.md says\n%s\nand the code\n%s", got, want)
	}
}

func TestExitCodesInTheHelp(t *testing.T) {
	root := newRoot()
	find := func(name string) *cobra.Command {
		cmd, _, err := root.Find(strings.Fields(name))
		if err != nil {
			t.Fatal(err)
		}
		return cmd
	}
	for name, want := range map[string]string{
		"version": "",
		"trust":   "  0  done, or there is nothing to trust\n  1  not trusted: you said no, or nobody could be asked\n  2  a wrong command line or configuration",
	} {
		if got := cli.ExitsOf(find(name)); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
		}
	}
	if got := cli.ExitsOf(root); !strings.HasPrefix(got, "  0  done\n  1  an error") || !strings.Contains(got, "  3  review: letters still wait for you\n") {
		t.Errorf("the root says\n%s", got)
	}
}
