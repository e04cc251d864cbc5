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

// rewrite shows the units first..last as one text of the user: its own block,
// then what it hides that is still to be said.
type rewrite struct {
	first, last int
	own         string
	carried     []*rewrite // the blocks in it, and the words of the user
	hash        string     // of what it covers
	tokens      int        // 0: not counted yet
	text        string     // all of it, "": not put together yet
	end         string     // the own text of what stands last
}

func newRewrite(first, last int, own string) *rewrite {
	return &rewrite{first: first, last: last, own: own, end: own}
}

func (r *rewrite) carry(inner *rewrite) {
	inner.text = "" // only what is shown is kept whole
	r.carried = append(r.carried, inner)
	r.end = inner.end
}

func (r *rewrite) message() Message {
	if r.text == "" {
		var b strings.Builder
		r.write(&b)
		r.text = b.String()
	}
	return Message{Role: RoleUser, Content: r.text}
}

const blockBreak = "\n\n"

func (r *rewrite) write(b *strings.Builder) {
	b.WriteString(r.own)
	for _, inner := range r.carried {
		b.WriteString(blockBreak)
		inner.write(b)
	}
}

// count adds up what stands in r, each block counted once in its life: a token
// never reaches from a line break into a text that begins with no blank.
func (r *rewrite) count() int {
	if r.tokens > 0 {
		return r.tokens
	}
	r.tokens = messageOverhead + CountTokens(r.own)
	end := r.own
	for _, inner := range r.carried {
		r.tokens += CountTokens(end+blockBreak) - CountTokens(end) + inner.count() - messageOverhead
		end = inner.end
	}
	return r.tokens
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
		p.State, p.Own = stateDiscarded, ""
	} else {
		p.Hash = s.conv.hash(s.entries, s.conv.find(p.From), s.conv.find(p.To), true)
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
	r := c.cover(span.first, span.last, strings.TrimSpace(f.Block))
	p := compactPayload{
		Reason: reasonEditClosed, Edit: f.Edit,
		From: c.units[span.first].seq, To: c.units[span.last].seq,
		Own: raw(r.own), After: r.count(),
	}
	c.visible(span.first, span.last, func(u *unit) {
		p.Messages += len(u.msgs)
		p.Before += u.tokens()
	}, func(r *rewrite) {
		p.Messages++
		p.Before += r.count()
	})
	return p
}

// cover is a rewrite of these units as they are shown now.
func (c *conversation) cover(first, last int, own string) *rewrite {
	r := newRewrite(first, last, own)
	c.visible(first, last, func(u *unit) {
		if u.prompt {
			r.carry(newRewrite(0, 0, "The user wrote meanwhile:\n"+quoted(u.msgs[0].Content)))
		}
	}, r.carry)
	return r
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
	if got := c.hash(entries, first, last, p.Own != ""); got != p.Hash {
		return fmt.Errorf("what it covers, entries %d to %d, has changed", p.From, p.To)
	}
	r := newRewrite(first, last, string(p.Block)) // an entry of before holds all that is said
	if p.Own != "" {
		r = c.cover(first, last, string(p.Own))
	}
	r.hash, r.tokens = p.Hash, e.Tokens
	if err := c.nest(r); err != nil {
		return err
	}
	c.usage = nil // the server's number was for what is no longer sent
	return nil
}

// nest puts a rewrite into the view, in place of those that it covers.
func (c *conversation) nest(r *rewrite) error {
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

// hash tells whether the journal still holds what a rewrite covered: the entries,
// and with folded those in another as the hash of that.
func (c *conversation) hash(entries []Entry, first, last int, folded bool) string {
	h := sha256.New()
	unit := func(u *unit) {
		for _, p := range u.parts {
			if p.entry < 0 {
				fmt.Fprintln(h, "-")
				continue
			}
			fmt.Fprintf(h, "%d %s\n", entries[p.entry].Seq, entries[p.entry].Payload)
		}
	}
	if folded {
		c.visible(first, last, unit, func(r *rewrite) { fmt.Fprintln(h, "folded", r.hash) })
		return hex.EncodeToString(h.Sum(nil))
	}
	for _, u := range c.units[first : last+1] {
		unit(u)
	}
	return hex.EncodeToString(h.Sum(nil))
}
