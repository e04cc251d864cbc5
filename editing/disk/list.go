package disk

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// List names the files inside the roots that a glob matches, sorted. The glob may name a file or a folder (all files
// below it); without a slash it matches names at any depth; empty, it matches all. What git ignores is left out, unless it
// is what the glob names. Git's own files, secrets, which are counted, denied files, names that nobody can read and symbolic
// links (the file that one leads to is listed under its own name) always are.
func (r *Roots) List(glob string) (files []string, secrets int, err error) {
	at, err := r.target(glob)
	if err != nil {
		return nil, 0, err
	}
	if at.file != "" {
		return []string{at.file}, 0, nil
	}
	files = []string{}
	for _, dir := range r.dirs {
		if at.root == "" || at.root == dir {
			l := r.lister(dir, at.glob)
			l.walkBelow(at.dir)
			files = append(files, l.files...)
			secrets += l.secrets
		}
	}
	slices.Sort(files)
	return slices.Compact(files), secrets, nil // a root may lie in another one
}

// Matches reports whether List would name a file, were it there; what .gitignore says is not asked.
func (r *Roots) Matches(glob, name string) bool {
	at, err := r.target(glob)
	switch {
	case err != nil:
		return false
	case at.file != "":
		return at.file == name
	case at.glob == "":
		return at.dir == "" || at.dir == "." || strings.HasPrefix(name, within(at.dir))
	}
	l := lister{glob: at.glob}
	return l.matches(name) || strings.HasPrefix(name, strings.TrimSuffix(at.glob, "/")+"/")
}

// IsGlob reports whether a pattern is one that Matches understands.
func IsGlob(pattern string) bool { return doublestar.ValidatePattern(pattern) }

// target is what a listing goes over: one file, or what matches the glob below a folder, in one root or in all.
type target struct{ file, root, dir, glob string }

// target takes a glob for the file or folder that it names as it stands, if there is one.
func (r *Roots) target(glob string) (target, error) {
	glob = strings.Trim(strings.TrimPrefix(glob, "./"), " ")
	if glob == "" || glob == "." {
		return target{}, nil
	}
	p, err := r.Resolve(glob, false)
	if err != nil && !onlyPattern(glob) {
		return target{}, err
	}
	if info, statErr := os.Stat(p.Abs); err == nil && statErr == nil {
		if info.IsDir() {
			root, rel := r.rootOf(p)
			return target{root: root, dir: filepath.ToSlash(rel)}, nil
		}
		if shown, _ := r.guard.listed(p); shown && info.Mode().IsRegular() {
			return target{file: p.Rel}, nil
		}
	}
	if filepath.IsAbs(glob) {
		glob = p.Rel
	}
	if !IsGlob(glob) {
		return target{}, refuse(CodeBadArguments, glob, `this is no glob; write for example "src/**/*.go", and "\[" for a bracket`)
	}
	return target{glob: glob}, nil
}

// onlyPattern says whether a glob that is no good path may still be a good pattern: its wildcards and backslashes are
// no part of a name.
func onlyPattern(glob string) bool {
	return strings.ContainsAny(glob, "*?[{") && !filepath.IsAbs(glob) && !slices.Contains(strings.Split(glob, "/"), "..")
}

// ground is what binds a folder of a walk.
type ground struct {
	git    *repository // nil: none
	at     scope       // where the repository is, without rules
	scopes []scope     // the rules, the nearest last
	closed bool        // the folder is ignored: only what git tracks is listed
}

// scope is the rules of one folder; they bind what is below it.
type scope struct {
	above string // for a folder above the root: the way from it down to the root, with a slash
	below int    // for one in the root: the length of its name with its slash
	rules rules
}

// name is what a path of the root is called in the folder.
func (s scope) name(rel string) string { return s.above + rel[s.below:] }

// leftOut says whether a file or a folder is ignored as git does it: what it tracks never is, and a folder is gone through
// for what it tracks in it.
func (g ground) leftOut(rel string, dir bool) (out, closed bool) {
	if closed = g.closed || ignored(g.scopes, rel, dir); !closed {
		return false, false
	}
	return !g.git.tracks(g.at.name(rel), dir), true
}

// ignored asks the nearest folder first; there the last fitting rule decides.
func ignored(scopes []scope, rel string, dir bool) bool {
	for _, s := range slices.Backward(scopes) {
		if closed, decided := s.rules.match(s.name(rel), dir); decided {
			return closed
		}
	}
	return false
}

// lister walks one root.
type lister struct {
	roots   *Roots
	dir     string
	glob    string
	most    int // files that are enough, 0: all
	room    int // bytes of rules that are still read
	files   []string
	secrets int // files that are left out as such
}

func (r *Roots) lister(dir, glob string) *lister {
	return &lister{roots: r, dir: dir, glob: glob, room: maxAllRules}
}

// walkBelow goes through a folder of the root and all below it; the rules of the folders above it bind, but it is not
// asked whether they close the folder itself.
func (l *lister) walkBelow(rel string) {
	in := l.outside()
	if rel == "" || rel == "." {
		l.walk("", in)
		return
	}
	if inGit(fold(rel)) {
		return
	}
	for i := range len(rel) {
		if i == 0 || rel[i] == '/' {
			in = l.enter(rel[:i], in)
		}
	}
	l.walk(rel, in)
}

// outside is what binds a root from outside: of its repository, and of the folders between the two. No rules, if they would
// close the root as a whole: it was opened on purpose.
func (l *lister) outside() ground {
	git := repositoryOf(l.dir)
	if git == nil {
		return ground{}
	}
	g := l.groundOf(git, scope{above: way(git.top, l.dir)})
	for at := git.top; at != l.dir; {
		g.scopes = l.with(g.scopes, scope{above: way(at, l.dir)}, l.readRules(filepath.Join(at, ".gitignore")))
		next, _, _ := strings.Cut(way(at, l.dir), "/")
		at = filepath.Join(at, next)
	}
	for _, s := range g.scopes {
		if s.rules.coversAbove(s.above) {
			g.scopes = nil
			break
		}
	}
	return g
}

// groundOf is what binds the top of a repository.
func (l *lister) groundOf(git *repository, at scope) ground {
	g := ground{git: git, at: at}
	for _, file := range git.excludes() {
		g.scopes = l.with(g.scopes, at, l.parse(file))
	}
	return g
}

// enter adds what binds a folder; "" is the root. A repository in another one stands by itself.
func (l *lister) enter(rel string, in ground) ground {
	abs, here := filepath.Join(l.dir, filepath.FromSlash(rel)), scope{below: len(within(rel))}
	if rel != "" {
		if git := repositoryAt(abs); git != nil {
			in = l.groundOf(git, here)
		}
	}
	in.scopes = l.with(in.scopes, here, l.readRules(filepath.Join(abs, ".gitignore")))
	return in
}

// with adds rules, as far as there are not too many that must be tried.
func (l *lister) with(scopes []scope, at scope, rs rules) []scope {
	if len(rs.all) == 0 {
		return scopes
	}
	left := mostWild
	for _, s := range scopes {
		left -= len(s.rules.wild)
	}
	at.rules = rs.atMost(left)
	return append(slices.Clip(scopes), at)
}

// within is what the names below a folder start with.
func within(rel string) string {
	if rel == "" {
		return ""
	}
	return rel + "/"
}

func (l *lister) walk(rel string, in ground) {
	entries, err := os.ReadDir(filepath.Join(l.dir, filepath.FromSlash(rel)))
	if err != nil {
		return // what cannot be opened holds nothing for us
	}
	in = l.enter(rel, in)
	for _, e := range entries {
		if l.most > 0 && len(l.files) >= l.most {
			return
		}
		l.entry(within(rel)+e.Name(), e, in)
	}
}

func (l *lister) entry(rel string, e os.DirEntry, in ground) {
	switch {
	case !readable(e.Name()): // it could not be named in an answer
	case inGit(fold(e.Name())), strings.HasPrefix(e.Name(), tempPrefix):
	case e.IsDir():
		var out bool
		if out, in.closed = in.leftOut(rel, true); !out {
			l.walk(rel, in)
		}
	case e.Type().IsRegular() && l.matches(rel):
		if out, _ := in.leftOut(rel, false); !out {
			l.file(rel)
		}
	}
}

// file lists a file, if it may be shown.
func (l *lister) file(rel string) {
	p, _ := l.roots.place(filepath.Join(l.dir, filepath.FromSlash(rel)))
	switch shown, secret := l.roots.guard.listed(p); {
	case shown:
		l.files = append(l.files, p.Rel)
	case secret:
		l.secrets++
	}
}

func (l *lister) matches(rel string) bool {
	switch {
	case l.glob == "":
		return true
	case !strings.Contains(l.glob, "/"):
		return doublestar.MatchUnvalidated(l.glob, path.Base(rel))
	}
	return doublestar.MatchUnvalidated(l.glob, rel)
}

func way(from, to string) string {
	rel, err := filepath.Rel(from, to)
	if err != nil || rel == "." {
		return ""
	}
	return filepath.ToSlash(rel) + "/"
}

// readRules reads the rules of a folder. git, too, goes on without a file that it cannot read, or that is a symbolic link.
func (l *lister) readRules(path string) rules {
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return rules{}
	}
	return l.parse(path)
}

func (l *lister) parse(path string) rules {
	content := readSome(path, int64(min(l.room, maxRules)))
	l.room -= len(content)
	return parseRules(content)
}

// Bounds of one file of rules, and of all that a listing reads.
const (
	maxRules    = 1 << 20
	maxAllRules = 4 << 20
)
