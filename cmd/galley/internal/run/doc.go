// Package run gives the agent a prompt and shows what it does: to a person line by line, to a program as JSON. It asks the
// person about commands and, through package review, about changes, hears what they say to the answer, and turns the end of
// a run into an exit code.
//
// It holds nothing of the conversation: a run may end anywhere, and another one goes on in its session.
package run
