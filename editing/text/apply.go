package text

import "strings"

// apply rewrites the chunks that edits touch and keeps the others. The edits are valid and not empty.
func (b *body) apply(es Edits) *body {
	if len(b.chunks) == 0 {
		return fromString(es[0].New, b.bom).p
	}
	w := writer{body: &body{bom: b.bom, chunks: make([]*chunk, 0, len(b.chunks)+2)}}
	kept := 0
	for len(es) > 0 {
		first, last, n := b.touched(es)
		w.keep(b.chunks[kept:first])
		w.rewrite(b.replace(first, last, es[:n]))
		kept, es = last+1, es[n:]
	}
	w.keep(b.chunks[kept:])
	return w.finish()
}

// touched is the run of chunks that the first n edits lie in, and no other edit does.
func (b *body) touched(es Edits) (first, last, n int) {
	first = b.at(es[0].Start)
	for last = first; n < len(es); n++ {
		e := es[n]
		if n > 0 && b.at(e.Start) > last {
			break
		}
		last = max(last, b.at(max(e.Start, e.End-1)))
	}
	return first, last, n
}

// replace is the text of some chunks after the edits that lie in them.
func (b *body) replace(first, last int, es Edits) string {
	at, end := b.starts[first], b.starts[last+1]
	var sb strings.Builder
	sb.Grow(end - at + max(0, es.Delta()))
	for _, e := range es {
		sb.WriteString(b.join(at, e.Start))
		sb.WriteString(e.New)
		at = e.End
	}
	sb.WriteString(b.join(at, end))
	return sb.String()
}

// writer makes the body of a new text from kept chunks and rewritten pieces, front to back.
type writer struct {
	*body
	pending string // rewritten, not yet in chunks: it may have to join what follows
}

// rewrite adds new text. Too little of it, or text that must not be parted from what is before, takes the chunk before along.
func (w *writer) rewrite(s string) {
	w.pending += s
	for n := len(w.chunks); n > 0; n-- {
		before := w.chunks[n-1].s
		if len(w.pending) >= chunkMin && cleanBetween(before, w.pending) {
			return
		}
		w.pending = before + w.pending
		w.chunks = w.chunks[:n-1]
	}
}

// keep adds chunks of the old text as they are, except where they must join the text before.
func (w *writer) keep(cs []*chunk) {
	for len(cs) > 0 && w.pending != "" && (len(w.pending) < chunkMin || !cleanBetween(w.pending, cs[0].s)) {
		w.pending += cs[0].s
		cs = cs[1:]
	}
	if len(cs) > 0 {
		w.flush()
		w.chunks = append(w.chunks, cs...)
	}
}

// flush turns the pending text into chunks. A rest that would be too small stays with the last one.
func (w *writer) flush() {
	s := w.pending
	for len(s) > chunkMax {
		at := chunkAim
		for !clean(s, at) {
			at--
		}
		w.chunks = append(w.chunks, newChunk(s[:at]))
		s = s[at:]
	}
	if s != "" {
		w.chunks = append(w.chunks, newChunk(s))
	}
	w.pending = ""
}

// finish makes the prefix sums.
func (w *writer) finish() *body {
	w.flush()
	b := w.body
	n := len(b.chunks)
	sums := make([]int, 2*n+2)
	b.starts, b.lines = sums[:n+1:n+1], sums[n+1:]
	for i, c := range b.chunks {
		b.starts[i+1] = b.starts[i] + len(c.s)
		b.lines[i+1] = b.lines[i] + c.lf
		b.crlf += c.crlf
		b.cr += c.cr
	}
	return b
}
