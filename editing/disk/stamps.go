package disk

import (
	"crypto/sha256"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/galley-ls/galley/editing/text"
)

// What became of a file.
const (
	Created = "created"
	Changed = "changed"
	Deleted = "deleted"
)

// FileChange is a file that is not what it was.
type FileChange struct {
	Path string // as List names it
	What string
}

// Stamps tell what somebody else did to the files that a listing shows. They are taken by looking at the files, not by
// reading them, but for those that were written a moment ago: such a file can be written again without looking different.
type Stamps struct {
	roots *Roots
	files map[string]stamp
	cut   bool // there were too many files
	at    time.Time
}

// stamp is what a file looks like.
type stamp struct {
	size  int64
	mode  fs.FileMode
	mtime int64
	ctime int64 // 0: not known here
	inode uint64
	hash  text.Hash // zero: it was not read
}

const (
	maxStamps = 50_000          // files that are looked at
	maxRead   = 500             // files that are read
	maxBytes  = 1 << 20         // of a file that is read
	young     = 2 * time.Second // no file system keeps time more coarsely
)

// Stamps looks at all files that List names, as far as there are not too many.
func (r *Roots) Stamps() Stamps {
	names, cut := r.some(maxStamps)
	s := Stamps{roots: r, files: make(map[string]stamp, len(names)), cut: cut, at: time.Now()}
	read := 0
	for _, name := range names {
		st, ok := r.stamp(name)
		if !ok {
			continue
		}
		if read < maxRead && st.size <= maxBytes && s.isYoung(st) {
			st.hash = r.hash(name)
			read++
		}
		s.files[name] = st
	}
	return s
}

func (s Stamps) isYoung(st stamp) bool {
	return max(st.mtime, st.ctime) >= s.at.Add(-young).UnixNano()
}

// some names the first files of all roots; cut tells that there are more.
func (r *Roots) some(most int) (names []string, cut bool) {
	for _, dir := range r.dirs {
		if len(names) > most {
			break
		}
		l := r.lister(dir, "")
		l.most = most + 1 - len(names)
		l.walkBelow("")
		names = append(names, l.files...)
	}
	if len(names) > most {
		return names[:most], true
	}
	return names, false
}

// stamp looks at a file. It is not ok where there is none.
func (r *Roots) stamp(name string) (stamp, bool) {
	abs := r.absolute(name)
	info, err := os.Lstat(abs)
	if err != nil || !info.Mode().IsRegular() {
		return stamp{}, false
	}
	st := stamp{size: info.Size(), mode: info.Mode(), mtime: info.ModTime().UnixNano()}
	st.inode, st.ctime = inode(abs)
	return st, true
}

func (r *Roots) absolute(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(r.dirs[0], filepath.FromSlash(name))
}

// hash reads a file; what cannot be read has the zero hash.
func (r *Roots) hash(name string) text.Hash {
	f, err := r.find(r.absolute(name), false)
	if err != nil {
		return text.Hash{}
	}
	defer f.close()
	b, err := f.read()
	if err != nil {
		return text.Hash{}
	}
	return sha256.Sum256(b)
}

// Changed looks again and says what is different, in the order of the paths. It is not whole where there are too many
// files to look at.
func (s Stamps) Changed() (changes []FileChange, whole bool) {
	names, cut := s.roots.some(maxStamps)
	var fresh []string
	listed := make(map[string]bool, len(names))
	for _, name := range names {
		listed[name] = true
		switch was, known := s.files[name]; {
		case !known:
			fresh = append(fresh, name)
		case s.differs(name, was):
			changes = append(changes, FileChange{name, Changed})
		}
	}
	for name := range s.files {
		if _, exists := s.roots.stamp(name); !exists && !listed[name] {
			changes = append(changes, FileChange{name, Deleted})
		}
	}
	changes = append(changes, s.created(fresh, s.cut || cut || slices.ContainsFunc(changes, isRules))...)
	slices.SortFunc(changes, func(a, b FileChange) int { return strings.Compare(a.Path, b.Path) })
	return changes, !s.cut && !cut
}

// created are the new ones of files that are listed for the first time. Where other files are listed than before, which
// others says, some of them may be old.
func (s Stamps) created(names []string, others bool) []FileChange {
	others = others || slices.ContainsFunc(names, func(name string) bool { return isRules(FileChange{Path: name}) })
	var out []FileChange
	for _, name := range names {
		if st, ok := s.roots.stamp(name); ok && (!others || s.isYoung(st)) {
			out = append(out, FileChange{name, Created})
		}
	}
	return out
}

// differs reports whether a file is not what it was. One that was only touched is, if it was read before.
func (s Stamps) differs(name string, was stamp) bool {
	now, ok := s.roots.stamp(name)
	if !ok {
		return false // gone since it was listed: it counts as deleted next time
	}
	if was.hash != (text.Hash{}) && was.size == now.size && was.mode == now.mode {
		return was.hash != s.roots.hash(name)
	}
	was.hash = text.Hash{}
	return was != now
}

// isRules knows the files that say what a listing leaves out.
func isRules(c FileChange) bool { return path.Base(c.Path) == ".gitignore" }
