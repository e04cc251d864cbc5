package session

import (
	"cmp"
	"fmt"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/view"
	"github.com/galley-ls/galley/memory"
	"github.com/galley-ls/galley/tasks"
)

// Title is what the session is called; "" before its first prompt.
func (s *base) Title() string { return s.store.Meta().Title }

// SetTitle renames the session.
func (s *base) SetTitle(title string) error { return s.store.SetTitle(title) }

// LookAt says which file the user works in and where: the default of the tools,
// a hint for the recommended candidate, and what the model hears before the next
// prompt. start and end are in bytes of its base, -1 unknown.
func (s *Session) LookAt(path string, start, end int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.user = cursor{path, start, end}
	if path == "" {
		return
	}
	s.named.Store(&path)
	if d, ok := s.Snapshot().Document(path); ok {
		s.notices = append(s.notices, standing(d, s.me, start, end))
	}
}

// StandsIn is what the model hears of the folder of the workspace in which the user works at a terminal.
func StandsIn(folder string) string {
	return "the user works in the folder " + folder + "; files that they name may be meant from there"
}

// StandsIn says in which folder of the workspace the user works at a terminal, which the model hears with the next prompt.
func (s *Session) StandsIn(folder string) {
	if folder == "" {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.notices = append(s.notices, StandsIn(s.Mask(folder)))
}

// standing names the user's place by the lines that the model reads.
func standing(d *editing.Document, owner string, start, end int) string {
	if start < 0 || end < start || end > d.Base.Len() {
		return "the user is in " + d.Name
	}
	from, to := d.ToProposed(owner, start, false), d.ToProposed(owner, end, true)
	t := d.Proposed(owner)
	first := t.LineOf(from) + 1
	if start == end {
		return fmt.Sprintf("the user is in %s at line %d", d.Name, first)
	}
	last := t.LineOf(max(from, to-1)) + 1 // an end at the start of a line takes in the line before
	if last <= first {
		return fmt.Sprintf("the user has selected line %d of %s, or a part of it", first, d.Name)
	}
	return fmt.Sprintf("the user has selected the lines %d to %d of %s", first, last, d.Name)
}

// input is what a request is made of now.
func (s *requests) input() memory.RequestInput {
	set := s.set.Load()
	in := memory.RequestInput{
		Agents: joined(set.skillList(), set.agents()), Tools: set.Specs, Model: set.Model,
		Pending: view.Pending(s.Snapshot(), s.me),
		Window:  cmp.Or(int(s.window.Load()), set.Window), Reserve: set.Reserve, Price: set.Price, Compression: set.Compression, History: set.History, Messages: set.Messages,
	}
	if s.refused > 0 && (in.Window == 0 || s.refused < in.Window) {
		in.Window = s.refused
	}
	in.OverviewBudget = set.Overview
	if in.Window > 0 && in.Window < smallWindow {
		in.Tools = set.SmallSpecs
		in.OverviewBudget = min(cmp.Or(set.Overview, memory.DefaultOverviewBudget), in.Window*overviewShare/100*bytesAToken)
	}
	in.System = s.guide(set, in)
	in.Finished = s.finished()
	if !set.NoTaskTree {
		in.Tasks = tasks.Render(s.tasks.Tree(), letters(s.Snapshot(), s.me))
	}
	return in
}

// partsShown is how many of the largest parts of a request are named.
const partsShown = 10

// Context says how full the next request would be, and what of.
func (s *requests) Context() memory.Context { return s.store.Context(s.input(), partsShown) }
