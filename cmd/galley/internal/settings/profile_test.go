package settings

import (
	"reflect"
	"strings"
	"testing"

	"github.com/galley-ls/galley/agent/openai"
)

// The rows of model.profile are the fields of openai.Profile, and each reaches its own.
func TestProfileRows(t *testing.T) {
	fields := map[string]int{}
	of := reflect.TypeFor[openai.Profile]()
	for i := range of.NumField() {
		name, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
		fields[name] = i
	}
	for _, r := range profileRows() {
		i, ok := fields[r.Key()]
		if !ok {
			t.Errorf("openai.Profile has no %s", r.Key())
			continue
		}
		delete(fields, r.Key())
		p, err := Model{Profile: map[string]any{r.Key(): samples()[r.Name].value}}.OpenAI()
		if v := reflect.ValueOf(p).Field(i); err != nil || v.IsZero() {
			t.Errorf("%s reaches openai.Profile as %+v, %v", r.Name, v, err)
		}
		for _, word := range r.Words {
			p, err := Model{Profile: map[string]any{r.Key(): word}}.OpenAI()
			if err == nil {
				_, err = openai.New(openai.Config{BaseURL: "http://localhost:1/v1", Model: "m", Profile: p})
			}
			if err != nil && !strings.Contains(err.Error(), "api_version") { // which Azure wants as well
				t.Errorf("%s: %s is refused: %v", r.Name, word, err)
			}
		}
	}
	for name := range fields {
		t.Errorf("openai.Profile has %s, and the table has no row for it", name)
	}
}
