package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// maxLinks is where a chain of symbolic links is taken for a loop, as the system does.
const maxLinks = 40

// maxPath is where a path is too long for the systems that we know; each of its names costs a look.
const maxPath = 4096

// walked is where a path leads.
type walked struct {
	abs      string
	dangling string   // the link whose target does not exist, if the path goes through one
	rest     []string // with an error: the names behind abs
}

// walker follows a path the way the system would, one name at a time, and goes on by name alone where nothing exists.
type walker struct {
	at      string
	pending []string
	links   int
	link    string // the outermost link being followed
	rest    int    // names pending behind that link's target
	missing string // the link that led to a missing name
}

// walk resolves path. With an error, abs is where the walk ended, so that the caller can tell inside from outside.
func (r *Roots) walk(path string) (walked, error) {
	w := &walker{at: r.dirs[0]}
	if len(path) > maxPath {
		return walked{abs: w.at}, tooLong(path)
	}
	w.push(path)
	for len(w.pending) > 0 {
		rest := w.pending
		if err := w.step(path); err != nil {
			return walked{abs: w.at, rest: rest}, err
		}
	}
	return walked{abs: w.at, dangling: w.missing}, nil
}

// push puts the names of a path before those that are pending.
func (w *walker) push(path string) {
	if filepath.IsAbs(path) {
		w.at = filepath.VolumeName(path) + string(filepath.Separator)
		path = path[len(filepath.VolumeName(path)):]
	}
	w.pending = append(strings.Split(filepath.ToSlash(path), "/"), w.pending...)
}

func (w *walker) step(path string) error {
	name := w.pending[0]
	w.pending = w.pending[1:]
	switch name {
	case "", ".":
		return nil
	case "..":
		w.at = filepath.Dir(w.at)
		return nil
	}
	next := filepath.Join(w.at, name)
	info, err := os.Lstat(next)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if w.link != "" && len(w.pending) >= w.rest {
			w.missing = w.link
		}
	case err != nil:
		return unwalkable(path, err)
	case info.Mode()&fs.ModeSymlink != 0:
		return w.follow(path, next)
	}
	w.at = next
	return nil
}

func (w *walker) follow(path, link string) error {
	if w.links++; w.links > maxLinks {
		return refuse(CodeFileNotFound, path, "the path goes through a loop of symbolic links; name the file itself")
	}
	target, err := os.Readlink(link)
	if err != nil {
		return unwalkable(path, err)
	}
	if w.link == "" || len(w.pending) < w.rest {
		w.link, w.rest = link, len(w.pending)
	}
	w.push(target)
	return nil
}

func tooLong(path string) error {
	return refuse(CodeFileNotFound, path, "no file can have a name that long; list_files shows what is there")
}

func unwalkable(path string, err error) error {
	if isTooLong(err) {
		return tooLong(path)
	}
	if info := new(fs.PathError); errors.As(err, &info) && isNotDir(info.Err) {
		return refuse(CodeFileNotFound, path, "a part of the path is a file, not a folder; list_files shows what is there")
	}
	return failure(path, "look for the file", err)
}
