package session

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/view"
	"github.com/galley-ls/galley/memory"
	"github.com/galley-ls/galley/tasks"
)

// ending is a piece of work that is over, and whose history may be folded.
type ending struct {
	edits     []int    // its editing sessions; none: nothing was staged
	task      int      // 0: none
	closeCall string   // the agent's commit or revert, "": the user closed it
	beginCall string   // the call that began its task
	decisions []string // key decisions, where there are no editing sessions that have them
}

// fold replaces the messages of closed editing sessions by one block.
func (s *Session) fold(e ending) (memory.HistoryDelta, error) {
	var delta memory.HistoryDelta
	if !s.set.Load().NoFolding {
		var err error
		if delta, err = s.store.Fold(s.folding(e)); err != nil {
			return delta, fmt.Errorf("fold the history: %w", err)
		}
	}
	s.dealtWith(e.edits)
	_, err := s.append(memory.TypeMeta, metaEntry{Folded: e.edits})
	return delta, err
}

// folding says what is folded, and into what.
func (s *Session) folding(e ending) memory.FoldEdit {
	f := memory.FoldEdit{BeginCall: e.beginCall, CloseCall: e.closeCall, Threshold: s.set.Load().Threshold}
	var blocks []string
	tasks := []int{e.task}
	for _, n := range e.edits {
		f.Edit = n
		f.Touched = append(f.Touched, s.touched[n]...)
		blocks = append(blocks, s.block(n))
		if es, ok := s.Snapshot().Session(s.me, n); ok {
			tasks = append(tasks, es.Task)
		}
	}
	if len(blocks) == 0 {
		blocks = []string{noEdits(s.set.Load().kept(e.decisions))}
	}
	if commands := s.effects.block(tasks, s.asked); commands != "" {
		blocks = append(blocks, commands)
	}
	f.Block = strings.Join(blocks, "\n")
	return f
}

func noEdits(decisions []string) string {
	var sb strings.Builder
	sb.WriteString("no changes\n")
	writeList(&sb, "key decisions", decisions)
	return memory.Element("finished_work", sb.String())
}

// block is what the model keeps of a closed editing session. A reverted attempt
// stays as "tried, reverted, why", with none of its text as if it were current.
func (s *Session) block(n int) string {
	e, _ := s.Snapshot().Session(s.me, n)
	var sb strings.Builder
	head := []string{"id", e.ID(), "state", string(e.State)}
	if t, ok := s.tasks.Get(e.Task); ok {
		head = append(head, "task", fmt.Sprintf("#%d %s", t.ID, oneLine(t.Goal)))
	}
	if e.State == editing.Reverted {
		fmt.Fprintf(&sb, "tried, reverted: %s\n", oneLine(cmp.Or(e.Reason, e.Summary, "every change was rejected")))
		for _, d := range s.Snapshot().Decisions(s.me, n) {
			if d.Reason != "" {
				fmt.Fprintf(&sb, "- %s %s: %s\n", d.Letter, d.State, oneLine(d.Reason))
			}
		}
		writeList(&sb, "files, unchanged by this", s.hashes(n, false))
	} else {
		fmt.Fprintf(&sb, "summary: %s\n", oneLine(e.Summary))
		changeLines(&sb, s.Snapshot(), s.me, n)
		writeList(&sb, "files now", s.hashes(n, true))
	}
	writeList(&sb, "key decisions", s.set.Load().kept(e.Decisions))
	return memory.Element("editing_session", sb.String(), head...)
}

// kept are the key decisions that folded history carries on.
func (set *settings) kept(decisions []string) []string {
	if set.NoKeyDecisions {
		return nil
	}
	return decisions
}

func changeLines(sb *strings.Builder, snap *editing.Snapshot, owner string, n int) {
	for _, d := range snap.Decisions(owner, n) {
		for _, c := range snap.Of(owner, n) {
			if c.Letter != d.Letter || c.State == editing.Merged {
				continue
			}
			fmt.Fprintf(sb, "- %s %s", c.Letter, d.State)
			if c.WasApplied() {
				fmt.Fprintf(sb, ": %s · %s", view.BareSummary(c), c.Name)
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
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// hashes are the files of an editing session with the beginning of their hashes.
func (s *base) hashes(n int, applied bool) []string {
	var out []string
	for _, c := range s.Snapshot().Of(s.me, n) {
		if t, err := s.textOf(c.Path); err == nil && (!applied || c.WasApplied()) {
			out = append(out, fmt.Sprintf("%s (sha256 %s)", c.Name, t.Hash().String()[:12]))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// closed takes in that an editing session was closed by the person, or since its letters
// are all decided.
func (s *Session) closed(n int) error {
	s.unfolded = append(s.unfolded, n)
	return s.closeEvents(n, nil)
}

// closeEvents tells overview.md of a closed editing session.
func (s *Session) closeEvents(n int, decisions []string) error {
	e, _ := s.Snapshot().Session(s.me, n)
	if e.State == editing.Reverted && e.Task != 0 {
		if err := s.mark(e.Task, tasks.Reverted); err != nil {
			return err
		}
	}
	return s.memory.event(memory.Event{
		Type: memory.EventEditClosed, Edit: n, State: string(e.State), Text: cmp.Or(e.Summary, e.Reason), Task: e.Task,
		Files: s.Snapshot().FileNames(s.me, n, e.State == editing.Committed), Decisions: append(slices.Clip(e.Decisions), missing(decisions, e.Decisions)...),
	})
}

func missing(all, known []string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(s string) bool { return slices.Contains(known, s) })
}
