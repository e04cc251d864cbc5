package cli

import (
	"os"
	"strings"

	"github.com/spf13/cobra"
	"go.uber.org/zap"

	"github.com/galley-ls/galley/cmd/galley/internal/settings"
	"github.com/galley-ls/galley/cmd/galley/internal/setup"
)

// OpenLog opens the log file that the settings name; else nothing is logged. Texts of prompts, files and models never are.
func OpenLog(cmd *cobra.Command, s settings.Log) (log *zap.Logger, done func(), err error) {
	if s.File == "" {
		return zap.NewNop(), func() {}, nil
	}
	file := setup.NewLogFile()
	if err := file.Set(s); err != nil {
		return nil, nil, err
	}
	log = file.Logger()
	LogStart(log, cmd)
	return log, file.Close, nil
}

func LogStart(log *zap.Logger, cmd *cobra.Command) {
	log.Info("command started", zap.String("command", cmd.CommandPath()), zap.String("version", Version()))
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
