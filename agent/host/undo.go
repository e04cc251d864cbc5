package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/memory"
)

// Undone is a decision that was taken back, or why it was not.
type Undone struct {
	editing.Result
	Of    memory.Decision
	Files []string // of the letters in Touched
}

// Said is what was taken back, for a person.
func (u Undone) Said() string {
	text := "taken back: " + session.Called(u.Of)
	if len(u.Files) > 0 {
		text += " in " + strings.Join(u.Files, ", ")
	}
	if u.Hint != "" {
		text += "; " + u.Hint
	}
	return text
}

// Standing is a decision within reach. One that does not stand was taken back, or its
// letters have become something else since.
type Standing struct {
	memory.Decision
	Time   time.Time `json:"time"` // of the decision, which does not tell it
	Stands bool      `json:"stands"`
}

// History are the decisions of the workspace within reach, newest first, and whether they
// stand as far as the sessions that are open here tell.
func (h *Host) History() ([]Standing, error) {
	if err := h.journal.Read(); err != nil {
		return nil, err
	}
	return h.decided(), nil
}

func (h *Host) decided() (out []Standing) {
	all := h.journal.Decisions()
	undone := map[string]bool{}
	for _, d := range all {
		undone[d.Of] = true
	}
	snap, own := h.table.Snapshot(), owned(all)
	for i, d := range slices.Backward(all) {
		stands := undoable(own[i])
		switch {
		case !stands:
		case h.Serves(d.Session):
			stands = len(session.Standing(snap, own[i])) > 0
		default:
			stands = !undone[d.ID]
		}
		out = append(out, Standing{d, d.Time, stands})
	}
	return out
}

// owned are the decisions with those of their letters that no later one has made the same
// of: what a letter is, is the doing of the last.
func owned(all []memory.Decision) []memory.Decision {
	type made struct {
		session string
		order   int64
		to      string
	}
	out, later := slices.Clone(all), map[made]bool{}
	for i := range slices.Backward(out) {
		d := &out[i]
		if !undoable(*d) {
			continue // an editor may not have taken it out yet
		}
		d.Letters = slices.DeleteFunc(slices.Clone(d.Letters), func(l memory.DecidedLetter) bool {
			m := made{d.Session, l.Order, l.To}
			was := later[m]
			later[m] = true
			return was
		})
	}
	return out
}

// undoable reports whether a decision can be taken back at all: an undo cannot.
func undoable(d memory.Decision) bool {
	return d.What != session.WhatUndo && d.What != session.WhatUnreject && len(d.Letters) > 0
}

// Latest is the latest decision that stands: the one that Undo takes back.
func (h *Host) Latest() (memory.Decision, bool) {
	for _, d := range h.decided() {
		if d.Stands {
			return d.Decision, true
		}
	}
	return memory.Decision{}, false
}

// meant is the decision that Undo would take back.
func (h *Host) meant(which string) (memory.Decision, bool) {
	if which == "" {
		return h.Latest()
	}
	d, no := find(owned(h.journal.Decisions()), which)
	return d, no == nil
}

// Undoes are the changes that Undo would take back, as far as the sessions that are open
// here tell.
func (h *Host) Undoes(which string) []*editing.Change {
	d, ok := h.meant(which)
	if !ok {
		return nil
	}
	return session.Standing(h.table.Snapshot(), d)
}

// unasked is how long a client's own decision is taken back without a question.
const unasked = time.Hour

// Question is what a person is asked before Undo takes a decision back that they may not
// mean, "" for nothing.
func (h *Host) Question(by editing.Keeper, which string) string {
	d, ok := h.meant(which)
	if !ok {
		return ""
	}
	return question(d, h.who(by), time.Now())
}

// question is asked about what was decided elsewhere, or long ago.
func question(d memory.Decision, by memory.Client, now time.Time) string {
	if d.By == by && now.Sub(d.Time) < unasked {
		return ""
	}
	return fmt.Sprintf("Take back: %s (by %s, %s)?", session.Called(d), cmp.Or(d.By.String(), "somebody"), d.Time.Local().Format("2006-01-02 15:04"))
}

// Undo takes a decision back, "" being the latest that stands. What open documents hold is
// under way then.
func (h *Host) Undo(ctx context.Context, by editing.Keeper, which string) (Undone, error) {
	if err := h.journal.Read(); err != nil {
		return Undone{}, err
	}
	if id, entry, ok := h.write(which); ok {
		return h.unwrite(id, entry)
	}
	all := owned(h.journal.Decisions())
	if which != "" {
		d, no := find(all, which)
		if no != nil {
			return Undone{Result: *no, Of: d}, nil
		}
		return h.takeBack(ctx, by, d)
	}
	for _, d := range slices.Backward(all) {
		if !undoable(d) {
			continue
		}
		if u, err := h.takeBack(ctx, by, d); err != nil || u.Code != editing.CodeTakenBack {
			return u, err
		}
	}
	return Undone{Result: refused(editing.CodeTakenBack, "there is nothing to take back: no decision of the last days stands")}, nil
}

func refused(code, format string, args ...any) editing.Result {
	return editing.Result{Status: editing.StatusRefused, Code: code, Hint: fmt.Sprintf(format, args...)}
}

// CodeUnknown says that no decision has this name.
const CodeUnknown = "unknown_decision"

// suffix is how much of a decision's name is enough at least: its end, since decisions of
// one moment begin alike.
const suffix = 4

// find is the decision that a name, or the end of one, means.
func find(all []memory.Decision, which string) (memory.Decision, *editing.Result) {
	var found []memory.Decision
	for _, d := range all {
		if end := strings.ToUpper(strings.TrimSpace(which)); len(end) >= suffix && strings.HasSuffix(d.ID, end) {
			found = append(found, d)
		}
	}
	var r editing.Result
	switch {
	case len(found) == 0:
		r = refused(CodeUnknown, "there is no decision %s among the last %d of the last %d days", which, memory.ReachDecisions, memory.ReachDays)
		return memory.Decision{}, &r
	case len(found) > 1:
		r = refused("bad_arguments", "several decisions end with %s; say more of its name", which)
	case found[0].What == session.WhatUndo || found[0].What == session.WhatUnreject:
		r = refused("state", "%s is no decision that can be taken back: decide about its letters anew", found[0].What)
	default:
		return found[0], nil
	}
	return found[0], &r
}

// write is the session, and the entry of its journal, that the name of a write to its memory means: the session's name, or
// the end of one, and the number behind a hyphen.
func (h *Host) write(which string) (id string, entry int64, ok bool) {
	end, number, _ := strings.Cut(strings.ToUpper(strings.TrimSpace(which)), "-")
	entry, err := strconv.ParseInt(number, 10, 64)
	if err != nil || len(end) < suffix {
		return "", 0, false
	}
	infos, err := memory.List(h.home, h.settings().Workspace)
	infos = slices.DeleteFunc(infos, func(in memory.Info) bool { return !strings.HasSuffix(in.ID, end) })
	if err != nil || len(infos) != 1 {
		return "", 0, false
	}
	return infos[0].ID, entry, true
}

// unwrite takes back a write of the agent's to its memory.
func (h *Host) unwrite(id string, entry int64) (Undone, error) {
	u := Undone{Of: memory.Decision{
		ID: fmt.Sprintf("%s-%d", id, entry), What: session.WhatMemory, Session: id, By: memory.Client{Kind: memory.ClientAgent},
	}}
	s, err := h.serving(id)
	if err != nil || s == nil {
		return u, err
	}
	name, r, err := s.Unwrite(entry)
	if u.Result = r; r.OK() {
		u.Files = []string{name}
	}
	h.moved()
	return u, err
}

// takeBack undoes one decision.
func (h *Host) takeBack(ctx context.Context, by editing.Keeper, d memory.Decision) (Undone, error) {
	u := Undone{Of: d}
	s, err := h.serving(d.Session)
	if err != nil {
		return u, err
	}
	if s == nil || len(session.Standing(s.Snapshot(), d)) == 0 {
		u.Result = refused(editing.CodeTakenBack, "%s: that was taken back already", session.Called(d))
		return u, nil
	}
	under := Undoing(d)
	under.By = by
	u.Result, err = h.Begin(ctx, under, func() (editing.Result, error) { return s.Decide(session.Undo(d).By(h.who(by))) })
	h.moved()
	for _, r := range u.Renamed {
		u.Hint = strings.TrimPrefix(fmt.Sprintf("%s; %s is %s now", u.Hint, r.From, r.To), "; ")
	}
	snap := h.table.Snapshot()
	for _, l := range u.Touched {
		if c, ok := snap.Change(l); ok && !slices.Contains(u.Files, c.Name) {
			u.Files = append(u.Files, c.Name)
		}
	}
	return u, err
}

// serving is an agent session, opened if it is there; nil if it is not.
func (h *Host) serving(id string) (*session.Session, error) {
	s, err := h.named(id)
	switch {
	case errors.Is(err, memory.ErrNoSession):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("open session %s: %w", id, err)
	}
	return s, nil
}
