package view

import (
	"fmt"
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
)

// inWords is the state of an editing session as people say it.
func inWords(s editing.SessionState) string {
	switch s {
	case editing.Editing:
		return "in progress"
	case editing.Proposed:
		return "proposed, waiting for review"
	}
	return string(s)
}

// standing says in words where a change stands, and why.
func standing(c *editing.Change) string {
	s := string(c.State)
	switch {
	case c.State == editing.Merged && c.Verdict != "":
		return s + " " + c.Verdict
	case c.State == editing.Closed && c.Was != "":
		s = fmt.Sprintf("%s (was %s)", s, c.Was)
	case c.State == editing.Applied && c.By != "":
		s += " by " + c.By
	}
	if c.Verdict != "" {
		s += fmt.Sprintf(" %q", c.Verdict)
	}
	return s
}

// lists writes what waits and what is decided, one line a change.
func (p *previewer) lists() {
	pending, decided := p.parted()
	title := "Pending changes"
	if !p.ses.State.Open() {
		title, pending, decided = "Changes", decided, nil
	}
	p.list(title, pending)
	if len(decided) > 0 {
		p.list("Decided", decided)
	}
}

func (p *previewer) list(title string, cs []*editing.Change) {
	if len(cs) == 0 {
		fmt.Fprintf(&p.sb, "\n%s: none%s\n", title, p.o.where())
		return
	}
	fmt.Fprintf(&p.sb, "\n%s:\n", title)
	for _, c := range cs {
		p.sb.WriteString(entry(p.Snapshot, c, c.State != editing.Staged) + "\n")
	}
}

// where names what a preview is confined to.
func (o Options) where() string {
	var s string
	if o.Letter != "" {
		s += " with letter " + strings.ToUpper(o.Letter)
	}
	if o.Name != "" {
		s += " in " + o.Name
	}
	return s
}

func (p *previewer) parted() (pending, decided []*editing.Change) {
	for _, c := range p.changes {
		if c.State.Undecided() {
			pending = append(pending, c)
			continue
		}
		decided = append(decided, c)
	}
	return pending, decided
}

// entry is a change on one line: letter, what it does, where.
func entry(s *editing.Snapshot, c *editing.Change, state bool) string {
	f := factOf(s, c)
	if state {
		f.what = standing(c) + ": " + f.what
	}
	if c.State != editing.Conflict {
		return fmt.Sprintf("[%s] %s%s · %s", c.Letter, f.what, f.where(c), grown(f.Delta))
	}
	return fmt.Sprintf("[%s] %s%s", c.Letter, f.what, f.where(c))
}

// fact is what a list says of a change.
type fact struct {
	what string
	Where
}

func factOf(s *editing.Snapshot, c *editing.Change) fact {
	v, ok := compared(s, c)
	why, stuck := s.Stuck(c)
	switch {
	case !ok:
		return fact{BareSummary(c), lengths(c)}
	case stuck && !c.Kind.File():
		return fact{why, v.where()}
	case stuck:
		return fact{c.FileSummary() + ": " + why, v.where()}
	case c.Kind.File():
		return fact{c.FileSummary(), v.where()}
	case c.State == editing.Conflict:
		return fact{v.sides(), v.where()}
	}
	return fact{v.summary(), v.where()}
}

// where names file and lines of a change, but for one that has named its file.
func (f fact) where(c *editing.Change) string {
	if c.Kind.File() {
		return ""
	}
	return " · " + f.Place(c.Name)
}

// sides are both texts of a conflict, short.
func (v comparison) sides() string {
	rs := v.runs()
	if len(rs) == 0 {
		return "the user and the agent have the same text"
	}
	user, agent := v.excerpts(rs[0])
	return "the user has " + sideOf(user) + ", the agent wants " + sideOf(agent) + morePlaces(len(rs)-1)
}

func sideOf(s string) string {
	if s == "" {
		return "nothing"
	}
	return quote(s)
}

// Place names file and lines.
func (w Where) Place(name string) string {
	switch {
	case w.Line == 0:
		return name
	case w.Line == w.EndLine:
		return fmt.Sprintf("%s · line %d", name, w.Line)
	}
	return fmt.Sprintf("%s · lines %d–%d", name, w.Line, w.EndLine)
}

func grown(n int) string {
	if n > 0 {
		return "+" + text.Plural(n, "char")
	}
	if n == 0 {
		return "±0 chars"
	}
	return text.Plural(n, "char")
}

// kinds are the words for what changes do, in the order in which they are counted.
var kinds = []struct {
	kind editing.Kind
	word string
}{
	{editing.KindReplace, "replacement"},
	{editing.KindInsert, "insertion"},
	{editing.KindDelete, "deletion"},
	{editing.KindCreate, "new file"},
	{editing.KindDeleteFile, "deleted file"},
	{editing.KindRename, "renamed file"},
}

// Totals says what some changes come to: "2 replacements, 1 new file, +45 chars"; "" of none.
func Totals(cs []*editing.Change) string {
	count, delta := map[editing.Kind]int{}, 0
	for _, c := range cs {
		count[c.Kind]++
		delta += lengths(c).Delta
	}
	var parts []string
	for _, k := range kinds {
		if n := count[k.kind]; n > 0 {
			parts = append(parts, text.Plural(n, k.word))
		}
	}
	if parts == nil {
		return ""
	}
	return strings.Join(append(parts, grown(delta)), ", ")
}

// chars counts the code points that come and go.
func (w Where) chars() string { return fmt.Sprintf("+%d/-%d chars", w.OldLength+w.Delta, w.OldLength) }

// stats writes counts and places only.
func (p *previewer) stats() {
	pending, decided := p.parted()
	if !p.ses.State.Open() {
		pending = decided
	}
	var rows []string
	added, deleted := 0, 0
	var all Where
	files := map[string]bool{}
	for _, c := range pending {
		plus, minus := lineCounts(p.Snapshot, c)
		w := WhereIs(p.Snapshot, c)
		if c.State != editing.Conflict {
			added, deleted = added+plus, deleted+minus
			all.OldLength, all.Delta = all.OldLength+w.OldLength, all.Delta+w.Delta
		}
		files[c.Path] = true
		what := w.Place(c.Name)
		if c.Kind.File() {
			what = c.FileSummary()
		}
		row := fmt.Sprintf("[%s] %s · +%d -%d lines · %s", c.Letter, what, plus, minus, w.chars())
		if c.State != editing.Staged {
			row += " · " + standing(c)
		}
		rows = append(rows, row+"\n")
	}
	fmt.Fprintf(&p.sb, "\n%s in %s: +%d -%d lines, %s\n%s",
		text.Plural(len(pending), "change"), text.Plural(len(files), "file"), added, deleted, all.chars(), strings.Join(rows, ""))
}

// lineCounts counts the lines that a change adds and deletes.
func lineCounts(s *editing.Snapshot, c *editing.Change) (plus, minus int) {
	v, ok := compared(s, c)
	if !ok {
		for _, h := range c.Hunks {
			plus += text.New(h.New).Lines()
			minus += text.New(h.Old).Lines()
		}
		return plus, minus
	}
	for _, r := range v.runs() {
		plus += r.end - r.at
		minus += r.to - r.from
	}
	return plus, minus
}

// Pending lists what waits in owner's open editing sessions, for a prompt:
// a head line a session, one line a change. It is empty if nothing is open.
func Pending(s *editing.Snapshot, owner string) string {
	var sb strings.Builder
	for _, ses := range s.Sessions(owner) {
		if !ses.State.Open() {
			continue
		}
		cs := s.Of(ses.Owner, ses.N)
		pending := slices.DeleteFunc(slices.Clone(cs), func(c *editing.Change) bool { return !c.State.Undecided() })
		fmt.Fprintf(&sb, "%s (%s): %d pending%s\n", ses.ID(), inWords(ses.State), len(pending), decidedIn(cs))
		for _, c := range pending {
			f := factOf(s, c)
			fmt.Fprintf(&sb, "[%s] %s: %s%s\n", c.Letter, c.State, f.what, f.where(c))
		}
	}
	return sb.String()
}

// decidedIn names the letters whose decision is taken.
func decidedIn(cs []*editing.Change) string {
	var out string
	for _, state := range []editing.ChangeState{editing.Applied, editing.Rejected} {
		var of []string
		for _, c := range cs {
			if c.State == state {
				of = append(of, c.Letter)
			}
		}
		if len(of) > 0 {
			out += fmt.Sprintf("; %s %s", strings.Join(of, ", "), state)
		}
	}
	return out
}
