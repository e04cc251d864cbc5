package view

import "github.com/galley-ls/galley/editing"

// Letters are the changes of one agent session's open edits, in plain values: who reviews them may be in another
// process.
type Letters struct {
	Edits   []Edit   `json:"edits"`
	Changes []Change `json:"changes"` // of all of them, by letter
}

// Edit is an open editing session as a review shows it.
type Edit struct {
	*editing.Session
	Patch  string  `json:"patch"` // of all that is staged
	States []State `json:"states"`
}

// State is a change as programs read it.
type State struct {
	Letter   string `json:"change_id"`
	Revision int    `json:"revision"`
	State    string `json:"state"`
	Verdict  string `json:"verdict,omitempty"` // what was said with the decision
	Path     string `json:"path"`
	Line     int    `json:"line"`
	Summary  string `json:"summary"`
	Reason   string `json:"reason,omitempty"` // the agent's
	Preview  string `json:"preview,omitempty"`
}

// LettersOf are those of owner.
func LettersOf(s *editing.Snapshot, owner string) Letters {
	all := All(s, owner)
	out := Letters{Changes: all.ByLetter()}
	for _, e := range all.Edits {
		edit := Edit{Session: e, Patch: Diff(s, e.Owner, e.N), States: []State{}}
		for _, c := range s.Of(e.Owner, e.N) {
			edit.States = append(edit.States, stateOf(s, c))
		}
		out.Edits = append(out.Edits, edit)
	}
	return out
}

func stateOf(s *editing.Snapshot, c *editing.Change) State {
	st := State{
		Letter: c.Letter, Revision: c.Revision, State: string(c.State), Verdict: c.Verdict, Path: c.Name,
		Line: WhereIs(s, c).Line, Summary: Summary(s, c), Reason: c.Because(),
	}
	if c.State.Undecided() {
		st.Preview = Places(s, c, Options{MaxLength: -1})
	}
	return st
}
