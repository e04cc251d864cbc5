package cli

import (
	"os"
	"strings"

	"github.com/spf13/cobra"
	"go.uber.org/zap"

	"github.com/galley-ls/galley/cmd/galley/internal/settings"
	"github.com/galley-ls/galley/cmd/galley/internal/setup"
)

// OpenLog opens the log file that the settings name, and begins it; else nothing is logged. Texts of prompts, files and models
// never are.
func OpenLog(cmd *cobra.Command, s settings.Log) (*zap.Logger, error) {
	log, err := setup.OpenLog(s)
	log.Info("command started", zap.String("command", cmd.CommandPath()), zap.String("version", Version()))
	return log, err
}

// OnlyLog are the settings of a command that takes no others: those of the log, from the command line and the environment.
func OnlyLog(cmd *cobra.Command) (settings.Log, error) {
	var src settings.Sources
	var err error
	if src.Flags, err = assignments(cmd); err != nil {
		return settings.Log{}, err
	}
	for _, pair := range os.Environ() {
		if strings.HasPrefix(pair, settings.Variable("log")+"_") {
			src.Env = append(src.Env, pair)
		}
	}
	loaded := settings.Load(src)
	return loaded.Settings.Log, setup.Refuse(ConsoleOf(cmd), loaded.Errors)
}
