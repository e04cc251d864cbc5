package memory

import (
	"cmp"
	"encoding/json"
	"slices"
)

// Part is the answer to a call, as the next request has it.
type Part struct {
	Tool      string `json:"tool"`
	Entry     int64  `json:"entry"` // of the journal
	Iteration int    `json:"iteration"`
	Tokens    int    `json:"tokens"`
}

// Largest are the n largest results of calls in the next request, the largest first.
func (s *Store) Largest(n int) []Part {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counted.ready = true
	out := []Part{}
	for _, r := range s.convLocked().results() {
		out = append(out, Part{r.unit.msgs[0].ToolCalls[r.part-1].Name, s.entries[r.entry].Seq, r.unit.iteration, r.tokens})
	}
	slices.SortStableFunc(out, func(a, b Part) int { return cmp.Compare(b.Tokens, a.Tokens) })
	return out[:min(n, len(out))]
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
