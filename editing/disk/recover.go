package disk

import (
	"context"
	"crypto/sha256"
	"errors"
	"io/fs"
	"os"
	"slices"

	"github.com/galley-ls/galley/editing/text"
)

// Standing is how far a step came whose batch was cut off.
type Standing string

// How far a step came.
const (
	Undone Standing = "undone" // its files are as before
	Done   Standing = "done"
	Moved  Standing = "moved" // a Rename that is Edited has the new name, and the old text
	Other  Standing = "other" // neither: somebody else changed them
)

// Recover looks at what became of a batch whose process was killed, in the order of its parts. It mends what was torn in
// place, puts back what somebody saved at that very moment, and removes leftovers, also folders that are empty: those that
// were made, and those that a file left which is gone. It touches no other file. Of a part's After it needs no more than
// the Hash, but where it is InPlace.
func (r *Roots) Recover(ctx context.Context, lock, id string, parts []Part) ([]Standing, error) {
	release, err := acquire(ctx, lock)
	if err != nil {
		return nil, err
	}
	defer release()
	held := map[string]text.Hash{} // what the batch found under names
	made := map[string]text.Hash{} // what it puts there
	for i, p := range parts {
		if p.Op == Delete || p.Op == Rename {
			held[r.real(p.Path)] = p.Before
		}
		if at, h, ok := p.makes(); ok {
			made[r.real(at)] = h
		}
		r.clear(id, i, p)
	}
	out := make([]Standing, len(parts))
	for i, p := range parts {
		if p.InPlace {
			err = errors.Join(err, r.mend(p))
		}
		out[i] = r.standing(p, held, made)
	}
	for i, p := range parts { // when all that is to stay is known
		if out[i] == Done || out[i] == Moved {
			r.RemoveFolders(p.leaves())
		}
	}
	return out, err
}

// makes says which name a part makes, and what it holds then.
func (p Part) makes() (string, text.Hash, bool) {
	switch {
	case p.Op == Create:
		return p.Path, p.Hash, true
	case p.Op == Rename && p.Edited:
		return p.To, p.Hash, true
	case p.Op == Rename:
		return p.To, p.Before, true
	}
	return "", text.Hash{}, false
}

func (r *Roots) real(given string) string {
	if p, err := r.Resolve(given, true); err == nil {
		return p.Abs
	}
	return r.absolute(given)
}

// standing compares the names of a step with what they held and what they were to hold. A name that the batch frees for
// another file of its own counts as what it was until that file is there.
func (r *Roots) standing(s Part, held, made map[string]text.Hash) Standing {
	now, is := r.hashNow(s.Path)
	there, arrived := r.hashNow(s.target())
	_, after, _ := s.makes()
	was, waits := held[r.real(s.target())]
	free := !arrived && !r.stands(s.target()) || waits && arrived && there == was && there != after
	other, taken := made[r.real(s.Path)]
	gone := !is || taken && now == other
	switch {
	case s.Op == Create && arrived && there == after, s.Op == Delete && gone,
		s.Op == Replace && is && now == s.Hash, s.Op == Rename && gone && arrived && there == after:
		return Done
	case s.Op == Create && free, (s.Op == Delete || s.Op == Replace) && is && now == s.Before,
		s.Op == Rename && is && now == s.Before && free:
		return Undone
	case s.Op == Rename && gone && arrived && there == s.Before:
		return Moved
	}
	return Other
}

// stands reports whether anything has a name.
func (r *Roots) stands(given string) bool {
	_, err := os.Lstat(r.real(given))
	return err == nil
}

func (r *Roots) hashNow(given string) (text.Hash, bool) {
	f, err := r.find(given, true)
	if err != nil {
		return text.Hash{}, false
	}
	defer f.close()
	b, err := f.read()
	return sha256.Sum256(b), err == nil
}

// target is the name that holds the outcome of a step.
func (s Step) target() string {
	if s.Op == Rename {
		return s.To
	}
	return s.Path
}

// home opens the folder in which the leftovers of a part lie: above all folders that were missing.
func (r *Roots) home(p Part) (*folder, error) {
	if len(p.Made) > 0 {
		return r.openFolder(p.Made[len(p.Made)-1])
	}
	return r.openFolder(p.target())
}

// clear removes the leftovers of one part.
func (r *Roots) clear(id string, n int, p Part) {
	d, err := r.home(p)
	if err != nil {
		return
	}
	defer d.close()
	d.leftovers(func(name string, l leftover, _ fs.FileInfo) {
		switch {
		case l.id != id || l.step != n:
		case l.part || d.known(name, l):
			_ = d.Remove(name)
		default:
			r.giveBack(d, name, p)
		}
	})
	r.RemoveFolders(p.Made)
}

// giveBack puts a text that somebody saved, and that came out at the moment of the kill, in its place again; where
// another one is there by now, beside it.
func (r *Roots) giveBack(d *folder, name string, s Part) {
	to, err := r.openFolder(s.target())
	if err != nil {
		return
	}
	defer to.close()
	if h, is := r.hashNow(s.target()); is && s.Op != Delete && h == s.Hash {
		if exchange(d, name, to, to.name) == nil {
			_ = d.Remove(name)
			return
		}
	}
	if s.Op != Delete || move("move back", d, name, to, to.name) != nil {
		_ = move("keep", d, name, to, to.name+keptSuffix)
	}
}

// TakeBack is Recover for a batch whose process was killed while it was taken back: it goes on with that. What it could
// not take back is not Undone.
func (r *Roots) TakeBack(ctx context.Context, lock, id string, parts []Part) ([]Standing, error) {
	release, err := acquire(ctx, lock)
	if err != nil {
		return nil, err
	}
	for moved := true; moved; { // one may need the name that another one has
		moved = false
		for i, p := range slices.Backward(parts) {
			did, fault := r.takeBack(id, i, p, parts)
			if moved = moved || did && fault == nil; !errors.Is(fault, fs.ErrExist) { // somebody has the name
				err = errors.Join(err, fault)
			}
		}
	}
	release()
	for _, p := range parts {
		r.remake(ctx, lock, p)
	}
	found, recoverErr := r.Recover(ctx, lock, id, parts)
	return found, errors.Join(err, recoverErr)
}

// takeBack reports whether anything of a part was there to be taken back.
func (r *Roots) takeBack(id string, n int, p Part, parts []Part) (did bool, err error) {
	to, err := r.openFolder(p.target())
	if err != nil {
		return false, nil // its folder is gone, or was never made
	}
	defer to.close()
	if p.InPlace {
		if err := r.mend(p); err != nil {
			return false, err
		}
	}
	now, is := r.hashNow(p.target())
	after := is && now == p.Hash
	switch {
	case p.Op == Create && after:
		if slices.ContainsFunc(parts, func(q Part) bool { return q.Path == p.Path && q.Op != Create && q.Before == p.Hash }) {
			return false, nil // it may be the old one
		}
		defer r.RemoveFolders(p.Made)
		return true, to.Remove(to.name)
	case p.Op == Delete && !r.stands(p.Path):
		return r.oldBack(id, n, p, func(d *folder, name string) error { return move("move back", d, name, to, to.name) })
	case p.InPlace && after && p.Hash != p.Before:
		did, err = true, r.overwrite(p.target(), p.Hash, p.Old)
	case (p.Op == Replace || p.Edited) && after:
		did, err = r.oldBack(id, n, p, func(d *folder, name string) error {
			if err := exchange(d, name, to, to.name); !errors.Is(err, errors.ErrUnsupported) {
				return err
			}
			return d.renameTo(name, to, to.name)
		})
	}
	if now, is := r.hashNow(p.target()); err != nil || p.Op != Rename || !is || now != p.Before || r.stands(p.Path) {
		return did, err
	}
	from, err := r.openFolder(p.Path)
	if err != nil {
		return did, err
	}
	defer from.close()
	defer r.RemoveFolders(p.Made)
	return true, move("move back", to, to.name, from, from.name)
}

// remake writes a file again whose deletion cannot be taken back, since another galley swept the old one away, from the
// bytes that were kept. Where that fails it is found deleted.
func (r *Roots) remake(ctx context.Context, lock string, p Part) {
	t, err := text.FromBytes(p.Old)
	if err != nil || p.Op != Delete || p.Old == nil || r.stands(p.Path) {
		return
	}
	if b, err := r.Prepare("", []Step{{Op: Create, Path: p.Path, After: t}}); err == nil {
		_ = b.Commit(ctx, lock, nil)
	}
}

// oldBack hands out where the old file of a part waits, if it does.
func (r *Roots) oldBack(id string, n int, p Part, back func(d *folder, name string) error) (did bool, err error) {
	d, err := r.home(p)
	if err != nil {
		return false, err
	}
	defer d.close()
	d.leftovers(func(name string, l leftover, _ fs.FileInfo) {
		f := file{given: name, dir: d.Root, name: name}
		if b, readErr := f.read(); l.id == id && l.step == n && !l.part && readErr == nil && sha256.Sum256(b) == p.Before {
			did, err = true, back(d, name)
		}
	})
	return did, err
}

// overwrite puts b in the place of the bytes with the hash want, into the file itself.
func (r *Roots) overwrite(given string, want text.Hash, b []byte) error {
	f, err := r.find(given, true)
	if err != nil {
		return err
	}
	defer f.close()
	return f.overwrite(want, b)
}
