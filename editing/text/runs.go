package text

// Runs makes edits that replace runs of whole lines, last line included, from which it follows what became of each line of old: lines that
// stand once in both texts are kept first, and only what is between them is compared in the ordinary way. The answer depends on the two
// texts alone. Unlike those of LineDiff the edits are not for reading: none is moved or joined.
func Runs(old, new string) Edits {
	w := &work{left: allWork}
	r := differing(old, new)
	a, b := linesOf(r.old, r.new)
	var es Edits
	for _, h := range w.steady(a.id, b.id) {
		es = append(es, Edit{Start: r.at + a.at[h.a0], End: r.at + a.at[h.a1], New: b.join(h.b0, h.b1)})
	}
	return checked(es, old, new)
}

// steady aligns two sequences at what is unique in both, again and again, and in the ordinary way where nothing is.
func (w *work) steady(a, b []rune) []hunk {
	anchors := ascending(w.unique(a, b))
	if len(anchors) == 0 {
		return w.align(a, b)
	}
	return w.between(a, b, anchors)
}

// between aligns what stands between pairs that are kept.
func (w *work) between(a, b []rune, anchors []pair) []hunk {
	var hunks []hunk
	x, y := 0, 0
	for _, p := range append(anchors, pair{len(a), len(b)}) {
		for _, h := range w.steady(a[x:p.a], b[y:p.b]) {
			h = h.shifted(x, y)
			if n := len(hunks); n > 0 && hunks[n-1].a1 == h.a0 && hunks[n-1].b1 == h.b0 {
				hunks[n-1].a1, hunks[n-1].b1 = h.a1, h.b1
				continue
			}
			hunks = append(hunks, h)
		}
		x, y = p.a+1, p.b+1
	}
	return hunks
}
