package disk

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"

	"github.com/galley-ls/galley/editing/text"
)

// This file writes over files that cannot be exchanged, and mends what a kill tore there.

// overwrite writes into the file itself, so that all its names keep meaning the same file. If that stops halfway, the
// old bytes are put back.
func (p *part) overwrite(d *folder, name string) error {
	f := &file{given: p.Path, path: p.src.path, dir: d.Root, name: name, info: p.src.info}
	if err := f.overwrite(p.Before, p.After.Bytes()); err != nil {
		return err
	}
	p.batch.did(p, func() error { return f.overwrite(p.After.Hash(), p.old) })
	return nil
}

// overwrite compares and writes through one handle.
func (f *file) overwrite(want text.Hash, b []byte) error {
	h, old, err := f.reopen(want)
	if err != nil {
		return err
	}
	defer h.Close()
	if err := fill(h, b); err != nil {
		return f.restore(h, old, err)
	}
	return nil
}

// reopen opens the file for writing, if it is still the one that was found, and holds the bytes with the hash want.
func (f *file) reopen(want text.Hash) (h *os.File, old []byte, err error) {
	if h, err = f.dir.OpenFile(f.name, os.O_RDWR|nonblock, 0); err != nil {
		return nil, nil, failure(f.given, "open the file for writing", err)
	}
	if old, err = readAll(f.given, h); err == nil {
		if info, statErr := h.Stat(); statErr != nil || !os.SameFile(info, f.info) || sha256.Sum256(old) != want {
			err = changed(f.given)
		}
	}
	if err != nil {
		_ = h.Close() // only read
	}
	return h, old, err
}

// fill makes b the content of h.
func fill(h *os.File, b []byte) error {
	if err := Point("write in place"); err != nil {
		return err
	}
	half := len(b) / 2 // in two parts, so that a test can stop between them
	if _, err := h.WriteAt(b[:half], 0); err != nil {
		return err
	}
	if err := Point("write in place, half"); err != nil {
		return err
	}
	if _, err := h.WriteAt(b[half:], int64(half)); err != nil {
		return err
	}
	if err := Point("truncate"); err != nil {
		return err
	}
	if err := h.Truncate(int64(len(b))); err != nil {
		return err
	}
	if err := Point("sync in place"); err != nil {
		return err
	}
	return h.Sync()
}

func (f *file) restore(h *os.File, old []byte, cause error) error {
	if err := fill(h, old); err != nil {
		return &Error{
			Code: CodeIO, Path: f.given, Err: cause,
			Hint: fmt.Sprintf("writing stopped halfway (%v) and the old text could not be put back (%v); ask the user to look at the file", cause, err),
		}
	}
	return failure(f.given, "write the file", cause)
}

// mend puts the old bytes back into a file that was written in place, if the kill tore it between the two texts, on the
// way to the new one or back. A file that is whole, or that somebody else changed, is left alone.
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
	h, now, err := f.reopen(want)
	if err != nil {
		return err
	}
	defer h.Close()
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

// torn reports whether now is what a write that is cut off leaves between old and new: by a kill, old with one piece of
// new in it (at the beginning, on the way to new; behind it, on the way back); by a loss of power, blocks of either.
func torn(now, old, new []byte) bool {
	if bytes.Equal(now, old) || bytes.Equal(now, new) || len(now) < min(len(old), len(new)) || len(now) > max(len(old), len(new)) {
		return false
	}
	first, last := -1, -1 // that is not of old
	for i, c := range now {
		if i >= len(old) || c != old[i] {
			if last = i; first < 0 {
				first = i
			}
		}
	}
	if first >= 0 && last < len(new) && bytes.Equal(now[first:last+1], new[first:last+1]) {
		return true
	}
	return blocks(now, old, new)
}

// block is what a disk writes as a whole.
const block = 512

func blocks(now, old, new []byte) bool {
	for at := 0; at < len(now); at += block {
		end := min(at+block, len(now))
		if !bytes.Equal(now[at:end], cutOut(old, at, end)) && !bytes.Equal(now[at:end], cutOut(new, at, end)) {
			return false
		}
	}
	return true
}

func cutOut(b []byte, from, to int) []byte { return b[min(from, len(b)):min(to, len(b))] }
