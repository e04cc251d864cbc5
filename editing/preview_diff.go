package editing

import (
	"fmt"
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing/text"
)

// Diff is the staged part of an editing session as a patch of the files as they
// are now, whole and byte for byte. Conflicts are not in it.
func (s *Snapshot) Diff(owner string, session int) string {
	p := previewer{Snapshot: s, changes: s.Of(owner, session), ses: &Session{Owner: owner, N: session}}
	return p.diff()
}

func (p *previewer) diff() string {
	var sb strings.Builder
	for _, d := range p.files() {
		sb.WriteString(d.diff(p.ses.Owner, p.o.context(), func(c *Change) bool { return slices.Contains(p.changes, c) }))
	}
	if sb.Len() == 0 {
		return ""
	}
	var held string
	for _, c := range p.changes {
		if c.State == Conflict {
			held += fmt.Sprintf("# %s is in conflict with what the user typed in %s; it is not part of this patch\n", c.Letter, c.Name)
		}
	}
	return held + sb.String()
}

// diff writes the patch of one file, empty if there is nothing to write. Other
// letters are left out: the patch must fit the file without them.
func (d *Document) diff(owner string, context int, in func(*Change) bool) string {
	v := view{base: d.Base, old: d.Base}
	for _, s := range d.spans(owner) {
		if in(s.c) {
			v.edits = append(v.edits, s.e)
		}
	}
	v.edits = joinPoints(v.edits)
	if d.Base.BOM() {
		v.withBOM()
	}
	v.new = mustApply(v.old, v.edits)
	rs := v.runsBy(identical)
	var sb strings.Builder
	sb.WriteString(d.patchHead(owner, in, len(rs) == 0))
	for _, w := range joinRuns(v, rs, around(context)) {
		v.patch(&sb, w)
	}
	return sb.String()
}

// withBOM makes the byte order mark part of the text: in a patch it is a part of
// the first line.
func (v *view) withBOM() {
	const bom = "\uFEFF"
	v.old = mustApply(v.old, text.Edits{{New: bom}})
	v.edits = moved(v.edits, len(bom))
}

// patch writes one hunk of a unified diff.
func (v view) patch(sb *strings.Builder, w window) {
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
		if !endsLine(s) {
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
