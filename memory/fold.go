package memory

import "strings"

// DefaultThreshold is the number of messages from which a closed editing
// session is folded.
const DefaultThreshold = 5

// FoldEdit names what a closed editing session left in the conversation. Calls
// are named by the IDs the model gave them.
type FoldEdit struct {
	Edit      int      // number of the editing session
	BeginCall string   // the call that began its task, "" for no task
	CloseCall string   // the agent's commit or revert, "" if the user closed it
	Touched   []string // the calls that touched the session
	Block     string   // what is shown in the place of its messages
	Threshold int      // messages from which to fold; 0: DefaultThreshold
}

// HistoryDelta is what a fold took out of the conversation.
type HistoryDelta struct {
	MessagesRemoved int `json:"messages_removed"`
	TokensSaved     int `json:"tokens_saved"`
}

// Fold replaces the messages of a closed editing session by one block. Nothing
// happens, and the delta is zero, if there are too few or nothing is gained.
func (s *Store) Fold(f FoldEdit) (HistoryDelta, error) {
	defer s.write()()
	if err := s.writableLocked(); err != nil {
		return HistoryDelta{}, err
	}
	if err := s.answerOpen(false); err != nil {
		return HistoryDelta{}, err
	}
	s.counted.ready = true
	c := s.convLocked()
	span, ok := c.span(f)
	if !ok || strings.TrimSpace(f.Block) == "" {
		return HistoryDelta{}, nil
	}
	return s.rewriteLocked(c.plan(compactPayload{Reason: reasonEditClosed, Edit: f.Edit, Own: raw(strings.TrimSpace(f.Block))}, span))
}

// Led is the messages that led to the end of an editing session behind the user's words
// before it, and what they answer; without galley's notices. Those that are folded already are left out, but
// with all.
func (s *Store) Led(f FoldEdit, all bool) []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.convLocked()
	last := c.closing(f)
	if last < 0 {
		return nil
	}
	first := min(c.opening(f, last), last)
	for first > 0 && !c.units[first].prompt {
		first--
	}
	if first > 0 && c.units[first-1].msgs[0].Role == RoleAssistant && len(c.units[first-1].msgs[0].ToolCalls) == 0 {
		first-- // which the prompt may answer
	}
	var out []Message
	take := func(u *unit) {
		if u.prompt || u.msgs[0].Role != RoleUser {
			out = append(out, u.msgs...)
		}
	}
	if !all {
		c.visible(first, last, take, func(*rewrite) {})
		return out
	}
	for _, u := range c.units[first : last+1] {
		take(u)
	}
	return out
}
