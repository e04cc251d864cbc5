package session

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/disk"
	"github.com/galley-ls/galley/editing/text"
	"github.com/galley-ls/galley/memory"
)

// memoryPrefix begins the paths of the session's own memory files.
const memoryPrefix = "working-memory/"

// readMost is the number of lines that one call reads.
const readMost = 2000

// named is the path that a call means: its own, else the file touched last.
func (s *Session) named(path string) (string, *Outcome) {
	if strings.TrimSpace(path) == "" {
		path = s.focus.Load().path
	}
	if path == "" {
		o := Refused(CodeBadArguments, "path is missing, and no file was touched yet; name one (list_files shows what there is)")
		return "", &o
	}
	return path, nil
}

// look resolves a path and reads the file.
func (s *Session) look(path string, write bool) (*editing.Document, *Outcome) {
	p, err := s.set.Load().roots.Resolve(path, write)
	var d *editing.Document
	if err == nil {
		d, err = s.at(p.Abs, p.Rel)
	}
	if err != nil {
		o := failed(err)
		o.Path = path
		return nil, &o
	}
	if d.Missing {
		o := s.missing(p)
		return nil, &o
	}
	return d, nil
}

// at is a file as it is now: the document of the table, if it knows it, with what
// changed on the disk rebased as the user's edit.
func (s *Session) at(abs, name string) (*editing.Document, error) {
	if err := s.refresh(abs); err != nil {
		return nil, err
	}
	if d, ok := s.Snapshot().Document(abs); ok {
		return d, nil
	}
	t, err := s.set.Load().roots.Read(abs)
	return editing.NewDocument(abs, name, t), err
}

// missing says why a file cannot be worked on that was lost.
func (s *Session) missing(p disk.Path) Outcome {
	o := Answer(CodeFileNotFound, fmt.Sprintf("there is no file %s; list_files shows what there is", p.Rel))
	if _, err := s.set.Load().roots.Read(p.Abs); err != nil && !isMissing(err) {
		o = failed(err)
	}
	o.Path = p.Rel
	return o
}

// failed turns an error of the disk or the journal into an answer.
func failed(err error) Outcome {
	var d *disk.Error
	if errors.As(err, &d) {
		if d.Code == disk.CodeIO || d.Code == disk.CodeReadOnly || d.Code == disk.CodeChanged { // words for one file of a commit
			return Refused(CodeFailed, err.Error())
		}
		return Answer(d.Code, d.Hint)
	}
	var w *WriteError
	if errors.As(err, &w) {
		o := Refused(CodeCommitFailed, w.Error()+"; nothing was applied, all letters still wait")
		for _, f := range w.Files {
			o.Files = append(o.Files, File{Path: f.Path, Code: orElse(f.Code, "io"), Message: f.Message})
		}
		return o
	}
	return Refused(CodeFailed, err.Error())
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// refresh reads a closed file of the table again. The queue is taken only where it
// is not as it was; there it is read once more, since it may be older than what
// somebody else has taken in by then.
func (s *Session) refresh(abs string) error {
	if _, _, moved, err := s.reread(abs); !moved || err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ws.Disk.Lock()
	defer s.ws.Disk.Unlock()
	d, t, moved, err := s.reread(abs)
	switch {
	case err != nil || !moved:
		return err
	case t == nil:
		return s.rebased(d, text.Text{}, s.ws.Lose(abs))
	}
	return s.rebased(d, *t, s.ws.OpenDocument(abs, d.Name, *t, 0, false))
}

// reread compares a closed file of the table with the disk. One that is there no
// more, or in whose place something is that is no text, is lost: it has no text,
// its letters are in conflict until it comes back, and everything else goes on.
func (s *Session) reread(abs string) (d *editing.Document, t *text.Text, moved bool, err error) {
	d, ok := s.Snapshot().Document(abs)
	if !ok || d.Open {
		return nil, nil, false, nil
	}
	now, err := s.set.Load().roots.Read(abs)
	switch {
	case err == nil:
		return d, &now, d.Missing || d.Base.Hash() != now.Hash(), nil
	case isLost(err):
		return d, nil, !d.Missing, nil
	}
	return d, nil, false, err
}

func isMissing(err error) bool {
	var d *disk.Error
	return errors.As(err, &d) && d.Code == disk.CodeFileNotFound
}

// isLost: there is no text to be had, for now or for good. An error of the system
// says nothing about the file.
func isLost(err error) bool {
	var d *disk.Error
	return errors.As(err, &d) && d.Code != disk.CodeIO
}

// rebased journals what a text that changed by itself did to the letters.
func (s *Session) rebased(before *editing.Document, now text.Text, rec editing.Record) error {
	news := s.textNews(s.texts.Next())
	if rec = rec.Of(s.me); rec.Empty() || s.store.ReadOnly() {
		return nil
	}
	if before != nil && !before.Missing {
		news = append(news, fmt.Sprintf("%s changed %s%s", s.who(), before.Name, whereChanged(before.Base, now)))
	}
	_, err := s.append(memory.TypeEdit, editEntry{Op: "rebase", News: news, Record: rec})
	if err == nil {
		s.news = append(s.news, news...)
	}
	return err
}

// who changes files on disk now.
func (s *Session) who() string { return orElse(s.author, "the user") }

// whereChanged names the line where two texts first differ.
func whereChanged(a, b text.Text) string {
	es := text.LineDiff(a.String(), b.String())
	if len(es) == 0 {
		return ""
	}
	return fmt.Sprintf(" at line %d", a.LineOf(es[0].Start)+1)
}

// textNews says what the texts decided by themselves.
func (s *Session) textNews(ts []editing.Transition) []string {
	var out []string
	for _, t := range ts {
		switch {
		case t.From == t.To: // read back from the journal
		case t.To == editing.Conflict:
			out = append(out, fmt.Sprintf("%s is in conflict: %s changed the same lines of %s", t.Letter, s.who(), t.Name))
		case t.From == editing.Applying && t.To == editing.Applied:
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
	s.mu.Lock()
	s.lookForSaved()
	s.mu.Unlock()
	return s.refreshAll()
}

func (s *Session) refreshAll() error {
	var errs []error
	for _, d := range s.Snapshot().Documents() {
		if len(d.Changes()) == 0 {
			continue
		}
		if err := s.refresh(d.Path); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
