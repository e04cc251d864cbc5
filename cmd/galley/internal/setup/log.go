package setup

import (
	"os"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"github.com/galley-ls/galley/cmd/galley/internal/settings"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
)

// OpenLog opens the log that the settings name, a JSON object a line, until the process ends; without a file nothing is
// logged.
func OpenLog(s settings.Log) (*zap.Logger, error) {
	level, err := zapcore.ParseLevel(s.Level)
	if err != nil || s.File == "" { // the table of settings knows no words that are no level
		return zap.NewNop(), err
	}
	file, err := os.OpenFile(s.File, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return zap.NewNop(), term.Usage("name a file that can be written with --log-file or log.file", "open the log: %s", err)
	}
	encoding := zap.NewProductionEncoderConfig()
	encoding.EncodeTime = zapcore.ISO8601TimeEncoder
	return zap.New(zapcore.NewCore(zapcore.NewJSONEncoder(encoding), zapcore.Lock(file), level)), nil
}
