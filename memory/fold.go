package memory

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// DefaultThreshold is the number of messages from which a closed editing
// session is folded.
const DefaultThreshold = 5

// minGain is what a rewrite must save of the tokens it covers.
const minGain = 0.10

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

// rewrite shows the units first..last as one text of the user.
type rewrite struct {
	first, last int
	block       string
	tokens      int
}

func (r *rewrite) message() Message { return Message{Role: RoleUser, Content: r.block} }

func (r *rewrite) count() int {
	if r.tokens == 0 {
		r.tokens = messageTokens(r.message())
	}
	return r.tokens
}

// Fold replaces the messages of a closed editing session by one block. Nothing
// happens, and the delta is zero, if there are too few or nothing is gained.
func (s *Store) Fold(f FoldEdit) (HistoryDelta, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.writableLocked(); err != nil {
		return HistoryDelta{}, err
	}
	if err := s.settleLocked(false); err != nil {
		return HistoryDelta{}, err
	}
	s.counted.ready = true
	c := s.convLocked()
	span, ok := c.span(f)
	if !ok || strings.TrimSpace(f.Block) == "" {
		return HistoryDelta{}, nil
	}
	return s.rewriteLocked(c.plan(f, span))
}

// rewriteLocked journals a rewrite in two steps. Between them a crash leaves
// the view as it was.
func (s *Store) rewriteLocked(p compactPayload) (HistoryDelta, error) {
	p.State = stateStarted
	started, err := s.writeLocked(TypeCompact, s.iterationLocked(), compactPayload{
		State: p.State, Reason: p.Reason, Edit: p.Edit, From: p.From, To: p.To,
	}, 0)
	if err != nil {
		return HistoryDelta{}, err
	}
	p.ID, p.State = started.Seq, stateCommitted
	if float64(p.After) > float64(p.Before)*(1-minGain) {
		p.State = stateDiscarded
	} else {
		p.Hash = s.conv.hash(s.entries, p.From, p.To)
	}
	if _, err := s.writeLocked(TypeCompact, s.iterationLocked(), p, p.After); err != nil {
		return HistoryDelta{}, err
	}
	if p.State == stateDiscarded {
		return HistoryDelta{}, nil
	}
	return HistoryDelta{MessagesRemoved: p.Messages, TokensSaved: p.Before - p.After}, nil
}

// plan is the rewrite of a span, with what it costs before and after.
func (c *conversation) plan(f FoldEdit, span foldSpan) compactPayload {
	p := compactPayload{
		Reason: reasonEditClosed, Edit: f.Edit,
		From: c.units[span.first].seq, To: c.units[span.last].seq,
	}
	block := []string{strings.TrimSpace(f.Block)}
	c.visible(span.first, span.last, func(u *unit) {
		p.Messages += len(u.msgs)
		p.Before += u.tokens()
		if u.prompt {
			block = append(block, "The user wrote meanwhile:\n"+quoted(u.msgs[0].Content))
		}
	}, func(r *rewrite) {
		p.Messages++
		p.Before += r.count()
		block = append(block, r.block)
	})
	p.Block = raw(strings.Join(block, "\n\n"))
	p.After = messageTokens(Message{Role: RoleUser, Content: string(p.Block)})
	return p
}

// quoted marks a text as somebody's words, verbatim.
func quoted(text string) string {
	return "> " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n> ")
}

// compact takes a committed rewrite into the view. One that was only started
// is a crash and changes nothing.
func (c *conversation) compact(entries []Entry, e Entry) error {
	var p compactPayload
	if err := json.Unmarshal(e.Payload, &p); err != nil {
		return err
	}
	if p.State != stateCommitted {
		return nil
	}
	first, last := c.find(p.From), c.find(p.To)
	if first < 0 || last < first {
		return fmt.Errorf("it covers entries %d to %d, which begin no units", p.From, p.To)
	}
	if got := c.hash(entries, p.From, p.To); got != p.Hash {
		return fmt.Errorf("what it covers, entries %d to %d, has changed", p.From, p.To)
	}
	r := rewrite{first, last, string(p.Block), e.Tokens}
	if err := c.nest(r); err != nil {
		return err
	}
	c.usage = nil // the server's number was for what is no longer sent
	return nil
}

// nest puts a rewrite into the view, in place of those that it covers.
func (c *conversation) nest(r rewrite) error {
	from, to := 0, 0
	for _, t := range c.tops {
		switch {
		case t.last < r.first:
			from++
			to++
		case t.first >= r.first && t.last <= r.last:
			to++
		case t.first <= r.last:
			return errors.New("it covers half of what another hides")
		}
	}
	c.tops = slices.Replace(c.tops, from, to, r)
	return nil
}

// find is the index of the unit that the entry seq began, -1 if none.
func (c *conversation) find(seq int64) int {
	i, found := slices.BinarySearchFunc(c.units, seq, func(u *unit, seq int64) int { return cmp.Compare(u.seq, seq) })
	if !found {
		return -1
	}
	return i
}

// hash tells whether the journal still holds what a rewrite covered.
func (c *conversation) hash(entries []Entry, from, to int64) string {
	h := sha256.New()
	for i := c.find(from); i >= 0 && i < len(c.units) && c.units[i].seq <= to; i++ {
		for _, p := range c.units[i].parts {
			if p.entry < 0 {
				fmt.Fprintln(h, "-")
				continue
			}
			fmt.Fprintf(h, "%d %s\n", entries[p.entry].Seq, entries[p.entry].Payload)
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}
