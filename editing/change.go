package editing

import (
	"encoding/json"
	"errors"
	"slices"

	"github.com/galley-ls/galley/editing/match"
	"github.com/galley-ls/galley/editing/text"
)

// ChangeState says where a change stands. The table below lists the moves that
// exist; any other is a bug in the caller and is refused.
type ChangeState string

// The states of a change. Staged, Applying and Conflict are undecided.
const (
	Staged   ChangeState = "staged"
	Applying ChangeState = "applying"
	Applied  ChangeState = "applied"
	Rejected ChangeState = "rejected"
	Conflict ChangeState = "conflict"
	Merged   ChangeState = "merged"
	Closed   ChangeState = "closed"
)

// moves is the state table of a change.
var moves = map[ChangeState][]ChangeState{
	Staged:   {Applying, Applied, Rejected, Conflict, Merged, Closed},
	Applying: {Applied, Staged, Conflict},
	Applied:  {Staged, Closed},
	Rejected: {Staged, Closed, Conflict},
	Conflict: {Staged, Applied, Rejected, Applying, Merged, Closed},
}

// CanBecome reports whether the state table has a move from s to next.
func (s ChangeState) CanBecome(next ChangeState) bool {
	return slices.Contains(moves[s], next)
}

// Undecided reports whether a change in this state still waits for somebody.
func (s ChangeState) Undecided() bool {
	return s == Staged || s == Applying || s == Conflict
}

// inWords is the state as a sentence has it.
func (s ChangeState) inWords() string {
	if s == Conflict {
		return "in conflict"
	}
	return string(s)
}

// Kind says what a change does to the text.
type Kind string

// The kinds of a text change.
const (
	KindReplace Kind = "replace"
	KindInsert  Kind = "insert"
	KindDelete  Kind = "delete"
)

// Hunk is one minimal edit of a change, tracked through everything that happens
// to the text. [Start,End) are bytes of the document's base.
//
// While the change is staged, base[Start:End] is Old; an insertion's range holds
// what the user has typed at its very place since, and New goes behind it. While
// it is applied, base[Start:End] is New, or what the user made of it. In a
// conflict the hunk has grown to all text that the user's edit touched: Old is
// that text before, New is what the agent wanted, base[Start:End] is the user's.
type Hunk struct {
	Start int    `json:"start"`
	End   int    `json:"end"`
	Old   string `json:"-"`
	New   string `json:"-"`
	// Rank orders the hunks of a document where the text between two of them has
	// gone: insertions that came to stand at one point keep their order.
	Rank int `json:"rank,omitempty"`
	// Held marks a hunk that is held in a conflict: it has grown, see above.
	Held bool `json:"held,omitempty"`
	// Place finds the hunk again where offsets cannot: after a restart, or when
	// a text that was gone comes back. Set in records and in conflicts.
	Place *Place `json:"place,omitempty"`

	moved int // bytes by which whole lines are moved into their one form, while a text is looked at
	nth   int // of a standing, meanwhile
}

// hunkJSON is a hunk as a journal keeps it. What its place says already is not said
// again: its texts can be long.
type hunkJSON struct {
	hunkFields
	Place *placeJSON `json:"place,omitempty"` // not one that reads itself: each level reads long texts again
	Old   *raw       `json:"old,omitempty"`
	New   *raw       `json:"new,omitempty"`
	Stood bool       `json:"stood,omitempty"` // the place is that of the new text, else of the old one
}

type hunkFields Hunk

// MarshalJSON keeps stray bytes.
func (h Hunk) MarshalJSON() ([]byte, error) {
	j := hunkJSON{hunkFields: hunkFields(h), Place: h.Place.json()}
	switch {
	case h.Place.tells(h.Old, h.New):
	case h.Place.tells(h.New, h.Old):
		j.Stood = true
	default:
		j.Old, j.New = (*raw)(&h.Old), (*raw)(&h.New)
	}
	return json.Marshal(j)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (h *Hunk) UnmarshalJSON(data []byte) error {
	var j hunkJSON
	if err := json.Unmarshal(data, &j); err != nil {
		return err
	}
	*h = Hunk(j.hunkFields)
	p := j.Place.place()
	h.Place = p
	switch {
	case j.Old != nil && j.New != nil:
		h.Old, h.New = string(*j.Old), string(*j.New)
	case p == nil || !p.valid():
		return errors.New("a hunk has neither its texts nor a place that tells them")
	case j.Stood:
		h.Old, h.New = p.New, p.is()
	default:
		h.Old, h.New = p.is(), p.New
	}
	return nil
}

// edit is what taking the hunk into the base means: an edit of the base.
func (h Hunk) edit() text.Edit {
	if h.Old == "" && !h.Held {
		return text.Edit{Start: h.End, End: h.End, New: h.New}
	}
	return text.Edit{Start: h.Start, End: h.End, New: h.New}
}

// Change is one lettered unit of review in one file. Values reachable from a
// Snapshot are never modified.
type Change struct {
	Letter   string      `json:"change"`
	Revision int         `json:"revision"` // counts changes of its text, never moves
	Owner    string      `json:"owner"`    // agent session
	Session  int         `json:"edit"`     // editing session #n of that agent session
	Task     int         `json:"task,omitempty"`
	Turn     int         `json:"turn,omitempty"` // iteration in which it was staged
	Order    int64       `json:"order"`          // counts stagings: which letter is the earlier one
	Path     string      `json:"path"`           // absolute, resolved
	Name     string      `json:"name"`           // as shown to people
	Kind     Kind        `json:"kind"`
	State    ChangeState `json:"state"`
	By       string      `json:"by,omitempty"`      // "you": the user typed it
	Reason   string      `json:"reason,omitempty"`  // the agent's
	Verdict  string      `json:"verdict,omitempty"` // what was said with the decision
	Again    *Again      `json:"again,omitempty"`   // a person has rejected the very edit before
	Decided  int64       `json:"decided,omitempty"` // sequence of the last decision
	Took     bool        `json:"took,omitempty"`    // was applied by a decision before: a redo is no typing
	Late     bool        `json:"late,omitempty"`    // an editor was asked to apply it, and has not answered
	Covered  bool        `json:"settled,omitempty"` // applied, and another letter has gone over its text since
	Was      ChangeState `json:"was,omitempty"`     // of a closed change: how it had been decided
	Asked    []string    `json:"asked,omitempty"`   // keys of the requests it answers, to know a repeated one
	BaseHash string      `json:"base_hash,omitempty"`
	Hunks    []Hunk      `json:"hunks"`
	Since    int64       `json:"-"`                // sequence at which its text became what it is, or was read back from a journal
	File     *FileOp     `json:"file,omitempty"`   // of a change of the whole file
	Clash    bool        `json:"clash,omitempty"`  // in conflict only because another letter lies there
	Yours    bool        `json:"yours,omitempty"`  // a person has edited what it proposes
	Yields   bool        `json:"yields,omitempty"` // of a clash: also to letters that were staged later
	Quoted   *Quoted     `json:"quoted,omitempty"` // the text that the agent named, until it is amended

	last *standing // where it stood when somebody decided last
	over *standing // of an applied one: where it was in conflict, and was taken over the user's text
	says evidence  // what the text says of it
}

// Quoted is the text that the agent named to be replaced, which is more than what
// differs: in code points.
type Quoted struct {
	Before int `json:"before,omitempty"` // its start is so far before the first place of the change
	Length int `json:"length"`
}

// quotes notes what the agent has named: what stood at m in p, and begins at from in the
// proposed text now.
func (c *Change) quotes(d *Document, p text.Text, m match.Match, from int) {
	if r := d.Ranges(c.Owner, c); c.Revision == 1 && len(r) > 0 {
		now := d.Proposed(c.Owner)
		c.Quoted = &Quoted{now.CharsBefore(r[0][0]) - now.CharsBefore(from), p.CharsBefore(m.End) - p.CharsBefore(m.Start)}
	}
}

func (c *Change) clone() *Change {
	d := *c
	d.Hunks = slices.Clone(c.Hunks)
	return &d
}

// reads reports whether every hunk of a change that is not in the text stands on
// its old text. What the user typed at the place of an insertion stands beside it.
func (c *Change) reads(base text.Text) bool {
	for _, h := range c.Hunks {
		if (h.Old != "" || h.Held) && base.Slice(h.Start, h.End) != h.Old {
			return false
		}
	}
	return true
}

// Edits returns the change as edits of the base, for a change whose text is not
// yet in it (staged, applying, or a conflict taken over the user's text).
func (c *Change) Edits() text.Edits {
	es := make(text.Edits, len(c.Hunks))
	for i, h := range c.Hunks {
		es[i] = h.edit()
	}
	return es
}

// UndoEdits returns the edits that take an applied change out of the base.
func (c *Change) UndoEdits() text.Edits {
	es := make(text.Edits, len(c.Hunks))
	for i, h := range c.Hunks {
		es[i] = text.Edit{Start: h.Start, End: h.End, New: h.Old}
	}
	return es
}

// Start is the place of the change in the base: where it would write, or where
// what it has written stands.
func (c *Change) Start() int {
	switch {
	case len(c.Hunks) == 0:
		return 0
	case c.State == Applied:
		return c.Hunks[0].Start
	}
	return c.Hunks[0].edit().Start
}

// Conflicts returns both sides of a conflict, hunk by hunk.
func (c *Change) Conflicts(base text.Text) []Sides {
	var out []Sides
	for _, h := range c.Hunks {
		out = append(out, Sides{Mine: base.Slice(h.Start, h.End), Agent: h.New, Original: h.Old})
	}
	return out
}

// Sides are the three texts of a conflict.
type Sides struct {
	Mine     string `json:"mine"`
	Agent    string `json:"agent"`
	Original string `json:"original"`
}

func kindOf(hs []Hunk) Kind {
	ins, del := true, true
	for _, h := range hs {
		ins = ins && h.Old == ""
		del = del && h.New == ""
	}
	switch {
	case ins:
		return KindInsert
	case del:
		return KindDelete
	}
	return KindReplace
}
