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

// minGain is what a rewrite must save of the tokens it covers.
const minGain = 0.10

// What a rewrite carries on of what it hides, beside its own text.
const (
	carryAll    = ""       // earlier blocks, and the words of the user
	carryBlocks = "blocks" // earlier blocks
	carryNone   = "none"
)

// rewrite shows the units first..last as one text of the user: its own block,
// then what it hides that is still to be said.
type rewrite struct {
	id          int64 // of the compaction; 0: a cut of the history, or words of the user
	first, last int
	reason      string
	mode        string // of a cut of the history
	summary     string
	archive     string
	own         string
	carried     []*rewrite // the blocks in it, and the words of the user
	hidden      []*rewrite // the blocks that stood there before
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

// rewriteLocked journals a rewrite in two steps. Between them a crash leaves
// the view as it was.
func (s *Store) rewriteLocked(p compactPayload) (HistoryDelta, error) {
	started, err := s.writeLocked(TypeCompact, s.iterationLocked(), compactPayload{
		State: stateStarted, Reason: p.Reason, Edit: p.Edit, From: p.From, To: p.To,
	}, 0)
	if err != nil {
		return HistoryDelta{}, err
	}
	p.ID, p.State = started.Seq, stateCommitted
	tokens := p.After
	switch {
	case float64(p.After) > float64(p.Before)*(1-minGain):
		p.State, p.Own, p.Results = stateDiscarded, "", nil
	case len(p.Results) > 0:
		p.Hash, tokens = hashResults(s.entries, p.Results), 0
	default:
		p.Hash = s.conv.hash(s.entries, s.conv.find(p.From), s.conv.find(p.To))
	}
	if _, err := s.writeLocked(TypeCompact, s.iterationLocked(), p, tokens); err != nil {
		return HistoryDelta{}, err
	}
	if p.State == stateDiscarded {
		return HistoryDelta{}, nil
	}
	return HistoryDelta{MessagesRemoved: p.Messages, TokensSaved: p.Before - p.After}, nil
}

// plan is a rewrite of a span, with what it costs before and after.
func (c *conversation) plan(p compactPayload, span foldSpan) compactPayload {
	p.From, p.To = c.units[span.first].seq, c.units[span.last].seq
	p.After = c.cover(span.first, span.last, p).count()
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
func (c *conversation) cover(first, last int, p compactPayload) *rewrite {
	r := newRewrite(first, last, string(p.Own))
	r.reason, r.mode, r.summary, r.archive = p.Reason, p.Mode, string(p.Summary), p.Archive
	if p.Carry == carryNone {
		return r
	}
	c.visible(first, last, func(u *unit) {
		if u.prompt && p.Carry == carryAll {
			r.carry(newRewrite(0, 0, "The user wrote meanwhile:\n"+Quoted(u.msgs[0].Content)))
		}
	}, r.carry)
	return r
}

// Quoted marks a text as somebody's words, verbatim.
func Quoted(text string) string {
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
	was, err := c.tops, error(nil)
	switch {
	case len(p.Results) > 0:
		err = c.archive(entries, p)
	case p.Reason == reasonRestored:
		err = c.restore(entries, p.Restores)
	case p.Reason == reasonAmended:
		c.amend(string(p.Own))
	case p.Reason == reasonHistory:
		if c.tops = c.uncut(); p.To != 0 {
			err = c.rewritten(entries, e, p)
		}
	default:
		err = c.rewritten(entries, e, p)
	}
	if err != nil {
		c.tops = was
		return err
	}
	c.usage = nil // the server's number was for what is no longer sent
	return nil
}

// rewritten puts one block into the place of some units.
func (c *conversation) rewritten(entries []Entry, e Entry, p compactPayload) error {
	first, last := c.find(p.From), c.find(p.To)
	if first < 0 || last < first {
		return fmt.Errorf("it covers entries %d to %d, which begin no units", p.From, p.To)
	}
	if got := c.hash(entries, first, last); got != p.Hash {
		return fmt.Errorf("what it covers, entries %d to %d, has changed", p.From, p.To)
	}
	r := c.cover(first, last, p)
	r.id, r.hash, r.tokens = p.ID, p.Hash, e.Tokens
	return c.nest(r)
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
	r.hidden = slices.Clone(c.tops[from:to])
	c.tops = slices.Concat(c.tops[:from], []*rewrite{r}, c.tops[to:])
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
func (c *conversation) hash(entries []Entry, first, last int) string {
	h := sha256.New()
	c.visible(first, last, func(u *unit) {
		for _, p := range u.parts {
			if p.entry < 0 {
				fmt.Fprintln(h, "-")
				continue
			}
			fmt.Fprintf(h, "%d %s\n", entries[p.entry].Seq, entries[p.entry].Payload)
		}
	}, func(r *rewrite) { fmt.Fprintln(h, "folded", r.hash) })
	return hex.EncodeToString(h.Sum(nil))
}
