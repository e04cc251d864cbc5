package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/memory"
	"github.com/galley-ls/galley/tasks"
)

// requests is what of the session goes into the next request, and what leaves it.
type requests struct {
	*queue
	tasks  *tasks.Stack
	memory *Notebook
}

// What compact_history takes out of the requests, and how.
const (
	CompactTools        = "tools"
	CompactConversation = "conversation"
	CompactAll          = "all"

	StrategyArchive   = "archive"
	StrategySummarize = "summarize"
)

// DefaultKeep is how many turns, or results of tools, stay as they are.
const DefaultKeep = 5

// Compaction says what is to leave the requests. The journal keeps all of it.
type Compaction struct {
	Target   string
	Strategy string
	Keep     int    // turns of the conversation, results of tools
	Archive  string // the file below working-memory/ for the conversation, "": archive/history-N.md
	Summary  string // of the conversation, by the agent; "": the model is asked for one where the strategy is summarize
}

// Compacted is what came of it. Before and After are tokens of the next request.
type Compacted struct {
	memory.Compacted
	Before int    `json:"tokens_before"`
	After  int    `json:"tokens_after"`
	Why    string `json:"hint,omitempty"` // nothing left, or no summary was made
}

// Compact takes older parts of the conversation out of the requests.
func (s *requests) Compact(ctx context.Context, c Compaction) (Compacted, error) {
	if to := strings.TrimPrefix(c.Archive, MemoryPrefix); to != "" && !strings.HasPrefix(to, "archive/") && !strings.HasPrefix(to, "detail/") {
		return Compacted{}, refuse("outside_roots", "archive_to is %q; it goes below %sarchive/ or detail/", c.Archive, MemoryPrefix)
	}
	out := Compacted{Before: s.Context().TokensUsed}
	c.Keep = max(c.Keep, 1) // the running turn has the call that asks for this
	var err error
	if c.Target != CompactConversation {
		out.Compacted, err = s.store.ArchiveResults(memory.ReasonAsked, c.Keep, 0)
	}
	if err == nil && c.Target != CompactTools {
		var turns memory.Compacted
		turns, out.Why, err = s.compactTurns(ctx, c)
		out.Compacted = out.Add(turns)
	}
	out.After = s.Context().TokensUsed
	if out.Saved == 0 && out.Why == "" {
		out.Why = fmt.Sprintf("nothing older than the newest %d is long enough", c.Keep)
	}
	return out, err
}

func (s *requests) compactTurns(ctx context.Context, c Compaction) (done memory.Compacted, why string, err error) {
	l, ok := s.store.Leaves(c.Keep)
	if !ok {
		return done, fmt.Sprintf("the conversation has no more than %d turns", c.Keep), nil
	}
	if c.Strategy == StrategySummarize && c.Summary == "" {
		if c.Summary, why = s.summary(ctx, l); c.Summary != "" {
			l.Summary = "" // it was in what was summed up
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	done, err = s.replace(s.store, l, memory.ReasonAsked, c.Archive, c.Summary)
	if errors.Is(err, memory.ErrMoved) {
		return done, err.Error() + "; call again", nil
	}
	if err == nil && done.Saved == 0 {
		why = fmt.Sprintf("too little would be saved of %d tokens", l.Tokens)
	}
	return done, why, err
}

// summary asks the model for one, and says why there is none.
func (s *requests) summary(ctx context.Context, l memory.Leaving) (text, why string) {
	ask := s.set.Load().Summarize
	if ask == nil {
		return "", "this model makes no summaries: it is archived only; pass summary to have your own words in its place"
	}
	text, usage, err := ask(ctx, l.Text)
	switch err = errors.Join(err, s.store.Spent(usage)); {
	case err != nil:
		return "", s.Mask("no summary was made, it is archived only: " + err.Error())
	case memory.CountTokens(text) > l.Tokens/2:
		return "", "the summary was longer than half of what it sums up: it is archived only"
	}
	return text, ""
}

// replace puts a block into the place of what leaves, whose text is kept in a file; on a
// rehearsal it is not.
func (s *requests) replace(on *memory.Store, l memory.Leaving, reason, to, summary string) (memory.Compacted, error) {
	to = cmp.Or(to, fmt.Sprintf("archive/history-%d.md", l.To))
	name := strings.TrimPrefix(to, MemoryPrefix)
	block := memory.Block{Summary: s.Mask(newest(memory.Paragraphs(l.Summary, strings.TrimSpace(summary)), summaryChars)), Archive: MemoryPrefix + name}
	block.Text = s.Mask(s.standsFor(l, block))
	if memory.CountTokens(block.Text) > l.Tokens {
		return memory.Compacted{}, nil
	}
	if on != s.store {
		done, err := on.Replace(l, reason, block)
		done.Archive = block.Archive
		return done, err
	}
	if e, err := s.memory.write(memory.ByGalley, name, fmt.Sprintf("# The conversation from entry %d to %d of the journal\n%s", l.From, l.To, l.Text), true); err != nil || !e.OK() {
		if err == nil {
			err = fmt.Errorf("write %s: %s", to, e.Hint)
		}
		return memory.Compacted{}, err
	}
	done, err := s.store.Replace(l, reason, block)
	if err != nil || done.Saved == 0 {
		return done, err
	}
	done.Archive = block.Archive
	return done, s.memory.event(memory.Event{
		Type: memory.EventCompacted, Path: name, Text: shorten(cmp.Or(oneLine(summary), oneLine(l.Asked)), 120),
	})
}

// summaryChars is how much of summaries, the newest, goes on from block to block.
const summaryChars = 4000

// newest keeps the end of a text.
func newest(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return "…" + string(r[len(r)-most+1:])
	}
	return s
}

// standsFor is what a request has of messages that left it. What was done and must
// not be done again is found by code.
func (s *requests) standsFor(l memory.Leaving, block memory.Block) string {
	var sb strings.Builder
	if block.Summary != "" {
		fmt.Fprintf(&sb, "summary: %s\n", block.Summary)
	}
	if l.Archive != "" {
		fmt.Fprintf(&sb, "what came before it: %s\n", l.Archive)
	}
	if l.Asked != "" {
		what := "what the user asks, which is being worked on"
		if l.Answered {
			what = "what the user asked, and was answered then"
		}
		fmt.Fprintf(&sb, "%s:\n%s\n", what, memory.Quoted(shorten(l.Asked, s.ResultBudget()*bytesAToken)))
	}
	if commands := s.effects.all(); commands != "" {
		sb.WriteString("already done, not to be done again:\n" + commands + "\n")
	}
	own := memory.Element("earlier_conversation", sb.String(), "messages", strconv.Itoa(l.Messages), "entries", fmt.Sprintf("%d-%d", l.From, l.To), "archive", block.Archive)
	return own + s.closedEdits()
}

// closedEdits names the newest editing sessions that are closed, each in an element of
// its own: what it says may change.
func (s *base) closedEdits() string {
	const most = 10
	closed := slices.DeleteFunc(s.Snapshot().Sessions(s.me), func(e *editing.Session) bool { return e.State.Open() })
	var sb strings.Builder
	for _, e := range closed[max(0, len(closed)-most):] {
		sb.WriteString("\n" + s.brief(e))
	}
	return sb.String()
}

// target is how full the context is to be after the last resort, in percent.
const target = 55

// crowded is from where on the last resort takes what the model still works with, in percent: the older steps of the running
// turn, and results that it may not have seen. Where what cannot go fills the context beyond the target, it waits for that too.
const crowded = 90

// lastResort makes room where the model has not: without any model, the cheapest
// first. It answers what it did, and how full the context is then.
func (s *requests) lastResort(on *memory.Store, reason string, in memory.RequestInput, full memory.ContextMeta) (memory.Compacted, memory.ContextMeta, error) {
	most := full.TokensMax * target / 100
	var done memory.Compacted
	meta := full
	recount := func(c memory.Compacted, err error) error {
		done = done.Add(c)
		_, meta = on.Request(in)
		return err
	}
	steps := []func() error{
		func() error { return recount(on.ArchiveResults(reason, 3, meta.TokensUsed-most)) },
		s.leave(on, recount, reason, 3), s.leave(on, recount, reason, 1), s.leave(on, recount, reason, 0),
		func() error { return recount(on.ArchiveResults(reason, 0, meta.TokensUsed-most)) },
	}
	const gentle = 3 // of them
	for i, step := range steps {
		if meta.TokensUsed <= most || reason == memory.ReasonLastResort && i >= gentle && !isCrowded(meta) {
			break
		}
		if err := step(); err != nil {
			return done, meta, err
		}
	}
	return done, meta, nil
}

func isCrowded(m memory.ContextMeta) bool { return m.TokensUsed > m.TokensMax*crowded/100 }

// makeRoom is the last resort; it says what left, "" if nothing could.
func (s *requests) makeRoom(reason string, in memory.RequestInput, full memory.ContextMeta) (string, error) {
	done, now, err := s.lastResort(s.store, reason, in, full)
	if err != nil || done.Saved == 0 {
		return "", err
	}
	return s.left(done, full, now), nil
}

func (s *requests) leave(on *memory.Store, recount func(memory.Compacted, error) error, reason string, turns int) func() error {
	return func() error {
		l, ok := on.Leaves(turns)
		if !ok {
			return nil
		}
		return recount(s.replace(on, l, reason, "", ""))
	}
}

// In a small window only the tools of editing and tasks are offered, and the overview
// has less of it.
const (
	smallWindow   = 16_000
	overviewShare = 8 // percent
	bytesAToken   = 4 // of prose, about
)

// resultShare is how much of the window one result of a tool may have, in percent.
const resultShare = 10

// ResultBudget is how long one result of a tool may be, in tokens.
func (s *base) ResultBudget() int {
	return cmp.Or(int(s.window.Load()), s.set.Load().Window, memory.DefaultWindow) * resultShare / 100
}

// room makes room before a request: by the automatic modes, and as the last resort
// where the context is too full. That is tried once in a turn of the user, or whenever
// the request could not be sent at all. It says what left.
func (s *requests) room(in memory.RequestInput, meta memory.ContextMeta) (string, error) {
	set, c := s.set.Load(), meta.Categories
	switch stays := c.Sum() - c.Folds - c.History; {
	case meta.ActionHint == memory.HintEmergency && stays > meta.TokensMax*target/100 && !isCrowded(meta):
		return "", nil
	case meta.ActionHint == memory.HintEmergency && (s.tried != s.asked+1 || !meta.Fits()):
		say, err := s.makeRoom(memory.ReasonLastResort, in, meta)
		if say == "" {
			s.tried = s.asked + 1
		}
		return say, err
	case set.Results > 0 && s.store.Results() >= 2*set.Results:
		return s.tidy(in, meta, set.Results, 0)
	case set.Automatic && meta.ActionHint == memory.HintHeavy:
		return s.tidy(in, meta, DefaultKeep, meta.TokensUsed-meta.TokensMax*target/100)
	}
	return "", nil
}

// tidy archives old results of tools.
func (s *requests) tidy(in memory.RequestInput, full memory.ContextMeta, keep, need int) (string, error) {
	c, err := s.store.ArchiveResults(memory.ReasonAutomatic, keep, need)
	if err != nil || c.Saved == 0 {
		return "", err
	}
	_, meta := s.store.Request(in)
	return s.left(c, full, meta), nil
}

// TooLong makes room after the server has refused a request as too long; limit is
// the window that it told, 0 if none. It answers what left, "" if nothing could.
func (s *requests) TooLong(limit int) (string, error) {
	in := s.input()
	s.mu.Lock()
	defer s.mu.Unlock()
	_, meta := s.store.Request(in)
	if limit > 0 {
		s.refused, in.Window, meta.TokensMax = limit, limit, limit
	} else {
		meta.TokensMax = min(meta.TokensMax, meta.TokensUsed)
	}
	meta.TokensPercent = meta.TokensUsed * 100 / max(meta.TokensMax, 1)
	return s.makeRoom(memory.ReasonTooLong, in, meta)
}
