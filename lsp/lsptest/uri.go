package lsptest

import (
	"net/url"
	"strings"
)

// URI is the URI that this editor makes of a file's path.
func (e *Editor) URI(path string) string {
	escaped := (&url.URL{Path: path}).EscapedPath()
	if e.profile.RawPercent {
		escaped = strings.ReplaceAll(escaped, "%25", "%")
	}
	return "file://" + escaped
}

// key names a document however its URI was written: editors find their buffer for any spelling.
func key(uri string) string {
	if decoded, err := url.PathUnescape(uri); err == nil {
		return decoded
	}
	return uri
}

// filePath is the path of a file URI, "" of any other.
func filePath(uri string) string {
	path, ok := strings.CutPrefix(uri, "file://")
	if !ok {
		return ""
	}
	return key(path)
}

// encodesLetters says whether a URI percent-encodes a letter outside ASCII.
func encodesLetters(uri string) bool {
	for i := 0; i+1 < len(uri); i++ {
		if uri[i] == '%' && strings.IndexByte("89abcdefABCDEF", uri[i+1]) >= 0 {
			return true
		}
	}
	return false
}
