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
