package settings

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	if err := c.AddResource("settings.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("settings.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func nested(name, value string) string {
	for _, part := range slices.Backward(strings.Split(name, ".")) {
		value = fmt.Sprintf("{%q: %s}", part, value)
	}
	return value
}

func instance(t *testing.T, text string) any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err, text)
	}
	return v
}

// The schema takes every default and every sample, and refuses what the program refuses, as far as a schema can.
func TestSchemaAgreesWithTheTable(t *testing.T) {
	s := compiled(t)
	for _, r := range Table() {
		if err := s.Validate(instance(t, nested(r.Name, samples()[r.Name].json))); err != nil {
			t.Errorf("%s: the sample is refused: %v", r.Name, err)
		}
		if d := r.Default(); d != nil && d != "" {
			if err := s.Validate(instance(t, nested(r.Name, jsonText(r.Masked(d))))); err != nil {
				t.Errorf("%s: the default is refused: %v", r.Name, err)
			}
		}
		byHand := []string{"model.base_url", "memory.inject_history", "model.api_key_env", "model.profile.headers", "tools.run_command_timeout"}
		if err := s.Validate(instance(t, nested(r.Name, samples()[r.Name].bad))); err == nil && !slices.Contains(byHand, r.Name) {
			t.Errorf("%s: %s is taken", r.Name, samples()[r.Name].bad)
		}
	}
	for _, bad := range []string{`{"modle": {}}`, `{"model": {"api_key": "x"}}`, `{"git": {"commit": "yes"}}`, `[]`, `{"tools": "off"}`} {
		if s.Validate(instance(t, bad)) == nil {
			t.Errorf("%s is taken", bad)
		}
	}
}
