package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
)

// Diff is the staged part of an editing session as a patch of the files as they
// are now, whole and byte for byte. Conflicts are not in it.
func Diff(s *editing.Snapshot, owner string, session int) string {
	p := previewer{Snapshot: s, changes: s.Of(owner, session), ses: &editing.Session{Owner: owner, N: session}}
	return p.diff()
}

// Readable is a patch for people: what they cannot see is marked, and so are the line
// ends where not all are alike.
func Readable(patch string) string {
	crlf, lf := 0, 0
	for line := range strings.Lines(patch) {
		switch {
		case strings.HasPrefix(line, "--- "), strings.HasPrefix(line, "+++ "), strings.IndexAny(line, "-+ ") != 0:
		case strings.HasSuffix(line, "\r\n"):
			crlf++
		default:
			lf++
		}
	}
	if crlf > 0 && lf > 0 {
		patch = strings.ReplaceAll(patch, "\r\n", text.Visible("\r")+"\n")
	}
	return text.Marked(patch)
}

func (p *previewer) diff() string {
	var sb strings.Builder
	for _, d := range p.files() {
		sb.WriteString(fileDiff(d, p.ses.Owner, p.o.context(), func(c *editing.Change) bool { return slices.Contains(p.changes, c) }))
	}
	if sb.Len() == 0 {
		return ""
	}
	var held string
	for _, c := range p.changes {
		if c.State == editing.Conflict {
			held += fmt.Sprintf("# %s is in conflict with what the user typed in %s; it is not part of this patch\n", c.Letter, c.Name)
		}
	}
	return held + sb.String()
}

// fileDiff is the patch of one file, empty if there is nothing to write. Other
// letters are left out: the patch must fit the file without them.
func fileDiff(d *editing.Document, owner string, context int, in func(*editing.Change) bool) string {
	v := comparison{base: d.Base, old: d.Base}
	for _, p := range d.Pieces(owner) {
		if in(p.Change) {
			v.edits = append(v.edits, p.Edit)
		}
	}
	v.edits = v.edits.JoinPoints()
	if d.Base.BOM() {
		v.withBOM()
	}
	v.new = v.old.MustApply(v.edits)
	rs := v.runsBy(identical)
	var sb strings.Builder
	sb.WriteString(patchHead(d, owner, in, len(rs) == 0))
	for _, w := range joinRuns(v, rs, around(context)) {
		v.patch(&sb, w)
	}
	return sb.String()
}

// withBOM makes the byte order mark part of the text: in a patch it is a part of
// the first line.
func (v *comparison) withBOM() {
	const bom = "\uFEFF"
	v.old = v.old.MustApply(text.Edits{{New: bom}})
	for i, e := range v.edits {
		v.edits[i] = e.Moved(len(bom))
	}
}

// patch writes one hunk of a unified diff.
func (v comparison) patch(sb *strings.Builder, w window) {
	first, last := w.runs[0], w.runs[len(w.runs)-1]
	from, to := w.from+first.from-first.at, w.to+last.to-last.end
	fmt.Fprintf(sb, "@@ -%s +%s @@\n", lineRange(from, to), lineRange(w.from, w.to))
	at := w.from
	for _, r := range w.runs {
		patchLines(sb, " ", v.new, at, r.at)
		patchLines(sb, "-", v.old, r.from, r.to)
		patchLines(sb, "+", v.new, r.at, r.end)
		at = r.end
	}
	patchLines(sb, " ", v.new, at, w.to)
}

func patchLines(sb *strings.Builder, sign string, t text.Text, from, to int) {
	for _, s := range linesBetween(t, from, to) {
		sb.WriteString(sign + s)
		if !strings.HasSuffix(s, "\n") {
			sb.WriteString("\n\\ No newline at end of file\n")
		}
	}
}

// lineRange is a range of lines as unified diffs write it: an empty one names
// the line before.
func lineRange(from, to int) string {
	switch to - from {
	case 0:
		return fmt.Sprintf("%d,0", from)
	case 1:
		return fmt.Sprint(from + 1)
	}
	return fmt.Sprintf("%d,%d", from+1, to-from)
}

// patchName is a file name as git writes it: quoted where it must be.
func patchName(prefix, name string) string {
	name = prefix + strings.TrimLeft(name, "/")
	if !strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == '"' || r == '\\' || r == 0x7F }) {
		return name
	}
	var sb strings.Builder
	sb.WriteByte('"')
	for i := range len(name) {
		switch c := name[i]; {
		case c == '"' || c == '\\':
			sb.WriteString(`\` + string(c))
		case c < ' ' || c == 0x7F:
			fmt.Fprintf(&sb, `\%03o`, c)
		default:
			sb.WriteByte(c)
		}
	}
	sb.WriteByte('"')
	return sb.String()
}

// tabbed ends a name with blanks in it by a tab, so that it is read to its end.
func tabbed(name string) string {
	if strings.Contains(name, " ") && !strings.HasPrefix(name, `"`) {
		return name + "\t"
	}
	return name
}

// names are a file's names in a patch, before and after, and the lines that say how
// it comes, goes or moves.
func names(d *editing.Document, owner string, in func(*editing.Change) bool) (old, new, extra string) {
	old, new = d.Name, d.Name
	for _, c := range d.Changes() {
		if c.Owner != owner || !c.Proposes() || !in(c) {
			continue
		}
		switch c.Kind {
		case editing.KindCreate:
			return "", new, "new file mode 100644\n"
		case editing.KindDeleteFile:
			return old, "", "deleted file mode 100644\n"
		case editing.KindRename:
			new = c.File.ToName
			extra = "rename from " + strings.TrimPrefix(patchName("a/", old), "a/") + "\nrename to " + strings.TrimPrefix(patchName("b/", new), "b/") + "\n"
		}
	}
	return old, new, extra
}

// patchHead is the head of a file's patch; bare says that no line changes.
func patchHead(d *editing.Document, owner string, in func(*editing.Change) bool, bare bool) string {
	old, new, extra := names(d, owner, in)
	if bare && extra == "" {
		return ""
	}
	a, b := patchName("a/", cmp.Or(old, new)), patchName("b/", cmp.Or(new, old))
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
