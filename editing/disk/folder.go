package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// folder is held open, so that nobody can lead its name elsewhere.
type folder struct {
	*os.Root
	top  string // the workspace folder that it lies in
	abs  string
	self *os.File // for what os.Root does not offer
	name string   // a name in it, where one is meant
}

// hold opens the folder of a file once for the whole batch. dir stays the caller's.
func (b *Batch) hold(abs string, dir *os.Root) (*folder, error) {
	at := filepath.Dir(abs)
	if d := b.folders[at]; d != nil {
		return d, nil
	}
	d, err := newFolder(at, dir, ".")
	if err == nil {
		d.top, _ = b.roots.rootOf(Path{Abs: at})
		b.folders[at] = d
	}
	return d, err
}

// below opens a folder in one that is held.
func (b *Batch) below(d *folder, name, abs string) (*folder, error) {
	if have := b.folders[abs]; have != nil {
		return have, nil
	}
	made, err := newFolder(abs, d.Root, name)
	if err == nil {
		made.top = d.top
		b.folders[abs] = made
	}
	return made, err
}

func newFolder(abs string, in *os.Root, name string) (*folder, error) {
	root, err := in.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	self, err := root.Open(".")
	if err != nil {
		_ = root.Close()
		return nil, err
	}
	return &folder{Root: root, abs: abs, self: self}, nil
}

// openFolder opens the folder that holds another one, whose name it keeps.
func (r *Roots) openFolder(given string) (*folder, error) {
	p, err := r.Resolve(given, true)
	if err != nil {
		return nil, err
	}
	rootDir, rel := r.rootOf(p)
	if rel == "." {
		return nil, fs.ErrInvalid
	}
	root, err := os.OpenRoot(rootDir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	d, err := newFolder(filepath.Dir(p.Abs), root, filepath.Dir(rel))
	if err == nil {
		d.name = filepath.Base(rel)
	}
	return d, err
}

// Missing lists the folders that a file still needs, innermost first.
func (r *Roots) Missing(given string) []string {
	p, err := r.Resolve(given, true)
	if err != nil {
		return nil
	}
	var out []string
	for at := filepath.Dir(p.Abs); !r.stands(at); at = filepath.Dir(at) {
		out = append(out, r.show(at))
	}
	return out
}

// MakeFolders makes folders that are Missing.
func (r *Roots) MakeFolders(missing []string) error {
	for _, name := range slices.Backward(missing) {
		if err := r.inFolder(name, "mkdir", func(d *folder) error { return d.Mkdir(d.name, 0o777) }); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return nil
}

// RemoveFolders removes those of the folders, innermost first, that are empty.
func (r *Roots) RemoveFolders(names []string) {
	for _, name := range names {
		_ = r.inFolder(name, "rmdir", func(d *folder) error { return d.rmdir(d.name) })
	}
}

// inFolder does something to a folder in the one that holds it.
func (r *Roots) inFolder(name, point string, do func(d *folder) error) error {
	d, err := r.openFolder(name)
	if err != nil {
		return err
	}
	defer d.close()
	if err = Point(point); err == nil {
		err = do(d)
	}
	if err == nil {
		d.sync()
	}
	return err
}

func (d *folder) close() {
	_ = d.self.Close()
	_ = d.Root.Close()
}

func (d *folder) sync() { _ = d.self.Sync() }

func (d *folder) changeable() bool {
	info, err := d.Stat(".")
	return err == nil && info.Mode()&0o222 != 0 && mayChange(d.abs) == nil
}

func (t place) folderAbs(i int) string {
	abs := t.path.Abs
	for range len(t.missing) - i {
		abs = filepath.Dir(abs)
	}
	return abs
}

// move gives a file another name, which must be free.
func move(point string, d *folder, name string, e *folder, to string) error {
	if err := Point(point); err != nil {
		return err
	}
	err := renameNew(d, name, e, to)
	if !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	// A second name is never put over another; then the first one goes.
	if err = d.linkTo(name, e, to); err == nil {
		return d.Remove(name)
	}
	if errors.Is(err, fs.ErrExist) {
		return err
	}
	if _, err := e.Lstat(to); err == nil { // no links here either: the shortest possible moment
		return fs.ErrExist
	}
	return d.renameTo(name, e, to)
}

// renameTo puts a file over another.
func (d *folder) renameTo(name string, e *folder, to string) error {
	if d == e {
		return d.Root.Rename(name, to)
	}
	return d.inCommon(name, e, to, (*os.Root).Rename)
}

// linkTo gives a file a second name.
func (d *folder) linkTo(name string, e *folder, to string) error {
	if d == e {
		return d.Root.Link(name, to)
	}
	return d.inCommon(name, e, to, (*os.Root).Link)
}

// inCommon does something with names in two folders, from the workspace folder that holds both.
func (d *folder) inCommon(name string, e *folder, to string, do func(top *os.Root, from, to string) error) error {
	if d.top != e.top {
		return errors.ErrUnsupported
	}
	top, err := os.OpenRoot(d.top)
	if err != nil {
		return err
	}
	defer top.Close()
	from, err1 := filepath.Rel(d.top, filepath.Join(d.abs, name))
	dest, err2 := filepath.Rel(d.top, filepath.Join(e.abs, to))
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	return do(top, from, dest)
}
