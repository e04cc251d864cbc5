package host

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/memory"
)

// Way is what a decision does to texts.
type Way int

// The ways of a decision.
const (
	Applies Way = iota // its letters go into their texts
	Commits            // so do all letters of an edit, which then closes
	Reverts            // what an edit applied goes out of its texts, and the edit closes
	Undoes             // its letters go out of their texts, and wait again
)

// Decision is one that documents take part in which an editor has open. It is under way until their texts have decided.
type Decision struct {
	ID      int
	By      editing.Keeper // the client that decided, or whose agent did; 0: none
	Way     Way
	Label   string   // for the editor's list of undos
	Letters []string // that it is about
	Session string   // with Edit: what it commits or reverts
	Edit    int
	Reason  string // of a revert
	Barred  string // of a commit that no person asked for: why it is left to them

	of memory.Decision // that an undo takes back
}

// changes are those that a decision brings into texts, or out of them.
func (d Decision) changes(snap *editing.Snapshot) []*editing.Change {
	switch ses, ok := snap.Session(d.Session, d.Edit); {
	case d.Way == Commits:
		return snap.Undecided(d.Session, d.Edit)
	case d.Way == Reverts && ok:
		edits := d.Edits(snap)
		return slices.DeleteFunc(snap.Of(ses.Owner, ses.N), func(c *editing.Change) bool {
			if doc, ok := snap.Document(c.Path); !ok || !doc.Open() {
				return !c.WasApplied()
			}
			return !slices.ContainsFunc(edits, func(e editing.DocumentEdit) bool { return e.Path == c.Path })
		})
	case d.Way == Undoes:
		return slices.DeleteFunc(session.Standing(snap, d.of), func(c *editing.Change) bool { return !c.WasApplied() })
	}
	return slices.DeleteFunc(snap.Changes(), func(c *editing.Change) bool { return !slices.Contains(d.Letters, c.Letter) })
}

// Applying is the decision to take letters in.
func Applying(by editing.Keeper, verb string, choices []editing.Choice) Decision {
	d := Decision{By: by, Way: Applies}
	for _, c := range choices {
		d.Letters = append(d.Letters, c.Letter)
	}
	d.Label = verb + " " + strings.Join(d.Letters, ", ")
	return d
}

// Committing is the decision to commit an edit.
func Committing(by editing.Keeper, session string, edit int) Decision {
	return Decision{By: by, Way: Commits, Label: fmt.Sprintf("Commit #%d", edit), Session: session, Edit: edit}
}

// Reverting is the decision to revert an edit with what was applied.
func Reverting(by editing.Keeper, snap *editing.Snapshot, ses *editing.Session, reason string) Decision {
	d := Decision{By: by, Way: Reverts, Label: fmt.Sprintf("Revert #%d", ses.N), Session: ses.Owner, Edit: ses.N, Reason: reason}
	for _, c := range snap.Of(ses.Owner, ses.N) {
		if c.State == editing.Applied {
			d.Letters = append(d.Letters, c.Letter)
		}
	}
	return d
}

// Undoing is the decision to take one back; which letters that are is known when it is made.
func Undoing(of memory.Decision) Decision {
	return Decision{Way: Undoes, Label: "Undo: " + session.Called(of), Session: of.Session, Edit: of.Edit, of: of}
}

// Edits are what the open documents still lack, with the versions that they rest on.
func (d Decision) Edits(snap *editing.Snapshot) []editing.DocumentEdit {
	ses, ok := snap.Session(d.Session, d.Edit)
	switch {
	case d.Way == Reverts && ok && !ses.State.Open():
		return snap.UndoingClosed(d.Session, d.Edit)
	case len(d.Letters) == 0:
		return nil
	case d.Way == Reverts || d.Way == Undoes:
		return snap.Undoing(d.Letters...)
	}
	return snap.Applying(d.Letters...)
}

// Part is what the documents of one keeper still lack.
func (d Decision) Part(snap *editing.Snapshot, of editing.Keeper) []editing.DocumentEdit {
	return slices.DeleteFunc(d.Edits(snap), func(e editing.DocumentEdit) bool { return e.Keeper != of })
}

// Decided reports whether the texts of a keeper have decided.
func (d Decision) Decided(snap *editing.Snapshot, of editing.Keeper) bool {
	return !slices.Contains(d.keepers(snap), of)
}

// keepers are those whose texts have not decided yet.
func (d Decision) keepers(snap *editing.Snapshot) (out []editing.Keeper) {
	if d.Way == Reverts || d.Way == Undoes {
		for _, e := range d.Edits(snap) {
			out = append(out, e.Keeper)
		}
		return out
	}
	for _, l := range InState(snap, d.Letters, editing.Applying) {
		c, _ := snap.Change(l)
		doc, _ := snap.Document(c.Path)
		out = append(out, doc.Keeper)
	}
	return out
}

// InState are the letters that are in a state.
func InState(snap *editing.Snapshot, letters []string, state editing.ChangeState) []string {
	return slices.DeleteFunc(slices.Clone(letters), func(l string) bool {
		c, ok := snap.Change(l)
		return !ok || c.State != state
	})
}

// Ending is how a keeper's part in a decision ended: with the texts, if it is not refused, nor waited for in vain.
type Ending struct {
	Refused bool
	Reason  string        // the editor's words
	Waited  time.Duration // at most
	Silent  bool          // the editor has not even answered

	who string // another editor than that of whoever decided
}

// sentence says why letters wait again.
func (e Ending) sentence(letters string) string {
	who := cmp.Or(e.who, "the editor")
	switch {
	case e.Refused && e.Reason != "":
		return fmt.Sprintf("%s did not apply %s: %s", who, letters, e.Reason)
	case e.Refused:
		return fmt.Sprintf("%s did not apply %s", who, letters)
	}
	return fmt.Sprintf("the text of %s did not change within %s: %s waits for a decision again", who, e.Waited, letters)
}
