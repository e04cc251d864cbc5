package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/disk"
	"github.com/galley-ls/galley/memory"
)

// This file goes on where a process died on the road: forward only. Where none of an
// intent's files was written, none is touched, and its letters wait as before. Where
// some were, the decision is carried out again with what is left; what cannot be is
// named, and waits.

// cut is an intent whose process died in it, with some files written.
type cut struct {
	memory.Intent
	meant intentEntry
	parts []disk.Part
	found []disk.Standing
}

// undoes reports whether it takes texts out.
func (c *cut) undoes() bool { return strings.HasPrefix(c.Op, "undo") }

// cutOff are the sessions of a workspace with intents that have no end.
func cutOff(home, workspace string) map[string]bool {
	out := map[string]bool{}
	w, err := memory.OpenWorkspace(context.Background(), home, workspace, func(context.Context) (func(), error) {
		return nil, errors.New("only looked at")
	})
	if err != nil {
		return out
	}
	open, _ := w.Open("") // what cannot be read is told when the session opens
	for _, in := range open {
		out[in.Session] = true
	}
	return out
}

// interrupted looks at the intents of this session that have no end. What is clear
// is ended, and taken into the replay; the others are answered, the oldest last,
// with their letters marked as applying.
func (s *road) interrupted(r *replayer) ([]*cut, error) {
	if s.store.ReadOnly() {
		return nil, nil
	}
	open, err := s.decisions.Open(s.me)
	if err != nil {
		return nil, err
	}
	var out []*cut
	for _, in := range slices.Backward(open) { // one that was made by going on with an older one comes first
		c, err := s.examine(r, in)
		if err != nil {
			s.warn("galley ended while it wrote files for %s, and cannot see how far it came: %v. Look at %s", named(in), err, files(in))
			continue
		}
		if c != nil {
			out = append(out, c)
		}
	}
	return out, nil
}

func (s *road) warn(format string, args ...any) {
	s.warnings = append(s.warnings, fmt.Sprintf(format, args...))
}

// examine ends an intent whose outcome is clear, or answers it.
func (s *road) examine(r *replayer, in memory.Intent) (*cut, error) {
	c := &cut{Intent: in}
	if err := json.Unmarshal(in.Entry, &c.meant); err != nil {
		return nil, err
	}
	for _, f := range in.Files {
		if f.Open {
			continue
		}
		p, err := s.part(f)
		if err != nil {
			return nil, err
		}
		c.parts = append(c.parts, p)
	}
	look := s.set.Load().roots.Recover
	if in.Aborting {
		look = s.set.Load().roots.TakeBack
	}
	var err error
	if c.found, err = look(context.Background(), s.path, in.ID, c.parts); err != nil {
		return nil, err
	}
	switch {
	case r.intents[in.ID]:
		s.await(in)
	case len(c.parts) == 0:
		s.over(in.ID, intentNotDone, nil)
	case in.Aborting && !slices.ContainsFunc(c.found, func(f disk.Standing) bool { return f != disk.Undone }) && !s.anyOpen(c):
		s.over(in.ID, intentAborted, nil)
	case c.Op == "undo-closed" && r.image.Undone(c.Edit):
		s.over(in.ID, intentDone, nil)
	case !in.Aborting && !slices.ContainsFunc(c.found, func(f disk.Standing) bool { return f != disk.Done }):
		return nil, s.outlived(r, c)
	case !in.Aborting && !slices.ContainsFunc(c.found, func(f disk.Standing) bool { return f != disk.Undone }):
		s.over(in.ID, intentNotDone, nil)
		s.warn("galley ended before it wrote anything for %s: all its changes wait as before", named(in))
	default:
		r.image.Applying(c.letters(r.image, func(f disk.Standing) bool { return f != disk.Undone || in.Aborting }))
		r.image.Add(c.known())
		return c, nil
	}
	return nil, nil
}

// outlived journals what an intent meant whose files are all written.
func (s *road) outlived(r *replayer, c *cut) error {
	e := c.meant.Entry
	if len(e.Notices) == 0 && c.Op != resume {
		e.Notices = []string{fmt.Sprintf("%s was completed, though galley was ended in it", named(c.Intent))}
	}
	if _, err := s.append(c.meant.Type, e); err != nil {
		return err
	}
	r.edit(e)
	s.await(c.Intent)
	s.warn("galley ended while it wrote files for %s; all of it is done: %s", named(c.Intent), files(c.Intent))
	return nil
}

// known is what the intent says of the letters in files that are as it meant them.
func (c *cut) known() (r editing.Record) {
	for _, ch := range c.meant.Entry.Record.Changes {
		i := slices.IndexFunc(c.parts, func(p disk.Part) bool { return p.Path == ch.Path || p.To == ch.Path })
		if i >= 0 && c.found[i] == disk.Done && ch.State != editing.Closed {
			r.Changes = append(r.Changes, ch)
		}
	}
	return r
}

// anyOpen reports whether an editor has one of the files of an intent, as it was in
// the midst of it perhaps.
func (s *road) anyOpen(c *cut) bool {
	return slices.ContainsFunc(c.parts, func(p disk.Part) bool {
		d, ok := s.Snapshot().Document(p.Path)
		return ok && d.Open
	})
}

// letters are those of an intent in the files that stand so.
func (c *cut) letters(im *editing.Image, so func(disk.Standing) bool) []string {
	var out []string
	for _, ch := range im.Open() {
		i := slices.IndexFunc(c.parts, func(p disk.Part) bool { return p.Path == ch.Path || p.To == ch.Path })
		if i >= 0 && so(c.found[i]) && slices.Contains(c.Letters, ch.Letter) {
			out = append(out, ch.Letter)
		}
	}
	return out
}

// resume is the operation that takes letters in of which another intent tells.
const resume = "resume"

// goOn carries decisions out again, now that the texts have said which of their
// letters are there.
func (s *road) goOn(open []*cut) error {
	for _, c := range open {
		if err := s.again(c); err != nil {
			return err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lookForSaved()
	return nil
}

// again carries a decision out with what is left of it.
func (s *road) again(c *cut) error {
	if !s.started(c) {
		s.over(c.ID, intentNotDone, nil)
		return nil
	}
	if c.Aborting { // what could not be taken back stays
		return s.conclude(c, nil)
	}
	var faults []error
	switch c.Op {
	case "undo-applied":
		_, err := s.do(c.meant.Type, editEntry{Op: c.Op, Reason: c.Reason}, editing.UndoApplied(s.me, c.Edit), nil)
		faults = append(faults, err)
	case "undo-closed":
		if s.anyOpen(c) { // a person can, with the editor
			faults = append(faults, fmt.Errorf("an editor has some of its files open: undo it again"))
			break
		}
		_, err := s.RevertClosed(context.Background(), c.Edit) // the agent hears it
		faults = append(faults, err)
	default:
		faults = s.applyRest(c)
	}
	return s.conclude(c, errors.Join(faults...))
}

// started reports whether anything of a decision is there. A file that is neither as
// before nor as meant says so by its letters.
func (s *road) started(c *cut) bool {
	if slices.Contains(c.found, disk.Done) || slices.Contains(c.found, disk.Moved) {
		return true
	}
	if e, ok := s.Snapshot().Session(s.me, c.Edit); ok && c.Op == "undo-closed" {
		return slices.ContainsFunc(e.Closed, func(ch *editing.Change) bool {
			t, err := s.set.Load().textOf(s.Snapshot(), ch.Path)
			return err == nil && slices.Contains(c.Letters, ch.Letter) && isOut(ch, t)
		})
	}
	return slices.ContainsFunc(c.Letters, func(l string) bool {
		ch, ok := s.Snapshot().Change(l)
		return ok && (ch.State == editing.Applied) != c.undoes()
	})
}

// applyRest takes the letters in that are still staged, file by file: one that cannot
// be written keeps no other one back.
func (s *road) applyRest(c *cut) (faults []error) {
	byFile := map[string][]string{}
	var order []string
	for _, l := range c.Letters {
		ch, ok := s.Snapshot().Change(l)
		if !ok || ch.State != editing.Staged || !slices.ContainsFunc(c.parts, func(p disk.Part) bool { return p.Path == ch.Path }) {
			continue
		}
		if d, known := s.Snapshot().Document(ch.Path); !known || d.Open {
			continue
		}
		if byFile[ch.Path] == nil {
			order = append(order, ch.Path)
		}
		byFile[ch.Path] = append(byFile[ch.Path], l)
	}
	for _, path := range order {
		res, err := s.do(c.meant.Type, editEntry{Op: resume, Reason: c.Reason}, editing.Apply(editing.Letters(byFile[path]...)), nil)
		if err == nil && !res.OK() {
			err = errors.New(res.Hint)
		}
		faults = append(faults, err)
	}
	return faults
}

// conclude journals how a decision that was gone on with ended, and tells the person
// and the agent. An editing session is closed only if all of it is there.
func (s *road) conclude(c *cut, fault error) error {
	var there, left []string
	for _, l := range c.Letters {
		ch, ok := s.Snapshot().Change(l)
		switch {
		case !ok: // of a closed edit
		case (ch.State == editing.Applied) != c.undoes():
			there = append(there, l)
		default:
			left = append(left, fmt.Sprintf("%s in %s is %s", l, ch.Name, ch.State))
		}
	}
	state := intentDone
	say := c.meant.Entry.Notices
	switch {
	case c.Aborting:
		state = intentAborted
		say = []string{fmt.Sprintf("galley was ended while it took back %s: done is %s; %s", named(c.Intent), list(there), strings.Join(left, "; "))}
	case len(left) > 0 || c.Op == "undo-closed" && fault != nil:
		state = intentUnfinished
		say = []string{fmt.Sprintf("galley was ended while it wrote files for %s: done is %s; %s", named(c.Intent), list(there), orElse(strings.Join(left, "; "), "the rest is as before"))}
	case c.undoes() || len(say) == 0:
		say = []string{fmt.Sprintf("%s was completed, though galley was ended in it", named(c.Intent))}
	}
	e := editEntry{Op: "recover", Intent: c.ID, Notices: say, Record: s.Snapshot().Record(c.Letters...)}
	closes := c.Op == "commit" && state == intentDone
	var err error
	if closes {
		e.Op, e.Reason = c.Op, c.Reason
		_, err = s.do(c.meant.Type, e, editing.Commit(s.me, c.Edit, c.Reason, nil), func(*editing.Plan) []string { return say })
		s.unfolded = append(s.unfolded, c.Edit)
	} else if _, err = s.append(memory.TypeEdit, e); err == nil {
		heard(s.Session, e)
	}
	if err != nil {
		return err
	}
	s.over(c.ID, state, fault)
	sentence := strings.Join(say, "; ")
	if fault != nil {
		sentence += ": " + fault.Error()
	}
	s.warn("%s", sentence)
	return nil
}

func list(letters []string) string {
	if len(letters) == 0 {
		return "nothing"
	}
	return strings.Join(letters, ", ")
}

// named says what an intent was about.
func named(in memory.Intent) string {
	what := orElse(map[string]string{"commit": "the commit", "undo-applied": "the undo", "undo-closed": "the undo"}[in.Op], "the apply")
	if in.Edit != 0 {
		what += fmt.Sprintf(" of #%d", in.Edit)
	}
	if len(in.Letters) > 0 {
		what += " (" + strings.Join(in.Letters, ", ") + ")"
	}
	return what
}

func files(in memory.Intent) string {
	var out []string
	for _, f := range in.Files {
		out = append(out, f.Path)
	}
	return strings.Join(out, ", ")
}
