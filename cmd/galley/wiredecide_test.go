package main

import (
	"context"
	"errors"
	"strings"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/lsp/lsptest"
)

// What the user can decide in a random session, and how the editor then behaves.

// answersSomehow scripts how the editor meets the next edit.
func (c *chaos) answersSomehow() lsptest.Answer {
	var a lsptest.Answer
	switch c.r.IntN(12) {
	case 0:
		a.Do = lsptest.DoRefuse
	case 1:
		a = lsptest.Answer{Do: lsptest.DoRefuse, Say: lsptest.SayApplied}
	case 2:
		a = lsptest.Answer{Do: lsptest.DoRefuse, Say: lsptest.SayError}
	case 3:
		a = lsptest.Answer{Do: lsptest.DoLater, Say: lsptest.SayApplied}
		c.lies = true
	case 4:
		a.Say = lsptest.SayNotApplied
	case 5:
		a.When = lsptest.ReplyLong
	case 6:
		a.When = lsptest.ReplyHeld
	case 7:
		a.When = lsptest.ReplyFirst
	case 8:
		a.Do = lsptest.DoPartly
	case 9:
		a.Say = lsptest.SayNothing
	default:
		return a
	}
	c.say("the next edit is met so: %+v", a)
	c.Answers(a)
	return a
}

// decide runs a command that may bring text in. Unless the editor's words are held back it waits for the answer, and then
// none of the user's words may be gone but those that stood in the old text of the changes.
func (c *chaos) decide(name string, arg map[string]any, letters []string, over bool) {
	old := c.take(letters)
	before := c.texts()
	c.flying[""] = true
	a := c.answersSomehow()
	call := c.BeginCommand(name, arg)
	c.say("%s %v (%v)", name, arg, letters)
	raced := c.r.IntN(6) == 0
	if raced {
		c.types()
		c.mangled = c.mangled || c.unversioned()
	}
	c.calls = append(c.calls, call)
	if a.When != lsptest.ReplyHeld && a.Say != lsptest.SayNothing {
		c.answered(call)
	}
	old += c.take(letters) // it may have been amended meanwhile
	if raced || over || len(c.calls) > 0 {
		return
	}
	for name, now := range c.texts() {
		for _, word := range userWord.FindAllString(before[name], -1) {
			if !strings.Contains(now, word) && !strings.Contains(old, word) {
				c.fail("%s is lost from %s\nbefore %q\n   now %q", word, name, before[name], now)
			}
		}
	}
}

// answered waits for a command. It may refuse; it may not break.
func (c *chaos) answered(call *lsptest.Call) {
	_, err := call.Result(context.Background())
	var refused *lsptest.ResponseError
	switch {
	case err == nil:
	case !errors.As(err, &refused), refused.Code != -32803 && refused.Code != -32602:
		c.fail("%v", err)
	default:
		c.say("refused: %v", err)
	}
	for i, other := range c.calls {
		if other == call {
			c.calls = append(c.calls[:i], c.calls[i+1:]...)
			break
		}
	}
}

func (c *chaos) applies() {
	seq := c.host.Workspace().Snapshot().Seq
	cs := c.changes(editing.Staged)
	if len(cs) == 0 {
		return
	}
	ch := anyOf(c, cs)
	if c.r.IntN(4) == 0 { // all of the file, as they are when the typing that was held back has come
		var letters []string
		for _, other := range c.changes(editing.Staged, editing.Applied, editing.Conflict) {
			if other.Path == ch.Path {
				letters = append(letters, other.Letter)
			}
		}
		c.decide("galley.apply", map[string]any{"uri": c.uri(ch.Name), "seq": seq}, letters, false)
		return
	}
	c.decide("galley.apply", map[string]any{"change": ch.Letter, "revision": ch.Revision}, []string{ch.Letter}, false)
}

func (c *chaos) rejects() {
	if cs := c.changes(editing.Staged, editing.Conflict); len(cs) > 0 {
		ch := anyOf(c, cs)
		c.unchanged("galley.reject", map[string]any{"change": ch.Letter, "reason": "no"})
		now, ok := c.host.Workspace().Snapshot().Change(ch.Letter)
		if !ok || now.State != editing.Rejected || c.lies || len(c.calls) > 0 {
			return
		}
		for _, h := range now.Hunks { // not a byte of it from now on, unless it was in the text before, or may still come
			for _, word := range agentWord.FindAllString(h.New, -1) {
				c.took[word] = c.seen[word] || c.flying[word]
			}
		}
	}
}

func (c *chaos) unrejects() {
	if cs := c.changes(editing.Rejected); len(cs) > 0 {
		c.unchanged("galley.unreject", map[string]any{"change": anyOf(c, cs).Letter})
	}
}

func (c *chaos) resolves() {
	cs := c.changes(editing.Conflict)
	if len(cs) == 0 {
		return
	}
	ch := anyOf(c, cs)
	switch c.r.IntN(3) {
	case 0:
		c.unchanged("galley.resolve", map[string]any{"change": ch.Letter, "revision": ch.Revision, "take": "mine"})
	case 1:
		c.unchanged("galley.resolve", map[string]any{"change": ch.Letter, "revision": ch.Revision, "take": "ask"})
	default:
		c.decide("galley.resolve", map[string]any{"change": ch.Letter, "revision": ch.Revision, "take": "agent"}, []string{ch.Letter}, true)
	}
}

// aSession is an editing session that is open.
func (c *chaos) aSession() (*editing.Session, bool) {
	var open []*editing.Session
	for _, s := range c.host.Workspace().Snapshot().Sessions("") {
		if s.State.Open() {
			open = append(open, s)
		}
	}
	if len(open) == 0 {
		return nil, false
	}
	return anyOf(c, open), true
}

func (c *chaos) commits() {
	s, ok := c.aSession()
	if !ok {
		return
	}
	c.idle(c.t) // what is staged while it waits for its turn is a test of its own
	var letters []string
	snap := c.host.Workspace().Snapshot()
	for _, ch := range snap.Undecided(s.Owner, s.N) {
		letters = append(letters, ch.Letter)
	}
	c.decide("galley.commit", map[string]any{"session": s.Owner, "edit": s.N, "seq": snap.Seq, "summary": "done"}, letters, false)
}

func (c *chaos) reverts() {
	if s, ok := c.aSession(); ok {
		c.unchanged("galley.revert", map[string]any{"session": s.Owner, "edit": s.N, "reason": "no"})
	}
}

// unchanged runs a command that never touches a text.
func (c *chaos) unchanged(name string, arg map[string]any) {
	still := !busy(c.host.Workspace().Snapshot())
	before := c.texts()
	call := c.BeginCommand(name, arg)
	c.say("%s %v", name, arg)
	c.answered(call)
	if len(c.calls) > 0 || !still || len(c.flying) > 0 { // an edit that was sent before may come to its end now
		return
	}
	for name, now := range c.texts() {
		if now != before[name] {
			c.fail("%s was touched\nbefore %q\n   now %q", name, before[name], now)
		}
	}
}
