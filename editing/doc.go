// Package editing stages an agent's edits as lettered, reviewable changes.
//
// The agent never writes a user's file. What it proposes becomes a Change with
// a letter (A..Z); the user, or where the policy says so the agent, takes it
// into the text or throws it away. Before that nothing is touched: no buffer,
// no disk, no undo stack.
//
// One owner, Workspace, holds the state behind one mutex. Everybody else reads
// immutable Snapshots. A mutation is computed on a snapshot as a Plan, which
// the caller may journal, and is accepted only if the texts it rests on have
// not moved; the user's own text (Update) always goes in at once. A method
// checks first, then changes, then raises the sequence number: an error means
// that nothing changed.
//
// Who may change its state: the user's text comes through Update (an editor, or
// a file read again); everything else through agent/session.
//
// What it never does: speak LSP, know a model, log, read or write a file, or
// call out while the lock is held. Offsets are bytes of UTF-8 content without
// the BOM; lines shown to people are 1-based.
package editing
