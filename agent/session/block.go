package session

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/view"
	"github.com/galley-ls/galley/memory"
)

// block is what the model keeps of a closed editing session, with key decisions beside
// its own. An attempt that was reverted or taken back stays as "tried, reverted, why",
// with none of its text as if it were current.
func (s *Session) block(n int, decisions []string) string {
	e, _ := s.Snapshot().Session(s.me, n)
	var sb strings.Builder
	sb.WriteString(outcomeOf(e) + "\n")
	if stands(e) {
		applied := slices.DeleteFunc(s.Snapshot().Of(s.me, n), func(c *editing.Change) bool { return !c.WasApplied() })
		if len(applied) > 0 {
			writeList(&sb, "changes", []string{view.Totals(applied)})
		}
	}
	s.changeLines(&sb, n, stands(e))
	writeList(&sb, "key decisions", s.set.Load().kept(append(slices.Clip(e.Decisions), missing(decisions, e.Decisions)...)))
	writeList(&sb, "files now", s.hashes(n, stands(e)))
	var task []string
	if t, ok := s.tasks.Get(e.Task); ok {
		task = []string{"task", fmt.Sprintf("#%d %s", t.ID, oneLine(t.Goal))}
	}
	return editElement(e, sb.String(), task...)
}

// brief is a closed editing session in two lines.
func (s *base) brief(e *editing.Session) string {
	var sb strings.Builder
	sb.WriteString(shorten(outcomeOf(e), 200) + "\n")
	writeList(&sb, "files now", s.hashes(e.N, stands(e)))
	return editElement(e, sb.String())
}

// editElement is the element of a request that tells a closed editing session.
func editElement(e *editing.Session, content string, attributes ...string) string {
	return memory.Element("editing_session", content, append([]string{"id", e.ID(), "state", string(e.State)}, attributes...)...)
}

// stands reports whether what an editing session has applied is still to be seen.
func stands(e *editing.Session) bool { return e.State == editing.Committed && !e.Undone }

func outcomeOf(e *editing.Session) string {
	switch {
	case e.Undone:
		return "tried, committed, then taken back by the user as far as its text stood unchanged: " + oneLine(e.Summary)
	case e.State.Open():
		return "taken back by the user, and waits for them again: " + oneLine(e.Summary)
	case e.State == editing.Reverted:
		return "tried, reverted: " + oneLine(cmp.Or(e.Reason, e.Summary, "every change was rejected"))
	}
	return "summary: " + oneLine(e.Summary)
}

// kept are the key decisions that folded history carries on.
func (set *settings) kept(decisions []string) []string {
	if set.NoKeyDecisions {
		return nil
	}
	return decisions
}

// changeLines tells each letter: of those that stand the place and the words, of others
// what was said about them.
func (s *base) changeLines(sb *strings.Builder, n int, stands bool) {
	for _, c := range s.Snapshot().Of(s.me, n) {
		d := c.Decision()
		told := stands && c.WasApplied()
		if c.State == editing.Merged || !stands && d.Reason == "" {
			continue
		}
		fmt.Fprintf(sb, "- %s %s: %s", c.Letter, d.State, c.Name)
		if told {
			now, _ := s.textOf(c.Path)
			line, words := view.Once(c, now)
			if line > 0 {
				fmt.Fprintf(sb, ":%d", line)
			}
			sb.WriteString(" " + words)
		}
		if d.Reason != "" {
			fmt.Fprintf(sb, " (%s)", oneLine(d.Reason))
		}
		sb.WriteByte('\n')
	}
}

func noEdits(decisions []string) string {
	var sb strings.Builder
	sb.WriteString("no changes\n")
	writeList(&sb, "key decisions", decisions)
	return memory.Element("finished_work", sb.String())
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
		if applied && !c.WasApplied() {
			continue
		}
		path, name := c.Path, c.Name
		if c.Kind == editing.KindRename && c.WasApplied() {
			path, name = c.File.To, c.File.ToName
		}
		if t, err := s.textOf(path); err == nil {
			out = append(out, fmt.Sprintf("%s (sha256 %s)", name, t.Hash().String()[:12]))
		} else if isMissing(err) {
			out = append(out, name+" (is not there)")
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
