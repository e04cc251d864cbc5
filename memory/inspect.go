package memory

import (
	"encoding/json"
	"slices"
)

// CouldGo is how many results of calls, but for the newest keep, are long enough to be archived, and their tokens.
func (s *Store) CouldGo(keep int) (results, tokens int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counted.ready = true
	all := s.convLocked().results()
	for _, r := range all[:max(0, len(all)-keep)] {
		if r.tokens >= worthArchiving {
			results, tokens = results+1, tokens+r.tokens
		}
	}
	return results, tokens
}

// CachedPercent says how many percent of the last request the model's server still had; 0 before the first reply.
func (s *Store) CachedPercent() int {
	for _, e := range slices.Backward(s.Entries()) {
		var p assistantPayload
		if e.Type != TypeAssistant || json.Unmarshal(e.Payload, &p) != nil || p.Usage == nil || p.Usage.Input <= 0 {
			continue
		}
		return min(max(p.Usage.Cached, 0), p.Usage.Input) * 100 / p.Usage.Input
	}
	return 0
}

// Line is an entry as a line of JSON to be handed on, without the secrets that are known by now.
func (s *Store) Line(e Entry) ([]byte, error) {
	s.mu.Lock()
	e.Payload = s.secrets.payload(e.Payload)
	s.mu.Unlock()
	return Marshal(e)
}
