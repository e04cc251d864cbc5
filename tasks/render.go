package tasks

import (
	"fmt"
	"strings"
)

// Empty is the rendering of no task at all.
const Empty = "(empty)"

// Options say how tasks are rendered. The zero value is what prompts, results
// and documents use.
type Options struct {
	Plain    bool // words in place of icons
	OpenOnly bool // leave out what was done, as long as something is open
	Done     int  // top-level tasks shown as done, the newest; 0: 10, negative: all
}

const defaultDone = 10

// maxGoal keeps one long goal from filling a rendering, in code points.
const maxGoal = 160

// Render shows the tasks of Tree; letters are the undecided changes of each
// task's editing session with their files, by the task's ID.
func Render(tree []Task, letters map[int][]string) string {
	return Options{}.Render(tree, letters)
}

// RenderStack shows the open tasks: what is left to do. When none is left it shows
// what was done.
func RenderStack(tree []Task, letters map[int][]string) string {
	return Options{OpenOnly: true}.Render(tree, letters)
}

// Render shows the tasks as o says.
func (o Options) Render(tree []Task, letters map[int][]string) string {
	r := renderer{Options: o, letters: letters, children: map[int][]Task{}, states: map[int]State{}}
	for _, t := range tree {
		r.states[t.ID] = t.State
	}
	for _, t := range tree {
		r.children[r.placeOf(t)] = append(r.children[r.placeOf(t)], t)
	}
	if stack := activeOrder(tree); len(stack) > 0 {
		r.current = stack[len(stack)-1]
		r.open(len(stack))
	}
	if !o.OpenOnly || len(r.lines) == 0 {
		r.done()
	}
	if len(r.lines) == 0 {
		return Empty
	}
	return strings.Join(r.lines, "\n")
}

type renderer struct {
	Options
	letters  map[int][]string
	children map[int][]Task // by the parent they are shown under
	states   map[int]State
	current  int
	lines    []string
}

// placeOf is the parent that t is shown under. An unknown parent (a journal
// that lost a line) makes it a top-level task rather than hiding it.
func (r *renderer) placeOf(t Task) int {
	if _, known := r.states[t.Parent]; known && t.Parent != t.ID {
		return t.Parent
	}
	return 0
}

func (r *renderer) open(depth int) {
	r.line(r.icon("📊 ", "")+"Tasks (depth %d)", depth)
	for _, t := range r.children[0] {
		if t.State.closed() {
			continue
		}
		r.line("┌─ [#%d] %s", t.ID, r.text(t))
		r.branch(t.ID, "│   ")
	}
}

// branch shows the children of an open task.
func (r *renderer) branch(parent int, indent string) {
	kids := r.children[parent]
	for i, t := range kids {
		fork, deeper := "├─ ", "│   "
		if i == len(kids)-1 {
			fork, deeper = "└─ ", "    "
		}
		r.line("%s%s%s #%d %s", indent, fork, r.mark(t.State), t.ID, r.text(t))
		r.branch(t.ID, indent+deeper)
	}
}

func (r *renderer) done() {
	var done []Task
	for _, t := range r.children[0] {
		if t.State.closed() {
			done = append(done, t)
		}
	}
	if len(done) == 0 {
		return
	}
	r.line("%s", r.icon("🌳 ", "")+"Done")
	limit := r.Done
	if limit == 0 {
		limit = defaultDone
	}
	if limit > 0 && len(done) > limit {
		r.line("- … %d earlier", len(done)-limit)
		done = done[len(done)-limit:]
	}
	r.doneBranch(done, "")
}

func (r *renderer) doneBranch(done []Task, indent string) {
	for _, t := range done {
		r.line("%s- %s #%d %s", indent, r.mark(t.State), t.ID, r.text(t))
		r.doneBranch(r.children[t.ID], indent+"  ")
	}
}

// text is what stands behind the number of a task.
func (r *renderer) text(t Task) string {
	goal := oneLine(t.Goal)
	out := cut(goal)
	if summary := oneLine(t.Summary); t.State.closed() && summary != "" && summary != goal {
		out += " → " + cut(summary)
	}
	if note := oneLine(t.Note); note != "" {
		out += " — " + cut(note)
	}
	if t.ID == r.current {
		out += " (current)"
	}
	if l := r.letters[t.ID]; len(l) > 0 {
		out += " · " + strings.Join(l, "; ")
	}
	return out
}

func (r *renderer) mark(s State) string {
	switch s {
	case Completed:
		return r.icon("✅", "done")
	case Reverted:
		return r.icon("↩️", "reverted")
	case Waiting:
		return r.icon("⏳", "waiting")
	}
	return r.icon("📝", "active")
}

func (r *renderer) icon(icon, word string) string {
	if r.Plain {
		return word
	}
	return icon
}

func (r *renderer) line(format string, args ...any) {
	r.lines = append(r.lines, fmt.Sprintf(format, args...))
}

func cut(s string) string {
	runes := []rune(s)
	if len(runes) <= maxGoal {
		return s
	}
	return string(runes[:maxGoal-1]) + "…"
}
