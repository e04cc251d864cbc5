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
	s.mu.Lock()
	defer s.mu.Unlock()
	r.Meta, r.Shown, r.Preview = s.meta(reason), s.cfg.Candidates, s.cfg.Preview
	r.AskAlways, r.NoAdvice = s.cfg.NoAutoSelect, s.cfg.NoRecommendation
	r.Hints = match.Hints{Cursor: -1, Behind: -1}
	if t, ok := s.tasks.Current(); ok {
		r.Hints.Goal = t.Goal
	}
	if o, ok := s.inMemory(path, func(p string) editing.Op { r.Path = p; return editing.Replace(r) }); ok {
		return o
	}
	d, bad := s.document(path, true)
	if bad != nil {
		return *bad
	}
	r.Path = d.Path
	r.Hints.Behind = s.behind(d)
	if s.cursor >= 0 && s.cursor <= d.Base.Len() {
		r.Hints.Cursor = d.ToProposed(s.me, s.cursor, false)
	}
	r.Reread = s.readHash[d.Path] != "" && s.readHash[d.Path] != d.Base.Hash().String()
	return s.stage("stage", reason, editing.Replace(r))
}

// Append answers memo_append.
func (s *Session) Append(_ context.Context, a AppendArgs) Outcome {
	s.mu.Lock()
	defer s.mu.Unlock()
	ap := editing.Appending{Meta: s.meta(""), Text: a.Text, After: a.After}
	if o, ok := s.inMemory(a.Path, func(p string) editing.Op { ap.Path = p; return editing.Append(ap) }); ok {
		return o
	}
	d, bad := s.document(a.Path, true)
	if bad != nil {
		return *bad
	}
	ap.Path = d.Path
	return s.stage("append", "", editing.Append(ap))
}

// Write answers write.
func (s *Session) Write(_ context.Context, a WriteArgs) Outcome {
	s.mu.Lock()
	defer s.mu.Unlock()
	if name, ok := strings.CutPrefix(a.Path, memoryPrefix); ok {
		return s.writeMemory(name, a.Content)
	}
	d, bad := s.document(a.Path, true)
	if bad != nil {
		if bad.Code == CodeFileNotFound {
			bad.Hint = "there is no file " + a.Path + ", and new files cannot be made yet; edit an existing one (list_files)"
		}
		return *bad
	}
	return s.stage("write", a.Reason, editing.Write(editing.Writing{Meta: s.meta(a.Reason), Path: d.Path, Content: a.Content}))
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
	if line, ok := s.readLine[d.Path]; ok {
		p := d.Proposed(s.me)
		if line < p.Lines()-1 { // the whole text was read: no place in it
			return p.LineStart(line)
		}
	}
	return -1
}

// stage runs an operation of the agent's and answers with what is pending.
func (s *Session) stage(op, reason string, o editing.Op) Outcome {
	res, err := s.do(memory.TypeEdit, op, reason, o, nil)
	if err != nil {
		return failed(err)
	}
	return s.outcome(res)
}
