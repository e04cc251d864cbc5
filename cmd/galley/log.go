package main

import (
	"os"

	"github.com/spf13/cobra"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"github.com/galley-ls/galley/agent"
)

// openLog opens the log file that the command line or the environment names; else nothing is logged. Texts of prompts,
// files and models never are.
func openLog(cmd *cobra.Command) (log *zap.Logger, done func(), err error) {
	return openLogAt(cmd, zap.NewAtomicLevel())
}

// openLogAt is openLog with a level that can be changed later.
func openLogAt(cmd *cobra.Command, level zap.AtomicLevel) (log *zap.Logger, done func(), err error) {
	name, err := cmd.Flags().GetString(flagLog)
	if err != nil {
		return nil, nil, err
	}
	if name = orElse(name, os.Getenv("GALLEY_LOG_FILE")); name == "" {
		return zap.NewNop(), func() {}, nil
	}
	named, err := zapcore.ParseLevel(orElse(os.Getenv("GALLEY_LOG_LEVEL"), "info"))
	if err != nil {
		return nil, nil, usage("it is one of debug, info, warn, error", "read GALLEY_LOG_LEVEL: %s", err)
	}
	level.SetLevel(named)
	file, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, nil, usage("name a file that can be written with --log-file", "open the log: %s", err)
	}
	encoding := zap.NewProductionEncoderConfig()
	encoding.EncodeTime = zapcore.ISO8601TimeEncoder
	log = zap.New(zapcore.NewCore(zapcore.NewJSONEncoder(encoding), file, level))
	log.Info("command started", zap.String("command", cmd.CommandPath()), zap.String("version", versionName()))
	return log, func() { _ = file.Close() }, nil // each line is written whole as it comes
}

// logEvent logs what a run does, without the texts.
func logEvent(log *zap.Logger, e agent.Event) {
	switch e := e.(type) {
	case agent.StepStarted:
		log.Debug(e.Kind(), zap.Int("iteration", e.Iteration))
	case agent.ToolFinished:
		log.Info(e.Kind(), zap.String("tool", e.Name), zap.String("status", e.Status), zap.String("code", e.Code), zap.Strings("letters", e.Letters))
	case agent.Finished:
		log.Info(e.Kind(), zap.String("reason", string(e.Reason)), zap.Int("iterations", e.Iterations))
	case agent.TextDelta:
	default:
		log.Debug(e.Kind())
	}
}
