package editing

import (
	"fmt"

	"github.com/galley-ls/galley/editing/text"
)

// This file says in words what changes of whole files are about.

// FileSummary describes a change of a whole file.
func (c *Change) FileSummary() string {
	switch c.Kind {
	case KindCreate:
		return fmt.Sprintf("create %s (%s)", text.Visible(c.Name), linesOf(text.New(c.content())))
	case KindDeleteFile:
		return fmt.Sprintf("delete %s (%s)", text.Visible(c.Name), linesOf(c.deleted()))
	}
	return fmt.Sprintf("rename %s → %s", text.Visible(c.File.FromName), text.Visible(c.File.ToName))
}

func linesOf(t text.Text) string {
	if t.Len() == 0 {
		return "empty"
	}
	return text.Plural(t.Lines(), "line")
}

// Stuck says what is in the way of a change in a conflict that is about files, not
// about lines.
func (s *Snapshot) Stuck(c *Change) (why string, ok bool) {
	d := s.docs[c.Path]
	if c.State != Conflict || !c.file() && (d == nil || !d.Gone()) {
		return "", false
	}
	return s.why(c), true
}
