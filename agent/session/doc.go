// Package session is the one join: an agent session with its staged changes, its
// tasks, its memory directory and its conversation.
//
// Every tool of the agent and every decision of the user goes through a Session,
// one at a time: it is checked on a snapshot, journaled, and then done; a
// journaled change that could not be done is voided by a later entry. A session
// that is opened again is rebuilt from its journal, and its letters are found
// again in the texts as they are now.
//
// Who may change its state: whoever holds the Session, through its methods. The
// tools return an Outcome for the model; the person's methods return the same.
//
// What it never does: talk to a model, draw on a screen, write a user's file that
// nobody accepted, run a command that nobody allowed, or let a secret into its
// journal, a request or an answer.
package session
