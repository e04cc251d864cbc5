package session

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/memory"
)

// Preview answers memo_preview.
func (s *Session) Preview(_ context.Context, a PreviewArgs) Outcome {
	if err := s.refreshAll(); err != nil {
		return failed(err)
	}
	n := 0
	if a.ChangeID != "" {
		c, ok := s.Snapshot().Change(strings.ToUpper(a.ChangeID))
		if !ok || c.Owner != s.me {
			return Answer(CodeUnknownChange, fmt.Sprintf("there is no change %s", a.ChangeID))
		}
		a.ChangeID, n = c.Letter, c.Session
	} else {
		var bad *Outcome
		if n, bad = s.theEdit(""); bad != nil {
			return *bad
		}
	}
	if n == 0 {
		return s.previewAll(a)
	}
	text, bad := s.previewText(n, a)
	if bad != nil {
		return *bad
	}
	o := Outcome{Status: StatusOK, SessionID: editing.SessionID(n), Preview: text}
	s.pending(&o, n, nil)
	return o
}

// previewAll shows every open editing session: the current task has none, but
// proposed ones may wait.
func (s *Session) previewAll(a PreviewArgs) Outcome {
	o := Outcome{Status: StatusOK, PendingChanges: []PendingChange{}}
	for _, e := range s.OpenEdits() {
		text, bad := s.previewText(e.N, a)
		if bad != nil {
			return *bad
		}
		var one Outcome
		s.pending(&one, e.N, nil)
		o.Preview += text
		o.PendingChanges = append(o.PendingChanges, one.PendingChanges...)
	}
	if o.Preview == "" {
		o.Hint = "nothing is staged"
	}
	return o
}

// ExportSession answers memo_export_session: everything that the journal holds
// of an editing session.
func (s *Session) ExportSession(_ context.Context, a ExportArgs) Outcome {
	return s.export(a, "session", s.log)
}

// ExportDiff answers memo_export_diff: the unified diff, uncut.
func (s *Session) ExportDiff(_ context.Context, a ExportArgs) Outcome {
	return s.export(a, "diff", func(n int) string { return s.Snapshot().Diff(s.me, n) })
}

func (s *Session) export(a ExportArgs, what string, make func(n int) string) Outcome {
	n, bad := s.theEdit(a.SessionID)
	if bad != nil {
		return *bad
	}
	if n == 0 {
		return Refused(CodeBadArguments, "nothing is staged; name an earlier editing session to export it")
	}
	body := s.set.Load().secrets.Mask(make(n))
	o := Outcome{Status: StatusOK, SessionID: editing.SessionID(n)}
	if a.To == "" {
		o.Text = &body
		return o
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	name, ok := strings.CutPrefix(a.To, memoryPrefix)
	if !ok || !strings.HasPrefix(name, "detail/") {
		return Refused(CodeOutsideRoots, fmt.Sprintf("to is %q; exports go below %sdetail/", a.To, memoryPrefix))
	}
	_, hash, err := s.store.ReadMemory(name)
	if err != nil && memoryFailed(name, err).Code != CodeFileNotFound {
		return memoryFailed(name, err)
	}
	stored := s.storeMemory(name, body, hash)
	if stored.Status != StatusOK {
		return stored
	}
	if err := s.event(memory.Event{Type: memory.EventFact, Path: name, Text: fmt.Sprintf("the %s of #%d", what, n)}); err != nil {
		return failed(err)
	}
	o.Path, o.Chars = stored.Path, stored.Chars
	return o
}

// log tells an editing session step by step, from the journal.
func (s *Session) log(n int) string {
	var sb strings.Builder
	e, _ := s.Snapshot().Session(s.me, n)
	fmt.Fprintf(&sb, "# Editing session #%d (%s)\n", n, e.State)
	if e.Summary != "" {
		fmt.Fprintf(&sb, "\n%s\n", e.Summary)
	}
	for _, entry := range s.store.Entries() {
		if entry.Type != memory.TypeEdit && entry.Type != memory.TypeDecision {
			continue
		}
		v, ok := payload[editEntry](entry)
		if !ok {
			continue
		}
		for _, c := range v.Record.Changes {
			if c.Session == n {
				logChange(&sb, entry, v, c)
			}
		}
	}
	return sb.String()
}

func logChange(sb *strings.Builder, entry memory.Entry, v editEntry, c *editing.Change) {
	fmt.Fprintf(sb, "\n## %s %s (revision %d) · %s · %s · %s\n", c.Letter, c.State, c.Revision, c.Name, v.Op, entry.Time.Format("2006-01-02 15:04:05"))
	if reason := orElse(v.Reason, c.Reason); reason != "" {
		fmt.Fprintf(sb, "reason: %s\n", reason)
	}
	for _, h := range c.Hunks {
		old, _ := json.Marshal(strings.ToValidUTF8(h.Old, "�"))
		new, _ := json.Marshal(strings.ToValidUTF8(h.New, "�"))
		fmt.Fprintf(sb, "- %s\n+ %s\n", old, new)
	}
}
