package settings

import (
	"encoding/json"
	"fmt"

	"github.com/galley-ls/galley/agent/openai"
)

// OpenAI is the profile that the settings describe.
func (m Model) OpenAI() (openai.Profile, error) {
	said := map[string]any{}
	for _, r := range profileRows() {
		if v := m.Profile[r.Key()]; v != nil {
			said[r.Key()] = plainValue(v)
		}
	}
	var p openai.Profile
	text, err := json.Marshal(said)
	if err == nil {
		err = json.Unmarshal(text, &p)
	}
	if err != nil {
		return openai.Profile{}, fmt.Errorf("read %s: %w", profileGroup, err)
	}
	return p, nil
}
