package match

import "strings"

// fitted is the part of the text that a change is merged into, with old_text and
// new_text brought to the same extent.
type fitted struct {
	start, end    int  // what the change is merged into
	outer         Span // all that old_text names: independent of new_text
	base, theirs  string
	first, last   bool // it begins at the start of a line, ends at the end of one
	headed, ended bool // lines begin and end there, apart from line endings that it includes
	given         Span // lines of base that are the file's own, not the model's
}

// fit widens a body to the blanks around it, as far as old_text names them, and
// to the edges of its lines. Line endings that old_text has around its body and
// the file has not are taken off both texts. Lines are never joined by it.
func (h *haystack) fit(p Span, tier Tier, old, new string) fitted {
	lead, body, trail := edges(old, tier)
	ls, le := h.line(p.Start), h.lineEnd(p.End)
	f := fitted{start: p.Start, end: p.End, base: body, theirs: new}
	f.headed, f.ended = allBlank(h.s[ls:p.Start]), allBlank(h.s[p.End:le])
	gone := allBlank(new) && !strings.Contains(new, "\n")
	taken := 0
	f.outer = p
	if f.ended {
		taken = h.fitTrail(&f, le, trail, gone)
	} else if strings.HasPrefix(h.s[p.End:], trail) {
		f.end += len(trail)
		f.base += trail
	} else {
		f.theirs = trimRight(f.theirs)
	}
	if f.headed {
		h.fitLead(&f, ls, lead, gone && taken == 0)
	} else if strings.HasSuffix(h.s[:p.Start], lead) {
		f.start -= len(lead)
		f.base = lead + f.base
	} else {
		f.theirs = trimLeft(f.theirs)
	}
	f.outer = Span{min(f.outer.Start, f.start), max(f.outer.End, f.end)}
	return f
}

// edges parts a text into its blank edges and what is between.
func edges(s string, tier Tier) (lead, body, trail string) {
	blank := func(r rune) bool {
		return r == '\n' || r == ' ' || r == '\t' || tier >= Unicode && blankRune(r)
	}
	rest := strings.TrimLeftFunc(s, blank)
	body = strings.TrimRightFunc(rest, blank)
	return s[:len(s)-len(rest)], body, rest[len(body):]
}

// fitTrail goes on from the end of a line over the line endings and blank lines
// that trail names. It answers how many line endings it took.
func (h *haystack) fitTrail(f *fitted, at int, trail string, gone bool) (taken int) {
	blanks, _, _ := strings.Cut(trail, "\n")
	want := strings.Count(trail, "\n")
	ends := []int{at}
	for len(ends) <= want {
		next := newline(h.s, at)
		if next < 0 {
			break
		}
		ends = append(ends, next)
		if at = h.lineEnd(next); !allBlank(h.s[next:at]) {
			break
		}
	}
	taken = len(ends) - 1
	f.outer.End = ends[taken]
	if want > 0 {
		f.theirs = openEnd(f.theirs)
	}
	for missing := want - taken; missing > 0 && strings.HasSuffix(f.theirs, "\n"); missing-- {
		f.theirs = openEnd(f.theirs[:len(f.theirs)-1])
	}
	if taken > 0 && !strings.HasSuffix(f.theirs, "\n") && !(gone && f.headed) {
		taken--
	}
	f.last = taken == 0
	f.base += blanks + strings.Repeat("\n", taken)
	f.end = ends[taken]
	return taken
}

// openEnd takes off blanks behind the last line ending.
func openEnd(s string) string {
	if i := strings.LastIndexByte(s, '\n'); i >= 0 && allBlank(s[i:]) {
		return s[:i+1]
	}
	return s
}

// fitLead does the same backwards from the start of a line.
func (h *haystack) fitLead(f *fitted, at int, lead string, gone bool) {
	i := strings.LastIndexByte(lead, '\n')
	want := strings.Count(lead, "\n")
	starts := []int{at}
	for len(starts) <= want && at > 0 {
		end := at - 1
		if end > 0 && h.s[end-1] == '\r' {
			end--
		}
		starts = append(starts, end)
		if at = h.line(end); !allBlank(h.s[at:end]) {
			break
		}
	}
	taken := len(starts) - 1
	f.outer.Start = starts[taken]
	for missing := want - taken; missing > 0; missing-- {
		line, rest, more := strings.Cut(f.theirs, "\n")
		if !more || !allBlank(line) {
			break
		}
		f.theirs = rest
	}
	line, _, more := strings.Cut(f.theirs, "\n")
	if taken > 0 && !(more && allBlank(line)) && !gone {
		taken--
	}
	if taken > 0 {
		f.theirs = f.theirs[len(line)-len(trimLeft(line)):]
	}
	f.first = taken == 0
	f.base = strings.Repeat("\n", taken) + lead[i+1:] + f.base
	f.start = starts[taken]
}
