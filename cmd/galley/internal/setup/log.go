package setup

import (
	"os"
	"sync"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"github.com/galley-ls/galley/cmd/galley/internal/settings"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
)

// logFile is where a log goes: another file, or none, whenever the settings say so.
type logFile struct {
	level zap.AtomicLevel

	mu   sync.Mutex // guards what follows
	name string
	file *os.File // nil: nothing is logged
}

func NewLogFile() *logFile { return &logFile{level: zap.NewAtomicLevel()} }

// Set takes the settings over. An error leaves everything as it was.
func (l *logFile) Set(s settings.Log) error {
	level, err := zapcore.ParseLevel(s.Level)
	if err != nil { // the table knows no other words
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if s.File != l.name {
		file, err := openLogFile(s.File)
		if err != nil {
			return err
		}
		l.closeLocked()
		l.name, l.file = s.File, file
	}
	l.level.SetLevel(level)
	return nil
}

func openLogFile(name string) (*os.File, error) {
	if name == "" {
		return nil, nil
	}
	file, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, term.Usage("name a file that can be written with --log-file or log.file", "open the log: %s", err)
	}
	return file, nil
}

// Write implements zapcore.WriteSyncer. Each line comes whole.
func (l *logFile) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return len(line), nil
	}
	return l.file.Write(line)
}

// Sync implements zapcore.WriteSyncer.
func (*logFile) Sync() error { return nil }

func (l *logFile) Close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closeLocked()
}

func (l *logFile) closeLocked() {
	if l.file != nil {
		_ = l.file.Close()
		l.name, l.file = "", nil
	}
}

// Logger logs to the file, a JSON object a line.
func (l *logFile) Logger() *zap.Logger {
	encoding := zap.NewProductionEncoderConfig()
	encoding.EncodeTime = zapcore.ISO8601TimeEncoder
	return zap.New(zapcore.NewCore(zapcore.NewJSONEncoder(encoding), l, l.level))
}
