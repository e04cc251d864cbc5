package session

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/galley-ls/galley/memory"
)

// CommandRun is what the journal keeps of a command: once when it starts, once
// when it has ended. It is a side effect that no letter holds and nobody can take
// back, so the model must not forget it.
type CommandRun struct {
	Call    string        `json:"call,omitempty"` // the tool call that ran it
	Task    int           `json:"task,omitempty"`
	Command string        `json:"command"`
	Dir     string        `json:"dir"`
	Began   int64         `json:"began,omitempty"` // the entry of its start; 0: this is it
	Code    *int          `json:"exit_code,omitempty"`
	Stopped string        `json:"stopped,omitempty"` // why it did not end by itself
	Changed []ChangedFile `json:"changed_files,omitempty"`
}

// ChangedFile is a file that a command created, changed or deleted.
type ChangedFile struct {
	Path   string `json:"path"`
	Change string `json:"change"`
}

// CommandBegins journals that a command starts: after a crash it is known that it
// may have run. Until it ends, what changes on disk is its doing.
func (s *Session) CommandBegins(r CommandRun) (CommandRun, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t, ok := s.tasks.Current(); ok {
		r.Task = t.ID
	}
	entry, err := s.append(memory.TypeToolCall, r)
	if err == nil {
		s.effects.noted(entry.Seq, s.iter, r)
		s.running[entry.Seq] = true
	}
	r.Began = entry.Seq
	return r, err
}

// CommandEnds takes in what a command did. It answers the letters that wait for a decision: the command saw the files without
// them.
func (s *Session) CommandEnds(r CommandRun) (waiting []string, err error) {
	err = s.refreshAll(By{Call: r.Call, Author: commandAuthor})
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.running, r.Began)
	entry, journal := s.append(memory.TypeToolCall, r)
	if journal == nil {
		s.effects.noted(entry.Seq, s.iter, r)
	}
	return s.undecided(), errors.Join(err, journal)
}

// effect is a command that was run.
type effect struct {
	CommandRun
	seq  int64 // of the entry of its start
	turn int   // of the model's replies
}

type effects []effect

// noted takes an entry into what is known, now and at replay.
func (es *effects) noted(seq int64, turn int, r CommandRun) {
	i := slices.IndexFunc(*es, func(f effect) bool { return r.Began != 0 && f.seq == r.Began })
	if i < 0 {
		*es = append(*es, effect{r, seq, turn})
		return
	}
	(*es)[i].CommandRun = r
}

// maxEffects is how many commands a folded history names.
const maxEffects = 20

// block names the commands of some tasks, for the folded history; without any
// task, those since the user's last prompt.
func (es effects) block(tasks []int, asked int) string {
	var lines []string
	for _, e := range es {
		if e.Task != 0 && slices.Contains(tasks, e.Task) || e.Task == 0 && slices.Contains(tasks, 0) && e.turn > asked {
			lines = append(lines, e.line())
		}
	}
	if len(lines) == 0 {
		return ""
	}
	if more := len(lines) - maxEffects; more > 0 {
		lines = append([]string{fmt.Sprintf("- %d earlier ones", more)}, lines[more:]...)
	}
	return memory.Element("commands_run", strings.Join(lines, "\n"))
}

// all are the commands of the session, the newest of them by name.
func (es effects) all() string {
	var lines []string
	for _, e := range es[max(0, len(es)-maxEffects):] {
		lines = append(lines, e.line())
	}
	return strings.Join(lines, "\n")
}

// line is a command in one line: `go test ./...` in sub: exit 1; created a.txt
func (e effect) line() string {
	line := "- `" + shorten(oneLine(e.Command), 200) + "`"
	if e.Dir != "." {
		line += " in " + e.Dir
	}
	switch {
	case e.Stopped != "":
		line += ": " + strings.ReplaceAll(e.Stopped, "_", " ")
	case e.Code == nil:
		line += ": it is not known whether it ran to its end"
	default:
		line += fmt.Sprintf(": exit %d", *e.Code)
	}
	const named = 5
	var files []string
	for _, f := range e.Changed[:min(len(e.Changed), named)] {
		files = append(files, f.Change+" "+f.Path)
	}
	if more := len(e.Changed) - named; more > 0 {
		files = append(files, fmt.Sprintf("%d more", more))
	}
	if len(files) > 0 {
		line += "; " + strings.Join(files, ", ")
	}
	return line
}
