package session

import (
	"strings"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/match"
	"github.com/galley-ls/galley/editing/text"
	"github.com/galley-ls/galley/memory"
)

// Place is what an operation on a document knows besides its own words.
type Place struct {
	Seen
	Meta   editing.Meta
	Hints  match.Hints
	Reread bool // the file has changed since the agent read it
}

// Edited is what became of an edit.
type Edited struct {
	editing.Result
	Name  string // the file, as it is shown
	Chars int    // of a file of the working memory that was written
	Wrote *MemoryWrite
}

// Edit stages what make makes of a file, or does it at once to a file of the
// working memory. read are other files that the operation looks at.
func (s *Session) Edit(by By, path, op, reason string, make func(Place) editing.Op, read ...*editing.Document) (Edited, error) {
	if name, ok := strings.CutPrefix(path, MemoryPrefix); ok {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.Saw(by, Reading{Named: path})
		return s.memory.edit(name, s.me, func(d *editing.Document) editing.Op {
			return make(Place{Seen: Seen{Document: d, Path: d.Path, Name: d.Name}, Meta: s.meta(reason), Hints: noHints()})
		})
	}
	d, err := s.LookFor(path, op, true)
	switch {
	case err == nil:
		read = append(read, d.Document)
	case op == opWrite && isAbsent(err) && d.Path != "":
		d.Document = editing.NewDocument(d.Path, d.Name, text.Text{})
	default:
		return Edited{}, err
	}
	s.Saw(by, Reading{Named: d.Named})
	s.mu.Lock()
	o := make(s.place(d, reason))
	s.mu.Unlock()
	res, err := s.stage(by, op, reason, o, read...)
	if len(d.Beside) > 0 && res.Status == editing.StatusEditing && res.Hint == "" {
		res.Hint = besideHint(d.Beside)
	}
	return Edited{Result: res, Name: d.Name}, err
}

func noHints() match.Hints { return match.Hints{Cursor: -1, Behind: -1} }

// place is called with the lock held.
func (s *Session) place(d Seen, reason string) Place {
	p := Place{Seen: d, Meta: s.meta(reason), Hints: noHints()}
	if t, ok := s.tasks.Current(); ok {
		p.Hints.Goal = t.Goal
	}
	r, ok := s.read[d.Name]
	p.Reread = r.Hash != "" && r.Hash != d.Base.Hash().String()
	p.Hints.Behind = behind(d.Document, s.me)
	if now := d.Proposed(s.me); p.Hints.Behind < 0 && ok && r.Line < now.Lines()-1 { // else the whole text was read: no place in it
		p.Hints.Behind = now.LineStart(r.Line)
	}
	if u := s.user; u.path == d.Path && u.start >= 0 && u.start <= u.end && u.end <= d.Base.Len() {
		p.Hints.Cursor, p.Hints.CursorEnd = d.ToProposed(s.me, u.start, false), d.ToProposed(s.me, u.end, true)
	}
	return p
}

// meta is what a staging carries.
func (s *Session) meta(reason string) editing.Meta {
	m := editing.Meta{Owner: s.me, Turn: s.iter, Reason: reason}
	if t, ok := s.tasks.Current(); ok {
		m.Task = t.ID
	}
	return m
}

// behind is the end of the owner's last staged change in a document, -1 if there
// is none.
func behind(d *editing.Document, owner string) int {
	var last *editing.Change
	for _, c := range d.Changes() {
		if c.Owner == owner && c.State == editing.Staged && (last == nil || c.Order > last.Order) {
			last = c
		}
	}
	if last == nil {
		return -1
	}
	r := d.Ranges(owner, last)
	if len(r) == 0 {
		return -1
	}
	return r[len(r)-1][1]
}

// searches is how often a place is looked for outside the queue.
const searches = 3

// stage runs an operation of the agent's on a document as it was read. The search
// is outside the queue: nobody waits for it. Where the texts have moved by the time
// it ends it is made again, at last within the queue, so that it comes to an end.
func (s *Session) stage(by By, op, reason string, o editing.Op, read ...*editing.Document) (editing.Result, error) {
	e := editEntry{Op: op, Call: by.Call, Reason: reason}
	for range searches {
		p := s.ws.Plan(o, read...)
		s.mu.Lock()
		ok, err := s.carry(memory.TypeEdit, e, p, nil)
		s.mu.Unlock()
		if ok || err != nil {
			return p.Result, err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.do(memory.TypeEdit, e, o, nil, read...)
}

// Drop takes back a change of the agent's own.
func (s *Session) Drop(by By, letter, reason string) (editing.Result, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.do(memory.TypeEdit, editEntry{Op: "drop", Call: by.Call, Reason: reason}, editing.Drop(s.me, editing.Letters(letter), reason), nil)
}

// TakeRecommended stages the recommended candidate of each list of an editing
// session. The status is empty if there is none.
func (s *Session) TakeRecommended(by By, n int) (editing.Result, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.do(memory.TypeEdit, editEntry{Op: "stage", Call: by.Call}, editing.TakeRecommended(s.me, n, s.meta("")), nil)
}
