// Command galley runs an agent whose edits are proofs: staged under letters, read by a person, and only then written.
//
// This package has the flags of the commands, connects the other rooms, and turns outcomes into exit codes. What a command
// does stands below internal: run, review, demo, doctor, setup with settings, and term, which talks to the person. It
// holds no state of its own; whoever wants a letter applied or rejected goes through agent/session.
//
// It never decides about a change, never touches a user's file, and never colours what no terminal reads. Results go to
// stdout, progress and questions about progress to stderr.
package main
