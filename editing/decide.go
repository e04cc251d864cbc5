package editing

import (
	"fmt"
	"slices"
	"strings"
)

// Choice names a change that somebody decides about.
type Choice struct {
	Letter   string `json:"change"`
	Revision int    `json:"revision"` // as it was shown; 0: no check
}

// Letters makes choices without a check of the revision.
func Letters(letters ...string) []Choice {
	cs := make([]Choice, len(letters))
	for i, l := range letters {
		cs[i] = Choice{Letter: strings.ToUpper(strings.TrimSpace(l))}
	}
	return cs
}

// chosen checks the choices: each letter is there, was not amended since it was
// shown, and is in one of the states.
func (t *tx) chosen(choices []Choice, verb string, states ...ChangeState) ([]*Change, *Result) {
	var out []*Change
	for _, ch := range choices {
		c, ok := t.st.Change(ch.Letter)
		var r Result
		switch {
		case !ok:
			r = notFound("unknown_change", "there is no change %s; %s", ch.Letter, t.st.whatIs())
		case c.State == Applying:
			r = refuse("applying", "change %s is being applied by the editor right now; try again when its text has arrived", ch.Letter)
		case ch.Revision != 0 && ch.Revision != c.Revision:
			r = Result{Status: StatusStale, Code: "revision", Hint: fmt.Sprintf("change %s was amended since you saw it (now revision %d); look at it again", ch.Letter, c.Revision)}
		case !slices.Contains(states, c.State):
			r = refuse("state", "change %s is %s, so it cannot be %s%s", ch.Letter, c.State.inWords(), verb, t.st.advice(c))
		default:
			if !slices.Contains(out, c) {
				out = append(out, c)
			}
			continue
		}
		return nil, &r
	}
	return out, nil
}

func (s *Snapshot) advice(c *Change) string {
	switch c.State {
	case Conflict:
		if why, ok := s.Stuck(c); ok {
			return "; " + why + ": it waits until that is otherwise. Reject it, or ask the agent again"
		}
		return "; the user's text and the agent's meet there: keep the one or take the other first"
	case Rejected:
		return "; bring it back first (un-reject)"
	}
	return ""
}

// whatIs lists the letters that can be decided.
func (s *Snapshot) whatIs() string {
	var ls []string
	for _, c := range s.Changes() {
		if c.State.Undecided() {
			ls = append(ls, c.Letter)
		}
	}
	if len(ls) == 0 {
		return "nothing waits for a decision"
	}
	return "waiting are " + strings.Join(ls, ", ")
}

func touchedBy(cs []*Change) Result {
	r := Result{Status: StatusOK}
	for _, c := range cs {
		r.Touched = append(r.Touched, c.Letter)
		r.Owner, r.Session = c.Owner, c.Session
	}
	return r
}

// Reject throws changes away. The text is not touched; they stay readable.
func Reject(choices []Choice, reason string) Op {
	return func(t *tx) Result {
		cs, r := t.chosen(choices, "rejected", Staged, Conflict)
		if r != nil {
			return *r
		}
		for _, c := range cs {
			_, w := t.change(c.Letter)
			t.move(w, Rejected, reason)
		}
		return touchedBy(cs)
	}
}

// Unreject brings rejected changes back while their editing session is open.
// Where the text has changed meanwhile the change comes back as a conflict.
func Unreject(choices []Choice) Op {
	return func(t *tx) Result {
		cs, r := t.chosen(choices, "brought back", Rejected)
		if r != nil {
			return *r
		}
		if len(cs) > t.st.Free() {
			return refuse("letters_full", "all %d letters wait for a decision; decide some first", t.st.limit)
		}
		for _, c := range cs {
			if other := t.inTheWay(c); other != "" {
				return t.undo(refuse("state", "change %s stands where %s would come back; reject %s first", other, c.Letter, other))
			}
			d, w := t.change(c.Letter)
			t.bringBack(d, w)
		}
		return touchedBy(cs)
	}
}

// inTheWay names an undecided letter that overlaps c.
func (t *tx) inTheWay(c *Change) string {
	if o := t.st.rival(c, func(o *Change) bool { return o.State.Undecided() }); o != nil {
		return o.Letter
	}
	d, back := t.st.docs[c.Path], c.Hunks
	if !c.file() {
		back = t.find(d, c).hunks
	}
	for _, o := range d.changes {
		if o == c || !o.State.Undecided() || o.Letter == c.Letter {
			continue
		}
		for _, h := range back {
			for _, g := range o.Hunks {
				a, b := h.edit(), g.edit()
				if a.Start < b.End && a.End > b.Start || a.Start == b.Start && a.End == b.End {
					return o.Letter
				}
			}
		}
	}
	return ""
}

// Drop takes back changes of the agent's own. They are closed.
func Drop(owner string, choices []Choice, reason string) Op {
	return func(t *tx) Result {
		cs, r := t.chosen(choices, "dropped", Staged, Conflict)
		if r != nil {
			return *r
		}
		for _, c := range cs {
			if c.Owner != owner {
				return t.undo(Result{Status: StatusConflict, Code: "owned", Hint: fmt.Sprintf("change %s belongs to agent session %s", c.Letter, c.Owner)})
			}
			d, w := t.change(c.Letter)
			t.move(w, Closed, reason)
			t.retire(d, w)
		}
		return touchedBy(cs)
	}
}

// AskAgain leaves a conflict as it is; the agent will be told to look again.
func AskAgain(choice Choice) Op {
	return func(t *tx) Result {
		cs, r := t.chosen([]Choice{choice}, "asked again", Conflict)
		if r != nil {
			return *r
		}
		_, w := t.change(cs[0].Letter)
		t.note(w, Conflict)
		return touchedBy(cs)
	}
}
