package view

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
)

// The formats of a preview.
const (
	FormatCompact = "compact" // every change with some lines around it
	FormatFull    = "full"    // every change in its whole enclosing region
	FormatStats   = "stats"   // counts and places only
	FormatDiff    = "diff"    // a unified diff
)

// Options choose what a preview shows. The zero value is the default.
type Options struct {
	ForPeople    bool   // no advice that names the model's tools; a diff is to be read, not to be applied
	Format       string // compact, full, stats or diff; empty: compact
	ContextLines int    // around each change; 0: three, negative: none
	MaxLength    int    // in code points; 0: 500, negative: unlimited
	Name         string // only this file, by name or path
	Letter       string // only this change
	NoIcons      bool
	Closed       func(text.Text) bool `json:"-"` // texts that are not to be seen; nil: none

	room room // for what is shown
}

const (
	defaultMaxLength = 500
	aroundEach       = 3        // lines
	previewedInFull  = 20 << 20 // bytes of a document: larger ones are shown compact
	rule             = "─────────────────────────"
)

func (o Options) context() int {
	switch {
	case o.ContextLines < 0:
		return 0
	case o.ContextLines == 0:
		return aroundEach
	}
	return o.ContextLines
}

func (o Options) icon(s string) string {
	if o.NoIcons {
		return ""
	}
	return s + " "
}

// Preview shows what an editing session is about to change, for models and for
// people. Of a closed one it lists what became of its changes.
func Preview(s *editing.Snapshot, owner string, session int, o Options) string {
	ses, ok := s.Session(owner, session)
	if !ok {
		return fmt.Sprintf("There is no editing session %s; %s.\n", editing.SessionID(session), s.OpenNames(owner))
	}
	p := previewer{Snapshot: s, ses: ses, o: o}
	closed := ""
	for _, c := range s.Of(owner, session) {
		switch {
		case !o.picks(c):
		case o.closes(s, c):
			closed += fmt.Sprintf("[%s] waits in %s, which holds a private key now and is not shown\n", c.Letter, c.Name)
		default:
			p.changes = append(p.changes, c)
		}
	}
	if o.Format == FormatDiff {
		diff := orNothing(p.diff())
		if o.ForPeople {
			diff = Readable(diff)
		}
		diff = text.MarkStray(diff)
		return o.cut(diff, diff) + closed
	}
	return o.fitted(func(o Options) string {
		p.o = o
		return p.body()
	}) + closed + p.tip()
}

// closes reports whether a change waits in a text that is not to be seen.
func (o Options) closes(s *editing.Snapshot, c *editing.Change) bool {
	d, ok := s.Document(c.Path)
	return ok && o.Closed != nil && o.Closed(d.Base)
}

func (o Options) picks(c *editing.Change) bool {
	return (o.Name == "" || o.Name == c.Name || o.Name == c.Path) && (o.Letter == "" || strings.EqualFold(o.Letter, c.Letter))
}

func orNothing(diff string) string {
	if diff == "" {
		return "There is no staged change to show as a diff.\n"
	}
	return diff
}

// Places shows the places of one change, without any head, "" where they are not to be seen.
func Places(s *editing.Snapshot, c *editing.Change, o Options) string {
	if o.closes(s, c) {
		return ""
	}
	return o.fitted(func(o Options) string {
		lines := bareLines(c)
		if v, ok := compared(s, c); ok {
			lines = v.lines(o.extent(c.Name, v))
		}
		return o.painted(lines)
	})
}

// extent is how much is shown around each place.
func (o Options) extent(name string, v comparison) extent {
	if o.Format == FormatFull && v.base.Len() <= previewedInFull {
		return enclosing(name, o.context())
	}
	return around(o.context())
}

// painted are lines with their numbers: of old lines those of the base, of all
// others those of the proposed text. Letters behind a number have a part in the line.
func (o Options) painted(lines Lines) string {
	var sb strings.Builder
	for _, l := range lines.fold(o.room.old) {
		l = l.Spelled().Narrowed(o.room.width)
		switch {
		case l.between():
			sb.WriteString("   ⋮\n")
		case l.Sign == Note:
			fmt.Fprintf(&sb, "   …│ %s\n", l.Text)
		default:
			fmt.Fprintf(&sb, "%4s│%c%s\n", l.number()+l.Theirs, l.Sign, l.Text)
		}
	}
	return sb.String()
}

func (l Line) number() string {
	if n := l.Number(); n > 0 {
		return fmt.Sprint(n)
	}
	return ""
}

// room is how much may be shown of a change.
type room struct{ old, width int } // lines at either end of what is deleted, characters of a line

// rooms are what becomes of a preview that is too long: what stands around the changes
// goes first, then the middle of what is deleted, and what comes is shown to the last.
var rooms = []struct {
	context int
	room
}{{1, room{foldOver, saneLine}}, {-1, room{foldEnds, saneLine}}, {-1, room{0, saneLine / 4}}}

// fitted is a text in the length that there is.
func (o Options) fitted(write func(Options) string) string {
	o.room = room{foldOver, saneLine}
	whole := write(o)
	s, context := whole, o.context()
	for _, r := range rooms {
		if o.fits(s) || o.Format == FormatStats {
			break
		}
		o.Format, o.room = FormatCompact, r.room
		if context > 0 {
			o.ContextLines = r.context
		}
		s = write(o)
	}
	return o.cut(s, whole)
}

func (o Options) most() int {
	if o.MaxLength == 0 {
		return defaultMaxLength
	}
	return o.MaxLength
}

func (o Options) fits(s string) bool {
	return o.most() < 0 || utf8.RuneCountInString(s) <= o.most()
}

// cut is as much of a text as there is room for, which stands for a whole one.
func (o Options) cut(s, whole string) string {
	if s == whole && o.fits(s) {
		return s
	}
	shown, end := 0, 0
	for line := range strings.Lines(s) {
		if shown += utf8.RuneCountInString(line); shown > o.most() && end > 0 {
			break
		}
		end += len(line)
	}
	if s[:end] == whole {
		return s
	}
	total := utf8.RuneCountInString(whole)
	lines := strings.Count(whole, "\n") - strings.Count(s[:end], "\n")
	other := "format \"stats\" only the places"
	if o.Format == FormatDiff {
		other = "memo_export_diff writes the whole patch"
	}
	return s[:end] + fmt.Sprintf("… %s, %s: memo_preview with max_length %d shows all, %s\n",
		text.Plural(max(1, lines), "more line"), text.Plural(max(1, total-utf8.RuneCountInString(s[:end])), "char"), total, other)
}

// previewer writes the preview of one editing session.
type previewer struct {
	*editing.Snapshot
	ses     *editing.Session
	o       Options
	changes []*editing.Change // chosen
	mixed   bool              // other letters have a part in lines that are shown
	sb      strings.Builder
}

func (p *previewer) body() string {
	p.sb.Reset()
	p.head()
	if p.o.Format == FormatStats {
		p.stats()
		return p.sb.String()
	}
	p.lists()
	p.windows()
	return p.sb.String()
}

func (p *previewer) head() {
	fmt.Fprintf(&p.sb, "%sEditing session #%d (%s)\n", p.o.icon("📝"), p.ses.N, inWords(p.ses.State))
	if p.ses.Summary != "" {
		fmt.Fprintf(&p.sb, "Summary: %s\n", p.ses.Summary)
	}
	if p.ses.Reason != "" {
		fmt.Fprintf(&p.sb, "Reason: %s\n", p.ses.Reason)
	}
	if !p.ses.State.Open() {
		return
	}
	files := p.files()
	if len(files) > 0 {
		fmt.Fprintf(&p.sb, "Base: %s\n", p.sizes(files))
	}
	for _, d := range files {
		if p.o.Format == FormatFull && d.Base.Len() > previewedInFull {
			fmt.Fprintf(&p.sb, "%s is larger than %d MB: it is shown as compact, not full\n", d.Name, previewedInFull>>20)
		}
	}
}

// files are the documents of the chosen changes, by name.
func (p *previewer) files() []*editing.Document {
	return slices.DeleteFunc(p.Documents(), func(d *editing.Document) bool {
		return !slices.ContainsFunc(p.changes, func(c *editing.Change) bool { return c.Path == d.Path })
	})
}

func (p *previewer) sizes(files []*editing.Document) string {
	var out []string
	for _, d := range files {
		size := text.Plural(d.Base.Chars(), "char")
		if d.Gone() {
			size = absence(d)
		}
		if len(files) > 1 {
			size = d.Name + " " + size
		}
		out = append(out, size)
	}
	return strings.Join(out, " · ")
}

// tip says what can be done next.
func (p *previewer) tip() string {
	switch {
	case p.o.ForPeople: // who have keys and commands of their own
	case p.ses.State == editing.Editing:
		return p.o.icon("💡") + "memo_commit(\"…\") to commit, memo_revert(\"…\") to discard\n"
	case p.ses.State == editing.Proposed:
		return p.o.icon("💡") + "the user decides; until then the agent may amend, memo_drop(\"…\") or memo_revert(\"…\")\n"
	}
	return ""
}

// absence says in a word why there is no text of a document.
func absence(d *editing.Document) string {
	for _, c := range d.Changes() {
		if c.Kind == editing.KindCreate && c.Proposes() {
			return "new"
		}
	}
	return "gone"
}
