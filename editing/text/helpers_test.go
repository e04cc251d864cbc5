package text

import (
	"slices"
	"strings"

	"pgregory.net/rapid"
)

// tester is a testing.TB or a rapid.T.
type tester interface {
	Helper()
	Fatalf(string, ...any)
}

// naive is what Text.Apply must equal: plain string surgery.
func naive(s string, es Edits) string {
	var sb strings.Builder
	at := 0
	for _, e := range es {
		sb.WriteString(s[at:e.Start])
		sb.WriteString(e.New)
		at = e.End
	}
	return sb.String() + s[at:]
}

// pieces are what random texts and edits consist of: all that is awkward about text.
var pieces = []string{
	"a", "b", "c", " ", "  ", "\t", "\n", "\r\n", "\r", "\n\n", "é", "e\u0301", "漢", "😀", "\xe9", "\xc3", "\xa9", "\x82", "\u2028", "\f",
	"\uFEFF", "word", "timeout: 30\n", "{", "}", "\"", ",", "x = 1;\r\n",
}

// genText is a random text, often with the same pieces again.
func genText() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 30).Draw(t, "pieces"), "")
	})
}

// genEdits are random valid edits of a text of n bytes, at any byte.
func genEdits(n int) *rapid.Generator[Edits] {
	return rapid.Custom(func(t *rapid.T) Edits {
		bounds := rapid.SliceOfN(rapid.IntRange(0, n), 0, 12).Draw(t, "bounds")
		news := rapid.SliceOfN(rapid.SampledFrom(append([]string{""}, pieces...)), 6, 6).Draw(t, "news")
		return makeEdits(bounds, news)
	})
}

// makeEdits makes valid edits of any bounds.
func makeEdits(bounds []int, news []string) Edits {
	slices.Sort(bounds)
	var es Edits
	for i := 0; i+1 < len(bounds); i += 2 {
		e := Edit{Start: bounds[i], End: bounds[i+1], New: news[i/2%len(news)]}
		if n := len(es); n > 0 && es[n-1].insertion() && e.insertion() && es[n-1].Start == e.Start {
			continue
		}
		es = append(es, e)
	}
	return es
}

// fuzzEdits makes valid edits of n bytes from the bytes a fuzzer changes: pairs of distance and length, new text from what follows.
func fuzzEdits(n int, raw []byte) Edits {
	var es Edits
	at := 0
	for len(raw) >= 3 {
		skip, del, ins := int(raw[0])%16, int(raw[1])%8, int(raw[2])%8
		raw = raw[3:]
		e := Edit{Start: at + skip, End: at + skip + del, New: string(raw[:min(ins, len(raw))])}
		raw = raw[min(ins, len(raw)):]
		if e.End > n {
			break
		}
		if k := len(es); k > 0 && es[k-1].insertion() && e.insertion() && es[k-1].Start == e.Start {
			continue
		}
		es = append(es, e)
		at = e.End
	}
	return es
}

func mustApply(tb tester, t Text, es Edits) Text {
	tb.Helper()
	out, err := t.Apply(es)
	if err != nil {
		tb.Fatalf("apply %+v: %v", es, err)
	}
	return out
}

// checkText compares everything a Text knows with what plain code says about its content.
func checkText(tb tester, t Text, want string) {
	tb.Helper()
	checkBody(tb, t)
	if t.Len() != len(want) || t.Slice(0, len(want)) != want || t.String() != want {
		tb.Fatalf("content %q, want %q", t.String(), want)
	}
	if got, w := t.Chars(), len([]rune(want)); got != w {
		tb.Fatalf("%q: %d chars, want %d", want, got, w)
	}
	fresh := fromString(want, t.BOM())
	if !t.Equal(fresh) || !fresh.Equal(t) || t.Hash() != fresh.Hash() {
		tb.Fatalf("%q is not equal to a fresh text", want)
	}
	lf, crlf := strings.Count(want, "\n"), strings.Count(want, "\r\n")
	if got := t.MixedEOL(); got != (crlf > 0 && crlf < lf) {
		tb.Fatalf("%q: mixed %v", want, got)
	}
	if got := t.EOL() == "\r\n"; got != (crlf > lf-crlf) {
		tb.Fatalf("%q: EOL %q", want, t.EOL())
	}
	if got := t.FinalNewline(); got != strings.HasSuffix(want, "\n") {
		tb.Fatalf("%q: final newline %v", want, got)
	}
	checkLines(tb, t, want)
}

func checkLines(tb tester, t Text, want string) {
	tb.Helper()
	lines := strings.SplitAfter(want, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	if t.Lines() != len(lines) {
		tb.Fatalf("%q: %d lines, want %d", want, t.Lines(), len(lines))
	}
	at := 0
	for i, l := range lines {
		bare := strings.TrimSuffix(strings.TrimSuffix(l, "\n"), "\r")
		if !strings.HasSuffix(l, "\n") {
			bare = l
		}
		if t.LineStart(i) != at || t.LineEnd(i) != at+len(bare) || t.Line(i) != bare {
			tb.Fatalf("%q: line %d is %d-%d %q, want %d-%d %q", want, i, t.LineStart(i), t.LineEnd(i), t.Line(i), at, at+len(bare), bare)
		}
		if len(want) < 1000 {
			for o := at; o < at+len(l); o++ {
				if t.LineOf(o) != i || t.CharsBefore(o) != len([]rune(want[:o])) {
					tb.Fatalf("%q: offset %d is on line %d behind %d chars", want, o, t.LineOf(o), t.CharsBefore(o))
				}
			}
		}
		at += len(l)
	}
	end := strings.Count(want, "\n")
	if t.LineStart(len(lines)) != len(want) || t.LineOf(len(want)) != end {
		tb.Fatalf("%q: end is on line %d, want %d", want, t.LineOf(len(want)), end)
	}
}

// checkBody checks what chunks promise: their sums add up, none is needlessly small, large or badly cut.
func checkBody(tb tester, t Text) {
	tb.Helper()
	b := t.body()
	if len(b.starts) != len(b.chunks)+1 || len(b.lines) != len(b.chunks)+1 {
		tb.Fatalf("%d chunks, %d starts, %d line sums", len(b.chunks), len(b.starts), len(b.lines))
	}
	size, lf := 0, 0
	for i, c := range b.chunks {
		if b.starts[i] != size || b.lines[i] != lf || c.lf != strings.Count(c.s, "\n") {
			tb.Fatalf("chunk %d: starts at %d after %d lines, want %d, %d", i, b.starts[i], b.lines[i], size, lf)
		}
		if c.s == "" || len(c.s) > chunkMax || len(b.chunks) > 1 && len(c.s) < chunkMin {
			tb.Fatalf("chunk %d of %d has %d bytes", i, len(b.chunks), len(c.s))
		}
		if i > 0 && !cleanBetween(b.chunks[i-1].s, c.s) {
			tb.Fatalf("chunk %d is cut inside a character or line ending", i)
		}
		size += len(c.s)
		lf += c.lf
	}
}
