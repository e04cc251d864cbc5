package memory

import (
	"encoding/json"
	"slices"
)

// Fixed parts of a request, as view events name them.
const (
	fixedSystem = "system"
	fixedAgents = "agents"
	fixedTools  = "tools"
	fixedModel  = "model"
)

// NoteView journals a view event if a fixed part of the request is not what it
// was in the last one: system prompt, AGENTS.md, tools or model; and what of the
// conversation is shown no more. To be called before Request; it tells whether the
// prefix of the request breaks here.
func (s *Store) NoteView(in RequestInput) (bool, error) {
	cut, err := s.shorten(in)
	if err != nil {
		return cut, err
	}
	tools, err := json.Marshal(in.Tools)
	if err != nil {
		return cut, err
	}
	now := map[string]string{
		fixedSystem: hashOf(in.System), fixedAgents: hashOf(in.Agents),
		fixedTools: hashOf(string(tools)), fixedModel: in.Model,
	}
	defer s.write()()
	was := s.convLocked().fixed
	var changed []string
	for _, part := range []string{fixedSystem, fixedAgents, fixedTools, fixedModel} {
		if was[part] != now[part] {
			changed = append(changed, part)
		}
	}
	if len(changed) == 0 {
		return cut, nil
	}
	first := was == nil
	if _, err := s.appendLocked(TypeView, viewPayload{Changed: changed, Hashes: now}, 0); err != nil {
		return false, err
	}
	return cut || !first && !slices.Equal(changed, []string{fixedModel}), nil
}
