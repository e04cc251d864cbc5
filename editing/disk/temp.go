package disk

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/galley-ls/galley/editing/text"
)

// A file that is not in place yet, or not any more, is named
//
//	.galley-tmp-ID-STEP-MACHINE.PID.START-BEFORE.AFTER
//
// so that whoever finds it knows whether the process lives that wrote it, and whether it holds one of the two texts. While
// it is being written, partSuffix stands behind.
const (
	tempPrefix = ".galley-tmp-"
	partSuffix = "-part"
	keptSuffix = ".galley-kept" // what somebody saved, where its own name is taken
	oldSuffix  = "-old"         // a second name of the old file, where the system cannot exchange two
)

// ageless is after which time a leftover is nobody's, of which it cannot be told whether its process lives.
const ageless = 24 * time.Hour

func newID() string { return rand.Text() }

func short(h text.Hash) string { return hex.EncodeToString(h[:8]) }

func (p *part) tempName() string {
	after := text.Hash{}
	if p.writes() {
		after = p.After.Hash()
	}
	return fmt.Sprintf("%s%s-%d-%s-%s.%s", tempPrefix, p.batch.id, p.n, me(), short(p.Before), short(after))
}

// me names this process: no other one has that name, not even after a restart.
func me() string {
	start, _ := processStart(os.Getpid())
	return fmt.Sprintf("%x.%d.%x", machine(), os.Getpid(), start)
}

// machine is where process numbers mean the same.
func machine() uint32 {
	h := fnv.New32a()
	host, _ := os.Hostname()
	_, _ = h.Write([]byte(host + processSpace()))
	return h.Sum32()
}

// errUnlike says that a new file cannot be made like the old one: its owner, its rights or an attribute would be lost.
var errUnlike = errors.New("the new file would not be like the old one")

// newFile writes the new text down to the disk, in a file that is like the old one in all else.
func (p *part) newFile() error {
	final := p.tempName()
	p.temp = final + partSuffix
	mode := fs.FileMode(0o600)
	if p.Op == Create {
		mode = 0o666 // less the umask, or by the folder's default ACL
	}
	if err := Point("temp"); err != nil {
		return err
	}
	h, err := p.home.OpenFile(p.temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	if p.ours, err = h.Stat(); err == nil {
		err = p.finish(h)
	}
	if closeErr := h.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return err
	}
	if err := move("name temp", p.home, p.temp, p.home, final); err != nil {
		return err
	}
	p.temp = final
	return nil
}

func (p *part) finish(h *os.File) error {
	if err := Point("write temp"); err != nil {
		return err
	}
	if _, err := h.Write(p.After.Bytes()); err != nil {
		return err
	}
	if p.src != nil {
		if err := Point("dress temp"); err != nil {
			return err
		}
		if err := p.src.dress(h); err != nil {
			return errors.Join(errUnlike, err)
		}
	}
	if err := Point("sync temp"); err != nil {
		return err
	}
	return h.Sync()
}

// dress makes h like f: owner, group, extended attributes and ACLs, mode, in this order, since each may change the next.
func (f *file) dress(h *os.File) error {
	if !keepOwner(h, f.info) {
		return errUnlike
	}
	old, err := f.dir.OpenFile(f.name, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return err
	}
	defer old.Close()
	if err := copyAttributes(old, h); err != nil {
		return err
	}
	return h.Chmod(f.info.Mode() & (fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky))
}

// copyOld writes the old file's bytes to a file of their own.
func (p *part) copyOld(d *folder, name, to string) error {
	f := file{given: p.Path, dir: d.Root, name: name}
	b, err := f.read()
	if err != nil {
		return err
	}
	p.copied = true
	h, err := p.home.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = h.Write(b)
	return errors.Join(err, h.Chmod(p.src.info.Mode()&fs.ModePerm), h.Close())
}

// leftover is a temporary name, taken apart.
type leftover struct {
	id, owner     string
	step          int
	before, after string
	part          bool
}

func parseLeftover(name string) (leftover, bool) {
	rest, ok := strings.CutPrefix(name, tempPrefix)
	if !ok {
		return leftover{}, false
	}
	rest, part := strings.CutSuffix(rest, partSuffix)
	fields := strings.Split(strings.TrimSuffix(rest, oldSuffix), "-")
	if len(fields) != 4 {
		return leftover{}, false
	}
	step, err := strconv.Atoi(fields[1])
	before, after, two := strings.Cut(fields[3], ".")
	l := leftover{id: fields[0], owner: fields[2], step: step, before: before, after: after, part: part}
	return l, err == nil && two
}

// dead reports whether the process that wrote a leftover is over.
func (l leftover) dead(info fs.FileInfo) bool {
	where, process, _ := strings.Cut(l.owner, ".")
	pid, start, _ := strings.Cut(process, ".")
	n, err := strconv.Atoi(pid)
	if err != nil || where != fmt.Sprintf("%x", machine()) {
		return time.Since(info.ModTime()) > ageless
	}
	now, known := processStart(n)
	return !runs(n) || known && fmt.Sprintf("%x", now) != start
}

// sweep removes what killed processes left in a folder. A text that is neither the old nor the new one was saved by
// somebody at the moment of the kill: it stays, for Recover.
func (d *folder) sweep() {
	d.leftovers(func(name string, l leftover, info fs.FileInfo) {
		if l.dead(info) && (l.part || d.known(name, l)) && Point("sweep") == nil {
			_ = d.Remove(name)
		}
	})
}

func (d *folder) leftovers(each func(name string, l leftover, info fs.FileInfo)) {
	all, err := d.Open(".")
	if err != nil {
		return
	}
	defer all.Close()
	names, _ := all.Readdirnames(-1)
	for _, name := range names {
		l, ok := parseLeftover(name)
		if !ok {
			continue
		}
		if info, err := d.Lstat(name); err == nil && info.Mode().IsRegular() {
			each(name, l, info)
		}
	}
}

// known reports whether a leftover holds the old text, or the new one.
func (d *folder) known(name string, l leftover) bool {
	f := file{given: name, dir: d.Root, name: name}
	b, err := f.read()
	if err != nil {
		return false
	}
	is := short(sha256.Sum256(b))
	return is == l.before || is == l.after
}
