package editing

import (
	"cmp"
	"slices"

	"github.com/galley-ls/galley/editing/match"
	"github.com/galley-ls/galley/editing/text"
)

// Writing asks for a whole file to read as Content.
type Writing struct {
	Meta
	Path    string
	Name    string // as shown to people, for a file that is not there yet
	Content string
	Mask    func(string) string // what was done to the text before the agent saw it, nil: nothing
}

// Write turns the content of a whole file into hunks by a line diff and stages
// one letter a hunk; the nearest hunks are joined when letters are short. A file
// that is not there is created.
func Write(w Writing) Op {
	return func(t *tx) Result {
		if !t.st.Resolve(w.Owner, w.Path).There {
			return t.createFile(creation{Meta: w.Meta, Path: w.Path, Name: w.name(t.see(w.Path)), Content: unprefixed(text.Text{}, w.Content)})
		}
		d, absent := t.sight(w.Owner, w.Path)
		if absent != nil {
			return *absent
		}
		p := d.Proposed(w.Owner)
		hunks := given(p, w.Content, w.Mask)
		if len(hunks) == 0 {
			return refuse("no_change", "the file reads like that already; nothing was staged")
		}
		if line := match.Placeholder(p.String(), w.Content); line != "" {
			return refuse("placeholder", "content holds %q instead of the text it stands for; write the whole file, or use memory_notebook_replace for a part of it", line)
		}
		return t.writeHunks(d, w, p, hunks)
	}
}

func (w Writing) name(d *Document) string {
	if d != nil {
		return d.Name
	}
	return cmp.Or(w.Name, w.Path)
}

func (t *tx) writeHunks(d *Document, w Writing, p text.Text, hunks text.Edits) Result {
	free := t.st.Free()
	if free == 0 {
		return refuse("letters_full", "all %d letters wait for a decision; commit, revert or wait for the user's review first. Nothing was staged", t.st.limit)
	}
	res := Result{Status: StatusEditing, Path: d.Path, Owner: w.Owner}
	delta := 0
	for _, group := range grouped(hunks, free) {
		var es text.Edits
		for _, h := range group {
			es = append(es, fine(p, p.Plain(), h)...)
		}
		c, refusal := t.stage(d.Path, w.Meta, moved(es, delta), requestKey("write", w.Content))
		if refusal != nil {
			return t.undo(*refusal)
		}
		delta = t.doc(d.Path).Proposed(w.Owner).Len() - p.Len() // what was staged may have other line ends than es
		res.Session = c.Session
		if !slices.Contains(res.Touched, c.Letter) {
			res.Touched = append(res.Touched, c.Letter)
		}
	}
	return res
}

// grouped joins the nearest edits until there are at most n groups.
func grouped(es text.Edits, n int) []text.Edits {
	near := make([]int, 0, len(es)) // behind which edit the next one comes, the nearest first
	for i := range len(es) - 1 {
		near = append(near, i)
	}
	slices.SortStableFunc(near, func(a, b int) int { return cmp.Compare(es[a+1].Start-es[a].End, es[b+1].Start-es[b].End) })
	ends := near[max(len(es)-n, 0):]
	slices.Sort(ends)
	var out []text.Edits
	from := 0
	for _, i := range append(ends, len(es)-1) {
		out = append(out, es[from:i+1])
		from = i + 1
	}
	return out
}
