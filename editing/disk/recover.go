package disk

import (
	"bytes"
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
// place, puts back what somebody saved at that very moment, and removes leftovers, also folders that were made and are
// empty. It touches no other file. Of a part's After it needs no more than the Hash, but where it is InPlace.
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
	return out, err
}

// Remaining are the steps that finish a batch, given how far each came.
func Remaining(parts []Part, standings []Standing) []Step {
	var out []Step
	for i, p := range parts {
		switch standings[i] {
		case Undone:
			out = append(out, p.Step)
		case Moved:
			out = append(out, Step{Op: Replace, Path: p.To, Before: p.Before, After: p.After})
		}
	}
	return out
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

// clear removes the leftovers of one part.
func (r *Roots) clear(id string, n int, p Part) {
	at := p.target()
	if len(p.Made) > 0 { // they lie above all folders that were missing
		at = p.Made[len(p.Made)-1]
	}
	d, err := r.openFolder(at)
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
	r.RemoveFolders(p.Folders)
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

// mend puts the old bytes back into a file that was written in place, if the kill tore it between the two texts. A file
// that is whole, or that somebody else changed, is left alone.
func (r *Roots) mend(p Part) error {
	at := p.Path
	if p.Op == Rename && !r.stands(at) {
		at = p.To
	}
	f, err := r.find(at, true)
	if err != nil {
		return nil // there is nothing to mend
	}
	defer f.close()
	now, err := f.read()
	if err != nil || !torn(now, p.Old, p.After.Bytes()) {
		return err
	}
	return f.mend(sha256.Sum256(now), p.Old)
}

// page is what a kill does not tear.
const page = 4096

// mend puts b in the place of torn bytes, from the end on: cut off, it leaves what torn knows.
func (f *file) mend(want text.Hash, b []byte) error {
	h, err := f.dir.OpenFile(f.name, os.O_RDWR|nonblock, 0)
	if err != nil {
		return failure(f.given, "open the file for writing", err)
	}
	defer h.Close()
	now, err := readAll(f.given, h)
	if err != nil {
		return err
	}
	if sha256.Sum256(now) != want {
		return changed(f.given)
	}
	if len(now) > len(b) {
		err = errors.Join(Point("truncate"), h.Truncate(int64(len(b))))
	}
	for end := len(b); err == nil && end > 0; {
		start := (end - 1) / page * page
		if err = Point("mend"); err == nil {
			_, err = h.WriteAt(b[start:end], int64(start))
		}
		end = start
	}
	if err != nil {
		return failure(f.given, "mend the file", err)
	}
	return h.Sync()
}

// torn reports whether now is what a write of new over old leaves when it is cut off: by a kill, a beginning of new with
// the rest of old behind it; by a loss of power, blocks of either.
func torn(now, old, new []byte) bool {
	if bytes.Equal(now, old) || bytes.Equal(now, new) {
		return false
	}
	common := 0
	for common < min(len(now), len(new)) && now[common] == new[common] {
		common++
	}
	rest := 0
	for rest < min(len(now), len(old)) && now[len(now)-1-rest] == old[len(old)-1-rest] {
		rest++
	}
	if len(now) == max(len(old), common) && common+rest >= len(now) || len(now) == common && common > len(old) {
		return true
	}
	return blocks(now, old, new)
}

// block is what a disk writes as a whole.
const block = 512

func blocks(now, old, new []byte) bool {
	if len(now) < min(len(old), len(new)) || len(now) > max(len(old), len(new)) {
		return false
	}
	for at := 0; at < len(now); at += block {
		end := min(at+block, len(now))
		if !bytes.Equal(now[at:end], cutOut(old, at, end)) && !bytes.Equal(now[at:end], cutOut(new, at, end)) {
			return false
		}
	}
	return true
}

func cutOut(b []byte, from, to int) []byte { return b[min(from, len(b)):min(to, len(b))] }

// TakeBack is Recover for a batch whose process was killed while it was taken back: it goes on with that, the last part
// first. What it could not take back is not Undone.
func (r *Roots) TakeBack(ctx context.Context, lock, id string, parts []Part) ([]Standing, error) {
	release, err := acquire(ctx, lock)
	if err != nil {
		return nil, err
	}
	for i, p := range slices.Backward(parts) {
		err = errors.Join(err, r.takeBack(id, i, p))
	}
	release()
	found, recoverErr := r.Recover(ctx, lock, id, parts)
	return found, errors.Join(err, recoverErr)
}

func (r *Roots) takeBack(id string, n int, p Part) error {
	to, err := r.openFolder(p.target())
	if err != nil {
		return nil // its folder is gone, or was never made
	}
	defer to.close()
	now, is := r.hashNow(p.target())
	switch {
	case p.Op == Create && is && now == p.Hash:
		return to.Remove(to.name)
	case p.InPlace && is && now == p.Hash:
		err = r.overwrite(p.target(), p.Hash, p.Old)
	case p.Op == Delete && !r.stands(p.Path):
		err = r.oldBack(id, n, p, func(d *folder, name string) error { return move("move back", d, name, to, to.name) })
	case (p.Op == Replace || p.Edited) && is && now == p.Hash:
		err = r.oldBack(id, n, p, func(d *folder, name string) error {
			if err := exchange(d, name, to, to.name); !errors.Is(err, errors.ErrUnsupported) {
				return err
			}
			return d.renameTo(name, to, to.name)
		})
	}
	if now, is := r.hashNow(p.target()); err != nil || p.Op != Rename || !is || now != p.Before || r.stands(p.Path) {
		return err
	}
	from, err := r.openFolder(p.Path)
	if err != nil {
		return err
	}
	defer from.close()
	return move("move back", to, to.name, from, from.name)
}

// oldBack hands out where the old file of a part waits.
func (r *Roots) oldBack(id string, n int, p Part, back func(d *folder, name string) error) (err error) {
	d, openErr := r.openFolder(p.target())
	if openErr != nil {
		return openErr
	}
	defer d.close()
	d.leftovers(func(name string, l leftover, _ fs.FileInfo) {
		f := file{given: name, dir: d.Root, name: name}
		if b, readErr := f.read(); l.id == id && l.step == n && !l.part && readErr == nil && sha256.Sum256(b) == p.Before {
			err = back(d, name)
		}
	})
	return err
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
