package text

import "strings"

// A text is compared, and shown to models, without its line ends: a line that reads the same is the same. Plain is that text. It has the same
// lines, so that a place in one is found in the other by its line and the bytes before it.

// Unix is s with every \r\n as \n.
func Unix(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }

// Ended is s with every line end, \n or \r\n, as nl.
func Ended(s, nl string) string {
	if s = Unix(s); nl == "\n" {
		return s
	}
	return strings.ReplaceAll(s, "\n", nl)
}

// Plain is the text with every \r\n as \n. It is made once for each chunk: a keystroke makes one anew.
func (t Text) Plain() Text {
	b := t.body()
	if b.crlf == 0 {
		return t
	}
	if p := b.plain.Load(); p != nil {
		return Text{p}
	}
	p := b.withoutCR()
	b.plain.Store(p)
	return Text{p}
}

func (b *body) withoutCR() *body {
	w := writer{body: &body{bom: b.bom, chunks: make([]*chunk, len(b.chunks))}}
	for i, c := range b.chunks {
		w.chunks[i] = c.withoutCR()
		if i > 0 && !cleanBetween(w.chunks[i-1].s, w.chunks[i].s) { // \r and \r\n
			return fromString(Unix(b.join(0, b.size())), b.bom).p
		}
	}
	return w.finish()
}

// InPlain is where an offset of the text is in its Plain text. Between \r and \n is before the ending.
func (t Text) InPlain(offset int) int {
	p := t.Plain()
	if p.p == t.p {
		return offset
	}
	line := t.LineOf(offset)
	return p.LineStart(line) + min(offset, t.LineEnd(line)) - t.LineStart(line)
}

// FromPlain is where an offset of the Plain text is in the text.
func (t Text) FromPlain(offset int) int {
	p := t.Plain()
	if p.p == t.p {
		return offset
	}
	line := p.LineOf(offset)
	return t.LineStart(line) + offset - p.LineStart(line)
}

// EndPlain are edits of the Plain text as edits of the text.
func (t Text) EndPlain(es Edits) Edits {
	out := make(Edits, len(es))
	for i, e := range es {
		out[i] = Edit{t.FromPlain(e.Start), t.FromPlain(e.End), e.New}
	}
	return t.Ended(out)
}

// Ended are edits of the text, of which what they write takes the line ends of its place.
func (t Text) Ended(es Edits) Edits {
	out := make(Edits, len(es))
	for i, e := range es {
		e.New = Ended(e.New, t.EOLAt(e.Start))
		out[i] = e
	}
	return out
}

// Lined is the text with every \r that is no part of an ending as \n: all offsets are the same.
func (t Text) Lined() Text {
	b := t.body()
	if b.cr == 0 {
		return t
	}
	if l := b.lined.Load(); l != nil {
		return Text{l}
	}
	s := []byte(t.String())
	for i := range s {
		if s[i] == '\r' && (i+1 == len(s) || s[i+1] != '\n') {
			s[i] = '\n'
		}
	}
	l := fromString(string(s), b.bom)
	b.lined.Store(l.p)
	return l
}

// PlainEdits are edits by which t became now as edits by which the one's Plain text became the other's.
func PlainEdits(t, now Text, es Edits) Edits {
	if t.body().crlf+now.body().crlf == 0 {
		return es
	}
	var out []Stretch
	shift := 0
	for _, e := range es {
		r := Stretch{A0: e.Start, A1: e.End, B0: e.Start + shift}
		shift += e.Delta()
		r.B1 = r.A1 + shift
		if t.parts(r.A0) || now.parts(r.B0) {
			r.A0, r.B0 = r.A0-1, r.B0-1
		}
		if t.parts(r.A1) || now.parts(r.B1) {
			r.A1, r.B1 = r.A1+1, r.B1+1
		}
		if n := len(out) - 1; n >= 0 && r.A0 <= out[n].A1 {
			out[n].A1, out[n].B1 = r.A1, r.B1
			continue
		}
		out = append(out, r)
	}
	made := make(Edits, len(out))
	for i, r := range out {
		made[i] = Edit{t.InPlain(r.A0), t.InPlain(r.A1), now.Plain().Slice(now.InPlain(r.B0), now.InPlain(r.B1))}
	}
	return made
}

// parts says whether an offset is between \r and \n.
func (t Text) parts(at int) bool {
	b := t.body()
	return at > 0 && at < b.size() && b.byteAt(at-1) == '\r' && b.byteAt(at) == '\n'
}

// mostEndings is how many line ends Became tells one by one.
const mostEndings = 10000

// Became is Runs for a text that may have other line ends now: where a line has, that alone is an edit.
func Became(old, new string) Edits {
	if !strings.Contains(old, "\r\n") && !strings.Contains(new, "\r\n") {
		return Runs(old, new)
	}
	t, now := New(old), New(new)
	if t.BOM() || now.BOM() {
		return Runs(old, new)
	}
	runs, p, q := Runs(t.Plain().String(), now.Plain().String()), 0, 0
	var es Edits
	for _, r := range append(runs, Edit{Start: t.Plain().Len(), End: t.Plain().Len()}) {
		es = endings(es, t, now, p, r.Start, q)
		q += r.Start - p
		from, to := now.FromPlain(q), now.FromPlain(q+len(r.New))
		es = es.add(Edit{t.FromPlain(r.Start), t.FromPlain(r.End), now.Slice(from, to)})
		p, q = r.End, q+len(r.New)
	}
	if len(es) > mostEndings {
		return Runs(old, new)
	}
	return checked(es, old, new)
}

// endings adds the line ends that differ between bytes [p,to) of the Plain text of t, and the same ones from q on in that of now.
func endings(es Edits, t, now Text, p, to, q int) Edits {
	a, b := t.Plain().LineOf(p), now.Plain().LineOf(q)
	for ; a < t.Plain().LineOf(to); a, b = a+1, b+1 {
		end, other := t.LineEnd(a), now.LineEnd(b)
		nl, with := t.Slice(end, t.LineStart(a+1)), now.Slice(other, now.LineStart(b+1))
		if nl != with {
			es = es.add(Edit{end, end + len(nl), with})
		}
	}
	return es
}
