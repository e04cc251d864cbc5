package memory

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"
)

// worthArchiving is from how many tokens on a result is worth a rewrite: the word
// about it costs some thirty.
const worthArchiving = 100

// Compacted is what left the requests.
type Compacted struct {
	Messages int    `json:"messages_removed"`
	Results  int    `json:"results_archived"`
	Saved    int    `json:"tokens_saved"`
	Archive  string `json:"archive,omitempty"` // the file that has the text of the conversation

	Names []string `json:"-"` // of the results, largest first
}

// Add sums up two compactions.
func (c Compacted) Add(d Compacted) Compacted {
	return Compacted{c.Messages + d.Messages, c.Results + d.Results, c.Saved + d.Saved, cmp.Or(d.Archive, c.Archive), append(slices.Clip(c.Names), d.Names...)}
}

// shownResult is the result of a call, as a request has it.
type shownResult struct {
	unit   *unit
	part   int
	entry  int // index in the journal
	tokens int
}

// name says which call it answers, with its file where it has one.
func (r shownResult) name() string {
	call := r.unit.msgs[0].ToolCalls[r.part-1]
	var a struct{ Path string }
	_ = json.Unmarshal([]byte(call.Arguments), &a) // without one the tool says enough
	return strings.TrimSpace(call.Name + " " + oneLine(a.Path))
}

// results are those that are shown whole, in order, without those of calls that
// still run: a request must not change between them.
func (c *conversation) results() []shownResult {
	var all []shownResult
	c.visible(0, len(c.units)-1, func(u *unit) {
		if u == c.openUnit() {
			return
		}
		for k := range u.msgs[0].ToolCalls {
			if e := u.parts[k+1].entry; e >= 0 && !u.archived[k] {
				all = append(all, shownResult{u, k + 1, e, u.tokensOf(k + 1)})
			}
		}
	}, func(*rewrite) {})
	return all
}

// Results is how many results of calls are shown whole.
func (s *Store) Results() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.convLocked().results())
}

// ArchiveResults shows old results of calls as a word about each, which names the
// entry of the journal that has it whole. The newest keep results stay. With need,
// in tokens, the largest go first, and no more of them than save that much.
func (s *Store) ArchiveResults(reason string, keep, need int) (Compacted, error) {
	defer s.write()()
	if err := s.writableLocked(); err != nil {
		return Compacted{}, err
	}
	s.counted.ready = true
	all := s.convLocked().results()
	all = all[:max(0, len(all)-max(keep, 0))]
	if need > 0 {
		sort.SliceStable(all, func(i, j int) bool { return all[i].tokens > all[j].tokens })
	}
	p := compactPayload{Reason: reason}
	var names []string
	for _, r := range all {
		if r.tokens < max(worthArchiving, need/10) || need > 0 && p.Before-p.After >= need {
			continue
		}
		a := archived{s.entries[r.entry].Seq, r.tokens}
		p.Results, names = append(p.Results, a), append(names, r.name())
		p.Before += r.tokens
		p.After += messageOverhead + CountTokens(a.text())
	}
	if len(p.Results) == 0 {
		return Compacted{}, nil
	}
	slices.SortFunc(p.Results, func(a, b archived) int { return cmp.Compare(a.Entry, b.Entry) })
	delta, err := s.rewriteLocked(p)
	if delta.TokensSaved == 0 {
		return Compacted{}, err
	}
	return Compacted{Results: len(p.Results), Saved: delta.TokensSaved, Names: names}, err
}

// text stands in a request instead of the result.
func (a archived) text() string {
	return fmt.Sprintf("(archived: %d tokens; query_history with entry %d shows them again)", a.Tokens, a.Entry)
}

// archive takes archived results out of the view.
func (c *conversation) archive(entries []Entry, p compactPayload) error {
	if got := hashResults(entries, p.Results); got != p.Hash {
		return errors.New("the results that it archives have changed")
	}
	c.archives[p.ID] = p.Results
	for _, a := range p.Results {
		if u, k := c.resultOf(entries, a.Entry); u != nil {
			u.msgs[k].Content, u.parts[k].tokens = a.text(), 0
			if u.archived == nil {
				u.archived = map[int]bool{}
			}
			u.archived[k-1] = true
		}
	}
	return nil
}

// resultOf finds the message that an entry became.
func (c *conversation) resultOf(entries []Entry, seq int64) (*unit, int) {
	after, _ := slices.BinarySearchFunc(c.units, seq, func(u *unit, seq int64) int { return cmp.Compare(u.seq, seq) })
	for i := after - 1; i >= 0; i-- {
		u := c.units[i]
		for k, p := range u.parts {
			if p.entry >= 0 && entries[p.entry].Seq == seq {
				return u, k
			}
		}
		if len(u.msgs) > 1 {
			break // what came before it was answered before it
		}
	}
	return nil, 0
}

func hashResults(entries []Entry, all []archived) string {
	h := sha256.New()
	for _, a := range all {
		i, _ := slices.BinarySearchFunc(entries, a.Entry, func(e Entry, seq int64) int { return cmp.Compare(e.Seq, seq) })
		if i < len(entries) {
			fmt.Fprintf(h, "%d %s\n", entries[i].Seq, entries[i].Payload)
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Leaving is the older part of the conversation, which can leave the requests.
type Leaving struct {
	From, To int64 // entries of the journal
	Messages int   // as they are shown
	Tokens   int
	Text     string // all of it, for a file or whoever sums it up
	Asked    string // what the user asked last in it, also what stands in it as a block already
	Answered bool   // the user has said more since
	Summary  string // in blocks that stand in it
	Archive  string // the file of the last of those
	hash     string
}

// Leaves is what can leave the requests so that the newest turns stay, with the
// user's words at their head. With none it is all but the last units of the
// running turn. It is not ok if there is nothing older.
func (s *Store) Leaves(turns int) (Leaving, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counted.ready = true
	c := s.convLocked()
	last := c.before(turns) - 1
	if c.open >= 0 {
		last = min(last, c.open-1)
	}
	span := foldSpan{0, last}
	c.withoutHalves(&span)
	if span.last < 0 || span.first > 0 || len(c.tops) > 0 && c.tops[0].last >= span.last {
		return Leaving{}, false
	}
	p := c.plan(compactPayload{Own: "-", Carry: carryNone}, span)
	l := Leaving{From: p.From, To: p.To, Messages: p.Messages, Tokens: p.Before, hash: c.hash(s.entries, 0, span.last)}
	var b strings.Builder
	l.Answered = c.promptFrom(span.last + 1)
	for _, u := range c.units[:span.last+1] {
		if u.prompt {
			l.Asked = u.msgs[0].Content
		}
	}
	c.visible(0, span.last, func(u *unit) {
		for k, m := range u.msgs {
			s.flatten(&b, u, k, m)
		}
	}, func(r *rewrite) {
		b.WriteString("\n" + r.message().Content + "\n")
		l.Summary, l.Archive = Paragraphs(l.Summary, r.summary), cmp.Or(r.archive, l.Archive)
	})
	l.Text = s.secrets.Mask(b.String())
	return l, true
}

// lastUnits is how much of a running turn stays when it alone is too long.
const lastUnits = 4

// before is the first unit of the newest turns, or of the last units.
func (c *conversation) before(turns int) int {
	if turns <= 0 {
		return max(0, len(c.units)-lastUnits)
	}
	i := len(c.units)
	for i > 0 && turns > 0 {
		i--
		if c.units[i].prompt {
			turns--
		}
	}
	if turns > 0 {
		return 0
	}
	return i
}

// flatten writes a message as text; a result that is archived, as the journal has it.
func (s *Store) flatten(b *strings.Builder, u *unit, k int, m Message) {
	content := m.Content
	if k > 0 && u.archived[k-1] {
		var p resultPayload
		if json.Unmarshal(s.entries[u.parts[k].entry].Payload, &p) == nil {
			content = string(p.Content)
		}
	}
	fmt.Fprintf(b, "\n## %s\n", m.Role)
	if content != "" {
		b.WriteString(strings.ToValidUTF8(content, "�") + "\n")
	}
	for _, call := range m.ToolCalls {
		fmt.Fprintf(b, "→ %s %s\n", call.Name, strings.ToValidUTF8(call.Arguments, "�"))
	}
}

// ErrMoved says that what was to leave the requests is not what stands there now.
var ErrMoved = errors.New("the conversation has been rewritten meanwhile")

// Block stands in the place of what leaves.
type Block struct {
	Text    string
	Summary string // in the text, for blocks that will cover this one
	Archive string // the file that has what leaves
}

// Replace shows a block in the place of what leaves. Nothing happens, and nothing is
// saved, if too little would be.
func (s *Store) Replace(l Leaving, reason string, b Block) (Compacted, error) {
	defer s.write()()
	if err := s.writableLocked(); err != nil {
		return Compacted{}, err
	}
	c := s.convLocked()
	first, last := c.find(l.From), c.find(l.To)
	if first < 0 || last < first || c.hash(s.entries, first, last) != l.hash {
		return Compacted{}, ErrMoved
	}
	delta, err := s.rewriteLocked(c.plan(compactPayload{Reason: reason, Own: raw(b.Text), Summary: raw(b.Summary), Archive: b.Archive, Carry: carryNone}, foldSpan{first, last}))
	return Compacted{Messages: delta.MessagesRemoved, Saved: delta.TokensSaved}, err
}
