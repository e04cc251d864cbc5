package text

import "unicode/utf8"

// Trim cuts off what the new text has in common with the text it replaces, at both ends, and drops edits that change nothing. It cuts only
// between code points and never between \r and \n.
func (es Edits) Trim(t Text) Edits {
	var out Edits
	for _, e := range es {
		before := t.Slice(max(0, e.Start-utf8.UTFMax), e.Start)
		behind := t.Slice(e.End, min(t.Len(), e.End+utf8.UTFMax))
		old := t.Slice(e.Start, e.End)
		if old == e.New {
			continue
		}
		start, end := common(before, old, e.New, behind)
		out = out.add(Edit{Start: e.Start + start, End: e.End - end, New: e.New[start : len(e.New)-end]})
	}
	return out
}

// common is how much of old and new, which differ and stand between before and behind, is the same at the start and at the end.
func common(before, old, new, behind string) (start, end int) {
	o, n := before+old+behind, before+new+behind
	at := len(before)
	start = commonPrefix(old, new)
	for start > 0 && !(clean(o, at+start) && clean(n, at+start)) {
		start--
	}
	end = commonSuffix(old[start:], new[start:])
	for end > 0 && !(clean(o, at+len(old)-end) && clean(n, at+len(new)-end)) {
		end--
	}
	return start, end
}

// compared is how much commonPrefix and commonSuffix compare at once: large equal texts go at the speed of memory.
const compared = 256

func commonPrefix(a, b string) int {
	n := min(len(a), len(b))
	i := 0
	for i+compared <= n && a[i:i+compared] == b[i:i+compared] {
		i += compared
	}
	for i < n && a[i] == b[i] {
		i++
	}
	return i
}

func commonSuffix(a, b string) int {
	n := min(len(a), len(b))
	i := 0
	for i+compared <= n && a[len(a)-i-compared:len(a)-i] == b[len(b)-i-compared:len(b)-i] {
		i += compared
	}
	for i < n && a[len(a)-i-1] == b[len(b)-i-1] {
		i++
	}
	return i
}
