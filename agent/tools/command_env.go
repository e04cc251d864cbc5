package tools

import (
	"slices"
	"strings"
	"unicode"

	"github.com/galley-ls/galley/editing/text"
)

// forCommands is set for every command: nothing asks, pages or paints.
var forCommands = []string{
	"GIT_TERMINAL_PROMPT=0", "NO_COLOR=1", "PAGER=cat", "GIT_PAGER=cat", "TERM=dumb",
}

// inside names the agent session whose command a process is: galley decides nothing for
// it, see docs/workspace.md.
const inside = "GALLEY_INSIDE"

// environment is the user's environment for a command in dir, without anything
// that is a secret or is named like one.
func environment(all, secrets []string, dir, session string) []string {
	set := append(slices.Clone(forCommands), "PWD="+dir, inside+"="+session)
	var env []string
	for _, kv := range all {
		name, value, ok := strings.Cut(kv, "=")
		switch {
		case !ok || name == "": // Windows keeps the folders of its drives that way
			env = append(env, kv)
		case secretVariable(name) || secretValue(value, secrets):
		case slices.ContainsFunc(set, func(s string) bool { return strings.HasPrefix(s, name+"=") }):
		default:
			env = append(env, kv)
		}
	}
	return append(env, set...)
}

// secretWords are the words of a variable's name that say it holds a secret.
var secretWords = map[string]bool{
	"key": true, "keys": true, "apikey": true, "token": true, "tokens": true, "secret": true, "secrets": true,
	"password": true, "passwords": true, "passwd": true, "pass": true, "passphrase": true, "pwd": true,
	"credential": true, "credentials": true, "creds": true, "auth": true, "authtoken": true, "authorization": true,
	"private": true, "pat": true, "cookie": true, "cookies": true, "jwt": true, "bearer": true, "dsn": true,
}

// secretEnds end words that hold one, however they begin: PGPASSWORD.
var secretEnds = []string{"password", "passwd", "passphrase", "secret", "token", "apikey", "credentials"}

// harmless are variables that are named like secrets and are none: the folders of
// the shell, and the agent that signs without telling its keys.
var harmless = map[string]bool{"PWD": true, "OLDPWD": true, "SSH_AUTH_SOCK": true, "XAUTHORITY": true}

func secretVariable(name string) bool {
	return !harmless[name] && slices.ContainsFunc(wordsOf(name), func(w string) bool {
		return secretWords[w] || slices.ContainsFunc(secretEnds, func(end string) bool { return strings.HasSuffix(w, end) })
	})
}

// wordsOf takes OPENAI_API_KEY, npm_config__authToken and the like apart.
func wordsOf(name string) []string {
	var spaced strings.Builder
	last := rune(0)
	for _, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			r = ' '
		} else if unicode.IsUpper(r) && unicode.IsLower(last) {
			spaced.WriteByte(' ')
		}
		spaced.WriteRune(r)
		last = r
	}
	return strings.Fields(strings.ToLower(spaced.String()))
}

// password is one within a value: in the address of a server
// (postgres://me:pass@host/db), in what is put together of names and values
// (AccountName=me;AccountKey=…), in a header.
var password = text.Pattern(`[a-zA-Z][a-zA-Z0-9+.-]*://[^/@\s:]*:[^/@\s]+@|` +
	`(?i:key|password|passwd|pwd|secret|token|signature)\s*[=:]\s*[^\s;:&]{8,}|(?i:bearer|authorization:)\s+[^\s]`)

func secretValue(value string, secrets []string) bool {
	return password().MatchString(value) || slices.ContainsFunc(secrets, func(s string) bool {
		s = strings.TrimSpace(s)
		return s != "" && (value == s || len(s) > 3 && strings.Contains(value, s))
	})
}
