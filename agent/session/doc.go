// Package session is the core: an agent session with its staged changes, its
// tasks, its memory directory and its conversation.
//
// Every tool of the agent and every decision of the user that changes something
// goes through a Session, one at a time: it is planned on a snapshot, journaled,
// and then done; a journaled change that could not be done is voided by a later
// entry. Whatever only reads, and the search part of an edit, works on a snapshot
// beside that queue. A session that is opened again is rebuilt from its journal,
// and its letters are found again in the texts as they are now.
//
// Who may change its state: whoever holds the Session, through its methods. They
// return an editing.Result, or a small plain value, and an error; the call and
// whose doing it is are arguments. A decision that was understood and not done is
// a Result that is not OK, an error says that something is broken.
//
// What it never does: talk to a model, make an answer for a reader, draw on a
// screen, run a command, write a user's file that nobody accepted, or let a secret
// into its journal or a request.
package session
