package session

import (
	"context"
	"strings"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/match"
	"github.com/galley-ls/galley/memory"
)

// Replace answers memory_notebook_replace.
func (s *Session) Replace(_ context.Context, a ReplaceArgs) Outcome {
	return s.replace(a.Path, editing.Replacement{
		Old: a.OldText, New: a.NewText, After: a.SearchAfter, Before: a.SearchBefore,
		MatchID: a.MatchID, ShowAll: a.ShowAllMatches, PreviewOnly: a.PreviewOnly, LineKey: a.LineKey,
	}, a.Reason)
}

// ReplaceSpan answers memory_notebook_replace_span.
func (s *Session) ReplaceSpan(_ context.Context, a SpanArgs) Outcome {
	if strings.TrimSpace(a.OldSpanStart) == "" || strings.TrimSpace(a.OldSpanEnd) == "" {
		return Refused(CodeEmptyOldText, "old_span_start and old_span_end name the first and the last text of the span; neither may be blank")
	}
	return s.replace(a.Path, editing.Replacement{
		Old: a.OldSpanStart, End: a.OldSpanEnd, New: a.NewText, After: a.SearchAfter, Before: a.SearchBefore,
		MatchID: a.MatchID, ShowAll: a.ShowAllMatches, PreviewOnly: a.PreviewOnly, LineKey: a.LineKey,
	}, a.Reason)
}

func (s *Session) replace(path string, r editing.Replacement, reason string) Outcome {
	set := s.set.Load()
	r.Shown, r.Preview, r.AskAlways, r.NoAdvice = set.Candidates, set.Preview, set.NoAutoSelect, set.NoRecommendation
	r.Hints = match.Hints{Cursor: -1, Behind: -1}
	if t, ok := s.tasks.Current(); ok {
		r.Hints.Goal = t.Goal
	}
	return s.edit(path, "stage", reason, func(d *editing.Document, m editing.Meta) editing.Op {
		r.Meta, r.Path = m, d.Path
		s.hints(&r, d)
		return editing.Replace(r)
	})
}

// hints says where in a document the place of a replacement may be.
func (s *Session) hints(r *editing.Replacement, d *editing.Document) {
	r.Hints.Behind = s.behind(d)
	if at := s.focus.Load().cursor; at >= 0 && at <= d.Base.Len() {
		r.Hints.Cursor = d.ToProposed(s.me, at, false)
	}
	hash := s.read[d.Path].hash
	r.Reread = hash != "" && hash != d.Base.Hash().String()
}

// Append answers memo_append.
func (s *Session) Append(_ context.Context, a AppendArgs) Outcome {
	return s.edit(a.Path, "append", "", func(d *editing.Document, m editing.Meta) editing.Op {
		return editing.Append(editing.Appending{Meta: m, Path: d.Path, Text: a.Text, After: a.After})
	})
}

// Write answers write.
func (s *Session) Write(_ context.Context, a WriteArgs) Outcome {
	if name, ok := strings.CutPrefix(a.Path, memoryPrefix); ok {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.writeMemory(name, a.Content)
	}
	o := s.edit(a.Path, "write", a.Reason, func(d *editing.Document, m editing.Meta) editing.Op {
		return editing.Write(editing.Writing{Meta: m, Path: d.Path, Content: a.Content})
	})
	if o.Code == CodeFileNotFound {
		o.Hint = "there is no file " + a.Path + ", and new files cannot be made yet; edit an existing one (list_files)"
	}
	return o
}

// Drop answers memo_drop.
func (s *Session) Drop(_ context.Context, a DropArgs) Outcome {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, ok := s.Snapshot().Change(strings.ToUpper(a.ChangeID))
	res, err := s.do(memory.TypeEdit, "drop", a.Reason, editing.Drop(s.me, editing.Letters(a.ChangeID), a.Reason), nil)
	if err != nil {
		return failed(err)
	}
	o := s.outcome(res)
	if ok && res.OK() {
		o.SessionID = editing.SessionID(c.Session)
		s.pending(&o, c.Session, nil)
	}
	return o
}

// meta is what a staging carries.
func (s *Session) meta(reason string) editing.Meta {
	m := editing.Meta{Owner: s.me, Turn: s.iter, Reason: reason}
	if t, ok := s.tasks.Current(); ok {
		m.Task = t.ID
	}
	return m
}

// behind is where the agent last worked in a document: its last staged change,
// else the line it read last.
func (s *Session) behind(d *editing.Document) int {
	var last *editing.Change
	for _, c := range d.Changes() {
		if c.Owner == s.me && c.State == editing.Staged && (last == nil || c.Order > last.Order) {
			last = c
		}
	}
	if last != nil {
		if r := d.Ranges(s.me, last); len(r) > 0 {
			return r[len(r)-1][1]
		}
	}
	if r, ok := s.read[d.Path]; ok {
		p := d.Proposed(s.me)
		if r.line < p.Lines()-1 { // the whole text was read: no place in it
			return p.LineStart(r.line)
		}
	}
	return -1
}

// edit stages what make makes of a document, or does it at once to a file of the
// working memory. make is called with the lock held.
func (s *Session) edit(path, op, reason string, make func(*editing.Document, editing.Meta) editing.Op) Outcome {
	path, bad := s.named(path)
	if bad != nil {
		return *bad
	}
	if name, ok := strings.CutPrefix(path, memoryPrefix); ok {
		return s.inMemory(name, make)
	}
	d, bad := s.look(path, true)
	if bad != nil {
		return *bad
	}
	s.mu.Lock()
	s.touch(path)
	o := make(d, s.meta(reason))
	s.mu.Unlock()
	res, err := s.stage(op, reason, o, d)
	if err != nil {
		return failed(err)
	}
	out := s.outcome(res)
	if res.Path != "" {
		out.Path = d.Name
	}
	return out
}

// searches is how often a place is looked for outside the queue.
const searches = 3

// stage runs an operation of the agent's on a document as it was read. The search
// is outside the queue: nobody waits for it. Where the texts have moved by the time
// it ends it is made again, at last within the queue, so that it comes to an end.
func (s *Session) stage(op, reason string, o editing.Op, d *editing.Document) (editing.Result, error) {
	for range searches {
		p := s.ws.Plan(o, d)
		s.mu.Lock()
		ok, err := s.carry(memory.TypeEdit, op, reason, p, nil)
		s.mu.Unlock()
		if ok || err != nil {
			return p.Result, err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.do(memory.TypeEdit, op, reason, o, nil, d)
}
