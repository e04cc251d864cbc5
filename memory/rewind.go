package memory

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
)

// Rewound is how far a conversation was taken back.
type Rewound struct {
	To       int64 `json:"to"`       // the last entry that counts
	Messages int   `json:"messages"` // that requests had, and do not any more
	Reopened int   `json:"reopened"` // messages that were folded or left out since, and are shown again
}

// String says it to a person, with what did not go back.
func (r Rewound) String() string {
	return fmt.Sprintf("the conversation is back at entry %d: %d messages left it, %d are there again; files, letters, tasks and working memory were not moved",
		r.To, r.Messages, r.Reopened)
}

// Rewind takes the conversation back: a request is what it was when the entry to was
// the last one. Within a reply whose calls were not answered yet it goes back to
// before that reply. Nothing leaves the journal, and what else it tells of, memory
// files, tasks and letters, stays as it is.
func (s *Store) Rewind(to int64) (Rewound, error) {
	defer s.write()()
	if err := s.writableLocked(); err != nil {
		return Rewound{}, err
	}
	if err := s.answerOpen(false); err != nil {
		return Rewound{}, err
	}
	was := s.convLocked()
	if len(s.entries) == 0 || to < s.entries[0].Seq || to > s.entries[len(s.entries)-1].Seq {
		return Rewound{}, fmt.Errorf("the journal of session %s has no entry %d", s.id, to)
	}
	now := conversationOf(s.entries, to)
	if u := now.openUnit(); u != nil {
		to = u.seq - 1
		now = conversationOf(s.entries, to)
	}
	r := Rewound{To: to}
	before, after := was.seen(s.entries), now.seen(s.entries)
	for seq, how := range before {
		if still, ok := after[seq]; how == "" && (!ok || still != "") {
			r.Messages++
		}
	}
	for seq, how := range after {
		if how == "" && before[seq] != "" {
			r.Reopened++
		}
	}
	_, err := s.appendLocked(TypeView, viewPayload{Rewind: to}, 0)
	return r, err
}

// rewind makes c what it was. What was spent, and what was learnt of the model and of the journal, stays.
func (c *conversation) rewind(before []Entry, to int64) {
	was := *c
	*c = *conversationOf(before, to)
	c.cost, c.ratios, c.doubted, c.odd = was.cost, was.ratios, was.doubted, was.odd
}

// conversationOf is the conversation as it was when the entry to was the last.
func conversationOf(entries []Entry, to int64) *conversation {
	c := newConversation()
	for _, i := range inForce(entries, to) {
		c.apply(entries, i)
	}
	return c
}

// inForce are the entries through to that count, by their indices: not those that a
// rewind took back.
func inForce(entries []Entry, to int64) []int {
	var out []int
	for i := len(entries) - 1; i >= 0; i-- {
		e := entries[i]
		if e.Seq > to {
			continue
		}
		var p viewPayload
		if e.Type == TypeView && json.Unmarshal(e.Payload, &p) == nil && p.Rewind > 0 {
			to = p.Rewind
			continue
		}
		out = append(out, i)
	}
	slices.Reverse(out)
	return out
}

// Why a message of the journal is in no request any more.
const (
	SeenFolded    = "folded"    // with its edit
	SeenLeft      = "left out"  // older than what memory.inject_history and the window of messages show
	SeenCompacted = "compacted" // by compact_history, or as the last resort
	SeenArchived  = "archived"  // a result, of which a word is shown
	SeenRewound   = "rewound"
)

// Seen tells of the messages of the journal, by their entries, why requests do not
// have them: "" for those that they have.
func (s *Store) Seen() map[int64]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := s.convLocked().seen(s.entries)
	counts := map[int64]bool{}
	for _, i := range inForce(s.entries, math.MaxInt64) {
		counts[s.entries[i].Seq] = true
	}
	for _, e := range s.entries {
		if slices.Contains(Talk, e.Type) && !counts[e.Seq] {
			out[e.Seq] = SeenRewound
		}
	}
	return out
}

func (c *conversation) seen(entries []Entry) map[int64]string {
	out := map[int64]string{}
	mark := func(u *unit, how string) {
		for k, p := range u.parts {
			switch {
			case p.entry < 0:
			case how == "" && k > 0 && u.archived[k-1]:
				out[entries[p.entry].Seq] = SeenArchived
			default:
				out[entries[p.entry].Seq] = how
			}
		}
	}
	c.visible(0, len(c.units)-1, func(u *unit) { mark(u, "") }, func(r *rewrite) {
		how := SeenCompacted
		switch r.reason {
		case reasonEditClosed:
			how = SeenFolded
		case reasonHistory:
			how = SeenLeft
		}
		for _, u := range c.units[r.first : r.last+1] {
			mark(u, how)
		}
	})
	return out
}
