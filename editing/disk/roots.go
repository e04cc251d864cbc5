package disk

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/galley-ls/galley/editing/text"
)

// Roots are the folders that may be touched, and what in them may not.
type Roots struct {
	dirs  []string // resolved and absolute; the first one takes relative paths
	guard guard
}

// Path is a file inside the roots, by its real name: no part of it was a symbolic link when it was resolved.
type Path struct {
	Abs string
	Rel string // the name shown to people, with slashes: relative to the first root; absolute in any other root
}

// Open takes the workspace folders. deny (no writing) and allowRead (secrets that may be read) are patterns in the
// syntax of .gitignore, and ignore case.
func Open(dirs, deny, allowRead []string) (*Roots, error) {
	if len(dirs) == 0 {
		return nil, fmt.Errorf("open workspace: no folder was named")
	}
	r := &Roots{guard: guard{deny: foldedRules(deny), allow: foldedRules(allowRead)}}
	for _, dir := range dirs {
		real, err := openRoot(dir)
		if err != nil {
			return nil, fmt.Errorf("open workspace %s: %w", dir, err)
		}
		r.dirs = append(r.dirs, real)
	}
	return r, nil
}

func openRoot(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	real, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(real)
	if err != nil {
		return "", err
	}
	if !info.IsDir() {
		return "", fmt.Errorf("it is not a folder")
	}
	return real, nil
}

// Resolve says which file a path means. The file need not exist; the part of the path that does is resolved with its
// symbolic links, and what comes out must be inside the roots and permitted.
func (r *Roots) Resolve(path string, write bool) (Path, error) {
	if err := wellFormed(path); err != nil {
		return Path{}, err
	}
	found, walkErr := r.walk(path)
	p, inside := r.place(found.abs)
	switch {
	case !inside:
		return Path{}, refuse(CodeOutsideRoots, path,
			"the path leads out of the workspace; name a file inside it, relative to its root")
	case walkErr != nil:
		return Path{}, walkErr
	case found.dangling != "":
		return Path{}, refuse(CodeFileNotFound, path,
			"%s is a symbolic link to something that does not exist; name the file itself", r.show(found.dangling))
	}
	if _, rel := r.rootOf(p); !readable(rel) {
		return Path{}, refuse(CodeDenied, path, "the name of this file holds characters that cannot be read, and could be taken for something else; ask the user to rename it")
	}
	if err := r.guard.check(path, p, write); err != nil {
		return Path{}, err
	}
	return p, nil
}

// Odd reports whether a name looks as if it meant another place: a home, a variable, a URI, or signs that only look like
// those of a path. Such a file may be there; nobody makes one on purpose.
func Odd(name string) bool {
	return strings.HasPrefix(name, "~") || strings.Contains(name, ":/") || strings.ContainsAny(name, "\u2044\u2215\uff0e\uff0f") ||
		strings.Contains(strings.ToLower(name), "%2") || variable().MatchString(name)
}

// variable is one of a shell that stands for a part of a path. A mere dollar is part of many a name: routes/$id.tsx.
var variable = text.Pattern(`\$[{(]|(^|/)\$[A-Z_][A-Z0-9_]*(/|$)`)

// ResolveFreed is Resolve for a file that is to be written, and may lie below one that goes: which paths are free or below
// a free one, goes says.
func (r *Roots) ResolveFreed(given string, goes func(abs string) bool) (Path, error) {
	p, err := r.Resolve(given, true)
	var e *Error
	if !errors.As(err, &e) || e.Code != CodeFileNotFound {
		return p, err
	}
	found, walkErr := r.walk(given)
	if walkErr == nil || slices.Contains(found.rest, "..") || !goes(found.abs) {
		return p, err
	}
	below, inside := r.place(filepath.Join(append([]string{found.abs}, found.rest...)...))
	if !inside {
		return p, err
	}
	return below, r.guard.check(given, below, true)
}

// readable says whether a name is one that people, and a model, can read as it is: it stands in lists, messages and
// requests, where a line end within it would begin a line of somebody else.
func readable(name string) bool {
	return utf8.ValidString(name) && !strings.ContainsFunc(name, unicode.IsControl)
}

// place finds the root that holds abs.
func (r *Roots) place(abs string) (Path, bool) {
	for i, dir := range r.dirs {
		rel, err := filepath.Rel(dir, abs)
		if err != nil || !filepath.IsLocal(rel) {
			continue
		}
		if i > 0 { // a name relative to another root would lead back to the first one
			rel = abs
		}
		return Path{Abs: abs, Rel: filepath.ToSlash(rel)}, true
	}
	return Path{}, false
}

func (r *Roots) show(abs string) string {
	if p, ok := r.place(abs); ok {
		return p.Rel
	}
	return "a part of it"
}

// rootOf is the root that holds a resolved path, and the path below it.
func (r *Roots) rootOf(p Path) (dir, rel string) {
	for _, dir := range r.dirs {
		if rel, err := filepath.Rel(dir, p.Abs); err == nil && filepath.IsLocal(rel) {
			return dir, rel
		}
	}
	return r.dirs[0], "." // not reached: p came from place
}

// wellFormed refuses what is no path here, before the system makes something else of it.
func wellFormed(path string) error {
	slashed := filepath.ToSlash(path)
	switch {
	case strings.TrimSpace(path) == "":
		return refuse(CodeBadArguments, path, "the path is empty; name a file relative to the workspace root")
	case strings.ContainsRune(path, 0):
		return refuse(CodeBadArguments, path, "the path holds a NUL character; name a file relative to the workspace root")
	case filepath.Separator == '/' && isWindows(path):
		return refuse(CodeOutsideRoots, path,
			"this is a Windows path; name the file relative to the workspace root, with slashes")
	case filepath.Separator == '/' && strings.Contains(path, `\`):
		return refuse(CodeBadArguments, path, "write the path with slashes: %s", strings.ReplaceAll(path, `\`, "/"))
	case slashed == "~" || strings.HasPrefix(slashed, "~/"):
		return refuse(CodeOutsideRoots, path, "~ is not expanded; name the file relative to the workspace root")
	}
	return nil
}

// isWindows knows drive letters and network shares.
func isWindows(path string) bool {
	drive := len(path) >= 2 && path[1] == ':' && (path[0]|0x20 >= 'a' && path[0]|0x20 <= 'z')
	return strings.HasPrefix(path, `\\`) || drive && (len(path) == 2 || path[2] == '\\' || path[2] == '/')
}
