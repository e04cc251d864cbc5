package session

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/memory"
	"github.com/galley-ls/galley/tasks"
)

// ending is a piece of work that is over, and whose history may be folded.
type ending struct {
	edits     []int    // its editing sessions; none: nothing was staged
	task      int      // 0: none
	closeCall string   // the agent's commit or revert, "": the user closed it
	beginCall string   // the call that began its task
	decisions []string // key decisions, beside those that its editing sessions have
}

// fold replaces the messages of closed editing sessions by one block.
func (s *Session) fold(e ending) (memory.HistoryDelta, error) {
	var delta memory.HistoryDelta
	if !s.set.Load().NoFolding {
		f, err := s.folding(e)
		if err != nil {
			return delta, err
		}
		if delta, err = s.store.Fold(f); err != nil {
			return delta, fmt.Errorf("fold the history: %w", err)
		}
	}
	s.dealtWith(e.edits)
	_, err := s.append(memory.TypeMeta, metaEntry{Folded: e.edits})
	return delta, err
}

// covered says which messages an ending is about.
func (s *queue) covered(e ending) memory.FoldEdit {
	f := memory.FoldEdit{BeginCall: e.beginCall, CloseCall: e.closeCall, Threshold: s.set.Load().Threshold}
	for _, n := range e.edits {
		f.Edit = n
		f.Touched = append(f.Touched, s.touched[n]...)
	}
	return f
}

// folding says what is folded, and into what.
func (s *Session) folding(e ending) (memory.FoldEdit, error) {
	f := s.covered(e)
	var blocks []string
	tasks := []int{e.task}
	for i, n := range e.edits {
		var decisions []string
		if i == len(e.edits)-1 {
			decisions = e.decisions // they are of all that led here
		}
		block := s.block(n, decisions)
		if err := s.store.Amend(block); err != nil { // it was folded before, and taken back
			return f, err
		}
		blocks = append(blocks, block)
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
	return f, nil
}

// closed takes in that an editing session was closed by the person, or since its letters
// are all decided.
func (s *Session) closed(n int) error {
	s.unfolded = append(s.unfolded, n)
	return s.closeEvents(n, s.keyDecisions(s.closedAlone(n), false))
}

// closedAlone is the ending of an editing session that the agent has no call for.
func (s *Session) closedAlone(n int) ending {
	e, _ := s.Snapshot().Session(s.me, n)
	return ending{edits: []int{n}, task: e.Task, beginCall: s.begun[e.Task]}
}

// amend has blocks say of a closed editing session what became of it since.
func (s *Session) amend(n int) error {
	return s.store.Amend(s.block(n, s.keyDecisions(s.closedAlone(n), true)))
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
