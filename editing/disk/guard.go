package disk

import (
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

// guard says which files inside the roots are closed. It compares without case, since many file systems do.
type guard struct {
	deny  rules
	allow rules
}

// check looks at the name that was given and at the file it leads to.
func (g guard) check(given string, p Path, write bool) error {
	rel := fold(p.Rel)
	hidden := p.secret() || secretPath(fold(strings.ReplaceAll(given, `\`, "/")))
	switch {
	case write && inGit(rel):
		return refuse(CodeDenied, given, "git's own files are not edited; ask the user to run the git command")
	case write && below(rel, ".galley"): // an agent must not widen what it may do
		return refuse(CodeDenied, given, "galley's own settings are not edited by its agent; ask the user to do it")
	case hidden:
		return g.secret(given, rel, write)
	case write && g.deny.covers(rel):
		return refuse(CodeDenied, given, "the settings (tools.deny) close this file to edits; ask the user to do it")
	}
	return nil
}

// secret refuses a file with secrets, unless it may be read and is.
func (g guard) secret(given, rel string, write bool) error {
	switch {
	case write:
		return refuse(CodeDenied, given, "this file holds keys or secrets and is not edited; ask the user to do it")
	case !g.allow.covers(rel):
		return refuse(CodeDenied, given,
			"this file holds keys or secrets and is not read; go on without it, or ask the user to list it in tools.allow_read")
	}
	return nil
}

// listed says whether a file may be shown in listings, and of one that may not whether that is for its secrets.
func (g guard) listed(p Path) (shown, secret bool) {
	rel := fold(p.Rel)
	secret = p.secret() && !g.allow.covers(rel)
	return !secret && !inGit(rel) && !g.deny.covers(rel), secret
}

// secret is asked of the whole path: the workspace may be the folder that tools keep their tokens in.
func (p Path) secret() bool { return secretPath(fold(filepath.ToSlash(p.Abs))) }

// inGit knows .git at any depth, also as the file that stands for it in a worktree.
func inGit(folded string) bool { return below(folded, ".git", "git~1") }

// below says whether a path is, or lies in, something of one of these names, which some systems write with dots and
// blanks behind.
func below(folded string, names ...string) bool {
	return slices.ContainsFunc(strings.Split(folded, "/"), func(name string) bool {
		return slices.Contains(names, strings.TrimRight(name, ". "))
	})
}

// fold makes names equal that some file system takes for the same: case, and characters that are not seen.
func fold(name string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, name))
}

// foldedRules reads patterns, and folds what was read: folded first, a character that nobody sees could hide a "!".
func foldedRules(patterns []string) rules {
	var all []rule
	for _, p := range patterns {
		if r, ok := parseRule(p); ok {
			r.pattern = strings.ReplaceAll(fold(r.pattern), "[:upper:]", "[:lower:]")
			all = append(all, r)
		}
	}
	return newRules(all)
}
