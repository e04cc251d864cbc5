package editing

import "slices"

// undecided counts the letters of the process that wait for somebody.
func (s *Snapshot) undecided() int {
	n := 0
	for _, d := range s.docs {
		for _, c := range d.changes {
			if c.State.Undecided() {
				n++
			}
		}
	}
	return n
}

// Free is the number of letters that can still be staged.
func (s *Snapshot) Free() int { return max(0, s.limit-s.undecided()) }

// letter takes a letter for a new change of ses: the first that the session
// never used and that no change of an open session bears; else the one decided
// longest ago, whose bearer becomes readable only. ok is false at the limit.
func (t *tx) letter(ses *Session) (string, bool) {
	if t.st.Free() == 0 {
		return "", false
	}
	borne := map[string]*Change{}
	for _, c := range t.st.Changes() {
		borne[c.Letter] = c
	}
	for i := range MaxLetters {
		l := letterAt(i)
		if borne[l] == nil && !slices.Contains(ses.Used, l) {
			ses.Used = append(ses.Used, l)
			return l, true
		}
	}
	return t.reuse(ses, borne)
}

// reuse: all letters are used up or borne. A letter that only this session used
// and nobody bears any more is free too, since its bearer is merged or closed.
func (t *tx) reuse(ses *Session, borne map[string]*Change) (string, bool) {
	var oldest *Change
	for i := range MaxLetters {
		c := borne[letterAt(i)]
		if c == nil {
			return letterAt(i), true
		}
		if !c.State.Undecided() && (oldest == nil || c.Decided < oldest.Decided) {
			oldest = c
		}
	}
	if oldest == nil {
		return "", false
	}
	d, c := t.change(oldest.Letter)
	l := c.Letter
	t.move(c, Closed, c.Verdict)
	t.retire(d, c)
	if !slices.Contains(ses.Used, l) {
		ses.Used = append(ses.Used, l)
	}
	return l, true
}

func letterAt(i int) string { return string(rune('A' + i)) }
