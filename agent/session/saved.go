package session

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/disk"
	"github.com/galley-ls/galley/editing/text"
	"github.com/galley-ls/galley/memory"
)

// This file keeps a commit until every file on the disk has it. Where an editor has
// texts open, the commit is done for the person at once; should the editor die, or
// drop the text, what is lost waits again.

// unsaved is a commit with texts that an editor has not saved yet.
type unsaved struct {
	memory.Intent
	files map[string]*openText // by path
	told  bool                 // that no letter is free
	lost  []string             // that came back
}

// openText is one of them.
type openText struct {
	seen  bool        // here, with what was committed: what takes it out is the user's doing
	timer *time.Timer // runs since it is nowhere
	over  bool        // patience is
}

func (o *openText) calm() {
	if o.timer != nil {
		o.timer.Stop()
		o.timer = nil
	}
}

// notSaved are the changes of an edit that a plan closes as committed, in texts that
// an editor has not saved.
func (s *queue) notSaved(p *editing.Plan) []*editing.Change {
	if s.store.ReadOnly() || !slices.ContainsFunc(p.Record.Sessions, func(e *editing.Session) bool {
		return e.Owner == s.me && e.State == editing.Committed && !e.Undone
	}) {
		return nil
	}
	var out []*editing.Change
	for _, c := range p.Record.Changes {
		d, ok := s.Snapshot().Document(c.Path)
		if !ok || !d.Open() || !c.WasApplied() || c.Owner != s.me || c.Kind == editing.KindDeleteFile {
			continue
		}
		if t, err := s.Files().Read(c.Path); err != nil || !c.In(t) {
			out = append(out, c)
		}
	}
	return out
}

func (s *road) openFiles(cs []*editing.Change) []memory.IntentFile {
	var out []memory.IntentFile
	for _, c := range cs {
		path := s.relative(c.Path)
		if slices.ContainsFunc(out, func(f memory.IntentFile) bool { return f.Path == path }) {
			continue
		}
		f := memory.IntentFile{Path: path, Op: string(disk.Replace), After: c.BaseHash, Open: true}
		if t, err := s.Files().Read(c.Path); err == nil {
			f.Before = t.Hash().String()
		}
		out = append(out, f)
	}
	return out
}

// await ends an intent, or keeps it until its open texts are saved.
func (s *queue) await(in memory.Intent) {
	u := &unsaved{Intent: in, files: map[string]*openText{}}
	for _, f := range in.Files {
		if f.Open {
			u.files[s.absolute(f.Path)] = &openText{}
		}
	}
	if len(u.files) == 0 {
		s.over(in.ID, intentDone, nil)
		s.commitToGit(in)
		return
	}
	s.unsaved = append(s.unsaved, u)
	s.waits.Store(true)
}

// stopWaiting for texts to be saved.
func (s *queue) stopWaiting() {
	for _, u := range s.unsaved {
		for _, o := range u.files {
			o.calm()
		}
	}
	s.unsaved = nil
}

// lookForSaved looks at all texts that are waited for.
func (s *queue) lookForSaved() {
	for _, u := range slices.Clone(s.unsaved) {
		s.lookAt(u)
	}
	s.waits.Store(len(s.unsaved) > 0)
}

// Unsaved are the files that commits of a session wait for.
func (s *queue) Unsaved() []string {
	if !s.waits.Load() {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []string
	for _, u := range s.unsaved {
		for path := range u.files {
			out = append(out, path)
		}
	}
	return out
}

// lookAt looks at the texts of one commit. What the disk has is done; what an editor
// has may come; what is nowhere for longer than patience is lost, all of it at once.
func (s *queue) lookAt(u *unsaved) {
	var lost []string
	set, soon := s.set.Load(), false // more may be lost
	for path, o := range u.files {
		if !s.changesIn(u, path, isOut, false) {
			delete(u.files, path) // it is there, or what the user has made of it
			continue
		}
		d, ok := s.Snapshot().Document(path)
		out := !ok || !d.Open() || s.changesIn(u, path, isOut, true)
		switch {
		case !out:
			o.seen = true
			o.calm()
		case ok && d.Open() && o.seen: // taken out by the user
			delete(u.files, path)
		case o.over || set.Patience <= 0 || set.MayCome != nil && !set.MayCome(s.relative(path)):
			lost = append(lost, path)
		case o.timer == nil:
			o.timer = time.AfterFunc(set.Patience, func() { s.lateFor(o) })
			soon = true
		default:
			soon = true
		}
	}
	if len(lost) > 0 && !soon {
		s.reopen(u, lost)
	}
	if len(u.files) == 0 {
		s.unsaved = slices.DeleteFunc(s.unsaved, func(v *unsaved) bool { return v == u })
		state := intentDone
		if len(u.lost) > 0 {
			state = intentUnfinished
		}
		s.over(u.ID, state, nil, u.lost...)
		if state == intentDone {
			s.commitToGit(u.Intent)
		}
	}
}

func (s *queue) lateFor(o *openText) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if o.timer == nil {
		return
	}
	o.over = true
	s.lookForSaved()
}

// changesIn reports whether any change of a commit in a file is so in its text: the
// editor's, or the disk's.
func (s *queue) changesIn(u *unsaved, path string, so func(*editing.Change, text.Text) bool, editors bool) bool {
	t, err := s.Files().Read(path)
	if d, ok := s.Snapshot().Document(path); editors && ok && d.Open() {
		t, err = d.Base, nil
	}
	e, ok := s.Snapshot().Session(s.me, u.Edit)
	return ok && slices.ContainsFunc(e.Closed, func(c *editing.Change) bool {
		return c.Path == path && c.WasApplied() && slices.Contains(u.Letters, c.Letter) && (err == nil || lacks(c, err)) && so(c, t)
	})
}

// lacks reports whether there is no text because the file of a change was never saved.
func lacks(c *editing.Change, err error) bool { return c.Kind == editing.KindCreate && isMissing(err) }

// isOut reports whether a change is not in a text, which has its old side instead.
// Line endings are those of whoever shows the text.
func isOut(c *editing.Change, t text.Text) bool {
	if c.In(t) {
		return false
	}
	if _, ok := c.Out(t); ok {
		return true
	}
	_, ok := c.Out(text.New(strings.ReplaceAll(t.String(), "\r\n", "\n")))
	return ok
}

// reopen brings back what is lost of a commit.
func (s *queue) reopen(u *unsaved, lost []string) {
	if err := s.textDecided(); err != nil { // comes first
		s.warn("%v", err)
		return
	}
	e, ok := s.Snapshot().Session(s.me, u.Edit)
	if !ok {
		return
	}
	texts := map[string]text.Text{}
	var out []*editing.Change
	for _, c := range e.Closed {
		if !slices.Contains(lost, c.Path) || !c.WasApplied() {
			continue
		}
		t, err := s.textOf(c.Path)
		if err != nil && !lacks(c, err) || !isOut(c, t) {
			continue
		}
		if err == nil {
			texts[c.Path] = t
		}
		if staged, ok := c.Out(t); ok {
			c = staged
		}
		out = append(out, c)
	}
	rec, ok := s.ws.Reopen(s.me, u.Edit, out, texts)
	if !ok {
		if !u.told {
			u.told = true
			s.warn("#%d was committed, but %s was never saved: its changes come back when letters are free", u.Edit, s.names(lost))
		}
		return
	}
	var letters []string
	for _, c := range out {
		letters = append(letters, c.Letter)
	}
	say := fmt.Sprintf("#%d was committed, but its editor did not save %s: %s waits again", u.Edit, s.names(lost), strings.Join(letters, ", "))
	s.texts.Next() // said here
	if err := s.happened(memory.TypeEdit, editEntry{Op: "reopen", Notices: []string{say}, Record: rec.Of(s.me)}); err != nil {
		s.warn("%v", err)
		return
	}
	s.warn("%s", say)
	for _, path := range lost {
		delete(u.files, path)
		u.lost = append(u.lost, s.relative(path))
	}
}

func (s *queue) names(paths []string) string {
	var out []string
	for _, p := range paths {
		out = append(out, s.relative(p))
	}
	return strings.Join(out, ", ")
}
