package session

import (
	"fmt"
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing/text"
	"github.com/galley-ls/galley/memory"
	"github.com/galley-ls/galley/tasks"
)

// left tells a person what left the requests: what is still to be done first, which the
// requests keep, then what left, and how it comes back.
func (s *requests) left(c memory.Compacted, was, now memory.ContextMeta) string {
	return fmt.Sprintf("the context was %d %% full. %s%s left it, %d %% now. Nothing is lost: query_history and galley memory show find it, galley memory restore (in an editor galley.unfold) brings it back",
		was.TokensPercent, s.open(), what(c), now.TokensPercent)
}

// foresee tells a person what the last resort would take out of the requests as they are
// now, before it has to.
func (s *requests) foresee(in memory.RequestInput, full memory.ContextMeta) (string, error) {
	c, then, err := s.lastResort(s.store.Rehearsal(), memory.ReasonLastResort, in, full)
	if err != nil {
		return "", err
	}
	say := fmt.Sprintf("the context is %d %% full (%d of %d tokens); %s. ", full.TokensPercent, full.TokensUsed, full.TokensMax, full.Largest())
	if c.Saved == 0 {
		return say + "When it is too full galley makes room by itself, but as it is now nothing could go", nil
	}
	return say + fmt.Sprintf("From %.0f %% on galley makes room by itself. As it is now, that would take out %s: %d tokens, down to %d %%. The journal keeps all of it",
		100*in.Compression.LastResort(), what(c), c.Saved, then.TokensPercent), nil
}

// foreseen is foresee once each time that the context comes to the level before the last
// resort.
func (s *requests) foreseen(in memory.RequestInput, meta memory.ContextMeta) (string, error) {
	was := s.warned
	s.warned = meta.ActionHint == memory.HintHeavy || was && meta.ActionHint == memory.HintEmergency
	if was || !s.warned {
		return "", nil
	}
	return s.foresee(in, meta)
}

// what names what left.
func what(c memory.Compacted) string {
	var parts []string
	if c.Results > 0 {
		parts = append(parts, text.Plural(c.Results, "result")+" of tools"+few(c.Names))
	}
	if c.Messages > 0 {
		parts = append(parts, fmt.Sprintf("%s (%s)", text.Plural(c.Messages, "older message"), c.Archive))
	}
	return strings.Join(parts, " and ")
}

// few names the first of some things.
func few(names []string) string {
	const most = 3
	if len(names) == 0 {
		return ""
	}
	list := strings.Join(names[:min(most, len(names))], ", ")
	if len(names) > most {
		list += ", …"
	}
	return " (" + list + ")"
}

// open is what is still to be done: it stays in the requests.
func (s *requests) open() string {
	var parts []string
	for _, t := range s.tasks.Tree() {
		if t.State == tasks.Active || t.State == tasks.Waiting {
			parts = append(parts, fmt.Sprintf("task #%d %s", t.ID, shorten(oneLine(t.Goal), 60)))
		}
	}
	if letters := slices.Sorted(slices.Values(s.undecided())); len(letters) > 0 {
		parts = append(parts, "your word about "+strings.Join(letters, ", "))
	}
	if len(parts) == 0 {
		return ""
	}
	return "Still open, and kept: " + strings.Join(parts, "; ") + ". "
}

// Restored is what came back into the requests.
type Restored struct {
	IDs      []int64 `json:"compactions"`
	Messages int     `json:"messages"` // that requests have now
	Before   int     `json:"tokens_before"`
	After    int     `json:"tokens_after"`
	Percent  int     `json:"tokens_percent"`
}

// Restore takes compactions back, without any the latest: what they took out of the
// requests is in them again. It is not done where it would be taken out again at once.
func (s *requests) Restore(ids ...int64) (Restored, error) {
	in := s.input()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(ids) == 0 {
		if ids = memory.Latest(s.store.Compactions(), s.store.Entries()); len(ids) == 0 {
			return Restored{}, refuse("state", "nothing has left the requests that could come back")
		}
	}
	for i, id := range ids { // by the entry that has it, too: that is the number that a person sees
		for _, c := range s.store.Compactions() {
			if c.Entry == id {
				ids[i] = c.ID
			}
		}
	}
	_, was := s.store.Request(in)
	try := s.store.Rehearsal()
	if err := try.Restore(ids); err != nil {
		return Restored{}, refuse("state", "%v", err)
	}
	if _, err := try.NoteView(in); err != nil {
		return Restored{}, err
	}
	switch _, then := try.Request(in); {
	case then.ActionHint == memory.HintEmergency:
		return Restored{}, refuse("too_large", "with it the context would be %d %% full (%d of %d tokens), and galley would take it out again; query_history reads it, or use a model with a larger window",
			then.TokensPercent, then.TokensUsed, then.TokensMax)
	case then.TokensUsed <= was.TokensUsed:
		return Restored{}, refuse("state", "the settings would take it out again at once: see memory.inject_history and context_builder.options.window_size; query_history reads it")
	}
	if err := s.store.Restore(ids); err != nil {
		return Restored{}, err
	}
	_, now := s.store.Request(in)
	s.notices = append(s.notices, "the user brought back what had left the requests")
	return Restored{ids, now.MessagesInHistory, was.TokensUsed, now.TokensUsed, now.TokensPercent}, nil
}
