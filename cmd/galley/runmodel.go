package main

import (
	"bytes"
	"errors"
	"io"
	"os"

	"github.com/galley-ls/galley/agent/model"
	"github.com/galley-ls/galley/agent/offline"
	"github.com/galley-ls/galley/agent/replay"
)

// model is what answers in this run, and how to close what it writes to.
func (f *runFlags) model() (m model.Model, done func() error, err error) {
	switch {
	case f.replay != "":
		m, err = playing(f.replay)
		return m, func() error { return nil }, err
	case f.record != "":
		file, err := recording(f.record)
		if err != nil {
			return nil, nil, err
		}
		return replay.Record(offline.New(), file), file.Close, nil
	}
	return offline.New(), func() error { return nil }, nil
}

func playing(name string) (model.Model, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, usage("make a recording with galley run --record FILE", "open the recording: %s", err)
	}
	m, err := replay.Play(name, file)
	if err = errors.Join(err, file.Close()); err != nil {
		return nil, usage("", "%s", err)
	}
	return m, nil
}

// recording opens the file of a recording. It writes over an earlier recording, and over nothing else.
func recording(name string) (*os.File, error) {
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, usage("give --record a file that can be written", "open the recording: %s", err)
	}
	mark := []byte(`{"galley_recording"`)
	begins := make([]byte, len(mark))
	n, err := io.ReadFull(file, begins)
	if n > 0 && !bytes.Equal(begins[:n], mark) {
		return nil, errors.Join(usage("give --record another file, or remove this one", "%s is there already and is no recording", name), file.Close())
	}
	if !errors.Is(err, io.EOF) && err != nil {
		return nil, errors.Join(usage("give --record a file that can be written", "read %s: %s", name, err), file.Close())
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	if err := file.Truncate(0); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}
