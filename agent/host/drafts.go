package host

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
)

// drafts are the files in which a person edits what changes propose: each time one is
// saved, its change has another revision.
type drafts struct {
	taking sync.Mutex // held while one is made, or taken in; taken before mu

	mu   level // guards the rest
	open map[string]*draft
	said []string // why one was not taken in
}

// draft is one of them, by the path of its file.
type draft struct {
	letter   string
	order    int64 // of the change: another one may get the letter
	revision int
	text     string // of the file, as it was looked at last
}

// Amend gives a staged change a text of the person's.
func (h *Host) Amend(_ context.Context, a editing.Amendment) (editing.Result, error) {
	return h.each(editing.Disk, []editing.Choice{a.Choice}, func([]editing.Choice) session.Decision { return session.Amend(a) })
}

// Split cuts a staged change in two: Touched is its letter, and that of the lines which
// part names.
func (h *Host) Split(_ context.Context, choice editing.Choice, part func(*editing.Document, *editing.Change) editing.Part) (editing.Result, error) {
	return h.each(editing.Disk, []editing.Choice{choice}, func([]editing.Choice) session.Decision { return session.Split(choice, part) })
}

// Draft makes a file in which the person edits what a change proposes; the one that they
// have, if it is no other than that.
func (h *Host) Draft(_ context.Context, choice editing.Choice) (path string, r editing.Result, err error) {
	path, r, err = h.draft(choice)
	h.rewatch()
	return path, r, err
}

func (h *Host) draft(choice editing.Choice) (path string, r editing.Result, err error) {
	h.drafts.taking.Lock()
	defer h.drafts.taking.Unlock()
	snap := h.table.Snapshot()
	var lines string
	c, ok := snap.Change(choice.Letter)
	if ok {
		d, _ := snap.Document(c.Path)
		lines, _ = d.Draft(c)
	}
	if r = h.table.Plan(editing.Amend(editing.Amendment{Choice: choice, Text: lines, Lines: true})).Result; !r.OK() {
		return "", r, nil
	}
	if path, ok := h.drafts.of(c); ok {
		return path, r, nil
	}
	s, err := h.session(c.Owner)
	if err != nil {
		return "", r, err
	}
	if path, r, err = s.Draft(c, lines); err == nil && r.OK() {
		h.drafts.put(path, &draft{c.Letter, c.Order, c.Revision, lines})
	}
	return path, r, err
}

func (ds *drafts) put(path string, d *draft) {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	if ds.open == nil {
		ds.open = map[string]*draft{}
	}
	ds.open[path] = d
}

// of is the draft of a change as it is.
func (ds *drafts) of(c *editing.Change) (path string, ok bool) {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	for path, d := range ds.open {
		if d.letter == c.Letter && d.order == c.Order && d.revision == c.Revision {
			return path, true
		}
	}
	return "", false
}

// paths are the files of all drafts, or those among some.
func (ds *drafts) paths(among ...string) (out []string) {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	for path := range ds.open {
		if len(among) == 0 || slices.Contains(among, path) || slices.Contains(among, "") {
			out = append(out, path)
		}
	}
	return out
}

// saved takes in drafts that may have been saved.
func (h *Host) saved(among []string) {
	h.drafts.taking.Lock()
	defer h.drafts.taking.Unlock()
	for _, path := range h.drafts.paths(among...) {
		h.drafts.mu.Lock()
		d := *h.drafts.open[path]
		h.drafts.mu.Unlock()
		why := h.takeDraft(path, &d)
		h.drafts.mu.Lock()
		if *h.drafts.open[path] = d; why != "" {
			h.drafts.said = append(h.drafts.said, fmt.Sprintf("%s is not taken in: %s. What you wrote is in %s", d.letter, why, path))
			h.drafts.mu.bump()
		}
		h.drafts.mu.Unlock()
	}
}

// takeDraft makes of a draft the next revision of its change. It answers why not.
func (h *Host) takeDraft(path string, d *draft) (why string) {
	b := session.ReadDraft(path)
	if len(b) == 0 || string(b) == d.text { // it may just be being written
		return ""
	}
	d.text = string(b)
	now, err := text.FromBytes(b)
	if err != nil {
		return err.Error()
	}
	c, ok := h.table.Snapshot().Change(d.letter)
	if !ok || c.Order != d.order {
		return "the change is not open any more"
	}
	r, err := h.Amend(h.ctx, editing.Amendment{Choice: editing.Choice{Letter: d.letter, Revision: d.revision}, Text: now.String(), Lines: true})
	switch {
	case err != nil:
		return err.Error()
	case !r.OK():
		return strings.TrimSuffix(r.Hint, ".")
	}
	if c, ok := h.table.Snapshot().Change(d.letter); ok && c.Yours {
		d.revision = c.Revision
	}
	return ""
}

// WaitDrafts waits until a draft was saved that could not be taken in, and says why.
func (h *Host) WaitDrafts(ctx context.Context) (say []string, err error) {
	err = h.drafts.mu.until(ctx, func() bool {
		say, h.drafts.said = h.drafts.said, nil
		return len(say) > 0
	})
	return say, err
}
