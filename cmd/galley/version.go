package main

import (
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/galley-ls/galley/cmd/galley/internal/term"
)

// version is set by the build (see the Makefile).
var version string

func newVersionCommand() *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use: "version", Short: "Print the version", GroupID: groupMore, Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s := consoleOf(cmd).Out
			if !asJSON {
				s.Printf("galley %s (%s, %s/%s)\n", versionName(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
				return nil
			}
			return term.PrintJSON(s, map[string]string{
				"version": versionName(), "go": runtime.Version(), "os": runtime.GOOS, "arch": runtime.GOARCH,
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as one JSON object")
	return cmd
}

// versionName is the version of this program: of the build, else of the module.
func versionName() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "dev"
}
