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
	if l := unborne(borne, ses.Used); l != "" {
		ses.use(l)
		return l, true
	}
	return t.reuse(ses, borne)
}

// unborne is the first letter that nobody bears, if possible one that was never used; ""
// if there is none. The bearer of a used one is merged or closed.
func unborne(borne map[string]*Change, used []string) (again string) {
	for i := range MaxLetters {
		switch l := letterAt(i); {
		case borne[l] != nil:
		case !slices.Contains(used, l):
			return l
		case again == "":
			again = l
		}
	}
	return again
}

// reuse: all letters are borne. The one that was decided longest ago gives its up.
func (t *tx) reuse(ses *Session, borne map[string]*Change) (string, bool) {
	var oldest *Change
	for _, c := range borne {
		if !c.State.Undecided() && (oldest == nil || c.Decided < oldest.Decided || c.Decided == oldest.Decided && c.Letter < oldest.Letter) {
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
	ses.use(l)
	return l, true
}

func letterAt(i int) string { return string(rune('A' + i)) }
