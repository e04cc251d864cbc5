package session

import (
	"fmt"
	"slices"
	"strings"

	"github.com/galley-ls/galley/memory"
)

// commandEntry is what the journal keeps of a command: once when it starts, once
// when it has ended. It is a side effect that no letter holds and nobody can take
// back, so the model must not forget it.
type commandEntry struct {
	Call    string        `json:"call,omitempty"` // the tool call that ran it
	Task    int           `json:"task,omitempty"`
	Command string        `json:"command"`
	Dir     string        `json:"dir"`
	Began   int64         `json:"began,omitempty"` // the entry of its start; 0: this is it
	Code    *int          `json:"exit_code,omitempty"`
	Stopped string        `json:"stopped,omitempty"` // why it did not end by itself
	Changed []ChangedFile `json:"changed_files,omitempty"`
}

// effect is a command that was run.
type effect struct {
	commandEntry
	seq  int64 // of the entry of its start
	turn int   // of the model's replies
}

func (s *Session) effectBegins(o order) (int64, error) {
	e := commandEntry{Call: o.call, Task: o.task, Command: o.Text, Dir: o.Dir}
	entry, err := s.append(memory.TypeToolCall, e)
	if err == nil {
		s.effectNoted(entry.Seq, s.iter, e)
	}
	return entry.Seq, err
}

func (s *Session) effectEnds(o order, began int64, ran ran, changed []ChangedFile) error {
	e := commandEntry{
		Call: o.call, Task: o.task, Command: o.Text, Dir: o.Dir, Began: began, Code: &ran.code, Stopped: ran.word(),
		Changed: changed[:min(len(changed), maxChanged)],
	}
	switch {
	case ran.err != nil:
		e.Code, e.Stopped = nil, "not started"
	case e.Stopped == CodeExitCode:
		e.Stopped = ""
	}
	entry, err := s.append(memory.TypeToolCall, e)
	if err == nil {
		s.effectNoted(entry.Seq, s.iter, e)
	}
	return err
}

// effectNoted takes an entry into what is known, now and at replay.
func (s *Session) effectNoted(seq int64, turn int, e commandEntry) {
	i := slices.IndexFunc(s.effects, func(f effect) bool { return e.Began != 0 && f.seq == e.Began })
	if i < 0 {
		s.effects = append(s.effects, effect{e, seq, turn})
		return
	}
	s.effects[i].commandEntry = e
}

// maxEffects is how many commands a folded history names.
const maxEffects = 20

// effectBlock names the commands of some tasks, for the folded history; without
// any task, those since the user's last prompt.
func (s *Session) effectBlock(tasks []int) string {
	var lines []string
	for _, e := range s.effects {
		if e.Task != 0 && slices.Contains(tasks, e.Task) || e.Task == 0 && slices.Contains(tasks, 0) && e.turn > s.asked {
			lines = append(lines, e.line())
		}
	}
	if len(lines) == 0 {
		return ""
	}
	if more := len(lines) - maxEffects; more > 0 {
		lines = append([]string{fmt.Sprintf("- %d earlier ones", more)}, lines[more:]...)
	}
	return "<commands_run>\n" + strings.Join(lines, "\n") + "\n</commands_run>"
}

// line is a command in one line: `go test ./...` in sub: exit 1; created a.txt
func (e effect) line() string {
	const most = 200
	text := []rune(oneLine(e.Command))
	if len(text) > most {
		text = append(text[:most-1], '…')
	}
	line := "- `" + string(text) + "`"
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
