package memory

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// TrashDir is the folder beside the sessions of a workspace in which removed ones lie.
const TrashDir = "trash"

// Trash moves a session to the trash, where it is whole and in no listing, and answers
// where it lies. One that is open is a *LockedError.
func Trash(home, workspace, id string) (string, error) {
	path, legacy := legacyPath(home, workspace, id)
	free := func() error { return nil }
	if !legacy {
		dir, err := sessionDir(home, workspace, id)
		if err != nil {
			return "", err
		}
		if _, of := directoryInfo(dir, canonical(workspace), nil); !of {
			return "", fmt.Errorf("%w: %s is another workspace's", ErrNoSession, id)
		}
		lock, err := acquireSoon(dir)
		if err != nil {
			return "", err
		}
		path, free = dir, lock.Unlock
	}
	to := filepath.Join(filepath.Dir(path), TrashDir, filepath.Base(path))
	err := os.MkdirAll(filepath.Dir(to), dirMode)
	if err == nil {
		err = os.Rename(path, to)
	}
	if err = errors.Join(err, free()); err != nil {
		return "", fmt.Errorf("move session %s to the trash: %w", id, err)
	}
	return to, nil
}

// Last names the session that was written to last.
const Last = "@last"

// Find is the session of a workspace that a person names: by its ID or the beginning
// of one, or as @last, which nothing at all means, too.
func Find(home, workspace, name string) (Info, error) {
	list, err := List(home, workspace)
	if err != nil {
		return Info{}, err
	}
	var found []Info
	for _, i := range list {
		if name == "" || name == Last || i.ID == name {
			return i, nil
		}
		if strings.HasPrefix(i.ID, strings.ToUpper(name)) {
			found = append(found, i)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		if name == "" || name == Last {
			return Info{}, fmt.Errorf("%w: there is none in %s yet", ErrNoSession, workspace)
		}
		return Info{}, fmt.Errorf("%w: none in %s begins with %q", ErrNoSession, workspace, name)
	}
	return Info{}, fmt.Errorf("%w: %d in %s begin with %q, give more of the id", ErrNoSession, len(found), workspace, name)
}
