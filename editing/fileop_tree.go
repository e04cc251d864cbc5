package editing

import (
	"cmp"
	"slices"
)

// This file knows the proposed tree: which files there are for an agent.

// Sight is what an agent's proposed tree has at a path.
type Sight struct {
	Path   string // of the document that holds the file's text now; "" if the table knows none
	There  bool
	Letter string // the staged change that says so
	Now    string // of a file that is renamed: its new name
}

// Resolve says what owner's proposed tree has at path. A path that the table does
// not know is what the disk says: the sight is then empty.
func (s *Snapshot) Resolve(owner, path string) Sight {
	for _, d := range s.docs {
		for _, c := range d.changes {
			if c.Owner == owner && c.Proposes() && c.makes() == path {
				return Sight{Path: d.Path, There: true, Letter: c.Letter}
			}
		}
	}
	d := s.docs[path]
	if d == nil {
		return Sight{}
	}
	for _, c := range d.changes {
		if c.Owner == owner && c.Proposes() && c.from().path == path {
			return Sight{Path: path, Letter: c.Letter, Now: c.to().name}
		}
	}
	return Sight{Path: path, There: d.there()}
}

// Entry is a file that a proposed tree has and the disk has not, or the other way
// round.
type Entry struct {
	Path, Name string
	Document   string // of a new one: the path of the document that holds its text
	Letter     string
}

// Tree is what owner's proposed tree has more and less than the disk, by name.
func (s *Snapshot) Tree(owner string) (more, less []Entry) {
	for _, d := range s.docs {
		for _, c := range d.changes {
			if c.Owner != owner || !c.Proposes() {
				continue
			}
			if to := c.to(); to.path != "" {
				more = append(more, Entry{to.path, to.name, c.Path, c.Letter})
			}
			if from := c.from(); from.path != "" {
				less = append(less, Entry{from.path, from.name, "", c.Letter})
			}
		}
	}
	byName := func(a, b Entry) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Path, b.Path)) }
	slices.SortFunc(more, byName)
	slices.SortFunc(less, byName)
	return more, less
}

// sight returns the document that owner sees at path, or why there is none.
func (t *tx) sight(owner, path string) (*Document, *Result) {
	t.read[path] = true
	at, r := t.st.See(owner, path)
	if r != nil {
		return nil, r
	}
	return t.see(at.Path), nil
}

// See is Resolve for somebody who needs the file's text: what to do instead, where
// there is none.
func (s *Snapshot) See(owner, path string) (Sight, *Result) {
	at := s.Resolve(owner, path)
	var r Result
	switch {
	case at.There && (at.Letter != "" || s.docs[at.Path].readable()):
		return at, nil
	case at.There:
		r = refuse("not_text", "what stands there is a folder, or no text; read it, or list_files, to see what it is")
	case at.Now != "":
		r = notFound("file_not_found", "the file is %s now, by your change %s; name it so", at.Now, at.Letter)
	case at.Letter != "":
		r = notFound("file_not_found", "the file is gone for you: change %s deletes it. write brings it back with a text of yours, memo_drop %s as it was", at.Letter, at.Letter)
	case at.Path != "":
		r = notFound("file_not_found", "the file is not there any more: somebody has deleted or renamed it. list_files shows what there is; write makes it again")
	default:
		r = notFound("file_not_found", "there is no such file; list_files shows what there is")
	}
	r.Path, r.Owner = path, owner
	return at, &r
}
