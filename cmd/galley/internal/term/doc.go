// Package term is how galley talks to a person at a terminal: consoles and their colours, words that fit, a text that
// comes in pieces, what goes on meanwhile, what is typed; and how a command ends, with an error that a person can act on.
//
// It knows nothing of sessions, models or settings. It never colours or cuts what no terminal reads.
package term
