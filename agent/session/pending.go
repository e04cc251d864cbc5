package session

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/memory"
)

// PendingSession is an agent session with letters that wait for a decision.
type PendingSession struct {
	ID      string    `json:"session"`
	Title   string    `json:"title"`
	Updated time.Time `json:"updated"`
	Letters []string  `json:"letters"`
}

// Pending lists the agent sessions of a workspace that have undecided letters, or
// that were cut off while they wrote files, newest first. Nothing of them is locked or
// changed; which have nothing open is noted, so that they are not read again.
func Pending(home, workspace string) ([]PendingSession, error) {
	cut := sync.OnceValue(func() map[string]bool { return cutOff(home, workspace) }) // not where there is no session: it makes a folder
	infos, err := memory.MaybeOpen(home, workspace, func(id string) bool { return cut()[id] })
	if err != nil {
		return nil, err
	}
	var out []PendingSession
	var closed []memory.Info
	for _, in := range infos {
		if in.Legacy {
			continue
		}
		store, err := memory.OpenReadOnly(home, workspace, in.ID)
		if err != nil {
			continue // it went away meanwhile
		}
		ls, open := waiting(store, in.LockedBy == 0)
		if len(ls) > 0 || cut()[in.ID] && in.LockedBy == 0 {
			out = append(out, PendingSession{ID: in.ID, Title: in.Title, Updated: in.Updated, Letters: ls})
		}
		if !open && !cut()[in.ID] {
			closed = append(closed, in)
		}
		_ = store.Close() // only read
	}
	memory.NoteNothingOpen(context.Background(), closed)
	return out, nil
}

// waiting are the undecided letters in a journal. Where nobody has the session open,
// those that were applied to texts which nobody saved are among them. Open is whether
// that can change without an entry: of editing sessions that are not closed, and of
// journals that cannot all be read.
func waiting(store *memory.Store, free bool) (out []string, open bool) {
	im := editing.NewImage()
	byText := map[int64]bool{} // an applied change, by order: an editor's text has it, not galley wrote it
	void := voided(store.Entries())
	for _, e := range store.Entries() {
		if void[e.Seq] || e.Type != memory.TypeEdit && e.Type != memory.TypeDecision {
			continue
		}
		if v, ok := editOf(e, store.Meta()); ok {
			im.Add(v.Record)
			for _, c := range v.Record.Changes {
				if _, known := byText[c.Order]; c.State != editing.Applied {
					delete(byText, c.Order)
				} else if !known {
					byText[c.Order] = v.Intent == ""
				}
			}
		}
	}
	open = len(im.Open()) > 0 || len(store.Warnings()) > 0
	for _, c := range im.Open() {
		if c.State.Undecided() || free && byText[c.Order] && outOf(store.Meta().Workspace, c) {
			out = append(out, c.Letter)
		}
	}
	slices.Sort(out)
	return slices.Compact(out), open
}

// outOf reports whether a change is not in its file.
func outOf(workspace string, c *editing.Change) bool {
	r, err := Config{Workspace: workspace}.Roots()
	if err != nil {
		return false
	}
	t, err := r.Read(c.Path)
	return err == nil && isOut(c, t)
}
