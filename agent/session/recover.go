package session

import (
	"cmp"
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

// cutOff are the sessions of a workspace with intents that have no end.
func cutOff(home, workspace string) map[string]bool {
	out := map[string]bool{}
	w, err := memory.OpenWorkspace(context.Background(), home, workspace, onlyLooking)
	if err != nil {
		return out
	}
	open, _ := w.Open("") // what cannot be read is told when the session opens
	for _, in := range open {
		out[in.Session] = true
	}
	return out
}

// onlyLooking is the lock of who writes nothing: nobody else has to wait.
func onlyLooking(context.Context) (func(), error) { return nil, errors.New("only looked at") }

// interrupted looks at the intents of this session that have no end. What is clear
// is ended, and taken into the replay; the others are answered, the oldest last,
// with their letters marked as applying.
func (r *recovery) interrupted() ([]*cut, error) {
	if r.store.ReadOnly() {
		return nil, nil
	}
	open, err := r.decisions.Open(r.me)
	if err != nil {
		return nil, err
	}
	var out []*cut
	for _, in := range slices.Backward(open) { // one that was made by going on with an older one comes first
		c, err := r.examine(in)
		if err != nil {
			r.warn("galley ended while it wrote files for %s, and cannot see how far it came: %v. Look at %s", named(in), err, files(in))
			continue
		}
		if c != nil {
			out = append(out, c)
		}
	}
	return out, nil
}

// examine ends an intent whose outcome is clear, or answers it.
func (r *recovery) examine(in memory.Intent) (*cut, error) {
	c := &cut{Intent: in}
	if err := json.Unmarshal(in.Entry, &c.meant); err != nil {
		return nil, err
	}
	c.meant.Entry.Record.Move(r.store.Meta().Moved, r.folder)
	in.Letters = c.called(r.image)
	for _, f := range in.Files {
		if f.Open {
			continue
		}
		p, err := r.part(f)
		if err != nil {
			return nil, err
		}
		c.parts = append(c.parts, p)
	}
	look := r.Files().Recover
	if in.Aborting {
		look = r.Files().TakeBack
	}
	var err error
	if c.found, err = look(context.Background(), r.path, in.ID, c.parts); err != nil {
		return nil, err
	}
	switch {
	case r.intents[in.ID]:
		r.await(in)
	case len(c.parts) == 0:
		r.over(in.ID, intentNotDone, nil)
	case in.Aborting && c.all(disk.Undone) && !r.anyOpen(c):
		r.over(in.ID, intentAborted, nil)
	case c.Op == opUndoClosed && r.image.Undone(c.Edit):
		r.over(in.ID, intentDone, nil)
	case !in.Aborting && c.all(disk.Done):
		return nil, r.outlived(c)
	case !in.Aborting && c.all(disk.Undone):
		r.over(in.ID, intentNotDone, nil)
		r.warn("galley ended before it wrote anything for %s: all its changes wait as before", named(in))
	default:
		r.image.Applying(c.letters(r.image, func(f disk.Standing) bool { return f != disk.Undone || in.Aborting }))
		r.image.Add(c.known())
		return c, nil
	}
	return nil, nil
}

// outlived journals what an intent meant whose files are all written.
func (r *recovery) outlived(c *cut) error {
	e := c.meant.Entry
	if len(e.Notices) == 0 && c.Op != resume {
		e.Notices = []string{fmt.Sprintf("%s was completed, though galley was ended in it", named(c.Intent))}
	}
	if _, err := r.append(c.meant.Type, e); err != nil {
		return err
	}
	r.edit(e)
	r.await(c.Intent)
	if c.Op == opUndo {
		r.back = append(r.back, c.Edit)
	}
	r.warn("galley ended while it wrote files for %s; all of it is done: %s", named(c.Intent), files(c.Intent))
	return nil
}

// anyOpen reports whether an editor has one of the files of an intent, as it was in
// the midst of it perhaps.
func (r *recovery) anyOpen(c *cut) bool {
	return slices.ContainsFunc(c.parts, func(p disk.Part) bool {
		d, ok := r.Snapshot().Document(p.Path)
		return ok && d.Open()
	})
}

// resume is the operation that takes letters in of which another intent tells.
const resume = "resume"

// goOn carries decisions out again, now that the texts have said which of their
// letters are there.
func (r *recovery) goOn(open []*cut) error {
	for _, c := range open {
		if err := r.again(c); err != nil {
			return err
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lookForSaved()
	var errs []error
	for _, n := range r.back {
		errs = append(errs, r.reopened(n))
	}
	return errors.Join(errs...)
}

// again carries a decision out with what is left of it.
func (r *recovery) again(c *cut) error {
	if !r.started(c) {
		r.over(c.ID, intentNotDone, nil)
		return nil
	}
	if c.Aborting { // what could not be taken back stays
		return r.conclude(c, nil)
	}
	var faults []error
	switch c.Op {
	case opUndoApplied:
		faults = append(faults, notDone(r.do(c.meant.Type, editEntry{Op: c.Op, Reason: c.Reason}, editing.UndoApplied(r.me, c.Edit), nil)))
	case opUndoClosed, opUndo:
		if r.anyOpen(c) { // a person can, with the editor
			faults = append(faults, fmt.Errorf("an editor has some of its files open: undo it again"))
			break
		}
		d := UndoClosed(c.Edit)
		if c.Op == opUndo {
			d = undoRest(c.Edit, c.meant.Entry)
		}
		if res, err := r.Decide(d); err != nil || res.Code != editing.CodeTakenBack { // the agent hears it
			faults = append(faults, notDone(res, err))
		}
	default:
		faults = r.applyRest(c)
	}
	return r.conclude(c, errors.Join(faults...))
}

// notDone is why a decision did not happen.
func notDone(res editing.Result, err error) error {
	if err == nil && !res.OK() {
		return errors.New(res.Hint)
	}
	return err
}

// started reports whether anything of a decision is there. A file that is neither as
// before nor as meant says so by its letters.
func (r *recovery) started(c *cut) bool {
	if slices.Contains(c.found, disk.Done) || slices.Contains(c.found, disk.Moved) {
		return true
	}
	if e, ok := r.Snapshot().Session(r.me, c.Edit); ok && c.undoes() && !e.State.Open() {
		return slices.ContainsFunc(e.Closed, func(ch *editing.Change) bool {
			t, err := r.textOf(ch.Path)
			return err == nil && c.about(ch) && isOut(ch, t)
		})
	}
	return slices.ContainsFunc(c.Letters, func(l string) bool {
		ch, ok := r.Snapshot().Change(l)
		return ok && (ch.State == editing.Applied) != c.undoes()
	})
}

// applyRest takes the letters in that are still staged, one by one: one that cannot be
// written keeps no other one back.
func (r *recovery) applyRest(c *cut) (faults []error) {
	for _, l := range c.Letters {
		ch, ok := r.Snapshot().Change(l)
		if !ok || ch.State != editing.Staged || c.stands(ch) == "" {
			continue
		}
		if d, known := r.Snapshot().Document(ch.Path); known && !d.Open() {
			faults = append(faults, notDone(r.do(c.meant.Type, editEntry{Op: resume, Reason: c.Reason}, editing.Apply(editing.Letters(l)), nil)))
		}
	}
	return faults
}

// outcome sorts the letters of a decision by whether it has happened to them.
func (r *recovery) outcome(c *cut) (there, left []string) {
	if e, ok := r.Snapshot().Session(r.me, c.Edit); ok && c.undoes() && !e.State.Open() { // they have no state: the files say
		for _, ch := range e.Closed {
			if c.about(ch) && c.stands(ch) == disk.Done {
				there = append(there, ch.Letter)
			}
		}
		return there, nil
	}
	letters := slices.Clone(c.Letters)
	if c.Op == opUndo { // they may bear others now
		letters = nil
		for _, ch := range r.Snapshot().Of(r.me, c.Edit) {
			if c.about(ch) {
				letters = append(letters, ch.Letter)
			}
		}
	}
	if c.Op == opCommit { // one that was applied before it may wait again
		for _, ch := range r.Snapshot().Undecided(r.me, c.Edit) {
			letters = append(letters, ch.Letter)
		}
		slices.Sort(letters)
	}
	for _, l := range slices.Compact(letters) {
		ch, ok := r.Snapshot().Change(l)
		switch {
		case !ok: // of a closed edit
		case (ch.State == editing.Applied) != c.undoes():
			there = append(there, l)
		default:
			left = append(left, fmt.Sprintf("%s in %s is %s", l, ch.Name, ch.State))
		}
	}
	return there, left
}

// conclude journals how a decision that was gone on with ended, and tells the person
// and the agent. An editing session is closed only if all of it is there.
func (r *recovery) conclude(c *cut, fault error) error {
	there, left := r.outcome(c)
	state := intentDone
	say := c.meant.Entry.Notices
	switch {
	case c.Aborting || len(left) > 0 || c.undoes() && c.Op != opUndoApplied && fault != nil:
		was := "wrote files for"
		if state = intentUnfinished; c.Aborting {
			state, was = intentAborted, "took back"
		}
		say = []string{fmt.Sprintf("galley was ended while it %s %s: done is %s; %s", was, named(c.Intent),
			cmp.Or(strings.Join(there, ", "), "nothing"), cmp.Or(strings.Join(left, "; "), "the rest is as before"))}
	case c.undoes() && c.Op != opUndo || len(say) == 0:
		say = []string{fmt.Sprintf("%s was completed, though galley was ended in it", named(c.Intent))}
	}
	e := editEntry{Op: "recover", Intent: c.ID, Notices: say, Record: r.Snapshot().Record(c.Letters...)}
	closes := c.Op == opCommit && state == intentDone
	var err error
	if closes {
		e.Op, e.Reason = c.Op, c.Reason
		_, err = r.do(c.meant.Type, e, editing.Commit(r.me, c.Edit, c.Reason, nil), func(*editing.Plan) []string { return say })
		r.unfolded = append(r.unfolded, c.Edit)
	} else {
		err = r.happened(memory.TypeEdit, e)
	}
	if err != nil {
		return err
	}
	r.over(c.ID, state, fault)
	sentence := strings.Join(say, "; ")
	if fault != nil {
		sentence += ": " + fault.Error()
	}
	r.warn("%s", sentence)
	return nil
}
