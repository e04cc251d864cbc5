package disk

import (
	"path"
	"slices"
	"strings"
	"unicode"
)

// guard says which files inside the roots are closed. It compares without case, since many file systems do.
type guard struct {
	deny  rules
	allow rules
}

// secretFiles are base names; a folder of such a name is none (many a package is called credentials).
var secretFiles = foldedRules([]string{
	".env*", "*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.keystore", "*.ppk", "*.kdbx",
	"id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_ecdsa_sk", "id_ed25519_sk",
	".netrc", "_netrc", ".pgpass", ".pypirc", ".htpasswd", ".git-credentials",
	"credentials", "credentials.json", "credentials.toml",
})

// secretDirs hold nothing but keys.
var secretDirs = map[string]bool{".ssh": true, ".aws": true, ".gnupg": true}

// check looks at the name that was given and at the file it leads to.
func (g guard) check(given, rel string, write bool) error {
	rel = fold(rel)
	hidden := g.secret(rel) || secretName(fold(path.Base(strings.ReplaceAll(given, `\`, "/"))))
	switch {
	case write && inGit(rel):
		return refuse(CodeDenied, given, "git's own files are not edited; ask the user to run the git command")
	case write && below(rel, ".galley"): // an agent must not widen what it may do
		return refuse(CodeDenied, given, "galley's own settings are not edited by its agent; ask the user to do it")
	case write && hidden:
		return refuse(CodeDenied, given, "this file holds keys or secrets and is not edited; ask the user to do it")
	case hidden && !g.allow.covers(rel):
		return refuse(CodeDenied, given,
			"this file holds keys or secrets and is not read; go on without it, or ask the user to list it in tools.allow_read")
	case write && g.deny.covers(rel):
		return refuse(CodeDenied, given, "the settings (tools.deny) close this file to edits; ask the user to do it")
	}
	return nil
}

// listed says whether a file may be shown in listings.
func (g guard) listed(rel string) bool {
	rel = fold(rel)
	return !inGit(rel) && !g.deny.covers(rel) && (!g.secret(rel) || g.allow.covers(rel))
}

func (g guard) secret(folded string) bool {
	for _, name := range strings.Split(path.Dir(folded), "/") {
		if secretDirs[name] {
			return true
		}
	}
	return secretName(path.Base(folded))
}

func secretName(folded string) bool {
	closed, _ := secretFiles.match(folded, false)
	return closed
}

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
	var rs rules
	for _, p := range patterns {
		if rule, ok := parseRule(p); ok {
			rule.pattern = fold(rule.pattern)
			rs = append(rs, rule)
		}
	}
	return rs
}
