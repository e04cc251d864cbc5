// Package dial is the client's end of a connection to the host of a workspace: how
// a run whose loop, model and commands are in this process reaches its agent
// session.
//
// A Run has the methods that the loop wants of a session, each a request; it is
// handed to the loop by cmd/galley, so that this package knows no loop. It owns
// which runs its connection has opened, and how each stands.
//
// What it never does: keep anything of a session, or take an answer for one that
// the host has not given. When the connection is gone so are its runs.
package dial
