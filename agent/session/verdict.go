package session

import "github.com/galley-ls/galley/editing"

// Verdict is a decision of a person's in plain values: it may come from another process.
type Verdict struct {
	Op      string           `json:"op"` // one of those below
	Choices []editing.Choice `json:"choices,omitempty"`
	Take    string           `json:"take,omitempty"`   // of a resolve: mine, agent or ask
	Edit    int              `json:"edit,omitempty"`   // of a commit or a revert; 0: the only open one
	Reason  string           `json:"reason,omitempty"` // for the agent; of a commit its summary
}

// The operations of verdicts.
const (
	VerdictApply    = "apply"
	VerdictReject   = "reject"
	VerdictUnreject = "unreject"
	VerdictResolve  = "resolve"
	VerdictCommit   = opCommit
	VerdictRevert   = opRevert
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
	case VerdictResolve:
		if len(v.Choices) == 1 {
			return Resolve(v.Choices[0], v.Take)
		}
	case VerdictCommit:
		return Commit(v.Edit, v.Reason, nil)
	case VerdictRevert:
		return Revert(v.Edit, v.Reason)
	}
	return Decision{op: v.Op, fault: refuse("bad_arguments", "there is no decision %q of %d letters", v.Op, len(v.Choices))}
}
