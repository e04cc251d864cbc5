package session

import (
	"fmt"
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/memory"
	"github.com/galley-ls/galley/tasks"
)

// closedBy notes the editing sessions that a record closes: their history is
// still to be folded.
func (s *Session) closedBy(r editing.Record) {
	for _, e := range r.Sessions {
		if !e.State.Open() && !slices.Contains(s.unfolded, e.N) {
			s.unfolded = append(s.unfolded, e.N)
		}
	}
}

func (s *Session) dealtWith(edits []int) {
	s.unfolded = slices.DeleteFunc(s.unfolded, func(n int) bool { return slices.Contains(edits, n) })
}

// folded folds the history of editing session n (0: none) and of those that the
// user closed while its task went on, and puts what it saved into the answer.
func (s *Session) folded(o Outcome, n int, t *tasks.Task, decisions []string) Outcome {
	o.Task, o.TaskStack = taskState(t), s.stack()
	task := 0
	if t != nil {
		task = t.ID
	}
	var all []int
	for _, m := range s.unfolded {
		if e, ok := s.Snapshot().Session(s.me, m); ok && m != n && e.Task == task && task != 0 {
			all = append(all, m)
		}
	}
	if n != 0 {
		all = append(all, n)
	}
	delta, err := s.fold(all, s.call, s.taskCall(n, task), decisions)
	if err != nil {
		return failed(err)
	}
	o.HistoryDelta = &HistoryDelta{delta.MessagesRemoved, delta.TokensSaved}
	return o
}

// taskCall is the call that began the task of an editing session.
func (s *Session) taskCall(n, task int) string {
	if e, ok := s.Snapshot().Session(s.me, n); ok && e.Task != 0 {
		task = e.Task
	}
	return s.begun[task]
}

// fold replaces the messages of closed editing sessions by one block.
func (s *Session) fold(edits []int, closeCall, beginCall string, decisions []string) (memory.HistoryDelta, error) {
	f := memory.FoldEdit{BeginCall: beginCall, CloseCall: closeCall, Threshold: s.cfg.Threshold}
	var blocks []string
	for _, n := range edits {
		f.Edit = n
		f.Touched = append(f.Touched, s.touched[n]...)
		blocks = append(blocks, s.block(n))
	}
	if len(blocks) == 0 {
		blocks = []string{noEdits(decisions)}
	}
	f.Block = strings.Join(blocks, "\n")
	delta, err := s.store.Fold(f)
	if err != nil {
		return delta, fmt.Errorf("fold the history: %w", err)
	}
	s.dealtWith(edits)
	_, err = s.append(memory.TypeMeta, metaEntry{Folded: edits})
	return delta, err
}

func noEdits(decisions []string) string {
	var sb strings.Builder
	sb.WriteString("<finished_work>\nno changes\n")
	writeList(&sb, "key decisions", decisions)
	sb.WriteString("</finished_work>")
	return sb.String()
}

// block is what the model keeps of a closed editing session. A reverted attempt
// stays as "tried, reverted, why", with none of its text as if it were current.
func (s *Session) block(n int) string {
	e, _ := s.Snapshot().Session(s.me, n)
	var sb strings.Builder
	fmt.Fprintf(&sb, "<editing_session id=%q state=%q", e.ID(), e.State)
	if t, ok := s.tasks.Get(e.Task); ok {
		fmt.Fprintf(&sb, " task=\"#%d %s\"", t.ID, oneLine(t.Goal))
	}
	sb.WriteString(">\n")
	if e.State == editing.Reverted {
		fmt.Fprintf(&sb, "tried, reverted: %s\n", orElse(orElse(e.Reason, e.Summary), "every change was rejected"))
		for _, d := range s.decisions(n) {
			if d.Reason != "" {
				fmt.Fprintf(&sb, "- %s %s: %s\n", d.ChangeID, d.State, oneLine(d.Reason))
			}
		}
		writeList(&sb, "files, unchanged by this", s.hashes(n, false))
	} else {
		fmt.Fprintf(&sb, "summary: %s\n", oneLine(e.Summary))
		s.changeLines(&sb, n)
		writeList(&sb, "files now", s.hashes(n, true))
	}
	writeList(&sb, "key decisions", e.Decisions)
	sb.WriteString("</editing_session>")
	return sb.String()
}

func (s *Session) changeLines(sb *strings.Builder, n int) {
	snap := s.Snapshot()
	for _, d := range s.decisions(n) {
		for _, c := range snap.Of(s.me, n) {
			if c.Letter != d.ChangeID || c.State == editing.Merged {
				continue
			}
			fmt.Fprintf(sb, "- %s %s", c.Letter, d.State)
			if c.WasApplied() {
				fmt.Fprintf(sb, ": %s · %s", c.Summary(), c.Name)
			}
			if d.Reason != "" {
				fmt.Fprintf(sb, " (%s)", oneLine(d.Reason))
			}
			sb.WriteByte('\n')
			break
		}
	}
}

func writeList(sb *strings.Builder, head string, items []string) {
	if len(items) > 0 {
		fmt.Fprintf(sb, "%s: %s\n", head, oneLine(strings.Join(items, "; ")))
	}
}

// oneLine keeps text of others from looking like galley's own lines.
func oneLine(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	return strings.NewReplacer("<", "‹", ">", "›").Replace(s)
}

// closeEvents tells overview.md of a closed editing session.
func (s *Session) closeEvents(n int, decisions []string) error {
	e, _ := s.Snapshot().Session(s.me, n)
	if e.State == editing.Reverted && e.Task != 0 {
		if err := s.mark(e.Task, tasks.Reverted); err != nil {
			return err
		}
	}
	return s.event(memory.Event{
		Type: memory.EventEditClosed, Edit: n, State: string(e.State), Text: orElse(e.Summary, e.Reason), Task: e.Task,
		Files: s.fileNames(n, e.State == editing.Committed), Decisions: append(slices.Clip(e.Decisions), missing(decisions, e.Decisions)...),
	})
}

func missing(all, known []string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(s string) bool { return slices.Contains(known, s) })
}
