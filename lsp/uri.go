package lsp

import (
	"path/filepath"
	"strings"
	"unicode/utf8"

	"go.lsp.dev/uri"
)

// filePath is the path that a file: URI names, with its letters as they are: a
// percent sign that encodes nothing is one.
func filePath(u string) (string, bool) {
	name, rest, ok := strings.Cut(u, ":")
	if !ok || !strings.EqualFold(name, "file") {
		return "", false
	}
	authority := ""
	if after, ok := strings.CutPrefix(rest, "//"); ok {
		i := strings.IndexByte(after, '/')
		if i < 0 {
			return "", false
		}
		authority, rest = after[:i], after[i:]
	}
	p := unescape(rest, func(byte) bool { return true })
	if !strings.HasPrefix(p, "/") {
		return "", false
	}
	if authority != "" && !strings.EqualFold(authority, "localhost") { // a share
		p = "//" + authority + p
	}
	if len(p) >= 3 && p[2] == ':' && isLetter(p[1]) && filepath.Separator == '\\' {
		p = p[1:]
	}
	return filepath.FromSlash(p), true
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// unescape decodes the percent sequences whose byte is wanted.
func unescape(s string, want func(byte) bool) string {
	if !strings.Contains(s, "%") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			hi, lo := hexDigit(s[i+1]), hexDigit(s[i+2])
			if c := byte(hi<<4 | lo); hi >= 0 && lo >= 0 && want(c) {
				b.WriteByte(c)
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func hexDigit(c byte) int {
	return strings.IndexByte("0123456789abcdef", c|0x20)
}

// fileURI is the URI of a path, for files that the editor has not named itself.
func fileURI(path string) string { return uri.File(path).String() }

// shownURI is a URI as the client shows things under it.
func (c *client) shownURI(u string) string {
	if !c.profile.rawLetters {
		return u
	}
	if raw := unescape(u, func(b byte) bool { return b >= utf8.RuneSelf }); utf8.ValidString(raw) {
		return raw
	}
	return u
}
