package session

import (
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/view"
)

// Verdict is a decision of a person's in plain values: it may come from another process.
type Verdict struct {
	Op      string           `json:"op"` // one of those below
	Choices []editing.Choice `json:"choices,omitempty"`
	Take    string           `json:"take,omitempty"`   // of a resolve: mine, agent or ask
	Edit    int              `json:"edit,omitempty"`   // of a commit or a revert; 0: the only open one
	Reason  string           `json:"reason,omitempty"` // for the agent; of a commit its summary
	Text    string           `json:"text,omitempty"`   // of an amend: what its lines are to be
	Lines   [2]int           `json:"lines,omitzero"`   // of a split: the numbers of those that get another letter
	Drawn   view.Lines       `json:"drawn,omitempty"`  // as the change was drawn, with these numbers
}

// The operations of verdicts.
const (
	VerdictApply    = "apply"
	VerdictReject   = "reject"
	VerdictUnreject = "unreject"
	VerdictResolve  = "resolve"
	VerdictCommit   = opCommit
	VerdictRevert   = opRevert
	VerdictAmend    = opAmend
	VerdictSplit    = opSplit
)

// Decision is what a session carries out.
func (v Verdict) Decision() Decision {
	switch v.Op {
	case VerdictApply:
		return Apply(v.Choices)
	case VerdictReject:
		return Reject(v.Choices, v.Reason)
	case VerdictUnreject:
		return Unreject(v.Choices)
	case VerdictResolve, VerdictAmend, VerdictSplit:
		if len(v.Choices) == 1 {
			return v.ofOne(v.Choices[0])
		}
	case VerdictCommit:
		return Commit(v.Edit, v.Reason, nil)
	case VerdictRevert:
		return Revert(v.Edit, v.Reason)
	}
	return Decision{op: v.Op, fault: refuse("bad_arguments", "there is no decision %q of %d letters", v.Op, len(v.Choices))}
}

// ofOne is a decision about one letter.
func (v Verdict) ofOne(c editing.Choice) Decision {
	switch v.Op {
	case VerdictResolve:
		return Resolve(c, v.Take)
	case VerdictAmend:
		return Amend(editing.Amendment{Choice: c, Text: v.Text, Lines: true})
	}
	part, twice := v.Drawn.Numbered(v.Lines[0], v.Lines[1])
	if twice != 0 {
		return Decision{fault: refuse("bad_arguments", "two lines of %s in different places have the number %d; name others, or edit it", c.Letter, twice)}
	}
	return Split(c, part)
}
