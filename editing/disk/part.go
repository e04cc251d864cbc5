package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing/text"
)

// part is one step in the making.
type part struct {
	Step
	batch *Batch
	n     int

	src  *file // what stands there; nil for a Create
	from *folder
	dst  place // where a Create or Rename leads to

	inPlace bool
	old     []byte

	home *folder // of temp
	temp string
	ours fs.FileInfo // the new file
	gone string      // where the old file waits, in home

	looked fs.FileInfo // what it looked like at the last look
	copied bool        // it is a copy, where the file system knows no links
}

// place is a name that is to be taken.
type place struct {
	path    Path
	base    *folder  // the innermost folder that exists
	missing []string // folders below it
	name    string
	recased bool // the name differs from the old one by nothing that this file system minds
}

func (p *part) rank() int {
	switch p.Op {
	case Replace:
		return 0
	case Delete:
		return 2
	}
	return 1
}

// frees reports whether p takes a name away that q needs.
func (p *part) frees(q *part) bool {
	if p.Op != Delete && p.Op != Rename || q.dst.base == nil {
		return false
	}
	return p.src.path.Abs == q.dst.path.Abs || strings.HasPrefix(q.dst.path.Abs, p.src.path.Abs+string(filepath.Separator))
}

// find looks at the file that is to change, and checks it.
func (p *part) find() (err error) {
	if p.Op == Create {
		return nil
	}
	if p.src, err = p.batch.roots.find(p.Path, true); err != nil {
		return err
	}
	for _, q := range p.batch.parts[:p.n] {
		if q.src != nil && q.src.path.Abs == p.src.path.Abs {
			return refuse(CodeBadArguments, p.Path, "the file is named by two steps of one batch; join them")
		}
	}
	if p.from, err = p.batch.hold(p.src.path.Abs, p.src.dir); err != nil {
		return err
	}
	if err := p.src.unchanged(p.Before); err != nil {
		return err
	}
	if err := p.src.writable(p.Op == Replace); err != nil {
		return err
	}
	if p.Op != Replace {
		p.batch.freed[p.src.path.Abs] = true
		if p.from.mounted(p.src.name) {
			return p.src.readOnly("the file is mounted at its place, so it cannot be moved or deleted; ask the user")
		}
	}
	return nil
}

// aim finds the place that a step leads to, which must be free.
func (p *part) aim() error {
	if p.Op != Create && p.Op != Rename {
		return nil
	}
	given := p.target()
	path, err := p.batch.roots.ResolveFreed(given, p.batch.goes)
	if err != nil {
		return err
	}
	for _, q := range p.batch.parts[:p.n] {
		if q.dst.path.Abs == path.Abs {
			return refuse(CodeBadArguments, given, "two steps of one batch lead to this name; choose another for one of them")
		}
	}
	if p.dst, err = p.batch.place(given, path); err != nil {
		return err
	}
	return p.free(given)
}

// goes reports whether a file goes, or one above it.
func (b *Batch) goes(abs string) bool {
	for ; ; abs = filepath.Dir(abs) {
		if b.freed[abs] || abs == filepath.Dir(abs) {
			return b.freed[abs]
		}
	}
}

const maxName = 255 // bytes of a name, on all systems that we know

// place opens the innermost folder that exists on the way to a name.
func (b *Batch) place(given string, path Path) (place, error) {
	rootDir, rel := b.roots.rootOf(path)
	names := strings.Split(rel, string(filepath.Separator))
	if rel == "." || slices.ContainsFunc(names, func(n string) bool { return len(n) > maxName }) {
		return place{}, refuse(CodeBadArguments, given, "no file can have this name; choose another, of less than %d bytes", maxName)
	}
	dir, err := os.OpenRoot(rootDir)
	if err != nil {
		return place{}, failure(given, "open the workspace", err)
	}
	defer func() { _ = dir.Close() }()
	to, at := place{path: path, name: names[len(names)-1]}, rootDir
	for i, name := range names[:len(names)-1] {
		info, err := dir.Lstat(name)
		if errors.Is(err, fs.ErrNotExist) || err == nil && b.freed[filepath.Join(at, name)] {
			to.missing = names[i : len(names)-1]
			break
		}
		if err == nil && !info.IsDir() {
			return place{}, refuse(CodeExists, given, "a part of the path is a file, not a folder; choose another name")
		}
		next, err := dir.OpenRoot(name)
		if err != nil {
			return place{}, failure(given, "open the folder "+name, err)
		}
		_ = dir.Close()
		dir, at = next, filepath.Join(at, name)
	}
	if to.base, err = b.hold(filepath.Join(at, "x"), dir); err != nil {
		return place{}, failure(given, "open the folder", err)
	}
	if !to.base.changeable() {
		return place{}, refuse(CodeReadOnly, given, "the folder is read-only; ask the user to make it writable")
	}
	return to, nil
}

// free reports what already has the name that a step leads to.
func (p *part) free(given string) error {
	if len(p.dst.missing) > 0 {
		return nil
	}
	info, err := p.dst.base.Lstat(p.dst.name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return failure(given, "look at the new name", err)
	case p.src != nil && p.src.name != p.dst.name && strings.EqualFold(p.src.name, p.dst.name) && hardLinks(info) == 1 && os.SameFile(info, p.src.info):
		p.dst.recased = true
		return nil
	case p.batch.freed[p.dst.path.Abs] && (p.src == nil || p.src.path.Abs != p.dst.path.Abs):
		return nil
	}
	return exists(given)
}

// prepare writes the new file, or decides that the old one is written in place.
func (p *part) prepare() (err error) {
	switch {
	case p.Op == Delete:
		p.home = p.from
		p.old, err = p.src.read()
		p.temp = p.tempName()
		return err
	case !p.writes():
		return nil
	case len(p.After.Bytes()) > text.MaxSize:
		return tooLarge(p.Path)
	case p.Op == Create:
		p.home = p.dst.base
		return p.newFile()
	}
	if p.home = p.from; p.Op == Rename {
		p.home = p.dst.base
	}
	p.inPlace = hardLinks(p.src.info) > 1 || p.from.mounted(p.src.name)
	if !p.inPlace {
		if err = p.newFile(); errors.Is(err, errUnlike) {
			p.drop()
			p.inPlace = true
		}
	}
	if p.inPlace {
		p.old, err = p.src.read()
	}
	return err
}

// writes reports whether the step changes any bytes: where none do, not even the time of the file changes.
func (p *part) writes() bool {
	switch p.Op {
	case Replace:
		return p.After.Hash() != p.Before
	case Rename:
		return p.Edited && p.After.Hash() != p.Before
	}
	return p.Op == Create
}

func (p *part) part() Part {
	out := Part{Step: p.Step, InPlace: p.inPlace, Hash: p.After.Hash()}
	if p.inPlace || p.Op == Delete {
		out.Old = p.old
	}
	at := p.dst.path.Abs
	for range p.dst.missing {
		at = filepath.Dir(at)
		out.Made = append(out.Made, p.batch.roots.show(at))
	}
	return out
}

// compare is the last look before anything is done.
func (p *part) compare() error {
	if p.src != nil {
		if err := p.src.unchanged(p.Before); err != nil {
			return err
		}
	}
	if p.dst.base == nil || len(p.dst.missing) > 0 || p.dst.recased || p.batch.freed[p.dst.path.Abs] {
		return nil
	}
	if _, err := p.dst.base.Lstat(p.dst.name); !errors.Is(err, fs.ErrNotExist) {
		return exists(p.target())
	}
	return nil
}
