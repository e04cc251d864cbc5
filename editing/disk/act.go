package disk

import (
	"crypto/sha256"
	"errors"
	"io/fs"
	"os"
	"time"

	"github.com/galley-ls/galley/editing/text"
)

// act does one step. What it did is in the batch's undo, also if it fails.
func (p *part) act() error {
	switch p.Op {
	case Create:
		return p.create()
	case Delete:
		return p.delete()
	case Rename:
		return p.rename()
	}
	return p.put(p.from, p.src.name)
}

// put gives the file under a name its new text.
func (p *part) put(d *folder, name string) error {
	switch {
	case !p.writes():
		return nil
	case p.inPlace:
		return p.overwrite(d, name)
	}
	return p.exchange(d, name)
}

func (p *part) create() error {
	d, err := p.makeFolders()
	if err != nil {
		return err
	}
	if err := move("create", p.home, p.temp, d, p.dst.name); err != nil {
		return renaming(p.Path, err)
	}
	p.batch.touch(p.home, d)
	p.batch.did(p, func() error { return p.carry(d, p.dst.name, p.home, p.temp, p.isOurs) })
	return nil
}

func (p *part) delete() error {
	if err := p.carry(p.from, p.src.name, p.home, p.temp, p.isOld); err != nil {
		return err
	}
	p.gone = p.temp
	p.batch.touch(p.from)
	p.batch.did(p, func() error { return renaming(p.Path, move("move back", p.home, p.temp, p.from, p.src.name)) })
	return nil
}

func (p *part) rename() error {
	d, err := p.makeFolders()
	if err != nil {
		return err
	}
	if p.dst.recased {
		err = p.from.renameTo(p.src.name, d, p.dst.name)
	} else {
		err = p.carry(p.from, p.src.name, d, p.dst.name, p.isOld)
	}
	if errors.Is(err, ErrExists) {
		return exists(p.To)
	}
	if err != nil {
		return err
	}
	p.batch.touch(p.from, d)
	p.batch.did(p, func() error {
		if p.dst.recased {
			return d.renameTo(p.dst.name, p.from, p.src.name)
		}
		return p.carry(d, p.dst.name, p.from, p.src.name, p.isOld)
	})
	return p.put(d, p.dst.name)
}

// exchange puts the new file in the place of the old one, looks at what came out, and changes them back if that is not
// what was compared.
func (p *part) exchange(d *folder, name string) error {
	old, err := p.swap(d, name)
	if err != nil {
		return renaming(p.Path, err)
	}
	if err := p.isOld(p.home, old); err != nil {
		if p.swapBack(d, name, old) != nil {
			return refuse(CodeChanged, p.Path, "the file was changed on disk twice at this moment: the first text lies in %s, the second in its place", old)
		}
		return err
	}
	p.gone = old
	p.batch.touch(p.home, d)
	p.batch.did(p, func() error {
		if err := p.isOurs(d, name); err != nil {
			return err
		}
		return renaming(p.Path, p.swapBack(d, name, old))
	})
	return nil
}

// swap returns under which name, in home, the file waits that was there.
func (p *part) swap(d *folder, name string) (old string, err error) {
	if err := Point("exchange"); err != nil {
		return "", err
	}
	if err = exchange(p.home, p.temp, d, name); !errors.Is(err, errors.ErrUnsupported) {
		return p.temp, err
	}
	// A second name keeps the old file; then the new one takes its place, with the last look right before.
	old = p.temp + oldSuffix
	if err := d.linkTo(name, p.home, old); err != nil {
		if err := p.copyOld(d, name, old); err != nil {
			return "", err
		}
	}
	seen := p.src.seen
	if now, err := d.Lstat(name); err != nil || !sameLooks(now, seen) {
		_ = p.home.Remove(old)
		return "", changed(p.Path)
	}
	return old, p.home.renameTo(p.temp, d, name)
}

// swapBack puts the old file in the place of ours. If it turns out that ours was not there any more, what somebody saved
// meanwhile stays.
func (p *part) swapBack(d *folder, name, old string) error {
	if err := Point("exchange back"); err != nil {
		return err
	}
	if old != p.temp {
		return p.home.renameTo(old, d, name)
	}
	if err := exchange(p.home, old, d, name); err != nil {
		return err
	}
	if err := p.isOurs(p.home, old); err != nil {
		return errors.Join(changed(p.Path), exchange(p.home, old, d, name))
	}
	return nil
}

// carry moves a file to a free name, if what arrives is what was meant; else it goes back to where it was.
func (p *part) carry(d *folder, name string, e *folder, to string, meant func(*folder, string) error) error {
	if err := move("move", d, name, e, to); err != nil {
		return renaming(p.Path, err)
	}
	err := meant(e, to)
	if err == nil {
		return nil
	}
	if move("move back", e, to, d, name) == nil {
		return err
	}
	kept := name + keptSuffix
	if move("keep", e, to, d, kept) != nil {
		kept = to
	}
	return refuse(CodeChanged, p.Path, "the file was changed on disk twice at this moment: the first text lies in %s, the second in its place", kept)
}

// isOld reports what is wrong if a name does not hold the file that was compared.
func (p *part) isOld(d *folder, name string) error {
	info, err := d.Lstat(name)
	was := p.src.info
	if err != nil || !p.copied && (!os.SameFile(info, was) || info.Mode() != was.Mode() || hardLinks(info) != hardLinks(was)) {
		return changed(p.Path)
	}
	return p.holds(d, name, p.Before)
}

// isOurs is isOld for the new file.
func (p *part) isOurs(d *folder, name string) error {
	if info, err := d.Lstat(name); err != nil || !os.SameFile(info, p.ours) {
		return changed(p.Path)
	}
	return p.holds(d, name, p.After.Hash())
}

func (p *part) holds(d *folder, name string, want text.Hash) error {
	f := file{given: p.Path, dir: d.Root, name: name}
	if b, err := f.read(); err != nil || sha256.Sum256(b) != want {
		return changed(p.Path)
	}
	return nil
}

// look remembers what the old file looks like where it waits for its end, if it is what it was.
func (p *part) look() error {
	if p.gone == "" {
		return nil
	}
	now, err := p.home.Lstat(p.gone)
	if err != nil {
		return changed(p.Path)
	}
	quiet := now.Size() == p.src.seen.Size() && now.ModTime().Equal(p.src.seen.ModTime()) && time.Since(now.ModTime()) > young
	if !quiet { // its time would not tell
		err = p.isOld(p.home, p.gone)
	}
	if err == nil {
		p.looked = now
	}
	return err
}

// drop removes what the batch wrote and nobody needs any more. What is neither ours nor the old file stays.
func (p *part) drop() {
	if p.gone != "" {
		p.dropOld()
	}
	if p.ours == nil {
		return
	}
	if info, err := p.home.Lstat(p.temp); err == nil && os.SameFile(info, p.ours) && Point("remove temp") == nil {
		_ = p.home.Remove(p.temp)
	}
}

// dropOld removes the old file. If somebody wrote into it a moment ago, it gets a name that can be seen.
func (p *part) dropOld() {
	info, err := p.home.Lstat(p.gone)
	if err != nil || p.ours != nil && os.SameFile(info, p.ours) { // taken back
		return
	}
	if p.looked != nil && !sameLooks(info, p.looked) || p.looked == nil && p.isOld(p.home, p.gone) != nil {
		_ = move("keep", p.home, p.gone, p.from, p.src.name+keptSuffix)
		return
	}
	if Point("remove old") == nil {
		_ = p.home.Remove(p.gone)
	}
}

// makeFolders makes the folders that are missing, and opens the innermost.
func (p *part) makeFolders() (*folder, error) {
	d := p.dst.base
	for i, name := range p.dst.missing {
		if err := Point("mkdir"); err != nil {
			return nil, err
		}
		err := d.Mkdir(name, 0o777)
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
		if info, statErr := d.Lstat(name); statErr != nil || !info.IsDir() {
			return nil, exists(p.target())
		}
		above := d
		if err == nil {
			p.batch.touch(above)
			p.batch.did(p, func() error { _ = above.rmdir(name); return nil }) // it stays where somebody uses it
		}
		if d, err = p.batch.below(above, name, p.dst.folderAbs(i)); err != nil {
			return nil, err
		}
	}
	return d, nil
}
