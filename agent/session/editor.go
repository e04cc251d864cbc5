package session

import (
	"context"
	"fmt"
	"slices"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
	"github.com/galley-ls/galley/memory"
)

// This file is for documents that an editor has open: their text decides, so
// decisions come in two steps.

// TextDecided journals what the texts decided since the last call: conflicts,
// healed ones, what was undone, typed or taken in by an editor.
func (s *Session) TextDecided(context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.textDecided()
}

func (s *Session) textDecided() error {
	ts := s.texts.Next()
	var letters []string
	for _, t := range ts {
		letters = append(letters, t.Letter)
	}
	if len(ts) == 0 || s.store.ReadOnly() {
		return nil
	}
	news := s.textNews(ts)
	if _, err := s.append(memory.TypeEdit, editEntry{Op: "text", News: news, Record: s.Snapshot().Record(letters...)}); err != nil {
		return err
	}
	s.news = append(s.news, news...)
	return nil
}

// Expire decides letters that an editor refused, or whose text did not come.
func (s *Session) Expire(_ context.Context, letters []string) Outcome {
	return s.decide("expire", "", editing.Expire(letters), nil)
}

// FinishCommit takes in the closed files of a commit whose open documents have
// confirmed, and closes the editing session.
func (s *Session) FinishCommit(_ context.Context, n int) Outcome {
	return s.closeEdit(n, "commit", "", func(n int) editing.Op { return editing.FinishCommit(s.me, n) })
}

// AbortCommit gives a commit up that an editor refused: each letter is what its
// document says, and the editing session is open as before.
func (s *Session) AbortCommit(_ context.Context, n int) Outcome {
	return s.decide("abort-commit", "", editing.AbortCommit(s.me, n), nil)
}

// UndoApplied takes changes that were applied back out of closed files, where
// their text is intact, so that a revert throws them away too. The hint names
// those that it could not take back. Open documents are undone by their editor:
// see editing.Snapshot.Undoing.
func (s *Session) UndoApplied(_ context.Context, n int) Outcome {
	return s.decide("undo-applied", "", editing.UndoApplied(s.me, n), nil)
}

// RevertClosed takes what a closed editing session applied back out of closed
// files, where its text is intact. The hint names what stays. The agent hears it.
func (s *Session) RevertClosed(_ context.Context, n int) Outcome {
	var read []*editing.Document
	for _, c := range s.Snapshot().Of(s.me, n) {
		d, err := s.at(c.Path, c.Name)
		switch {
		case err == nil:
			read = append(read, d)
		case isLost(err):
			read = append(read, editing.NewDocument(c.Path, c.Name, text.Text{}))
		default:
			return failed(err)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	res, err := s.do(memory.TypeDecision, "undo-closed", "", editing.UndoClosed(s.me, n), func(p *editing.Plan) []string {
		if !p.Result.OK() {
			return nil
		}
		return []string{fmt.Sprintf("the user took #%d back, with what was applied", n)}
	}, read...)
	if err != nil {
		return failed(err)
	}
	o := s.outcome(res)
	o.SessionID, o.Decisions = editing.SessionID(n), s.decisions(n)
	return o
}

// Comment tells the agent a remark about a change at its next step.
func (s *Session) Comment(_ context.Context, letter, text string) Outcome {
	text = s.Mask(text)
	s.mu.Lock()
	defer s.mu.Unlock()
	c, ok := s.Snapshot().Change(letter)
	if !ok || c.Owner != s.me {
		return Answer(CodeUnknownChange, fmt.Sprintf("there is no change %s", letter))
	}
	say := fmt.Sprintf("the user says about %s (%s): '%s'", letter, c.Name, text)
	if _, err := s.append(memory.TypeDecision, editEntry{Op: "comment", Reason: text, News: []string{say}}); err != nil {
		return failed(err)
	}
	s.news = append(s.news, say)
	return Outcome{Status: StatusOK, SessionID: editing.SessionID(c.Session)}
}

// Has reports whether a letter of an open editing session is this session's.
func (s *Session) Has(letter string) bool {
	return slices.ContainsFunc(s.Snapshot().Changes(), func(c *editing.Change) bool { return c.Letter == letter && c.Owner == s.me })
}
