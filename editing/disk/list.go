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
// below it); without a slash it matches names at any depth; empty, it matches all. What .gitignore closes is left out,
// unless it is what the glob names. Git's own files, secrets, denied files, names that nobody can read and symbolic links (the
// file that one leads to is listed under its own name) always are.
func (r *Roots) List(glob string) ([]string, error) {
	at, err := r.target(glob)
	if err != nil {
		return nil, err
	}
	if at.file != "" {
		return []string{at.file}, nil
	}
	files := []string{}
	for _, dir := range r.dirs {
		if at.root == "" || at.root == dir {
			l := &lister{roots: r, dir: dir, glob: at.glob}
			l.walkBelow(at.dir)
			files = append(files, l.files...)
		}
	}
	slices.Sort(files)
	return slices.Compact(files), nil // a root may lie in another one
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
		if info.Mode().IsRegular() && r.guard.listed(p.Rel) {
			return target{file: p.Rel}, nil
		}
	}
	if filepath.IsAbs(glob) {
		glob = p.Rel
	}
	if !doublestar.ValidatePattern(glob) {
		return target{}, refuse(CodeBadArguments, glob, `this is no glob; write for example "src/**/*.go", and "\[" for a bracket`)
	}
	return target{glob: glob}, nil
}

// onlyPattern says whether a glob that is no good path may still be a good pattern: its wildcards and backslashes are
// no part of a name.
func onlyPattern(glob string) bool {
	return strings.ContainsAny(glob, "*?[{") && !filepath.IsAbs(glob) && !slices.Contains(strings.Split(glob, "/"), "..")
}

// scope is the rules of one folder; they bind what is below it.
type scope struct {
	above string // for rules from above the root: the way from their folder down to it, with a slash
	below int    // for rules in the root: the length of the folder's name with its slash
	rules rules
}

func (s scope) match(rel string, dir bool) (closed, decided bool) {
	return s.rules.match(s.above+rel[s.below:], dir)
}

// lister walks one root.
type lister struct {
	roots *Roots
	dir   string
	glob  string
	most  int // files that are enough, 0: all
	files []string
}

// walkBelow goes through a folder of the root and all below it; the rules of the folders above it bind, but it is not
// asked whether they close the folder itself.
func (l *lister) walkBelow(rel string) {
	scopes := outerRules(l.dir)
	if rel == "" || rel == "." {
		l.walk("", scopes)
		return
	}
	if inGit(fold(rel)) {
		return
	}
	for i := range len(rel) {
		if i == 0 || rel[i] == '/' {
			scopes = l.enter(rel[:i], scopes)
		}
	}
	l.walk(rel, scopes)
}

// enter adds the rules of a folder; "" is the root.
func (l *lister) enter(rel string, scopes []scope) []scope {
	rs := readRules(filepath.Join(l.dir, filepath.FromSlash(rel), ".gitignore"))
	if rs == nil {
		return scopes
	}
	return append(slices.Clip(scopes), scope{below: len(within(rel)), rules: rs})
}

// within is what the names below a folder start with.
func within(rel string) string {
	if rel == "" {
		return ""
	}
	return rel + "/"
}

func (l *lister) walk(rel string, scopes []scope) {
	entries, err := os.ReadDir(filepath.Join(l.dir, filepath.FromSlash(rel)))
	if err != nil {
		return // what cannot be opened holds nothing for us
	}
	scopes = l.enter(rel, scopes)
	for _, e := range entries {
		if l.most > 0 && len(l.files) >= l.most {
			return
		}
		l.entry(within(rel)+e.Name(), e, scopes)
	}
}

func (l *lister) entry(rel string, e os.DirEntry, scopes []scope) {
	switch {
	case !readable(e.Name()): // it could not be named in an answer
	case inGit(fold(e.Name())), strings.HasPrefix(e.Name(), tempPrefix), ignored(scopes, rel, e.IsDir()):
	case e.IsDir():
		l.walk(rel, scopes)
	case e.Type().IsRegular() && l.matches(rel) && l.roots.guard.listed(rel):
		l.files = append(l.files, l.name(rel))
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

// name is what people call a file of this root.
func (l *lister) name(rel string) string {
	p, _ := l.roots.place(filepath.Join(l.dir, filepath.FromSlash(rel)))
	return p.Rel
}

// ignored asks the nearest folder first; there the last fitting rule decides.
func ignored(scopes []scope, rel string, dir bool) bool {
	for i := len(scopes) - 1; i >= 0; i-- {
		if closed, decided := scopes[i].match(rel, dir); decided {
			return closed
		}
	}
	return false
}

// outerRules are those that bind a root from outside: of its repository's info/exclude, and of the folders between the
// repository and the root. None, if they would close the root as a whole: it was opened on purpose.
func outerRules(root string) []scope {
	top := repository(root)
	if top == "" {
		return nil
	}
	scopes := []scope{{above: way(top, root), rules: readRules(filepath.Join(top, ".git", "info", "exclude"))}}
	for at := filepath.Dir(root); len(at) >= len(top); at = filepath.Dir(at) {
		scopes = slices.Insert(scopes, 1, scope{above: way(at, root), rules: readRules(filepath.Join(at, ".gitignore"))})
		if filepath.Dir(at) == at {
			break
		}
	}
	for _, s := range scopes {
		if s.rules.coversAbove(s.above) {
			return nil
		}
	}
	return scopes
}

// repository is the nearest folder with a .git, at or above dir.
func repository(dir string) string {
	for {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}

func way(from, to string) string {
	rel, err := filepath.Rel(from, to)
	if err != nil || rel == "." {
		return ""
	}
	return filepath.ToSlash(rel) + "/"
}

// readRules reads a file of rules. git, too, goes on without one that it cannot read, or that is a symbolic link.
func readRules(path string) rules {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxRules {
		return nil
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	return parseRules(string(b))
}

// maxRules bounds a file of rules.
const maxRules = 1 << 20
