package memory

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"
)

// Compaction is something that left the requests, and stands in the journal.
type Compaction struct {
	ID       int64     `json:"id"`
	Entry    int64     `json:"entry"` // of the journal, that has it
	Time     time.Time `json:"time"`
	Reason   string    `json:"reason"`
	Edit     int       `json:"edit,omitempty"`
	From     int64     `json:"from,omitempty"` // entries of the journal, through To
	To       int64     `json:"to,omitempty"`
	Results  []int64   `json:"results,omitempty"` // instead: the entries of results
	Messages int       `json:"messages,omitempty"`
	Before   int       `json:"tokens_before"`
	After    int       `json:"tokens_after"`
	Restored bool      `json:"restored,omitempty"` // it was taken back
	Says     string    `json:"says,omitempty"`     // what stands in its place
}

// Covers tells whether an entry left the requests with it.
func (c Compaction) Covers(seq int64) bool {
	return len(c.Results) == 0 && c.From <= seq && seq <= c.To || slices.Contains(c.Results, seq)
}

// Compactions is all that left the requests by a compaction or a fold, oldest first,
// without those that a rewind took back.
func (s *Store) Compactions() []Compaction {
	var out []Compaction
	entries := s.Entries()
	for _, i := range inForce(entries, math.MaxInt64) {
		e := entries[i]
		var p compactPayload
		if e.Type != TypeCompact || json.Unmarshal(e.Payload, &p) != nil || p.State != stateCommitted {
			continue
		}
		for i := range out {
			out[i].Restored = out[i].Restored || slices.Contains(p.Restores, out[i].ID)
		}
		if p.ID == 0 {
			continue
		}
		c := Compaction{
			ID: p.ID, Entry: e.Seq, Time: e.Time, Reason: p.Reason, Edit: p.Edit, From: p.From, To: s.unitEnd(p.To),
			Messages: p.Messages, Before: p.Before, After: p.After, Says: string(p.Own),
		}
		for _, r := range p.Results {
			c.Results = append(c.Results, r.Entry)
		}
		out = append(out, c)
	}
	return out
}

// unitEnd is the last entry of the unit that an entry began.
func (s *Store) unitEnd(seq int64) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.convLocked()
	if i := c.find(seq); i >= 0 {
		for _, p := range c.units[i].parts {
			if p.entry >= 0 {
				seq = max(seq, s.entries[p.entry].Seq)
			}
		}
	}
	return seq
}

// Latest is what left last by a compaction, all at one time, newest first.
func Latest(all []Compaction, entries []Entry) []int64 {
	var ids []int64
	for _, c := range slices.Backward(all) {
		switch {
		case c.Reason == reasonEditClosed || c.Restored:
		case len(ids) == 0 || !talkBetween(entries, c.ID, ids[len(ids)-1]):
			ids = append(ids, c.ID)
		default:
			return ids
		}
	}
	return ids
}

func talkBetween(entries []Entry, from, to int64) bool {
	return slices.ContainsFunc(entries, func(e Entry) bool {
		return from < e.Seq && e.Seq < to && slices.Contains(Talk, e.Type)
	})
}

// Restore takes compactions back: what they took out of the requests is in them again.
func (s *Store) Restore(ids []int64) error {
	defer s.write()()
	if err := s.writableLocked(); err != nil {
		return err
	}
	if err := conversationOf(s.entries, math.MaxInt64).restore(s.entries, ids); err != nil {
		return err
	}
	_, err := s.appendLocked(TypeCompact, compactPayload{State: stateCommitted, Reason: reasonRestored, Restores: ids}, 0)
	return err
}

func (c *conversation) restorable(id int64) error {
	_, results := c.archives[id]
	if results || slices.ContainsFunc(c.uncut(), func(r *rewrite) bool { return r.id == id }) {
		return nil
	}
	within := false
	c.blocks(func(r *rewrite) bool {
		within = within || r.id == id
		return false
	})
	if within {
		return fmt.Errorf("a later compaction holds compaction %d: take that back first", id)
	}
	return fmt.Errorf("there is no compaction %d that can be taken back; galley memory show --type compact lists them", id)
}

// restore shows again what compactions have hidden.
func (c *conversation) restore(entries []Entry, ids []int64) error {
	c.tops = c.uncut()
	for _, id := range ids {
		if err := c.restorable(id); err != nil {
			return err
		}
		for _, a := range c.archives[id] {
			c.show(entries, a)
		}
		delete(c.archives, id)
		if i := slices.IndexFunc(c.tops, func(r *rewrite) bool { return r.id == id }); i >= 0 {
			c.tops = slices.Concat(c.tops[:i], c.tops[i].hidden, c.tops[i+1:])
		}
	}
	return nil
}

// show has a result whole again.
func (c *conversation) show(entries []Entry, a archived) {
	u, k := c.resultOf(entries, a.Entry)
	if u == nil || !u.archived[k-1] {
		return
	}
	e := entries[u.parts[k].entry]
	var p resultPayload
	if json.Unmarshal(e.Payload, &p) == nil {
		u.msgs[k].Content, u.parts[k].tokens = string(p.Content), e.Tokens
		delete(u.archived, k-1)
	}
}

// Rehearsal is a copy of the session in which all can be tried: nothing of it is written.
func (s *Store) Rehearsal() *Store {
	s.mu.Lock()
	defer s.mu.Unlock()
	return &Store{
		id: s.id, dir: s.dir, now: s.now, meta: s.meta, entries: slices.Clone(s.entries), opened: s.opened, answered: s.answered,
		secrets: s.secrets, lastAsked: s.lastAsked, writer: journalWriter{f: nowhere{}, name: "rehearsal"},
	}
}

// nowhere is a journal's file that keeps nothing.
type nowhere struct{}

func (nowhere) WriteAt(p []byte, _ int64) (int, error) { return len(p), nil }
func (nowhere) Truncate(int64) error                   { return nil }
func (nowhere) Sync() error                            { return nil }
func (nowhere) Close() error                           { return nil }
