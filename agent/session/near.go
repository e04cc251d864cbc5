package session

import (
	"fmt"
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/disk"
)

// LookFor is Look for a call that may have a file in mind which is called otherwise than it says: the one that it can
// mean. A file of that name in another folder is meant by a call that reads or edits; one that makes a file is told of it
// in Beside, and one that takes a file away must name it.
func (s *queue) LookFor(path, op string, write bool) (Seen, error) {
	seen, err := s.Look(path, write)
	seen.Named = path
	if !isMissing(err) {
		return seen, err
	}
	for _, other := range s.Files().Spellings(path) {
		if near, err := s.Look(other, write); err == nil {
			near.Named = near.Name
			return near, nil
		}
	}
	names, _, _ := s.Names("")
	same, elsewhere := s.Files().Near(path, names)
	switch {
	case len(same) == 0 && op == opWrite:
		seen.Beside = elsewhere
		return seen, err
	case len(same) == 0 && len(elsewhere) == 0:
		return seen, err
	case len(same) == 0 && len(elsewhere) == 1 && op != opDelete && op != opRename:
		same = elsewhere
	}
	if len(same) == 1 {
		near, err := s.Look(same[0], write)
		near.Named = near.Name
		return near, err
	}
	return Seen{}, refuse(disk.CodeFileNotFound, "there is no such file; did you mean %s? call again with the one you mean", oneOf(append(same, elsewhere...)))
}

// Operations on files that differ in what a name may mean.
const (
	opWrite  = "write" // makes files that are not there
	opDelete = "delete_file"
	opRename = "rename_file"
)

// oneOf lists some names, for a question.
func oneOf(names []string) string {
	const most = 5
	more := ""
	if len(names) > most {
		names, more = names[:most], fmt.Sprintf(" or one of %d more", len(names)-most)
	}
	last := len(names) - 1
	if last == 0 || more != "" {
		return strings.Join(names, ", ") + more
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// besideHint tells a call that has made a file of files that it may have meant.
func besideHint(names []string) string {
	return fmt.Sprintf("this is a new file, and %s is there: if that is meant, take this back with memo_drop and name it", oneOf(names))
}

// Names are the files that a glob matches, as they are for the agent, and how many are
// left out for the secrets in them.
func (b *base) Names(glob string) ([]string, int, error) {
	names, secrets, err := b.Files().List(glob)
	more, less := b.Snapshot().Tree(b.me)
	if err != nil || len(more)+len(less) == 0 {
		return names, secrets, err
	}
	names = slices.DeleteFunc(names, func(n string) bool {
		return slices.ContainsFunc(less, func(e editing.Entry) bool { return e.Name == n })
	})
	for _, e := range more {
		if b.Files().Matches(glob, e.Name) {
			names = append(names, e.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), secrets, nil
}
