// Command galley runs an agent whose edits are proofs: staged under letters, read by a person, and only then written.
//
// This package constructs and connects the other rooms, prints for people, asks them, and turns outcomes into exit
// codes. It holds no state of its own; whoever wants a letter applied or rejected goes through agent/session.
//
// It never decides about a change, never touches a user's file, and never colours what no terminal reads. Results go to
// stdout, progress and questions about progress to stderr.
package main
