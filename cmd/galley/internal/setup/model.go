package setup

import (
	"bytes"
	"errors"
	"io"
	"os"

	"github.com/galley-ls/galley/agent/model"
	"github.com/galley-ls/galley/agent/offline"
	"github.com/galley-ls/galley/agent/replay"
	"github.com/galley-ls/galley/cmd/galley/internal/settings"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
)

// Model is the model that the settings choose. warn hears of what is odd about it, later too, from any goroutine.
func Model(s settings.Model, warn func(string)) (model.Model, error) {
	if s.Chosen() == settings.ProviderOffline {
		return offline.New(), nil
	}
	m, err := settings.Server(s, warn)
	if err != nil {
		return nil, term.Usage("galley doctor looks at the settings of the model", "%s", err)
	}
	return m, nil
}

// summaryModel is the one for summaries, nil if the settings choose none.
func summaryModel(s settings.Model) model.Model {
	if s.SummaryModel == "" || s.Chosen() == settings.ProviderOffline {
		return nil
	}
	s.Model, s.ContextWindow = s.SummaryModel, 0
	m, err := settings.Server(s, func(string) {})
	if err != nil {
		return nil // the model itself is not to be had either, which says why
	}
	return m
}

// WindowOf is the context window of a model in tokens, as far as its server is known; 0 if not.
func WindowOf(m model.Model) int {
	if l, ok := m.(model.Looker); ok {
		return l.Window()
	}
	return 0
}

func Playing(name string) (model.Model, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, term.Usage("make a recording with galley run --record FILE", "open the recording: %s", err)
	}
	m, err := replay.Play(name, file)
	if err = errors.Join(err, file.Close()); err != nil {
		return nil, term.Usage("", "%s", err)
	}
	return m, nil
}

// Recording opens the file of a recording. It writes over an earlier recording, and over nothing else.
func Recording(name string) (*os.File, error) {
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, term.Usage("give --record a file that can be written", "open the recording: %s", err)
	}
	mark := []byte(`{"galley_recording"`)
	begins := make([]byte, len(mark))
	n, err := io.ReadFull(file, begins)
	if n > 0 && !bytes.Equal(begins[:n], mark) {
		return nil, errors.Join(term.Usage("give --record another file, or remove this one", "%s is there already and is no recording", name), file.Close())
	}
	if !errors.Is(err, io.EOF) && err != nil {
		return nil, errors.Join(term.Usage("give --record a file that can be written", "read %s: %s", name, err), file.Close())
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	if err := file.Truncate(0); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}
