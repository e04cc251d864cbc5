package tools

import (
	"context"
	_ "embed"
	"strings"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/editing"
)

//go:embed memo_drop.md
var dropDoc string

// drop takes back a staged change.
func drop() Tool { return define("memo_drop", dropDoc, dropChange) }

// DropArgs are the arguments of memo_drop.
type DropArgs struct {
	ChangeID string `json:"change_id"`
	Reason   string `json:"reason"`
}

func dropChange(_ context.Context, s *session.Session, by session.By, a DropArgs) Outcome {
	c, ok := s.Snapshot().Change(strings.ToUpper(a.ChangeID))
	res, err := s.Drop(by, a.ChangeID, a.Reason)
	if err != nil {
		return failed(err)
	}
	o := outcomeOf(s, res)
	if ok && res.OK() {
		o.SessionID = editing.SessionID(c.Session)
		o.PendingChanges = waiting(s, c.Session)
	}
	return o
}
