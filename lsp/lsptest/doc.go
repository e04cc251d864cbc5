// Package lsptest is an editor for tests: a client of the language server that keeps buffers, versions, undo and what
// is on the screen, and that can be late, refuse, lie, hold typing back, cut its changes oddly and lack any capability.
//
// A Profile says how an editor behaves. Those named after real editors hold what was measured in them. Only the person
// (the test) and the server change an Editor: one mutex guards everything, one goroutine reads the wire in order, one
// writes it. Time is a clock that the test moves, or that runs while the editor has nothing to do but wait.
//
// It speaks raw JSON-RPC over any io.ReadWriteCloser, knows nothing of the server's packages (so both sides never share
// a mistake), checks every message of the server against the protocol's meta-model, never sleeps, and never forgets
// what was on the wire.
package lsptest
