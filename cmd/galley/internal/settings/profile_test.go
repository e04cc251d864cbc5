package settings

import (
	"strings"
	"testing"

	"github.com/galley-ls/galley/agent/openai"
)

// What the tags of openai.Profile allow, the model at a server takes.
func TestProfileRows(t *testing.T) {
	for _, r := range Table() {
		if !strings.HasPrefix(r.Name, profileGroup+".") {
			continue
		}
		if !r.optional || r.Default() != nil {
			t.Errorf("%s is %v where nobody set it", r.Name, r.Default())
		}
		values := []any{samples()[r.Name].value}
		for _, word := range r.Words {
			values = append(values, word)
		}
		for _, v := range values {
			s := Default()
			r.set(&s, v)
			_, err := openai.New(openai.Config{BaseURL: "http://localhost:1/v1", Model: "m", Profile: s.Model.Profile})
			if err != nil && !strings.Contains(err.Error(), "api_version") { // which Azure wants as well
				t.Errorf("%s: %v is refused: %v", r.Name, v, err)
			}
		}
	}
}
