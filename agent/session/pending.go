package session

import (
	"slices"
	"time"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/memory"
)

// PendingSession is an agent session with letters that wait for a decision.
type PendingSession struct {
	ID       string    `json:"session"`
	Title    string    `json:"title"`
	Updated  time.Time `json:"updated"`
	Letters  []string  `json:"letters"`
	LockedBy int       `json:"locked_by,omitempty"`
}

// Pending lists the agent sessions of a workspace that have undecided letters, or
// that were cut off while they wrote files, newest first. Nothing is locked or
// changed.
func Pending(home, workspace string) ([]PendingSession, error) {
	infos, err := memory.List(home, workspace)
	if err != nil {
		return nil, err
	}
	if len(infos) == 0 { // nor is there a folder
		return nil, nil
	}
	cut := cutOff(home, workspace)
	var out []PendingSession
	for _, in := range infos {
		if in.Legacy {
			continue
		}
		store, err := memory.OpenReadOnly(home, workspace, in.ID)
		if err != nil {
			continue // it went away meanwhile
		}
		if ls := waiting(store, in.LockedBy == 0); len(ls) > 0 || cut[in.ID] && in.LockedBy == 0 {
			out = append(out, PendingSession{ID: in.ID, Title: in.Title, Updated: in.Updated, Letters: ls, LockedBy: in.LockedBy})
		}
		_ = store.Close() // only read
	}
	return out, nil
}

// waiting are the undecided letters in a journal. Where nobody has the session open,
// those that were applied to texts which nobody saved are among them.
func waiting(store *memory.Store, free bool) []string {
	im := editing.NewImage()
	byText := map[int64]bool{} // an applied change, by order: an editor's text has it, not galley wrote it
	void := voided(store.Entries())
	for _, e := range store.Entries() {
		if void[e.Seq] || e.Type != memory.TypeEdit && e.Type != memory.TypeDecision {
			continue
		}
		if v, ok := payload[editEntry](e); ok {
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
	var out []string
	for _, c := range im.Open() {
		if c.State.Undecided() || free && byText[c.Order] && outOf(store.Meta().Workspace, c) {
			out = append(out, c.Letter)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
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
