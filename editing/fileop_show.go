package editing

import (
	"fmt"
	"strings"

	"github.com/galley-ls/galley/editing/text"
)

// This file shows changes of whole files.

// fileSummary describes a change of a whole file in words.
func (c *Change) fileSummary() string {
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
	return plural(t.Lines(), "line")
}

// where names file and lines of a change, but for one that has named its file.
func (f fact) where(c *Change) string {
	if c.file() {
		return ""
	}
	return " · " + f.place(c.Name)
}

// heldBack reports whether a conflict is one about files, not about lines.
func (s *Snapshot) heldBack(c *Change) bool {
	d := s.docs[c.Path]
	return c.State == Conflict && (c.file() || d != nil && d.gone())
}

// Stuck says what is in the way of a change in a conflict that is about files, not
// about lines.
func (s *Snapshot) Stuck(c *Change) (why string, ok bool) {
	if ok = s.heldBack(c); ok {
		why = s.why(c)
	}
	return why, ok
}

// stuck says of such a conflict what it is about.
func (s *Snapshot) stuck(c *Change) string {
	if c.file() {
		return c.Summary() + ": " + s.why(c)
	}
	return s.why(c)
}

// explainedFile is explained for a conflict about files.
func (s *Snapshot) explainedFile(c *Change) string {
	what := "reject it, or ask again"
	switch {
	case !c.file():
		what = "it waits for the file to come back; " + what
	case c.Kind != KindRename && !s.docs[c.Path].gone():
		what = fmt.Sprintf("- is the user's text, + the agent's. Keep mine (reject %s), take the agent's, or ask again", c.Letter)
	}
	return fmt.Sprintf("[%s] conflict: %s; %s\n", c.Letter, s.why(c), what)
}

// names are a file's names in a patch, before and after, and the lines that say how
// it comes, goes or moves.
func (d *Document) names(owner string, in func(*Change) bool) (old, new, extra string) {
	old, new = d.Name, d.Name
	for _, c := range d.changes {
		if c.Owner != owner || !c.proposes() || !in(c) {
			continue
		}
		switch c.Kind {
		case KindCreate:
			return "", new, "new file mode 100644\n"
		case KindDeleteFile:
			return old, "", "deleted file mode 100644\n"
		case KindRename:
			new = c.File.ToName
			extra = "rename from " + strings.TrimPrefix(patchName("a/", old), "a/") + "\nrename to " + strings.TrimPrefix(patchName("b/", new), "b/") + "\n"
		}
	}
	return old, new, extra
}

// patchHead is the head of a file's patch; bare says that no line changes.
func (d *Document) patchHead(owner string, in func(*Change) bool, bare bool) string {
	old, new, extra := d.names(owner, in)
	if bare && extra == "" {
		return ""
	}
	either := func(a, b string) string {
		if a == "" {
			return b
		}
		return a
	}
	a, b := patchName("a/", either(old, new)), patchName("b/", either(new, old))
	head := fmt.Sprintf("diff --git %s %s\n%s", a, b, extra)
	if bare {
		return head
	}
	if old == "" {
		a = "/dev/null"
	}
	if new == "" {
		b = "/dev/null"
	}
	return head + fmt.Sprintf("--- %s\n+++ %s\n", tabbed(a), tabbed(b))
}

// absence says in a word why there is no text of a document.
func (d *Document) absence() string {
	for _, c := range d.changes {
		if c.Kind == KindCreate && c.proposes() {
			return "new"
		}
	}
	return "gone"
}
