package text

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"unicode/utf8"
)

// MaxSize is the largest file that FromBytes takes, in bytes.
const MaxSize = 64 << 20

const bom = "\uFEFF"

// ErrNotText says that a file is no text: it has a NUL byte or consists mostly of bytes that are not UTF-8.
var ErrNotText = errors.New("not a text file")

// TooLargeError says that a file is larger than MaxSize.
type TooLargeError struct{ Size, Max int }

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("file has %d bytes, more than the %d that can be edited", e.Size, e.Max)
}

// Hash is the SHA-256 of a text as it stands on disk.
type Hash [sha256.Size]byte

// String is the hash in hexadecimal.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// IsZero says whether h is no hash at all.
func (h Hash) IsZero() bool { return h == Hash{} }

// Text is the immutable text of one file. The zero Text is empty. A Text is small: pass it by value.
type Text struct{ p *body }

// body is shared by all copies of a Text. Only the caches are ever written after it is made, and always with the same value.
type body struct {
	chunks []*chunk
	starts []int // byte offset of each chunk, and the length of the text
	lines  []int // line endings before each chunk, and in the text
	crlf   int   // those of them that are \r\n
	cr     int   // \r that are no part of an ending
	bom    bool

	flat  atomic.Pointer[string]
	hash  atomic.Pointer[Hash]
	index atomic.Pointer[lineIndex]
	plain atomic.Pointer[body]
	lined atomic.Pointer[body]
}

// New makes a Text of what an editor or a tool holds. A leading U+FEFF becomes the fact that there is a byte order mark.
func New(s string) Text {
	content, hasBOM := strings.CutPrefix(s, bom)
	return fromString(content, hasBOM)
}

// FromBytes makes a Text of a file's bytes. It answers ErrNotText or a *TooLargeError for what cannot be edited as text.
func FromBytes(b []byte) (Text, error) {
	if len(b) > MaxSize {
		return Text{}, &TooLargeError{Size: len(b), Max: MaxSize}
	}
	if at := bytes.IndexByte(b, 0); at >= 0 {
		return Text{}, fmt.Errorf("%w: NUL at byte %d", ErrNotText, at)
	}
	s := string(b)
	if stray := strayBytes(s); stray > len(s)/2 {
		return Text{}, fmt.Errorf("%w: %d of %d bytes are not UTF-8", ErrNotText, stray, len(s))
	}
	return New(s), nil
}

// strayBytes counts the bytes of s that belong to no valid code point.
func strayBytes(s string) int {
	if utf8.ValidString(s) {
		return 0
	}
	n := 0
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 {
			n++
		}
		i += size
	}
	return n
}

func fromString(content string, hasBOM bool) Text {
	w := writer{body: &body{bom: hasBOM}}
	w.rewrite(content)
	b := w.finish()
	b.flat.Store(&content)
	return Text{b}
}

// body is never nil, so that the zero Text needs no care anywhere else.
func (t Text) body() *body {
	if t.p != nil {
		return t.p
	}
	return &body{starts: []int{0}, lines: []int{0}}
}

// Bytes is the text as it stands on disk, with its byte order mark. The caller owns the result.
func (t Text) Bytes() []byte {
	b := t.body()
	out := make([]byte, 0, len(bom)+b.size())
	if b.bom {
		out = append(out, bom...)
	}
	for _, c := range b.chunks {
		out = append(out, c.s...)
	}
	return out
}

// String is the content in one piece, without the byte order mark. It is made once for each Text: a search asks for it, a keystroke must not.
func (t Text) String() string {
	b := t.body()
	if s := b.flat.Load(); s != nil {
		return *s
	}
	s := b.join(0, b.size())
	b.flat.Store(&s)
	return s
}

// Slice is the content from start to end. Like the slicing of a string it panics if that is not inside the text.
func (t Text) Slice(start, end int) string {
	b := t.body()
	if s := b.flat.Load(); s != nil {
		return (*s)[start:end]
	}
	return b.join(start, end)
}

// Len is the length of the content in bytes.
func (t Text) Len() int { return t.body().size() }

// Chars is the number of code points; a stray byte counts as one.
func (t Text) Chars() int { return t.CharsBefore(t.Len()) }

// CharsBefore is the number of code points before a byte offset.
func (t Text) CharsBefore(offset int) int {
	b := t.body()
	offset = clamp(offset, b.size())
	n := 0
	for i, c := range b.chunks {
		if offset < b.starts[i+1] {
			return n + utf8.RuneCountInString(c.s[:offset-b.starts[i]])
		}
		n += c.charCount()
	}
	return n
}

// Hash is the SHA-256 of Bytes.
func (t Text) Hash() Hash {
	b := t.body()
	if h := b.hash.Load(); h != nil {
		return *h
	}
	sum := sha256.New()
	if b.bom {
		sum.Write([]byte(bom))
	}
	for _, c := range b.chunks {
		sum.Write([]byte(c.s))
	}
	h := Hash(sum.Sum(nil))
	b.hash.Store(&h)
	return h
}

// Equal says whether both texts have the same content and both or neither a byte order mark. What they share is not compared.
func (t Text) Equal(u Text) bool {
	a, b := t.body(), u.body()
	if a == b {
		return true
	}
	return a.bom == b.bom && a.size() == b.size() && sameContent(a.chunks, b.chunks)
}

// sameContent compares equally long contents. Equal strings that lie at the same address cost nothing, so sharing needs no care here.
func sameContent(as, bs []*chunk) bool {
	var a, b string
	for {
		if a == "" {
			if len(as) == 0 {
				return true
			}
			a, as = as[0].s, as[1:]
		}
		if b == "" {
			b, bs = bs[0].s, bs[1:]
		}
		n := min(len(a), len(b))
		if a[:n] != b[:n] {
			return false
		}
		a, b = a[n:], b[n:]
	}
}

// Apply makes the text in which each edit's range is replaced by its new text. It shares with t what the edits leave alone.
func (t Text) Apply(es Edits) (Text, error) {
	b := t.body()
	if err := es.Validate(b.size()); err != nil {
		return t, err
	}
	if len(es) == 0 {
		return t, nil
	}
	return Text{b.apply(es)}, nil
}

func clamp(n, limit int) int { return max(0, min(n, limit)) }
