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
	same := slices.Equal(changed, []string{fixedModel}) && !slices.ContainsFunc(s.conv.units, (*unit).thinks)
	return cut || !first && !same, nil
}

// NoteRepaired journals what the gate repaired in a request, each kind once.
func (s *Store) NoteRepaired(what []string) error {
	defer s.write()()
	known := s.convLocked().repaired
	now := slices.DeleteFunc(slices.Clone(what), func(w string) bool { return slices.Contains(known, w) })
	if len(now) == 0 {
		return nil
	}
	_, err := s.appendLocked(TypeError, errorPayload{now}, 0)
	return err
}
