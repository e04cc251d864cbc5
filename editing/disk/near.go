package disk

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing/text"
)

// placeBehind is a place in a file, as compilers, diffs and links name it behind the path: x.go:12:3, x.go#L4-L9.
var placeBehind = text.Pattern(`(:\d+){1,2}(-\d+)?:?$|#L\d+(-L?\d+)?$`)

// Spellings are the other paths that a path which is not there may stand for: without a place behind it, without the a/
// and b/ of a diff, without the workspace's own name. A folder that is there is no such prefix.
func (r *Roots) Spellings(path string) (out []string) {
	bare := placeBehind().ReplaceAllString(path, "")
	prefixes := []string{"a/", "b/", filepath.Base(r.dirs[0]) + "/"}
	for _, p := range prefixes {
		short, found := strings.CutPrefix(filepath.ToSlash(bare), p)
		if _, err := os.Lstat(filepath.Join(r.dirs[0], p)); !found || err == nil {
			continue
		}
		out = append(out, short)
	}
	if bare != path {
		out = append(out, bare)
	}
	return slices.DeleteFunc(out, func(s string) bool { return s == "" })
}

// Near are those of some files that a path may mean which is not there: the same name in other letters, and the same name
// in another folder.
func (r *Roots) Near(path string, names []string) (same, elsewhere []string) {
	paths := append(r.Spellings(path), path)
	for i, p := range paths {
		if rel, err := filepath.Rel(r.dirs[0], p); filepath.IsAbs(p) && err == nil {
			p = rel
		}
		paths[i] = text.Fold(strings.TrimPrefix(filepath.ToSlash(filepath.Clean(p)), "./"))
	}
	for _, n := range names {
		folded := text.Fold(n)
		switch {
		case slices.Contains(paths, folded):
			same = append(same, n)
		case slices.ContainsFunc(paths, func(p string) bool { return strings.HasSuffix(folded, "/"+p) }):
			elsewhere = append(elsewhere, n)
		}
	}
	return same, elsewhere
}
