package main

import (
	"os"

	"github.com/galley-ls/galley/agent/model"
	"github.com/galley-ls/galley/agent/replay"
	"github.com/galley-ls/galley/cmd/galley/internal/setup"
)

// model is what answers in this run, and how to close what it writes to.
func (f *runFlags) model(p setup.Place, warn func(string)) (m model.Model, done func() error, err error) {
	done = func() error { return nil }
	if f.replay != "" {
		m, err = setup.Playing(f.replay)
		return m, done, err
	}
	if m, err = setup.Model(p.Settings().Model, warn); err != nil {
		return nil, nil, err
	}
	if f.record == "" {
		return m, done, nil
	}
	file, err := setup.Recording(f.record)
	if err != nil {
		return nil, nil, err
	}
	return replay.Record(m, file, p.Settings().Secrets(os.Getenv)...), file.Close, nil
}
