package main

import (
	"os"

	"github.com/galley-ls/galley/agent/model"
	"github.com/galley-ls/galley/agent/replay"
)

// model is what answers in this run, and how to close what it writes to.
func (f *runFlags) model(p place, warn func(string)) (m model.Model, done func() error, err error) {
	done = func() error { return nil }
	if f.replay != "" {
		m, err = playing(f.replay)
		return m, done, err
	}
	if m, err = chosenModel(p.settings().Model, warn); err != nil {
		return nil, nil, err
	}
	f.window = windowOf(m)
	if f.record == "" {
		return m, done, nil
	}
	file, err := recording(f.record)
	if err != nil {
		return nil, nil, err
	}
	return replay.Record(m, file, p.settings().Secrets(os.Getenv)...), file.Close, nil
}
