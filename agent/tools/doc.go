// Package tools is the model's face: the table of tools that a model is offered. Each has a .go file with its arguments,
// what it does on a session, and its answer, and a .md file with the text that the model reads.
//
// Arguments are checked against a schema that is made from their struct, so that nothing is guessed or dropped in
// silence. Whatever a model sends is answered with an Outcome that says what to do next; its JSON is made here and nowhere
// else. No secret goes through this door in either direction: arguments that hold one are refused, and outcomes are
// masked, text by text.
//
// The tools hold no state, and touch no letter or file of the user but through the session. Only run_command starts a
// program, when the settings and the person let it.
package tools
