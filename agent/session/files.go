package session

import (
	"context"
	"errors"
	"fmt"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/disk"
	"github.com/galley-ls/galley/editing/text"
	"github.com/galley-ls/galley/memory"
)

// MemoryPrefix begins the paths of the session's own memory files.
const MemoryPrefix = "working-memory/"

// Look reads a file as it is now, for a call that may write it or only reads.
func (s *Session) Look(path string, write bool) (*editing.Document, error) {
	p, err := s.set.Load().roots.Resolve(path, write)
	if err != nil {
		return nil, err
	}
	d, err := s.at(p.Abs, p.Rel)
	if err == nil && d.Missing {
		err = s.set.Load().missing(p)
	}
	return d, err
}

// at is a file as it is now: the document of the table, if it knows it, with what
// changed on the disk rebased as the user's edit.
func (s *Session) at(abs, name string) (*editing.Document, error) {
	if err := s.refresh(By{}, abs); err != nil {
		return nil, err
	}
	if d, ok := s.Snapshot().Document(abs); ok {
		return d, nil
	}
	t, err := s.set.Load().roots.Read(abs)
	return editing.NewDocument(abs, name, t), err
}

// missing says why a file cannot be worked on that was lost.
func (set *settings) missing(p disk.Path) error {
	if _, err := set.roots.Read(p.Abs); err != nil && !isMissing(err) {
		return err
	}
	return &Refusal{Code: "file_not_found", Path: p.Rel, Hint: fmt.Sprintf("there is no file %s; list_files shows what there is", p.Rel)}
}

// refresh reads a closed file of the table again. The queue is taken only where it
// is not as it was; there it is read once more, since it may be older than what
// somebody else has taken in by then.
func (s *Session) refresh(by By, abs string) error {
	if _, _, moved, err := s.set.Load().reread(s.Snapshot(), abs); !moved || err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ws.Disk.Lock()
	defer s.ws.Disk.Unlock()
	d, t, moved, err := s.set.Load().reread(s.Snapshot(), abs)
	switch {
	case err != nil || !moved:
		return err
	case t == nil:
		return s.rebased(by, d, text.Text{}, s.ws.Lose(abs))
	}
	return s.rebased(by, d, *t, s.ws.OpenDocument(abs, d.Name, *t, 0, false))
}

// reread compares a closed file of the table with the disk. One that is there no
// more, or in whose place something is that is no text, is lost: it has no text,
// its letters are in conflict until it comes back, and everything else goes on.
func (set *settings) reread(snap *editing.Snapshot, abs string) (d *editing.Document, t *text.Text, moved bool, err error) {
	d, ok := snap.Document(abs)
	if !ok || d.Open {
		return nil, nil, false, nil
	}
	now, err := set.roots.Read(abs)
	switch {
	case err == nil:
		return d, &now, d.Missing || d.Base.Hash() != now.Hash(), nil
	case isLost(err):
		return d, nil, !d.Missing, nil
	}
	return d, nil, false, err
}

// rebased journals what a text that changed by itself did to the letters.
func (s *Session) rebased(by By, before *editing.Document, now text.Text, rec editing.Record) error {
	notices := textNotices(s.who(by), s.texts.Next())
	if rec = rec.Of(s.me); rec.Empty() || s.store.ReadOnly() {
		return nil
	}
	if before != nil && !before.Missing {
		notices = append(notices, fmt.Sprintf("%s changed %s%s", s.who(by), before.Name, whereChanged(before.Base, now)))
	}
	return s.catchUp("rebase", notices, rec)
}

// catchUp journals what has happened already.
func (s *Session) catchUp(op string, notices []string, rec editing.Record) error {
	_, err := s.append(memory.TypeEdit, editEntry{Op: op, Notices: notices, Record: rec})
	if err == nil {
		s.notices = append(s.notices, notices...)
	}
	return err
}

// who has changed files on disk that are read again: a command that runs, unless
// somebody else is named.
func (s *Session) who(by By) string {
	if by.Author == "" && s.running > 0 {
		return commandAuthor
	}
	return orElse(by.Author, "the user")
}

const commandAuthor = "your command"

// whereChanged names the line where two texts first differ.
func whereChanged(a, b text.Text) string {
	es := text.LineDiff(a.String(), b.String())
	if len(es) == 0 {
		return ""
	}
	return fmt.Sprintf(" at line %d", a.LineOf(es[0].Start)+1)
}

// textNotices says what the texts decided by themselves.
func textNotices(who string, ts []editing.Transition) []string {
	var out []string
	for _, t := range ts {
		switch {
		case t.From == t.To: // read back from the journal
		case t.To == editing.Conflict:
			out = append(out, fmt.Sprintf("%s is in conflict: %s changed the same lines of %s", t.Letter, who, t.Name))
		case t.To == editing.Applied && t.By == "": // by a decision, or by a redo of one
			out = append(out, t.Letter+" applied")
		case t.To == editing.Applied && t.By != "":
			out = append(out, fmt.Sprintf("%s applied: the user wrote the same text into %s himself", t.Letter, t.Name))
		case t.From == editing.Conflict && t.To == editing.Staged:
			out = append(out, fmt.Sprintf("%s is no longer in conflict", t.Letter))
		case t.From == editing.Applied && t.To == editing.Staged:
			out = append(out, fmt.Sprintf("%s was undone by the user, and waits again", t.Letter))
		}
	}
	return out
}

// Refresh reads all closed files with changes again.
func (s *Session) Refresh(context.Context) error {
	if s.road.waits.Load() {
		s.mu.Lock()
		s.road.lookForSaved()
		s.mu.Unlock()
	}
	return s.refreshAll(By{})
}

func (s *Session) refreshAll(by By) error {
	var errs []error
	for _, d := range s.Snapshot().Documents() {
		if len(d.Changes()) > 0 {
			errs = append(errs, s.refresh(by, d.Path))
		}
	}
	return errors.Join(errs...)
}

// TextDecided journals what the texts decided since the last call: conflicts,
// healed ones, what was undone, typed or taken in by an editor.
func (s *Session) TextDecided(context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.textDecided()
}

func (s *Session) textDecided() error {
	ts := s.texts.Next()
	if len(ts) == 0 || s.store.ReadOnly() {
		return nil
	}
	var letters []string
	for _, t := range ts {
		letters = append(letters, t.Letter)
	}
	return s.catchUp("text", textNotices(s.who(By{}), ts), s.Snapshot().Record(letters...))
}

// LengthOf is the length in code points of the one file of an editing session.
func (s *Session) LengthOf(n int) int {
	for _, c := range s.Snapshot().Of(s.me, n) {
		if t, ok := s.set.Load().textOf(s.Snapshot(), c.Path); ok {
			return t.Chars()
		}
	}
	return 0
}

// textOf is a file's text as it is now: the table may know it no more.
func (set *settings) textOf(snap *editing.Snapshot, path string) (text.Text, bool) {
	if d, ok := snap.Document(path); ok {
		return d.Base, true
	}
	t, err := set.roots.Read(path)
	return t, err == nil
}
