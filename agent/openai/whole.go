package openai

import (
	"bytes"
	"encoding/json"
	"errors"
)

// Answers that are no event stream: a whole reply, or one of several lines.

// value reads one JSON value.
func (f *frames) value() error {
	var raw json.RawMessage
	err := f.json.Decode(&raw)
	var syntax *json.SyntaxError
	switch {
	case err == nil:
		return f.emit(bytes.TrimSpace(raw))
	case errors.As(err, &syntax) && f.events == 0:
		return &strange{text: "broken JSON"}
	case errors.As(err, &syntax):
		return errBroken
	}
	return err
}

// limited is what is left of the answer, for the JSON decoder.
type limited struct{ f *frames }

func (l *limited) Read(p []byte) (int, error) {
	if l.f.left <= 0 {
		return 0, errReply
	}
	n, err := l.f.in.Read(p[:min(len(p), l.f.left)])
	l.f.left -= n
	return n, err
}
