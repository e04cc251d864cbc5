package lsp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/view"
)

// What the arguments of a command mean: changes, an edit, an agent session.

// chosen finds the changes that the arguments mean, in one of the states, and
// refuses a choice that was made on something else than what is there now.
func (s *server) chosen(snap *editing.Snapshot, a args, states ...editing.ChangeState) ([]*editing.Change, error) {
	var out []*editing.Change
	switch {
	case a.Change != "":
		c, ok := snap.Change(strings.ToUpper(strings.TrimSpace(a.Change)))
		if !ok {
			return nil, refused(codeUnknownChange, "there is no change %s; %s", a.Change, listed(snap, states))
		}
		out = []*editing.Change{c}
	case a.URI != "":
		d, ok := s.document(snap, a.URI)
		if !ok {
			return nil, badArguments("galley knows no changes of the text in %s", a.URI)
		}
		out = slices.DeleteFunc(d.Changes(), func(c *editing.Change) bool { return !slices.Contains(states, c.State) })
		if len(out) == 0 {
			return nil, refused(codeUnknownChange, "there is nothing in %s to decide; %s", d.Name, listed(snap, states))
		}
	case a.Session != "":
		owner, err := s.session(a)
		if err != nil {
			return nil, err
		}
		out = slices.DeleteFunc(snap.Changes(), func(c *editing.Change) bool {
			return c.Owner != owner || a.Edit != 0 && c.Session != a.Edit || !slices.Contains(states, c.State)
		})
		if len(out) == 0 {
			return nil, refused(codeUnknownChange, "there is nothing of that session to decide; %s", listed(snap, states))
		}
	default:
		out = slices.DeleteFunc(snap.Changes(), func(c *editing.Change) bool { return !slices.Contains(states, c.State) })
		if len(out) != 1 {
			return nil, badArguments("say which change; %s", listed(snap, states))
		}
	}
	return out, fresh(snap, out, a)
}

// fresh checks that what the user saw is what is there.
func fresh(snap *editing.Snapshot, cs []*editing.Change, a args) error {
	for _, c := range cs {
		if a.Change != "" && (a.Session != "" && a.Session != currentSession && a.Session != c.Owner || a.Edit != 0 && a.Edit != c.Session) {
			return fail(failure{Status: editing.StatusStale, Code: "revision", Preview: changePreview(snap, c)},
				fmt.Sprintf("the change %s that you saw is gone, and %s is another one now; look at it", c.Letter, c.Letter))
		}
		amended := a.Revision != 0 && len(cs) == 1 && a.Revision != c.Revision
		if amended || a.Seq != nil && c.Since > *a.Seq {
			return stale(snap, c)
		}
	}
	return nil
}

func stale(snap *editing.Snapshot, c *editing.Change) error {
	return fail(failure{Status: editing.StatusStale, Code: "revision", Preview: changePreview(snap, c)},
		fmt.Sprintf("change %s was amended since you saw it (now revision %d); look at it again", c.Letter, c.Revision))
}

func changePreview(snap *editing.Snapshot, c *editing.Change) string {
	return fmt.Sprintf("[%s] %s\n%s", c.Letter, view.Summary(snap, c), view.Places(snap, c, view.Options{}))
}

// listed names the changes that are in one of the states.
func listed(snap *editing.Snapshot, states []editing.ChangeState) string {
	var out []string
	for _, c := range snap.Changes() {
		if slices.Contains(states, c.State) {
			out = append(out, fmt.Sprintf("%s (%s: %s)", c.Letter, c.Name, view.Summary(snap, c)))
		}
	}
	if len(out) == 0 {
		return "nothing waits for a decision"
	}
	return "there are " + strings.Join(out, "; ")
}

func choicesOf(cs []*editing.Change) []editing.Choice {
	out := make([]editing.Choice, len(cs))
	for i, c := range cs {
		out[i] = editing.Choice{Letter: c.Letter, Revision: c.Revision}
	}
	return out
}

func lettersOf(cs []*editing.Change) []string {
	out := make([]string, len(cs))
	for i, c := range cs {
		out[i] = c.Letter
	}
	return out
}

// session is the agent session that the arguments mean: the named or the active.
func (s *server) session(a args) (string, error) {
	if a.Session != "" && a.Session != currentSession {
		return a.Session, nil
	}
	if now := s.current(); now != "" {
		return now, nil
	}
	return "", refused(codeNoSession, "there is no agent session yet; galley.ask or galley.newSession makes one")
}

// edit is the editing session that the arguments mean: the named, or the only
// one that is open.
func (s *server) edit(snap *editing.Snapshot, a args) (*editing.Session, error) {
	owner := a.Session
	if owner == currentSession {
		owner = s.current()
	}
	var open, closed []*editing.Session
	for _, ses := range snap.Sessions(owner) {
		switch {
		case a.Edit != 0 && ses.N != a.Edit:
		case ses.State.Open():
			open = append(open, ses)
		default:
			closed = append(closed, ses)
		}
	}
	switch {
	case len(open) == 1:
		return open[0], nil
	case len(open) == 0 && len(closed) == 1 && a.Edit != 0:
		return closed[0], nil
	case len(open) == 0:
		return nil, badArguments("no edit is open")
	}
	var names []string
	for _, ses := range open {
		names = append(names, fmt.Sprintf("#%d of %s", ses.N, ses.Owner))
	}
	return nil, badArguments("say which edit; open are %s", strings.Join(names, ", "))
}
