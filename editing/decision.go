package editing

import "slices"

// Decision says what became of one letter.
type Decision struct {
	Letter string `json:"change_id"`
	State  string `json:"state"`
	Reason string `json:"reason,omitempty"`
}

// Decision is what became of the change, as people are told.
func (c *Change) Decision() Decision {
	d := Decision{Letter: c.Letter, State: string(c.State), Reason: c.Verdict}
	if c.State == Closed && c.Was != "" && !c.Was.Undecided() {
		d.State = string(c.Was)
	}
	if c.By != "" {
		d.Reason = "by the user themself"
	}
	return d
}

// Decisions says what became of each letter of an editing session.
func (s *Snapshot) Decisions(owner string, n int) []Decision {
	out := []Decision{}
	for _, c := range s.Of(owner, n) {
		if c.State != Merged {
			out = append(out, c.Decision())
		}
	}
	return out
}

// Applied counts the letters of an editing session that were applied.
func (s *Snapshot) Applied(owner string, n int) int {
	return len(slices.DeleteFunc(s.Of(owner, n), func(c *Change) bool { return !c.WasApplied() }))
}

// FileNames are the files of an editing session, or those where something was
// applied.
func (s *Snapshot) FileNames(owner string, n int, applied bool) []string {
	var out []string
	for _, c := range s.Of(owner, n) {
		if !applied || c.WasApplied() {
			out = append(out, c.Name)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// OpenSessions are owner's editing sessions that are not closed, oldest first.
func (s *Snapshot) OpenSessions(owner string) []*Session {
	return slices.DeleteFunc(s.Sessions(owner), func(e *Session) bool { return !e.State.Open() })
}
