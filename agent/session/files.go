package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/disk"
	"github.com/galley-ls/galley/editing/text"
	"github.com/galley-ls/galley/memory"
)

// MemoryPrefix begins the paths of the session's own memory files.
const MemoryPrefix = "working-memory/"

// Seen is a file as the agent sees it: under its path and name in the proposed tree,
// with the document that holds its text.
type Seen struct {
	*editing.Document
	Path, Name string

	Named  string   // as the call named it, or should have
	Beside []string // files that the call may have meant where it makes one
}

// Look reads a file as it is now, for a call that may write it or only reads. One that
// holds a key is refused, also where an editor has it open.
func (s *queue) Look(path string, write bool) (Seen, error) {
	p, err := s.resolve(path, write)
	if err != nil {
		return Seen{}, err
	}
	for _, abs := range []string{p.Abs, s.Snapshot().Resolve(s.me, p.Abs).Path} {
		if err := s.refresh(By{}, abs); err != nil {
			return Seen{}, err
		}
	}
	seen := Seen{Path: p.Abs, Name: p.Rel}
	snap := s.Snapshot()
	at, absent := snap.See(s.me, p.Abs)
	switch {
	case at.Path == "":
		t, err := s.Files().Read(p.Abs)
		if isMissing(err) && disk.Odd(path) {
			return Seen{}, err
		}
		seen.Document = editing.NewDocument(p.Abs, p.Rel, t)
		if err != nil {
			return seen, err
		}
	case absent != nil:
		return seen, s.missing(p, absent)
	default:
		seen.Document, _ = snap.Document(at.Path)
	}
	return seen, s.Files().Permit(path, p, seen.Base, write)
}

// resolve says which file a path means; it may lie below one that is gone for the
// agent.
func (b *base) resolve(path string, write bool) (disk.Path, error) {
	roots, snap := b.Files(), b.Snapshot()
	if p, err := roots.Resolve(path, write); !isMissing(err) {
		return p, err
	}
	return roots.ResolveFreed(path, func(abs string) bool {
		for ; abs != filepath.Dir(abs); abs = filepath.Dir(abs) {
			if at := snap.Resolve(b.me, abs); at.Letter != "" && !at.There {
				return true
			}
		}
		return false
	})
}

// missing says why a file cannot be worked on that was lost.
func (b *base) missing(p disk.Path, why *editing.Result) error {
	if _, err := b.Files().Read(p.Abs); why.Code != disk.CodeFileNotFound && err != nil && !isMissing(err) {
		return err
	}
	return &Refusal{Code: why.Code, Path: p.Rel, Hint: why.Hint}
}

// refresh reads a closed file of the table again. The queue is taken only where it
// is not as it was; there it is read once more, since it may be older than what
// somebody else has taken in by then.
func (s *queue) refresh(by By, abs string) error {
	if _, _, moved, err := s.reread(abs); !moved {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ws.Disk.Lock()
	defer s.ws.Disk.Unlock()
	d, t, moved, err := s.reread(abs)
	switch {
	case !moved:
		return err
	case isMissing(err):
		return s.rebased(by, d, nil, s.ws.Lose(abs))
	case err != nil:
		return s.rebased(by, d, nil, s.ws.LoseText(abs))
	}
	return s.rebased(by, d, t, s.ws.OpenDocument(abs, d.Name, *t, 0, editing.Disk))
}

// reread compares a file of the table with the disk; of one that an editor has open,
// whether it is there. One that is there no more, or in whose place something is that
// is no text, is lost: it has no text, its letters are in conflict until it comes back,
// and everything else goes on. The error says then which of the two it is.
func (b *base) reread(abs string) (d *editing.Document, t *text.Text, moved bool, err error) {
	d, ok := b.Snapshot().Document(abs)
	if !ok || d.Open() && !d.Tree() {
		return nil, nil, false, nil
	}
	now, err := b.Files().Read(abs)
	switch {
	case err == nil:
		return d, &now, d.Missing || !d.Open() && d.Base.Hash() != now.Hash(), nil
	case !isLost(err):
		return d, nil, false, err
	case !d.Missing || d.Opaque == isMissing(err):
		return d, nil, true, err
	}
	return d, nil, false, nil
}

// rebased journals what a text that changed by itself did to the letters; now is nil
// where there is none any more.
func (s *queue) rebased(by By, before *editing.Document, now *text.Text, rec editing.Record) error {
	ts := s.texts.Next()
	notices := textNotices(s.who(by), ts)
	if rec = including(s.Snapshot(), rec.Of(s.me), ts); rec.Empty() || s.store.ReadOnly() {
		return nil
	}
	switch {
	case before.Open() || explains(s.Snapshot(), before.Path, ts):
	case now == nil && !before.Missing:
		notices = append(notices, fmt.Sprintf("%s deleted %s, or gave it another name", s.who(by), before.Name))
	case now != nil && before.Missing:
		notices = append(notices, fmt.Sprintf("%s made %s", s.who(by), before.Name))
	case now != nil:
		notices = append(notices, fmt.Sprintf("%s changed %s%s", s.who(by), before.Name, whereChanged(before.Base, *now)))
	}
	return s.happened(memory.TypeEdit, editEntry{Op: "rebase", Notices: notices, Record: rec})
}

// including is a record that also holds the letters of transitions: what is told once
// is journaled once.
func including(snap *editing.Snapshot, rec editing.Record, ts []editing.Transition) editing.Record {
	var letters []string
	for _, t := range ts {
		if !slices.ContainsFunc(rec.Changes, func(c *editing.Change) bool { return c.Letter == t.Letter }) {
			letters = append(letters, t.Letter)
		}
	}
	rec.Changes = append(slices.Clip(rec.Changes), snap.Record(letters...).Changes...)
	return rec
}

// explains reports whether a decision that an editor has carried out made or took a file.
func explains(snap *editing.Snapshot, path string, ts []editing.Transition) bool {
	return slices.ContainsFunc(ts, func(t editing.Transition) bool {
		c, ok := snap.Change(t.Letter)
		return ok && t.To == editing.Applied && t.By == "" && c.Kind.File() && (c.Path == path || c.File != nil && c.File.From == path)
	})
}

// happened journals what has happened already, and what the agent hears of it.
func (s *queue) happened(typ string, e editEntry) error {
	_, err := s.append(typ, e)
	if err == nil {
		s.hear(e)
	}
	return err
}

// who has changed files on disk that are read again: a command that runs, unless
// somebody else is named.
func (s *queue) who(by By) string {
	if by.Author == "" && len(s.running) > 0 {
		return commandAuthor
	}
	return cmp.Or(by.Author, "the user")
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
		case t.To == editing.Conflict && t.Kind.File():
			out = append(out, fmt.Sprintf("%s is in conflict: %s has been at %s too; memo_preview says how", t.Letter, who, t.Name))
		case t.To == editing.Conflict:
			out = append(out, fmt.Sprintf("%s is in conflict: %s changed the same lines of %s", t.Letter, who, t.Name))
		case t.To == editing.Applied && t.By == "": // by a decision, or by a redo of one
			out = append(out, t.Letter+" applied")
		case t.To == editing.Applied && t.By != "" && t.Kind.File():
			out = append(out, fmt.Sprintf("%s applied: %s did the same to %s", t.Letter, who, t.Name))
		case t.To == editing.Applied && t.By != "":
			out = append(out, fmt.Sprintf("%s applied: the user wrote the same text into %s themself", t.Letter, t.Name))
		case t.From == editing.Conflict && t.To == editing.Staged:
			out = append(out, fmt.Sprintf("%s is no longer in conflict", t.Letter))
		case t.From == editing.Applied && t.To == editing.Staged:
			out = append(out, fmt.Sprintf("%s was undone by the user, and waits again", t.Letter))
		}
	}
	return out
}

// Refresh reads all closed files with changes again.
func (s *queue) Refresh(context.Context) error {
	if s.waits.Load() {
		s.mu.Lock()
		s.lookForSaved()
		s.mu.Unlock()
	}
	return s.refreshAll(By{})
}

func (s *queue) refreshAll(by By) error {
	var errs []error
	errs = append(errs, s.arrived(by))
	for _, d := range s.Snapshot().Documents() {
		if len(d.Changes()) > 0 || d.Tree() {
			errs = append(errs, s.refresh(by, d.Path))
		}
	}
	return errors.Join(errs...)
}

// arrived takes files in that stand where a folder is needed: nothing else in the table
// is about them.
func (s *queue) arrived(by By) error {
	var errs []error
	snap, roots := s.Snapshot(), s.Files()
	for path := range snap.Watched() {
		p, err := roots.Resolve(path, false)
		if _, known := snap.Document(path); known || err != nil {
			continue
		}
		t, err := roots.Read(path)
		if err != nil { // a folder, or nothing yet
			continue
		}
		s.mu.Lock()
		before := &editing.Document{Name: p.Rel, Missing: true}
		errs = append(errs, s.rebased(by, before, &t, s.ws.OpenDocument(path, p.Rel, t, 0, editing.Disk)))
		s.mu.Unlock()
	}
	return errors.Join(errs...)
}

// TextDecided journals what the texts decided since the last call: conflicts,
// healed ones, what was undone, typed or taken in by an editor.
func (s *queue) TextDecided(context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.textDecided()
}

func (s *queue) textDecided() error {
	ts := s.texts.Next()
	if len(ts) == 0 || s.store.ReadOnly() {
		return nil
	}
	rec := including(s.Snapshot(), editing.Record{}, ts)
	return s.happened(memory.TypeEdit, editEntry{Op: "text", Notices: textNotices(s.who(By{}), ts), Record: rec})
}

// LengthOf is the length in code points of the one file of an editing session.
func (s *base) LengthOf(n int) int {
	for _, c := range s.Snapshot().Of(s.me, n) {
		if t, err := s.textOf(c.Path); err == nil {
			return t.Chars()
		}
	}
	return 0
}

// textOf is a file's text as it is now: the table may know it no more.
func (b *base) textOf(path string) (text.Text, error) {
	if d, ok := b.Snapshot().Document(path); ok {
		return d.Base, nil
	}
	return b.Files().Read(path)
}
