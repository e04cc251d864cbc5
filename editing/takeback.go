package editing

import (
	"fmt"
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing/text"
)

// Taken is one change of a decision that is taken back: which one it is of its agent
// session, whatever letter it bears now, and what the decision had made of it: Applied,
// Rejected, or Closed for one that a revert threw away.
type Taken struct {
	Order int64       `json:"order"`
	To    ChangeState `json:"to"`
}

// stands reports whether a change still is what the decision made of it.
func (k Taken) stands(c *Change, ses *Session) bool {
	if c.Order != k.Order {
		return false
	}
	switch k.To {
	case Applied:
		return c.WasApplied() && c.By == "" && !ses.Undone
	case Rejected:
		return c.wasRejected()
	}
	return k.To == Closed && c.State == Closed && c.Was.Undecided()
}

// Standing are the changes of a decision that still are what it made of them.
func (s *Snapshot) Standing(owner string, n int, taken []Taken) (out []*Change) {
	ses, ok := s.Session(owner, n)
	if !ok {
		return nil
	}
	for _, c := range s.Of(owner, n) {
		if slices.ContainsFunc(taken, func(k Taken) bool { return k.stands(c, ses) }) {
			out = append(out, c)
		}
	}
	return out
}

// TakeBack takes a decision back, as far as it stands: what was applied comes out of
// closed files where its text is intact, and what was rejected or thrown away comes back.
// It waits again, and a closed editing session is open again for it, as proposed. A letter
// that another change bears by now becomes a free one, see Result.Renamed. What open
// documents hold is left to their editor, see Snapshot.Undoing. The hint names the letters
// whose text has changed since: they stay applied.
func TakeBack(owner string, n int, taken []Taken) Op { return takeBack(owner, n, taken, false) }

// TakeBackRest is TakeBack for a decision of which some has come out already, when the
// process ended that was taking it back.
func TakeBackRest(owner string, n int, taken []Taken) Op { return takeBack(owner, n, taken, true) }

func takeBack(owner string, n int, taken []Taken, begun bool) Op {
	return func(t *tx) Result {
		standing := t.st.Standing(owner, n, taken)
		if r := t.undoable(owner, n, standing); r != nil {
			return *r
		}
		res := Result{Status: StatusOK, Owner: owner, Session: n}
		applied := map[int64]bool{}
		for _, c := range standing {
			applied[c.Order] = c.WasApplied()
		}
		cs := standing
		if slices.ContainsFunc(cs, func(c *Change) bool { return !t.st.bears(c) }) {
			cs = t.readmit(t.session(owner, n), standing, &res)
		}
		for _, c := range cs {
			if applied[c.Order] {
				continue
			}
			if r := t.comesBack(c); r != nil {
				return t.undo(*r)
			}
		}
		out, kept := t.takeOut(slices.DeleteFunc(slices.Clone(cs), func(c *Change) bool { return !applied[c.Order] }))
		res.Touched = slices.Clone(out)
		for _, c := range cs {
			if _, w := t.change(c.Letter); (w.State != Applied || !applied[c.Order]) && !slices.Contains(res.Touched, w.Letter) {
				res.Touched = append(res.Touched, w.Letter)
			}
		}
		slices.Sort(res.Touched)
		if r := t.twice(res.Touched); r != nil {
			return t.undo(*r)
		}
		if len(kept) > 0 {
			res.Hint = stays(kept)
		}
		nothing := len(out) == 0 && !begun && !slices.ContainsFunc(standing, func(c *Change) bool { return !c.WasApplied() })
		switch {
		case nothing && len(kept) > 0:
			return t.undo(Result{Status: StatusConflict, Code: "user_edit", Owner: owner, Session: n, Hint: res.Hint + "; nothing was taken back"})
		case nothing: // the user has taken it out already
			return t.undo(gone())
		}
		return res
	}
}

func stays(kept []string) string {
	return fmt.Sprintf("the user has changed the text of %s since; it stays", strings.Join(kept, ", "))
}

// CodeTakenBack says that nothing of a decision stands.
const CodeTakenBack = "taken_back"

func gone() Result {
	return refuse(CodeTakenBack, "nothing of it stands any more: it was taken back already")
}

// undoable refuses to take back what does not stand, and what leaves no letters for it.
func (t *tx) undoable(owner string, n int, standing []*Change) *Result {
	var r Result
	ses, ok := t.st.Session(owner, n)
	back := 0
	for _, c := range standing {
		if !t.st.bears(c) || c.State == Rejected {
			back++
		}
	}
	switch {
	case !ok || len(standing) == 0:
		r = gone()
	case ses.State == Committing:
		r = refuse("applying", "editing session %s is being committed right now; try again when its documents have answered", ses.ID())
	case back > t.st.Free():
		r = refuse("letters_full", "there are not letters enough for the %d that would wait again; decide some first", back)
	default:
		return nil
	}
	return &r
}

// bears reports whether a change is on the table, and not of a closed editing session.
func (s *Snapshot) bears(c *Change) bool {
	d := s.docs[c.Path]
	return d != nil && d.bears(c)
}

// readmit opens an editing session again, with some changes, and with what else was
// decided in it as far as there are letters. It answers the changes as they stand in
// their documents then.
func (t *tx) readmit(s *Session, standing []*Change, res *Result) []*Change {
	var back, decided, closed []*Change
	for _, c := range s.Closed {
		switch {
		case slices.Contains(standing, c):
			back = append(back, c)
		case c.State == Applied || c.State == Rejected:
			decided = append(decided, c)
		default:
			closed = append(closed, c)
		}
	}
	if len(back) > 0 && !s.State.Open() {
		s.State, s.Reason = Proposed, ""
	}
	s.Closed = closed
	names := t.lettersFor(s, standing, back, decided)
	at := map[int64]*Change{}
	for _, c := range slices.Concat(back, decided) {
		l, ok := names[c.Order]
		if !ok {
			c = c.clone()
			c.Was, c.State = c.State, Closed
			s.Closed, t.closed = append(s.Closed, c), append(t.closed, c)
			continue
		}
		if l != c.Letter {
			res.Renamed = append(res.Renamed, Renamed{c.Name, c.Letter, l})
		}
		at[c.Order] = t.place(c, l, slices.Contains(back, c))
	}
	var out []*Change
	for _, c := range standing {
		if w := at[c.Order]; w != nil {
			c = w
		}
		out = append(out, c)
	}
	return out
}

// lettersFor names changes that come back, each as before if its letter is free. Of those
// that are decided a borne letter is given up.
func (t *tx) lettersFor(s *Session, standing, back, decided []*Change) map[int64]string {
	borne := map[string]*Change{}
	for _, c := range t.st.Changes() {
		borne[c.Letter] = c
	}
	names := map[int64]string{}
	taken := &Change{State: Staged} // nobody gives it up
	for _, c := range standing {
		if borne[c.Letter] == c {
			borne[c.Letter] = taken
		}
	}
	for _, again := range []bool{false, true} { // who can keep a letter comes first
		for _, c := range back {
			l := c.Letter
			switch {
			case names[c.Order] != "" || !again && borne[l] != nil:
				continue
			case borne[l] == nil:
			default:
				if l = unborne(borne, s.Used); l == "" {
					l, _ = t.reuse(s, borne) // there is one, see undoable
				}
			}
			s.use(l)
			names[c.Order], borne[l] = l, taken
		}
	}
	for _, c := range decided {
		if borne[c.Letter] == nil && t.readable(c) {
			names[c.Order], borne[c.Letter] = c.Letter, taken
		}
	}
	return names
}

// asItStood has the places of an applied change say where it stood, if another letter has
// gone over its text, or the user: it may be there again once that is taken back.
func (c *Change) asItStood(base text.Text) {
	if c.file() || !c.WasApplied() || c.Intact(base) || c.last == nil || !c.last.applied || len(c.last.hunks) != len(c.Hunks) {
		return
	}
	for i, h := range c.last.hunks {
		p := placeAt(c.last.ground.text, h.Start, h.End, h.Old)
		c.Hunks[i].Place = &p
	}
}

// readable reports whether it is certain where a decided change of a closed editing session
// stands: where another letter, or the user, has gone over its text it stays closed.
func (t *tx) readable(c *Change) bool {
	d := t.st.docs[c.Path]
	return c.file() || c.State != Applied || d != nil && c.In(d.Base)
}

// place puts a change of a closed editing session back into its document, as what it had
// become there, and lets the text say what that is by now.
func (t *tx) place(c *Change, letter string, waits bool) *Change {
	d := t.doc(c.Path)
	if d == nil { // the table forgets what is not there
		d = t.add(&Document{Path: c.Path, Name: c.Name, Missing: true})
	}
	c = c.clone()
	c.Letter, c.Since, c.Verdict, c.Yields = letter, t.st.Seq, "", waits
	if c.State == Closed {
		c.State, c.Was = c.Was, ""
	}
	if c.State == Applying { // nobody answers for it any more
		c.State = Staged
	}
	d.changes = append(d.changes, c)
	t.note(c, c.State)
	if w, ok := c.found(d.Base); ok && !c.file() && c.State == Applied {
		c.Hunks = w.Hunks
		c.stand(newGround(d.Base), true)
	} else if !c.file() {
		c.recall(nil, newGround(d.Base))
		t.decide(d, c, c.effect().look(t, d, c))
	}
	return c
}

// recall says where a change stood as far as it is known: last, or as its record tells.
func (c *Change) recall(last *standing, on *ground) {
	switch c.last = last; {
	case last != nil:
	case c.BaseHash == on.text.Hash().String() && c.stands(on.text):
		c.stand(on, c.State == Applied)
	default:
		c.last = c.recorded(on.text, on)
	}
	for k := range c.Hunks {
		if h := &c.Hunks[k]; !h.Held {
			h.Place = nil
		}
	}
	c.says = neither // as long as nobody has looked
}

// comesBack brings back a change that was rejected, or thrown away, unless another one
// stands in its place.
func (t *tx) comesBack(c *Change) *Result {
	if other := t.inTheWay(c); other != "" {
		r := refuse("state", "change %s stands where a change of %s would come back; decide %s first", other, c.Name, other)
		return &r
	}
	if d, w := t.change(c.Letter); w.State == Rejected {
		t.bringBack(d, w)
	}
	return nil
}

// takeOut takes applied changes out of closed files, where their text is intact, and
// answers these with those that an editor has to take out. Kept are the others.
func (t *tx) takeOut(cs []*Change) (out, kept []string) {
	for _, c := range inUndoOrder(cs) {
		d, w := t.change(c.Letter)
		switch {
		case w.State != Applied:
		case d.keeps(w) && w.Intact(d.Base), !d.keeps(w) && w.effect().undo(t, d, w):
			out = append(out, w.Letter)
		default:
			kept = append(kept, w.Letter)
		}
	}
	return out, kept
}

// twice refuses to bring a letter back where another one proposes the very same.
func (t *tx) twice(letters []string) *Result {
	for _, l := range letters {
		_, c := t.change(l)
		for _, o := range t.st.docs[c.Path].changes {
			if o.Letter == l || !o.State.Undecided() || !c.State.Undecided() || !o.sameEdit(c) || o.Start() != c.Start() {
				continue
			}
			r := refuse("state", "change %s is the same edit again; decide %s first", o.Letter, o.Letter)
			return &r
		}
	}
	return nil
}
