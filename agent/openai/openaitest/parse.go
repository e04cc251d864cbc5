package openaitest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
)

// Parse reads a script; see the package's documentation for the format. Its errors name the line and what is allowed.
func Parse(name string, text []byte) (Script, error) {
	var s Script
	first := true
	for i, line := range bytes.Split(text, []byte("\n")) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		if err := s.parseLine(line, first); err != nil {
			return Script{}, fmt.Errorf("%s:%d: %w", name, i+1, err)
		}
		first = false
	}
	return s, nil
}

func (s *Script) parseLine(line []byte, first bool) error {
	var fields map[string]json.RawMessage
	switch err := json.Unmarshal(line, &fields); {
	case err != nil:
		return fmt.Errorf("allowed is one JSON object a line, or a comment with #: %w", err)
	case fields == nil:
		return errors.New("allowed is one JSON object a line, or a comment with #")
	}
	header := slices.ContainsFunc(fieldsOf(Script{}), func(field string) bool { _, ok := fields[field]; return ok })
	if header && !first {
		return errors.New("the header must be the first object")
	}
	if header {
		if err := decodeStrictly(line, s, fieldsOf(Script{})); err != nil {
			return err
		}
		return s.check()
	}
	var r Reply
	if err := decodeStrictly(line, &r, fieldsOf(Reply{})); err != nil {
		return err
	}
	s.Replies = append(s.Replies, r)
	return r.check()
}

// decodeStrictly refuses fields that it does not know, and says which it knows.
func decodeStrictly(line []byte, into any, allowed []string) error {
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	err := d.Decode(into)
	var mistyped *json.UnmarshalTypeError
	switch {
	case err == nil && d.More():
		return errors.New("there is more behind the object: allowed is one a line")
	case errors.As(err, &mistyped):
		return fmt.Errorf("%s: got %s, allowed is %s", mistyped.Field, mistyped.Value, kindOf(mistyped.Type))
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the object has no end: allowed is one on one line")
	case err != nil && strings.Contains(err.Error(), "unknown field"):
		_, field, _ := strings.Cut(err.Error(), "unknown field ")
		return fmt.Errorf("there is no field %s: allowed are %s; of a call %s; of usage %s", field, strings.Join(allowed, ", "),
			strings.Join(fieldsOf(Call{}), ", "), strings.Join(fieldsOf(Usage{}), ", "))
	}
	return err
}

// fieldsOf are the JSON names of a struct's fields.
func fieldsOf(v any) (names []string) {
	t := reflect.TypeOf(v)
	for i := range t.NumField() {
		if name := t.Field(i).Tag.Get("json"); name != "-" {
			names = append(names, name)
		}
	}
	return names
}

func kindOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Int:
		return "a number without a point"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice:
		return "a list"
	case reflect.Map, reflect.Struct:
		return "an object"
	}
	return "a text"
}
